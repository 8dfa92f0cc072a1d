import { groupLocator, instanceLocator, readGroup } from '../../fields/locators';
import { limitField, listOptionsField, readListOptions, returnAllField } from '../../fields/options';
import { hasHiddenId, hasNumber, simplifyMember, type Member } from '../../groups/people';
import type { Operation } from '../../run/operation';
import { isTool, limited, runReads } from '../reads';

/** Makes what an AI model needs to name a member: it reads all of it, and pays for each word. */
function forModel(member: Member) {
	const { participant, jid, role, name } = simplifyMember(member);
	return { participant: participant ?? jid, name, role };
}

export const getParticipants: Operation = {
	name: 'Get Participants',
	action: 'Get group participants',
	description: 'Get the participants of a group, with role and phone number',
	onlyReads: true,
	fields: [instanceLocator, groupLocator, returnAllField, limitField, listOptionsField],
	execute: async (run) =>
		await runReads(run, {
			read: (parameters, options) => ({
				asked: readGroup(parameters),
				...readListOptions(parameters, options),
			}),
			ask: async (group, options) => await run.client.members(group, options),
			present: (members, { asked, limit, isSimple }) => {
				const without = members.filter(({ number }) => number === undefined).length;
				const amount = without === members.length ? 'All' : `${without} of the`;
				// Only Evolution API's rows have such a field.
				const advice = members.some(({ rows }) => rows.some(({ id }) => id !== undefined))
					? '. To see numbers in groups with hidden IDs, update Evolution API to 2.3.3 or later'
					: ". This gateway doesn't show them";
				// Where others show both, somebody with a username hides the number.
				const isShown = members.some((member) => hasNumber(member) && hasHiddenId(member));
				if (without > 0)
					run.hints.add(
						`${amount} ${members.length} participants of ${asked.groupJid} come without a phone number${isShown ? '' : advice}`,
					);
				const isForModel = isTool(run);
				return limited(run, members, { limit, noun: 'member' }, (member) => {
					if (!isSimple) return member.rows;
					return [isForModel ? forModel(member) : { ...asked, ...simplifyMember(member) }];
				});
			},
		}),
};
