import { participantsField } from '../../../fields/groupOptions';
import { groupLocator, instanceLocator } from '../../../fields/locators';
import { forN8n, notice } from '../../../fields/options';
import { isForgotten } from '../../../run/memory';
import { startChanges, type Operation } from '../../../run/operation';
import { reportNone } from '../../../run/report';
import { applySync, limitDryRun, settleSync } from './applySync';
import { syncFields, syncOptionFields } from './fields';
import { planSync } from './planSync';
import { readSync } from './readSync';
import { rememberSync } from './rememberSync';
import { endWithFailure, reportSync } from './syncReport';

export const syncParticipants: Operation = {
	name: 'Sync Participants',
	action: 'Sync group participants',
	description: 'Make a group equal to your list',
	fields: [
		instanceLocator,
		groupLocator,
		participantsField,
		forN8n(syncFields.dryRun),
		{
			displayName: 'Members Not in the List',
			name: 'unlisted',
			type: 'options',
			default: 'keep',
			description: 'What to do with members whom no item names. Never remove in a loop.',
			options: [
				{
					name: 'Keep',
					value: 'keep',
					description: 'They stay in the group. Only people whom your list names are added or removed.',
				},
				{
					name: 'Remove',
					value: 'remove',
					description:
						'They are removed. If they are too many, nothing is changed. Never use this in a loop.',
				},
			],
		},
		notice(
			'limitsNotice',
			'Unless you set another limit: at most 50 people are added and 50 removed in a run, and never more than 20 % of the members',
		),
		...syncOptionFields,
	],
	async execute(run) {
		const { groups, failed, options } = await readSync(run);
		if (options === undefined) return reportNone(run, failed);
		startChanges(run, options, groups);
		if (!options.dryRun) await run.session.lockGroups(groups);
		const { planned, failed: stopped } = await planSync(run, groups, options);
		await run.giveWay();
		if (options.dryRun) await limitDryRun(run, planned, options);
		const sender = await applySync(run, options.dryRun ? [] : planned, options);
		if (!sender.hasEnded) await settleSync(run, planned, options);
		const isUnkept = isForgotten(run);
		await rememberSync(run, planned, options);
		endWithFailure(run, sender);
		const { tried } = sender;
		return await reportSync(run, planned, options, { failed: [...failed, ...stopped], tried, isUnkept });
	},
};
