import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isRecord } from '../../common/json';
import {
	batchInterval,
	batchSize,
	combineItems,
	dryRun,
	failOnRejected,
	defaultCountryCode,
	exactNumbers,
	includeInputFields,
	participantsField,
	readNumberOptions,
} from '../../fields/groupOptions';
import { groupLocator, instanceLocator, readGroup } from '../../fields/locators';
import {
	dryRunField,
	optionFields,
	optionsReader,
	readBooleanField,
	requestFields,
	simplifyField,
} from '../../fields/options';
import { secretRedactor } from '../../gateway/redact/secretFields';
import { plannedJournal, planRequests } from '../../groups/batching';
import type { Asked, Change, ChangeRequest, ChangeResult } from '../../groups/change';
import { ACTIONS } from '../../groups/outcomes';
import { estimateOf, splitEntries, tallyOf } from '../../groups/summary';
import { readChoice } from '../../input/choices';
import { describeReading, readParticipants } from '../../input/participants';
import { inInputOrder, readItems, type FailedItem } from '../../run/items';
import { startChanges, type Operation } from '../../run/operation';
import type { Parameters } from '../../run/parameters';
import { hintOf, reportItems, reportNone } from '../../run/report';
import { ChangeSender } from './changes';

const UPDATE_FIELDS = { ...requestFields, combineItems, batchSize, batchInterval, dryRun };

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
	action: 'Update group participants',
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
		dryRunField(dryRun),
		simplifyField,
		...optionFields({
			options: [
				batchInterval,
				batchSize,
				defaultCountryCode,
				exactNumbers,
				includeInputFields,
				...Object.values(requestFields),
			],
			former: [combineItems, dryRun, failOnRejected],
		}),
	],
	async execute(run) {
		const { read: items, failed } = await readItems(run, itemReader(), {
			simplify: simplifyField,
			...UPDATE_FIELDS,
		});
		const options = items[0]?.options;
		if (options === undefined) return reportNone(run, failed);
		const changes = items.flatMap(({ asked }) => asked);
		startChanges(run, options, changes);
		const requests = planRequests(changes, options);
		await run.giveWay();
		const replies = new Map<ChangeRequest, unknown>();
		const sender = new ChangeSender(run, options, options.simplify ? undefined : replies);
		for (const request of requests) {
			if (sender.hasEnded) break;
			const journal = options.dryRun ? plannedJournal(request) : await sender.send(request);
			for (const [change, entry] of journal) change.entry = entry;
			await run.giveWay();
		}
		const progress = sender.progress(requests.length);
		const inReplies = resultsIn(replies, changes);
		const report = await reportItems(run, items, ({ entry }) => entry, {
			failed,
			progress,
			present: (results) => results.filter((result) => !inReplies.has(result)),
		});
		run.hints.add(hintOf(tallyOf(report.results), report.failed));
		if (options.dryRun)
			run.hints.add(`${estimateOf(requests.length, options.batchInterval)}. The group wasn't read`);
		for (const hint of describeReading(changes, run.context.getInputData(), options.dryRun))
			run.hints.add(hint);
		return inInputOrder([...report.outputs, ...replyItems(replies, report.failed)]);
	},
};

function itemReader() {
	const readOptions = optionsReader((options, simplify: boolean) => ({
		numbers: readNumberOptions(options),
		options: { ...options.values(UPDATE_FIELDS), simplify },
		failOnRejected: options.boolean(failOnRejected),
		includeInputFields: options.boolean(includeInputFields),
	}));
	return (parameters: Parameters, item: number) => {
		const options = readOptions(parameters, readBooleanField(parameters, simplifyField));
		const { instance, groupJid } = readGroup(parameters);
		const action = readChoice(parameters.get('action'), ACTIONS, 'Action');
		const participants = readParticipants(parameters.get('participants'), options.numbers);
		const asked = participants.map((participant): Change & Asked => {
			return { item, instance, groupJid, action, participant };
		});
		return { item, instance, groupJid, asked, ...options };
	};
}

/** Lists the results for which a reply is output in their place. Whoever was refused alone has none. */
function resultsIn(
	replies: ReadonlyMap<ChangeRequest, unknown>,
	all: ReadonlyArray<Change & Asked>,
): ReadonlySet<ChangeResult> {
	const replied = new Set([...replies.keys()].flatMap(({ changes }) => changes));
	return new Set(splitEntries(all.filter((change) => replied.has(change)).map(({ entry }) => entry)).results);
}

/** Makes an item of each reply as it came, without secrets, paired with every item that took part and didn't fail. */
function replyItems(
	replies: ReadonlyMap<ChangeRequest, unknown>,
	failed: readonly FailedItem[],
): INodeExecutionData[] {
	const isFailed = new Set(failed.map(({ item }) => item));
	return [...replies].flatMap(([{ changes }, body]) => {
		const items = new Set(changes.map(({ item }) => item).filter((item) => !isFailed.has(item)));
		if (items.size === 0) return [];
		const reply = secretRedactor()(body ?? null);
		const json = (isRecord(reply) ? reply : { reply }) as IDataObject;
		return [{ json, pairedItem: [...items].map((item) => ({ item })) }];
	});
}
