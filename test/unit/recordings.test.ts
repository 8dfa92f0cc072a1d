import './skippedPauses';
import { recordings } from '../recordings';
import { refused } from '../engine/gateways/asked';
import { testReplies, routes } from '../engine/gateways/replies';
import { inProcess } from './inProcess';

describe('a recorded reply comes out right', () => testReplies(inProcess));

test('every recording is gone through', () => {
	expect([...new Set(routes.values())].sort()).toEqual([
		'group/fetchAllGroups',
		'group/inviteCode',
		'group/participants',
		'group/revokeInviteCode',
		'group/sendInvite',
		'group/updateParticipant',
		'group/updateSetting',
		'instance/connect',
		'instance/fetchInstances',
		'openai/fetch',
		'openai/find',
	]);
});

test('every reason not to send something is needed', () => {
	expect(refused.filter(([what]) => !recordings.some((name) => what.test(name)))).toEqual([]);
});
