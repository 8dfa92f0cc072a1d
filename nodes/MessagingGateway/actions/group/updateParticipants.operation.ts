import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { accountFor, partOf, progressOf, summaryOf, type Account } from '../../domain/accounts';
import { planRequests } from '../../domain/plan';
import { plannedResults } from '../../domain/results';
import { groupLocator, instanceLocator } from '../locators';
import { errorItem, toNodeError, type FailedItem } from '../nodeErrors';
import type { Operation, Run } from '../operation';
import { isOn, optionsField, simplifyField } from '../options';
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
	optionsField(
		{
			displayName: 'Combine Items',
			name: 'combineItems',
			type: 'boolean',
			default: true,
			description:
				'Whether to change the participants of several items in one request where the result is the same. Fewer requests mean less risk of a ban.',
		},
		{
			displayName: 'Dry Run',
			name: 'dryRun',
			type: 'boolean',
			default: false,
			description:
				'Whether to check the items and output what would be sent, without sending anything. The key, the group and the numbers are not tried.',
		},
		{
			displayName: 'Fail When a Participant Is Rejected',
			name: 'failOnRejected',
			type: 'boolean',
			default: false,
			description:
				'Whether an item fails when one of its participants could not be changed, after everything has been sent',
		},
		{
			displayName: 'Interval Between Requests',
			name: 'batchInterval',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 1000,
			description: 'Time to wait after each reply before the next request, in milliseconds',
		},
		{
			displayName: 'Participants per Request',
			name: 'batchSize',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Maximum number of participants in one request',
		},
		{
			displayName: 'Send Numbers Exactly as Given',
			name: 'exactNumbers',
			type: 'boolean',
			default: false,
			description:
				'Whether to keep gateways from rewriting phone numbers, as they do with some of Argentina, Brazil and Mexico',
		},
	),
];

async function execute(run: Run): Promise<INodeExecutionData[]> {
	const { context } = run;
	const { changes, failed, pacing } = readChanges(run);
	const simplify = isOn(context.getNodeParameter('simplify', 0, true));
	const planOf = (dryRun: boolean) =>
		planRequests(
			changes.filter((change) => change.dryRun === dryRun),
			pacing,
		);
	const planned = planOf(true).map((request) => ({ request, results: plannedResults(request) }));
	const requests = planOf(false);
	const sent = await sendRequests(run, requests, pacing, !simplify);
	const accounts = accountFor(changes, [...planned, ...sent]);
	const errors = errorsOf(run, changes, accounts, sent, requests.length);

	context.addExecutionHints({ message: summaryOf(accounts, failed.length), location: 'outputPane' });
	const withError = new Set(errors.map(({ item }) => item));
	const outputs = [
		...[...failed, ...errors].map(({ error, item }) => ({ item, output: errorItem(error, item) })),
		...accounts
			.filter(({ item }) => !withError.has(item))
			.flatMap((account) => resultItems(account, simplify)),
		...(simplify ? [] : sent.flatMap(replyItems)),
	];
	return outputs.sort((a, b) => a.item - b.item).map(({ output }) => output);
}

/**
 * The items that fail although they were read.
 *
 * @throws the first one's error, with what was applied before, unless the node continues on fail
 */
function errorsOf(
	{ context, secrets }: Run,
	changes: readonly RequestedChange[],
	accounts: ReadonlyArray<Account<unknown>>,
	sent: readonly Sent[],
	requests: number,
): FailedItem[] {
	const goesOn = context.continueOnFail();
	const allSent = sent.every((one) => 'results' in one);
	return accounts.flatMap((account, i) => {
		const failOnRejected = changes[i]?.failOnRejected === true && (allSent || goesOn);
		const problem = problemOf(account, failOnRejected);
		if (problem === undefined) return [];
		const { cause, sentences, description } = problem;
		const applied = goesOn ? partOf(account) : progressOf(sent, requests);
		const words = { message: [...sentences, ...applied].join('. '), ...(description && { description }) };
		const error = toNodeError(context.getNode(), cause, secrets, account.item, words);
		if (!goesOn) throw error;
		return [{ item: account.item, error }];
	});
}

export const updateParticipants: Operation = { description, execute };
