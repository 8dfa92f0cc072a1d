import { outcomeOfCode } from '../../../../../nodes/MessagingGateway/gateway/replies/changeResults';
import { ACTIONS, type Outcome } from '../../../../../nodes/MessagingGateway/groups/outcomes';

describe('a code', () => {
	it.each<[code: string, add: Outcome, remove: Outcome, promote: Outcome, demote: Outcome]>([
		['200', 'done', 'done', 'done', 'done'],
		['409', 'unchanged', 'rejected', 'rejected', 'rejected'],
		['404', 'notFound', 'unchanged', 'notFound', 'notFound'],
		['403', 'inviteRequired', 'rejected', 'rejected', 'rejected'],
		['417', 'inviteRequired', 'rejected', 'rejected', 'rejected'],
		['408', 'recentlyLeft', 'recentlyLeft', 'recentlyLeft', 'recentlyLeft'],
		['419', 'groupFull', 'groupFull', 'groupFull', 'groupFull'],
		['421', 'pendingApproval', 'pendingApproval', 'pendingApproval', 'pendingApproval'],
		['401', 'blocked', 'blocked', 'blocked', 'blocked'],
		['400', 'rejected', 'rejected', 'rejected', 'rejected'],
		['500', 'rejected', 'rejected', 'rejected', 'rejected'],
		['201', 'rejected', 'rejected', 'rejected', 'rejected'],
		['2000', 'rejected', 'rejected', 'rejected', 'rejected'],
		['0200', 'rejected', 'rejected', 'rejected', 'rejected'],
		['', 'rejected', 'rejected', 'rejected', 'rejected'],
		['success', 'done', 'done', 'done', 'done'],
		['OK', 'done', 'done', 'done', 'done'],
		['Added', 'done', 'unconfirmed', 'unconfirmed', 'unconfirmed'],
		['removed', 'unconfirmed', 'done', 'unconfirmed', 'unconfirmed'],
		['pending', 'unconfirmed', 'unconfirmed', 'unconfirmed', 'unconfirmed'],
		['constructor', 'unconfirmed', 'unconfirmed', 'unconfirmed', 'unconfirmed'],
		['__proto__', 'unconfirmed', 'unconfirmed', 'unconfirmed', 'unconfirmed'],
	])('%p means, on add, remove, promote and demote: %s, %s, %s, %s', (code, ...expected) => {
		expect(ACTIONS.map((action) => outcomeOfCode(code, action))).toEqual(expected);
	});
});
