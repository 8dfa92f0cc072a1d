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
import { simplifyMember, type Member } from '../../groups/people';
import { readChoice } from '../../input/choices';
import type { Operation } from '../../run/operation';
import { limited, runReads } from '../reads';

const ROLE_CHOICES = ['any', 'admins', 'members'] as const;

/** The members that each choice lets through. Only `any` has members of unknown role. */
const ROLE_FILTERS: Record<(typeof ROLE_CHOICES)[number], (member: Member) => boolean> = {
	any: () => true,
	admins: ({ role }) => role === 'admin' || role === 'superAdmin',
	members: ({ role }) => role === 'member',
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
					filter: ROLE_FILTERS[readChoice(role ?? 'any', ROLE_CHOICES, 'Role')],
					...readListOptions(parameters),
				};
			},
			ask: async (group, options) => await run.client.members(group, options),
			present: (members, { asked, filter, limit, simplify }) => {
				const hint = hintAbout(members, asked.groupJid);
				if (hint !== undefined) run.hints.add(hint);
				return limited(run, members.filter(filter), { limit, noun: 'member' }, (member) =>
					simplify ? [{ ...asked, ...simplifyMember(member) }] : member.rows,
				);
			},
		}),
};

function hintAbout(members: readonly Member[], groupJid: string): string | undefined {
	const without = members.filter(({ number }) => number === undefined).length;
	if (without === 0) return undefined;
	const amount = without === members.length ? 'All' : `${without} of the`;
	return `${amount} ${members.length} participants of ${groupJid} come without a phone number. To see numbers in groups with hidden IDs, update Evolution API to 2.3.3 or later`;
}
