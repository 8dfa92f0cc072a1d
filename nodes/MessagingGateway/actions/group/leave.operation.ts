import { sayPeople } from '../../common/text';
import { groupLocator, instanceLocator } from '../../fields/locators';
import { notice } from '../../fields/options';
import { failureBehind } from '../../gateway/failures/gatewayFailure';
import type { Operation, Run } from '../../run/operation';
import { ownRole, readFirst } from './readFirst';
import { entryOf, readWrites, sendWrites, writeOptionFields, type Write } from './writes';

export const leaveGroup: Operation = {
	name: 'Leave',
	action: 'Leave group',
	description:
		"Take the instance's account out of a group. It can't be taken back: only an admin of the group can add the account again.",
	fields: [
		instanceLocator,
		groupLocator,
		notice(
			'leaveNotice',
			"It can't be taken back: only an admin of the group can add this account again. If it's the only admin, promote somebody else first.",
		),
		...writeOptionFields(),
	],
	async execute(run) {
		const items = await readWrites(run, (_, group) => [
			{ set: {}, send: async (options) => await run.client.leaveGroup(group, options) },
		]);
		return await sendWrites(run, items, {
			before: async (write) => await findOutWhetherIn(run, write),
			noun: 'group',
			done: 'left',
			outputs: [],
			messages: {
				done: 'The account left the group. Only an admin can add it again.',
				planned: 'The account would leave the group.',
			},
		});
	},
};

/** Looks whether the account is in the group: gateways say "left" of any ID. @throws why nothing is sent */
async function findOutWhetherIn(run: Run, write: Write): Promise<void> {
	const group = await readFirst(run, write, write.options).catch((reason: unknown) => {
		if (failureBehind(reason)?.isNotInGroup !== true) throw reason;
		for (const request of write.asked)
			request.entry = entryOf(write, request, 'unchanged', "The account isn't in this group.");
		return null;
	});
	const { members = [] } = group ?? {};
	const admins = members.filter(({ role }) => role !== undefined && role !== 'member');
	// The account isn't asked for where it can't be the only admin.
	if (group === null || admins.length !== 1 || members.length === 1) return;
	const role = await ownRole(run, write, group, write.options);
	if (role === undefined || role === 'member') return;
	const [is, are] = write.options.dryRun
		? ["It's", 'would be']
		: ['It was', members.length === 2 ? 'is' : 'are'];
	for (const request of write.asked)
		request.note = `${is} the only admin: ${sayPeople(members.length - 1)} ${are} left without one.`;
}
