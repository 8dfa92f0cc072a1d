import {
	ACTIONS,
	sentenceOf,
	tallyOf,
	WORDING,
	type Action,
	type Outcome,
} from '../../../nodes/MessagingGateway/groups/outcomes';

const OUTCOMES: ReadonlyArray<[Outcome, boolean | null]> = [
	['done', true],
	['unchanged', true],
	['inviteRequired', false],
	['notFound', false],
	['recentlyLeft', false],
	['groupFull', false],
	['pendingApproval', false],
	['blocked', false],
	['rejected', false],
	['accepted', null],
	['unconfirmed', null],
	['kept', null],
	['left', false],
	['postponed', false],
	['sent', true],
	['alreadyInvited', true],
	['planned', null],
];

describe('an outcome', () => {
	it.each(OUTCOMES)('%s says of the group being as asked: %p', (outcome, applied) => {
		expect(WORDING[outcome].applied).toBe(applied);
	});

	it('is one of the table', () => {
		expect(Object.keys(WORDING).sort()).toEqual(OUTCOMES.map(([outcome]) => outcome).sort());
	});

	it.each(OUTCOMES.flatMap(([outcome]) => ACTIONS.map((action): [Outcome, Action] => [outcome, action])))(
		'%s has a plain sentence on %s',
		(outcome, action) => {
			expect(sentenceOf(outcome, action)).toMatch(/^[A-Z][^\n]*[a-z]\.$/);
		},
	);

	it.each<[Outcome, one: string, several: string]>([
		['done', '1 done', '2 done'],
		['unchanged', '1 unchanged', '2 unchanged'],
		['inviteRequired', '1 needs an invite', '2 need an invite'],
		['notFound', '1 not found', '2 not found'],
		['recentlyLeft', '1 left recently', '2 left recently'],
		['groupFull', "1 didn't fit in the group", "2 didn't fit in the group"],
		['pendingApproval', '1 waits for approval', '2 wait for approval'],
		['blocked', '1 blocked', '2 blocked'],
		['rejected', '1 rejected', '2 rejected'],
		['accepted', '1 accepted without a result', '2 accepted without a result'],
		['unconfirmed', '1 not confirmed', '2 not confirmed'],
		['planned', '1 would be sent', '2 would be sent'],
	])('%s is counted in plain words: %s, %s', (outcome, one, several) => {
		expect([tallyOf(outcome, 'none', 1), tallyOf(outcome, 'none', 2)]).toEqual([one, several]);
	});

	it.each([
		['done', 'promote', '1 promoted', '2 promoted'],
		['unchanged', 'add', '1 was a member already', '2 were members already'],
		['planned', 'remove', '1 would be removed', '2 would be removed'],
	] as const)('%s after %s has words of its own: %s, %s', (outcome, action, one, several) => {
		expect([tallyOf(outcome, action, 1), tallyOf(outcome, action, 2)]).toEqual([one, several]);
	});

	it('unchanged says on add that the person was a member before', () => {
		expect(sentenceOf('unchanged', 'add', '409')).toContain('already a member');
	});

	it('has a sentence after an action that it has none for', () => {
		expect(sentenceOf('unchanged', 'none')).toBe('Already up to date.');
	});

	it('says on 404, and on nothing else, that another number was asked about', () => {
		expect(sentenceOf('notFound', 'promote', '404', true)).toContain(
			'the number that the gateway asked about',
		);
		expect(sentenceOf('unconfirmed', 'remove', undefined, true)).toBe(sentenceOf('unconfirmed', 'remove'));
		expect(sentenceOf('unchanged', 'remove', '404', true)).toBe(sentenceOf('unchanged', 'remove'));
		expect(sentenceOf('notFound', 'add', '404')).toBe('Not on the network. Check the number.');
	});

	it('rejected names a code that has no outcome of its own', () => {
		expect(sentenceOf('rejected', 'add', '500')).toBe('The gateway rejected this participant with code 500.');
	});

	it('rejected names the code as it came, even where it reads like a pattern', () => {
		expect(sentenceOf('rejected', 'add', '$&')).toBe('The gateway rejected this participant with code $&.');
	});
});
