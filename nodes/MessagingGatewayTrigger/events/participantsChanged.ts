import type { JsonRecord } from '../../MessagingGateway/common/json';
import { Problem } from '../../MessagingGateway/common/problem';
import { readGroup } from '../../MessagingGateway/fields/locators';
import type { GroupRef } from '../../MessagingGateway/groups/change';
import { simplifyMember, type Member, type Role } from '../../MessagingGateway/groups/people';
import {
	CHANGES,
	compareMembers,
	readSnapshot,
	writeSnapshot,
	type MemberChange,
} from '../../MessagingGateway/groups/watch/participants';
import { readChoices } from '../../MessagingGateway/input/values';
import type { Parameters } from '../../MessagingGateway/run/parameters';
import type { PollResult, Watch } from './event';

/** Roles in a sample, after and before a change. */
const SAMPLE_ROLES: Record<MemberChange['change'], { role?: Role; previousRole?: Role }> = {
	joined: {},
	left: {},
	promoted: { role: 'admin', previousRole: 'member' },
	demoted: { role: 'member', previousRole: 'admin' },
};

export function participantsChanged(parameters: Parameters): Watch {
	const group = readGroup(parameters);
	const changes = readChoices(parameters.get('changes'), CHANGES, 'Changes');
	return {
		about: JSON.stringify(['participants', group.instance, group.groupJid]),
		subject: group,
		ask: async (client, options) => membersFound(group, changes, await client.members(group, options)),
	};
}

function membersFound(
	group: GroupRef,
	changes: ReadonlyArray<MemberChange['change']>,
	members: readonly Member[],
): PollResult {
	const detectedAt = new Date().toISOString();
	const itemOf = ({ change, member, previousRole }: MemberChange): JsonRecord => ({
		change,
		...group,
		...simplifyMember(member),
		...(previousRole && { previousRole }),
		detectedAt,
	});
	return {
		compare: (remembered) => {
			const compared = compareMembers(readSnapshot(remembered), members);
			const chosen = compared.changes.filter(({ change }) => changes.includes(change));
			return { items: chosen.map(itemOf), remembered: writeSnapshot(compared.snapshot) };
		},
		sample: () => {
			const withNumber = members.filter(({ number }) => number !== undefined);
			const member = withNumber.find(({ role }) => role === 'member') ?? withNumber[0] ?? members[0];
			if (member === undefined)
				throw new Problem('This group has no participants to show', 'Check the group ID and the instance');
			const [change = 'joined'] = changes;
			const { role = member.role, ...previous } = SAMPLE_ROLES[change];
			return itemOf({ change, member: { ...member, role }, ...previous });
		},
	};
}
