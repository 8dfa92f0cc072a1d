import './skippedPauses';
import { recordings } from '../recordings';
import { EXPECTED, testReplies, routes } from '../engine/gateways/replies';
import { inProcess } from './inProcess';

describe('a recorded reply comes out right', () => testReplies(inProcess));

test('every recording is gone through', () => {
	expect([...new Set(routes.values())].sort()).toEqual([
		'group/create',
		'group/fetchAllGroups',
		'group/inviteCode',
		'group/leaveGroup',
		'group/participants',
		'group/revokeInviteCode',
		'group/sendInvite',
		'group/toggleEphemeral',
		'group/updateGroupDescription',
		'group/updateGroupPicture',
		'group/updateGroupSubject',
		'group/updateParticipant',
		'group/updateSetting',
		'instance/connect',
		'instance/fetchInstances',
		'message/sendText',
		'openai/fetch',
		'openai/find',
	]);
});

test('every recording has its line in the table, in which each is expected to come to something', () => {
	const asked = EXPECTED.filter(({ refused }) => refused === undefined);
	expect(asked.map(({ name }) => name)).toEqual(recordings);
	expect(asked.filter(({ calls, gives }) => calls === undefined || gives === undefined)).toEqual([]);
});
