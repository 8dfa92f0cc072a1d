import {
	batchInterval,
	batchSize,
	defaultCountryCode,
	dryRun,
	includeInputFields,
	participantsField,
	readNumberOptions,
} from '../../fields/groupOptions';
import { groupLocator, instanceLocator, readGroup } from '../../fields/locators';
import { forN8n, optionsOf, optionsReader, requestFields } from '../../fields/options';
import { plannedJournal, planRequests } from '../../groups/batching';
import { changeResult, type Asked, type Change } from '../../groups/change';
import { ACTIONS } from '../../groups/outcomes';
import { estimateOf, tallyOf } from '../../groups/summary';
import { readChoice } from '../../input/values';
import { readItems } from '../../run/items';
import { startChanges, type Operation, type Run } from '../../run/operation';
import type { Parameters } from '../../run/parameters';
import { finishRun, reportItems, reportNone } from '../../run/report';
import { ChangeSender } from './changes';
import { findOwnAccounts, findUnclear, peopleReader, readingHints } from './numbers';

const UPDATE_FIELDS = { ...requestFields, batchSize, batchInterval, dryRun };

const ACTION_OPTIONS = Object.entries({
	Add: 'Add to the group',
	Demote: 'Take away the rights of an admin',
	Promote: 'Make an admin of the group',
	Remove: 'Remove from the group',
}).map(([name, description]) => {
	return { name, value: name.toLowerCase(), action: `${name} group participants`, description };
});

export const updateParticipants: Operation = {
	name: 'Update Participants',
	action: 'Add or remove group participants',
	description: 'Change who is in a group, and who is an admin of it',
	fields: [
		instanceLocator,
		groupLocator,
		{
			displayName: 'Action',
			name: 'action',
			type: 'options',
			default: 'add',
			description: 'What to do with the participants. With an expression, each item can do something else.',
			options: ACTION_OPTIONS,
		},
		participantsField,
		forN8n(dryRun),
		optionsOf(
			batchInterval,
			batchSize,
			defaultCountryCode,
			includeInputFields,
			...Object.values(requestFields),
		),
	],
	async execute(run) {
		const { read: items, failed } = await readItems(run, itemReader(run), UPDATE_FIELDS, findUnclear);
		const options = items[0]?.options;
		if (options === undefined) return reportNone(run, failed);
		const changes = items.flatMap(({ asked }) => asked);
		startChanges(run, options, changes);
		await keepOwnAccounts(run, changes, options);
		const due = changes.filter(({ entry }) => entry === undefined);
		const requests = planRequests(due, options.batchSize);
		await run.giveWay();
		const sender = new ChangeSender(run, options);
		for (const request of requests) {
			if (sender.hasEnded) break;
			const journal = options.dryRun ? plannedJournal(request) : await sender.send(request);
			for (const [change, entry] of journal) change.entry = entry;
			await run.giveWay();
		}
		const report = await reportItems(run, items, ({ entry }) => entry, { failed, tried: sender.tried });
		const estimate = `${estimateOf(requests.length, options.batchInterval)}. The group wasn't read`;
		const hints = await readingHints(run, items);
		return finishRun(run, report, tallyOf(report.results), [...(options.dryRun ? [estimate] : []), ...hints]);
	},
};

/** Keeps own accounts and their rights: webhooks name them as `sender`, and only Leave is meant to leave. */
async function keepOwnAccounts(run: Run, changes: Array<Change & Asked>, options: { timeout: number }) {
	const taking = changes.filter(({ action }) => action === 'remove' || action === 'demote');
	const instances = taking.map(({ instance }) => instance);
	await findOwnAccounts(run, instances, options);
	for (const change of taking) {
		const { own } = run.account(change.instance);
		if (own === undefined || own.canonical !== change.participant.identity.canonical) continue;
		const said = { outcome: 'kept', reason: 'self', applied: false, message: SELF_KEPT } as const;
		change.entry = { result: { ...changeResult({ ...change, action: 'none' }, said), sentAs: undefined } };
	}
}

const SELF_KEPT = "Kept: this is the instance's own account. To leave the group, use Leave.";

function itemReader(run: Run) {
	const readPeople = peopleReader(run);
	const readOptions = optionsReader((options) => ({
		numbers: readNumberOptions(options),
		options: options.values(UPDATE_FIELDS),
		includeInputFields: options.boolean(includeInputFields),
	}));
	return async (parameters: Parameters, item: number) => {
		const options = readOptions(parameters);
		const { instance, groupJid } = readGroup(parameters);
		const action = readChoice(parameters.get('action'), ACTIONS, 'Action');
		const participants = await readPeople(parameters, instance, options.numbers);
		const asked = participants.map((participant): Change & Asked => {
			return { item, instance, groupJid, action, participant };
		});
		return { item, instance, groupJid, asked, ...options };
	};
}
