import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { accountFor, partOf, progressOf, summaryOf, type Account } from '../../domain/group/itemResults';
import { planRequests } from '../../domain/group/plan';
import { plannedResults } from '../../domain/group/results';
import { groupLocator, instanceLocator } from '../locators';
import { errorItem, inInputOrder, type FailedItem } from '../items';
import { toNodeError } from '../nodeErrors';
import type { Operation, Run } from '../operation';
import { readFlag, simplifyField } from '../options';
import { groupOptionsField } from './groupOptions';
import { problemOf, replyItems, resultItems } from './outputs';
import { readChanges, type RequestedChange } from './readChanges';
import { sendRequests, type Sent } from './sendRequests';

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
	const { context } = run;
	const { changes, failed, pacing } = readChanges(run);
	const simplify = readFlag(context, simplifyField, 0);
	const planOf = (isDry: boolean) =>
		planRequests(
			changes.filter(({ dryRun }) => dryRun === isDry),
			pacing,
		);
	const planned = planOf(true).map((request) => ({ request, results: plannedResults(request) }));
	const requests = planOf(false);
	const sent = await sendRequests(run, requests, pacing, !simplify);
	const accounts = accountFor(changes, [...planned, ...sent]);
	const errors = errorsOf(run, accounts, sent, requests.length);

	context.addExecutionHints({ message: summaryOf(accounts, failed.length), location: 'outputPane' });
	const withError = new Set(errors.map(({ item }) => item));
	return inInputOrder([
		...[...failed, ...errors].map(errorItem),
		...accounts
			.filter(({ change }) => !withError.has(change.item))
			.flatMap((account) => resultItems(account, simplify)),
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
	accounts: ReadonlyArray<Account<RequestedChange, unknown>>,
	sent: readonly Sent[],
	requests: number,
): FailedItem[] {
	const goesOn = context.continueOnFail();
	const allSent = sent.every((one) => 'results' in one);
	return accounts.flatMap((account) => {
		const { item, failOnRejected } = account.change;
		const problem = problemOf(account, failOnRejected && (allSent || goesOn));
		if (problem === undefined) return [];
		const { cause, sentences, description } = problem;
		const applied = goesOn ? partOf(account) : progressOf(sent, requests);
		const words = { message: [...sentences, ...applied].join('. '), ...(description && { description }) };
		const error = toNodeError(context.getNode(), cause, secrets, item, words);
		if (!goesOn) throw error;
		return [{ item, error }];
	});
}

export const updateParticipants: Operation = { description, execute };
