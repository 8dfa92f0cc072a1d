import type { JsonRecord } from '../../MessagingGateway/common/json';
import { Problem } from '../../MessagingGateway/common/problem';
import { mapInSteps } from '../../MessagingGateway/common/steps';
import { readGroup } from '../../MessagingGateway/fields/locators';
import { membersOf, textOfRows } from '../../MessagingGateway/gateway/replies/members';
import type { GroupRef } from '../../MessagingGateway/groups/change';
import { simplifyMember, type Member, type Role } from '../../MessagingGateway/groups/member';
import { readSnapshot, writeSnapshot } from '../../MessagingGateway/groups/watch/groupSnapshot';
import {
	CHANGES,
	compareMembers,
	type ChangeKind,
	type MemberChange,
} from '../../MessagingGateway/groups/watch/participants';
import { readChoices } from '../../MessagingGateway/input/choices';
import type { Poll, PollEvent, PollResult } from './event';

/** The roles that a member has after a change of them, and had before. */
const SAMPLE_ROLES: Record<ChangeKind, Pick<MemberChange, 'previousRole'> & { role?: Role }> = {
	joined: {},
	left: {},
	promoted: { role: 'admin', previousRole: 'member' },
	demoted: { role: 'member', previousRole: 'admin' },
};

/** Members of one group who join, leave, or get another role. */
export const participantsChanged: PollEvent = (parameters) => {
	const group = readGroup(parameters);
	const changes = readChoices(parameters.get('changes'), CHANGES, 'Changes');
	return {
		about: JSON.stringify(['participants', group.instance, group.groupJid]),
		subject: group,
		ask: async (poll) => {
			const rows = await poll.client.memberRows(group, poll.requestOptions);
			return {
				text: textOfRows(rows),
				*read() {
					const listed = membersOf(rows);
					const members = yield* mapInSteps(listed, (member) => memberWithoutKey(member, poll));
					return membersFound(group, members, changes);
				},
			};
		},
	};
};

/** What a member has in texts of any kind may hold the key. */
function memberWithoutKey(member: Member, { redactKey }: Poll): Member {
	const { id, name } = member;
	return { ...member, id: redactKey(id), ...(name !== undefined && { name: redactKey(name) }) };
}

function membersFound(
	group: GroupRef,
	members: readonly Member[],
	changes: readonly ChangeKind[],
): PollResult {
	return {
		remember: () => writeSnapshot({ members, seemedEmptied: false }),
		*compare(remembered, detectedAt) {
			const before = yield* readSnapshot(remembered);
			if (before === undefined) return undefined;
			const { changes: all, snapshot } = yield* compareMembers(before, members);
			return {
				items: all
					.filter(({ change }) => changes.includes(change))
					.map((change) => memberItem(group, change, detectedAt)),
				remembered: yield* writeSnapshot(snapshot),
			};
		},
		sample: (detectedAt) => {
			const withNumber = members.filter(({ number }) => number !== undefined);
			const member = withNumber.find(({ role }) => role === 'member') ?? withNumber[0] ?? members[0];
			if (member === undefined)
				throw new Problem('There is nobody in this group to show', 'Check the group ID and the instance');
			const [change = 'joined'] = changes;
			const { role = member.role, ...previous } = SAMPLE_ROLES[change];
			return memberItem(group, { change, member: { ...member, role }, ...previous }, detectedAt);
		},
	};
}

function memberItem(
	group: GroupRef,
	{ change, member, previousRole }: MemberChange,
	detectedAt: string,
): JsonRecord {
	return { change, ...group, ...simplifyMember(member), ...(previousRole && { previousRole }), detectedAt };
}
