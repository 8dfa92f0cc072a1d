import { groupLocator, instanceLocator, readGroup } from '../../fields/locators';
import {
	filtersField,
	limitField,
	readFilters,
	readListOptions,
	readOptionsField,
	returnAllField,
	simplifyField,
} from '../../fields/options';
import { hasHiddenId, hasNumber, simplifyMember, type Member } from '../../groups/people';
import { readChoice } from '../../input/choices';
import type { Operation } from '../../run/operation';
import { limited, runReads } from '../reads';

/** The roles that each choice lets through. Only `any` has members of unknown role. */
const ROLES_BY_CHOICE: Record<'any' | 'admins' | 'members', ReadonlyArray<Member['role']> | undefined> = {
	any: undefined,
	admins: ['admin', 'superAdmin'],
	members: ['member'],
};

const memberFilters = filtersField({
	displayName: 'Role',
	name: 'role',
	type: 'options',
	default: 'any',
	description: 'Only participants with this role',
	options: [
		{ name: 'Admins', value: 'admins', description: "Admins and the group's creator" },
		{ name: 'Any', value: 'any', description: 'All participants' },
		{ name: 'Members', value: 'members', description: "Participants who aren't admins" },
	],
});

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
	fields: [
		instanceLocator,
		groupLocator,
		returnAllField,
		limitField,
		memberFilters,
		simplifyField,
		readOptionsField,
	],
	execute: async (run) =>
		await runReads(run, {
			read: (parameters) => {
				const asked = readGroup(parameters);
				const { role } = readFilters(parameters, memberFilters);
				return {
					asked,
					roles: ROLES_BY_CHOICE[readChoice(role ?? 'any', ['any', 'admins', 'members'], 'Role')],
					...readListOptions(parameters),
				};
			},
			ask: async (group, options) => await run.client.members(group, options),
			present: (members, { asked, roles, limit, simplify }) => {
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
				const shown = members.filter(({ role }) => roles?.includes(role) ?? true);
				const isForModel = run.context.getNode().type.endsWith('Tool');
				return limited(run, shown, { limit, noun: 'member' }, (member) => {
					if (!simplify) return member.rows;
					return [isForModel ? forModel(member) : { ...asked, ...simplifyMember(member) }];
				});
			},
		}),
};
