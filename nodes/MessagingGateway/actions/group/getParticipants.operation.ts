import type { INodeProperties } from 'n8n-workflow';
import { Problem } from '../../common/problem';
import { isRecord } from '../../common/json';
import type { GroupRef } from '../../groups/change';
import { simplifyMember, type Member } from '../../groups/member';
import { quote } from '../../common/text';
import { groupLocator, instanceLocator, readGroup } from '../../fields/locators';
import { runReads, type Question } from '../../run/reads';
import type { Operation, Run } from '../../run/operation';
import {
	limitField,
	Options,
	readBooleanField,
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

interface MembersQuestion extends Question<GroupRef> {
	filter: (member: Member) => boolean;
	limit: number;
	simplify: boolean;
}

async function execute(run: Run) {
	return await runReads(run, {
		read: (parameters): MembersQuestion => {
			const asked = readGroup(parameters);
			const filters = parameters.get('filters', {});
			return {
				asked,
				requestOptions: new Options(parameters).requestOptions,
				filter: readRoleFilter(isRecord(filters) ? filters.role : undefined),
				limit: readLimit(parameters),
				simplify: readBooleanField(parameters, simplifyField),
			};
		},
		ask: async ({ asked, requestOptions }) => await run.client.members(asked, requestOptions),
		present: (members, { asked, filter, limit, simplify }) => {
			const hint = hintAbout(members, asked.groupJid);
			if (hint !== undefined) run.hints.add(hint);
			return members
				.filter(filter)
				.slice(0, limit)
				.flatMap((member) =>
					simplify
						? [{ json: { ...asked, ...simplifyMember(member) } }]
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
