import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { itemResultsOf, partOf, progressOf, type ItemResult } from '../../domain/group/itemResults';
import { planRequests } from '../../domain/group/plan';
import { changeResultsOf } from '../../domain/group/requestResults';
import { plannedResults } from '../../domain/group/results';
import { summaryOf } from '../../domain/group/summary';
import { errorItem, inInputOrder, type FailedItem } from '../items';
import { groupLocator, instanceLocator } from '../locators';
import { toNodeError } from '../nodeErrors';
import type { Operation, Run } from '../operation';
import { readFlag, simplifyField } from '../options';
import { applyChanges, type SentRequest } from './applyChanges';
import { groupOptionsField } from './groupOptions';
import { isUncertain, problemOf, replyItems, resultItems } from './outputs';
import { readChanges, type RequestedChanges } from './readChanges';

const description: INodeProperties[] = [
	instanceLocator,
	groupLocator,
	{
		displayName: 'Action',
		name: 'action',
		type: 'options',
		default: 'add',
		description: 'What to do with the participants. With an expression, each item can do something else.',
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
	{
		displayName: 'Participants',
		name: 'participants',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. +55 11 99999-0001, +55 21 98888-0002',
		description:
			'Phone numbers with country code, separated by commas, semicolons or line breaks, or a list from an expression',
	},
	simplifyField,
	groupOptionsField,
];

async function execute(run: Run): Promise<INodeExecutionData[]> {
	const { context, parameters, hints } = run;
	const { items, changes, failed, pacing } = await readChanges(run);
	const simplify = readFlag(parameters.of(0), simplifyField);
	const goesOn = context.continueOnFail();
	const planOf = (isDry: boolean) =>
		planRequests(
			items.filter(({ dryRun }) => dryRun === isDry).flatMap((item) => item.changes),
			pacing,
		);
	const planned = planOf(true).map((request) => ({ request, results: plannedResults(request) }));
	const requests = planOf(false);
	const sent = await applyChanges(run, requests, pacing, { goesOn, keepsReplies: !simplify });
	const itemResults = itemResultsOf(items, changeResultsOf(changes, [...planned, ...sent]));
	const errors = errorsOf(run, itemResults, sent, requests.length);

	hints.add(summaryOf(itemResults, failed.length));
	const withError = new Set(errors.map(({ item }) => item));
	return inInputOrder([
		...[...failed, ...errors].map(errorItem),
		...itemResults
			.filter(({ requested }) => !withError.has(requested.item))
			.flatMap((itemResult) => resultItems(itemResult, simplify)),
		...(simplify ? [] : sent.flatMap(replyItems)),
	]);
}

/**
 * The items that fail although they were read.
 *
 * @throws the first one's error, with what was applied before, unless the node continues on fail
 */
function errorsOf(
	{ context, secrets }: Run,
	itemResults: ReadonlyArray<ItemResult<RequestedChanges>>,
	sent: readonly SentRequest[],
	requests: number,
): FailedItem[] {
	const goesOn = context.continueOnFail();
	const allSent = sent.every((one) => 'results' in one);
	return itemResults.flatMap((itemResult) => {
		const { item, failOnRejected } = itemResult.requested;
		const problem = problemOf(itemResult, failOnRejected && (allSent || goesOn));
		if (problem === undefined) return [];
		const { cause, sentences, description } = problem;
		const applied = goesOn ? partOf(itemResult) : progressOf(sent, requests, !isUncertain(cause));
		const words = { message: [...sentences, ...applied].join('. '), ...(description && { description }) };
		const error = toNodeError(context.getNode(), cause, secrets, item, words);
		if (!goesOn) throw error;
		return [{ item, error }];
	});
}

export const updateParticipants: Operation = { description, execute };
