import type { INodeProperties } from 'n8n-workflow';
import { Problem } from '../../common/problem';
import { isRecord } from '../../common/json';
import { simplifyMember, type Member } from '../../gateway/replies/members';
import { quote } from '../../common/text';
import { listMembers } from '../../gateway/memberList';
import { groupLocator, instanceLocator, readGroup } from '../../fields/locators';
import { runLookups, type Lookup } from '../../run/reads';
import type { Operation, Run } from '../../run/operation';
import {
	limitField,
	Options,
	readFlag,
	readLimit,
	readOptionsField,
	returnAllField,
	simplifyField,
} from '../../fields/options';

/** Which members each value of the filter lets through. */
const ROLE_FILTERS = new Map<unknown, (member: Member) => boolean>([
	['any', () => true],
	['admins', ({ role }) => role !== 'member'],
	['members', ({ role }) => role === 'member'],
]);

const description: INodeProperties[] = [
	instanceLocator,
	groupLocator,
	returnAllField,
	limitField,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Role',
				name: 'role',
				type: 'options',
				default: 'any',
				description: 'Only participants with this role',
				options: [
					{ name: 'Admins', value: 'admins', description: 'Admins, and the one who created the group' },
					{ name: 'Any', value: 'any', description: 'All participants' },
					{ name: 'Members', value: 'members', description: "Participants who aren't admins" },
				],
			},
		],
	},
	simplifyField,
	readOptionsField,
];

interface MembersLookup extends Lookup {
	instance: string;
	groupJid: string;
	filter: (member: Member) => boolean;
	limit: number;
	simplify: boolean;
}

async function execute(run: Run) {
	return await runLookups(run, {
		read: (parameters): MembersLookup => {
			const { instance, groupJid } = readGroup(parameters);
			const filters = parameters.get('filters', {});
			return {
				values: { path: { instance }, query: { groupJid } },
				retryOptions: new Options(parameters).retryOptions,
				instance,
				groupJid,
				filter: readRoleFilter(isRecord(filters) ? filters.role : undefined),
				limit: readLimit(parameters),
				simplify: readFlag(parameters, simplifyField),
			};
		},
		ask: async (lookup) => await listMembers(run.gateway, lookup, lookup.retryOptions),
		present: (members, { instance, groupJid, filter, limit, simplify }) => {
			const hint = hintAbout(members, groupJid);
			if (hint !== undefined) run.hints.add(hint);
			return members
				.filter(filter)
				.slice(0, limit)
				.flatMap((member) =>
					simplify
						? [{ json: { instance, groupJid, ...simplifyMember(member) } }]
						: member.rows.map((json) => ({ json })),
				);
		},
	});
}

/** @throws Problem for anything but a value of the filter */
function readRoleFilter(role: unknown = 'any'): (member: Member) => boolean {
	const filter = ROLE_FILTERS.get(role);
	if (filter !== undefined) return filter;
	throw new Problem(
		`The role ${quote(role)} isn't valid`,
		`Use one of ${[...ROLE_FILTERS.keys()].join(', ')}`,
	);
}

function hintAbout(members: readonly Member[], groupJid: string): string | undefined {
	const without = members.filter(({ number }) => number === undefined).length;
	if (without === 0) return undefined;
	const amount = without === members.length ? 'All' : `${without} of the`;
	return `${amount} ${members.length} participants of ${groupJid} come without a phone number. In groups with hidden IDs, Evolution API shows numbers from version 2.3.3 on`;
}

export const getParticipants: Operation = { description, execute };
