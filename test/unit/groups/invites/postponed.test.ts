import type { InviteRow } from '../../../../nodes/MessagingGateway/groups/invites/plan';
import {
	isPostponedReason,
	postponedText,
	type PostponedReason,
} from '../../../../nodes/MessagingGateway/groups/invites/postponed';
import { memoryOf } from '../../../../nodes/MessagingGateway/groups/memory/rowText';
import { inviteRow, person } from '../../support';

const LIMIT = "Not sent, since one run sends no more than 'Maximum Invites per Run' allows";
const SAME = 'and the next run would start with the same people.';
const UNKNOWN = "Not sent, since it isn't known whether an earlier message was sent";

const ana = person('4915200000001');
const row = (more: Partial<InviteRow> = {}) => inviteRow('4915200000001', more);
const remembering = row(memoryOf('', true, '1@g.us', ana.identity, 0));
const several = row(memoryOf('', false, '1@g.us', ana.identity, 0));
const repeated = row({ onlyOnce: false });

describe('who is left for another run', () => {
	it.each<[string, PostponedReason, InviteRow, boolean, string]>([
		['n8n remembers', 'maxPerRun', row(), true, 'Postponed. Run this again to go on.'],
		['the row remembers', 'maxPerRun', remembering, false, 'Postponed. Run this again to go on.'],
		[
			'nothing remembers',
			'maxPerRun',
			row(),
			false,
			`${LIMIT}, ${SAME} Leave out those who were invited, add the option 'Row Memory', then run this again.`,
		],
		[
			'a row is of several people',
			'maxPerRun',
			several,
			false,
			`${LIMIT}, ${SAME} Leave out those who were invited, use an item for each person, then run this again.`,
		],
		[
			'memory is of no use',
			'maxPerRun',
			repeated,
			true,
			`${LIMIT}, ${SAME} Turn on 'Only Once', then run this again.`,
		],
		[
			'the instance stopped',
			'unknown',
			remembering,
			false,
			`${UNKNOWN}. Check the instance, then run this again.`,
		],
		[
			'the instance stopped and nothing remembers',
			'unknown',
			repeated,
			false,
			`${UNKNOWN}, ${SAME} Check the instance, leave out those who were invited, add the option 'Row Memory', turn on 'Only Once', then run this again.`,
		],
	])('is told what to do before it where %s', (_, hold, ofRow, isKept, text) => {
		expect(postponedText(hold, ofRow, isKept)).toBe(text);
	});
});

test.each([
	['noLink', true],
	['maxPerRun', true],
	['invited', false],
	['constructor', false],
	[['noLink'], false],
	[undefined, false],
])('what stopped an instance may be anything that was kept: %j', (kept, isReason) => {
	expect(isPostponedReason(kept)).toBe(isReason);
});
