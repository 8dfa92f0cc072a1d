import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isRecord } from '../../common/json';
import { MissingValue, Problem } from '../../common/problem';
import type { Steps } from '../../common/steps';
import { isBlank, quote } from '../../common/text';
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
import { Options, optionsField, readBooleanField, simplifyField } from '../../fields/options';
import { redactSecrets } from '../../gateway/redact/secretFields';
import {
	planRequests,
	type BatchOptions,
	type OwnAccounts,
	type RequestPlan,
} from '../../groups/batching/plan';
import type { Change, ChangeRequest } from '../../groups/change';
import { plannedResults } from '../../groups/matching/results';
import { ACTIONS, type Action } from '../../groups/outcomes';
import { estimateOf, tallies } from '../../groups/summary';
import { describeWithoutPlus, readParticipants } from '../../input/participants';
import { inInputOrder, readItems, type FailedItem } from '../../run/items';
import type { Operation } from '../../run/operation';
import type { Parameters } from '../../run/parameters';
import { hintOf, reportItems, reportNone, type ReportedItem } from '../../run/report';
import { Writer, type RunOptions } from '../../run/writer';
import { applyChanges, progressOfRequests } from './applyChanges';

/** One item, checked; the options of the first count for the run. */
interface UpdateItem extends ReportedItem<Change> {
	options: RunOptions & BatchOptions;
	dryRun: boolean;
}

export const updateParticipants: Operation = {
	name: 'Update Participants',
	action: 'Change group participants',
	description: 'Change who is in a group, and who is an admin of it',
	fields: [
		instanceLocator,
		groupLocator,
		{
			displayName: 'Action',
			name: 'action',
			type: 'options',
			default: 'add',
			description:
				'What to do with the participants: add, remove, promote (make an admin) or demote. With an expression, each item can do something else.',
			options: [
				{ name: 'Add', value: 'add', action: 'Add group participants', description: 'Add to the group' },
				{
					name: 'Demote',
					value: 'demote',
					action: 'Demote group participants',
					description: 'Take away the rights of an admin',
				},
				{
					name: 'Promote',
					value: 'promote',
					action: 'Promote group participants',
					description: 'Make an admin of the group',
				},
				{
					name: 'Remove',
					value: 'remove',
					action: 'Remove group participants',
					description: 'Remove from the group',
				},
			],
		},
		participantsField,
		simplifyField,
		optionsField(
			batchInterval,
			batchSize,
			combineItems,
			defaultCountryCode,
			dryRun,
			exactNumbers,
			failOnRejected,
			includeInputFields,
		),
	],
	async execute(run) {
		const { parameters, hints, eventLoop } = run;
		const { read: items, failed } = await readItems(
			run,
			async (...given) => await eventLoop.finish(readItem(...given)),
		);
		const options = items[0]?.options;
		if (options === undefined) return reportNone(run, failed);
		const simplify = readBooleanField(parameters.of(0), simplifyField);
		const changesOf = (isDry: boolean) =>
			items.filter((item) => item.dryRun === isDry).flatMap(({ asked }) => asked);
		const requestsOf = async (changes: readonly Change[], ownAccounts?: OwnAccounts) =>
			await eventLoop.finish(planRequests(changes, options, ownAccounts));
		const { dry, isLeast } = await planDryRun(changesOf(true), requestsOf);
		const live = changesOf(false);
		await eventLoop.yieldIfDue();
		const writer = new Writer(run, options, live);
		const plan = await requestsOf(live);
		// The own accounts are looked up only if knowing them lets changes move.
		const { requests } =
			plan.needsOwnAccount.length === 0
				? plan
				: await requestsOf(live, await run.client.ownAccounts(plan.needsOwnAccount, options));
		const replies = new Map<ChangeRequest, unknown>();
		const applied = await applyChanges(run, writer, requests, { replies: simplify ? undefined : replies });
		await eventLoop.yieldIfDue();
		const progress = progressOfRequests(applied, requests.length);
		await eventLoop.yieldIfDue();
		for (const request of dry)
			plannedResults(request).forEach((result, i) => {
				const change = request.changes[i];
				if (change !== undefined) applied.journal.set(change, { result });
			});

		const report = await reportItems(run, items, applied.journal, { failed, progress });
		const tally = await eventLoop.finish(tallies(report.results));
		hints.add(hintOf(tally.join(', '), report.failed));
		if (dry.length > 0) hints.add(estimateOf(dry.length, options.batchInterval, isLeast));
		for (const hint of describeWithoutPlus(changesOf(true))) hints.add(hint);
		await eventLoop.yieldIfDue();
		if (simplify) return inInputOrder(report.outputs);
		// A reply stands for the items that were made of it.
		const hasNoReply = ({ outcome }: IDataObject) => outcome === undefined || outcome === 'planned';
		const others = report.outputs.filter(({ json }) => hasNoReply(json));
		return inInputOrder([...others, ...[...replies].flatMap((one) => replyItems(one, report.failed))]);
	},
};

/** A dry run doesn't ask who the own accounts are: there are more requests if they are among those who are changed. */
async function planDryRun(
	changes: readonly Change[],
	planOf: (changes: readonly Change[], ownAccounts?: OwnAccounts) => Promise<RequestPlan>,
): Promise<{ dry: ChangeRequest[]; isLeast: boolean }> {
	const { requests, needsOwnAccount } = await planOf(changes);
	if (needsOwnAccount.length === 0) return { dry: requests, isLeast: false };
	const unchanged: OwnAccounts = new Map(needsOwnAccount.map((instance) => [instance, null]));
	return { dry: (await planOf(changes, unchanged)).requests, isLeast: true };
}

/** @throws Problem that says what is wrong with the item */
function* readItem(parameters: Parameters, item: number): Steps<UpdateItem> {
	const options = new Options(parameters);
	// Spread, they would leave more garbage for each row than all else that is read of it.
	const { timeout, maxRetries } = options.requestOptions;
	const updateOptions = {
		timeout,
		maxRetries,
		combineItems: options.boolean(combineItems),
		batchSize: options.wholeNumber(batchSize),
		batchInterval: options.wholeNumber(batchInterval),
	};
	const { instance, groupJid } = readGroup(parameters);
	const action = readAction(parameters.get('action'));
	const participants = yield* readParticipants(parameters.get('participants'), readNumberOptions(options));
	return {
		item,
		instance,
		groupJid,
		asked: participants.map((participant) => ({ item, instance, groupJid, action, participant })),
		options: updateOptions,
		failOnRejected: options.boolean(failOnRejected),
		dryRun: options.boolean(dryRun),
		includeInputFields: options.boolean(includeInputFields),
	};
}

function readAction(value: unknown): Action {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
	const action = ACTIONS.find((one) => one === text);
	if (action !== undefined) return action;
	const expected = `Use one of ${ACTIONS.join(', ')}`;
	throw isBlank(value)
		? new MissingValue('The action is empty', expected)
		: new Problem(`The action ${quote(value)} isn't valid`, expected);
}

/** The gateway's reply as it came, but for secrets, paired with every item that took part and didn't fail. */
function replyItems(
	[{ changes }, body]: [ChangeRequest, unknown],
	failed: readonly FailedItem[],
): INodeExecutionData[] {
	const items = new Set(changes.map(({ item }) => item));
	for (const { item } of failed) items.delete(item);
	if (items.size === 0) return [];
	const reply = redactSecrets(body ?? null);
	const json = (isRecord(reply) ? reply : { reply }) as IDataObject;
	return [{ json, pairedItem: [...items].map((item) => ({ item })) }];
}
