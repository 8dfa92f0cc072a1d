import { readGroup } from '../../MessagingGateway/fields/locators';
import { Problem } from '../../MessagingGateway/common/problem';
import { readChoices } from '../../MessagingGateway/input/choices';
import { simplifyMember, type Member } from '../../MessagingGateway/gateway/replies/members';
import type { JsonRecord } from '../../MessagingGateway/common/json';
import { readSnapshot, writeSnapshot } from '../../MessagingGateway/groups/watch/groupSnapshot';
import {
	CHANGES,
	compareMembers,
	type ChangeKind,
	type MemberChange,
} from '../../MessagingGateway/groups/watch/participants';
import { listMembers } from '../../MessagingGateway/gateway/memberList';
import type { Found, Poll, PollEvent } from './event';

interface WatchedGroup {
	instance: string;
	groupJid: string;
}

/** Members of one group who join, leave, or get another role. */
export const participantsChanged: PollEvent = {
	read: (parameters) => {
		const group = readGroup(parameters);
		const changes = readChoices(parameters.get('changes'), CHANGES, 'Changes');
		return {
			about: JSON.stringify(['participants', group.instance, group.groupJid]),
			ask: async ({ gateway, retryOptions, hideKey }) => {
				const members = await listMembers(gateway, group, retryOptions);
				return foundIn(
					group,
					members.map((member) => withoutKey(member, hideKey)),
					changes,
				);
			},
		};
	},
};

/** What a member has in texts of any kind may hold the key. */
function withoutKey(member: Member, hideKey: Poll['hideKey']): Member {
	const { id, name } = member;
	return { ...member, id: hideKey(id), ...(name !== undefined && { name: hideKey(name) }) };
}

function foundIn(group: WatchedGroup, members: readonly Member[], changes: readonly ChangeKind[]): Found {
	return {
		remember: () => writeSnapshot({ members, seemedEmptied: false }),
		compare: (remembered, detectedAt) => {
			const before = readSnapshot(remembered);
			if (before === undefined) return undefined;
			const { changes: all, snapshot } = compareMembers(before, members);
			return {
				items: all
					.filter(({ change }) => changes.includes(change))
					.map((change) => itemOf(group, change, detectedAt)),
				remembered: writeSnapshot(snapshot),
			};
		},
		sample: (detectedAt) => {
			const member = members.find(({ number }) => number !== undefined) ?? members[0];
			if (member !== undefined) return itemOf(group, { change: 'joined', member }, detectedAt);
			throw new Problem('There is nobody in this group to show', 'Check the group ID and the instance');
		},
	};
}

function itemOf(
	group: WatchedGroup,
	{ change, member, previousRole }: MemberChange,
	detectedAt: string,
): JsonRecord {
	return { change, ...group, ...simplifyMember(member), ...(previousRole && { previousRole }), detectedAt };
}
