import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { accountFor, partOf, progressOf, summaryOf } from '../../domain/accounts';
import { readGroupJid, readInstanceName } from '../../domain/identifiers';
import { ACTIONS, type Action } from '../../domain/outcomes';
import { readParticipants } from '../../domain/participants';
import { planRequests, type GroupChange } from '../../domain/plan';
import { Problem } from '../../domain/problem';
import { plannedResults } from '../../domain/results';
import { quote } from '../../domain/text';
import { groupLocator, instanceLocator, readLocator } from '../locators';
import { errorItem, readItems, toNodeError } from '../nodeErrors';
import type { Operation, Run } from '../operation';
import { isOn, Options, optionsField, simplifyField } from '../options';
import { problemOf, replyItems, resultItems } from './outputs';
import { sendRequests, type Pacing, type Sent } from './sendRequests';

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
			description: 'Whether to check everything and output what would be done, without sending anything',
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

/** What one item asks for, and what it wants done with the result. */
interface RequestedChange extends GroupChange {
	failOnRejected: boolean;
	dryRun: boolean;
}

async function execute(run: Run): Promise<INodeExecutionData[]> {
	const { context, secrets } = run;
	// How requests are put together and paced, and the form of the output, is one decision for the whole run.
	let pacing: Pacing | undefined;
	const { read: changes, failed } = readItems(context, secrets, (item) => {
		const options = new Options(context, item);
		const change = readChange(context, options, item);
		const ofItem = readPacing(options);
		pacing ??= ofItem;
		return change;
	});
	const simplify = isOn(context.getNodeParameter('simplify', 0, true));
	const plan = (dryRun: boolean) =>
		pacing
			? planRequests(
					changes.filter((change) => change.dryRun === dryRun),
					pacing,
				)
			: [];
	const dryRun: Sent[] = plan(true).map((request) => ({ request, results: plannedResults(request) }));
	const requests = plan(false);
	const sent = pacing ? await sendRequests(run, requests, pacing, !simplify) : [];
	const accounts = accountFor(changes, [...dryRun, ...sent]);
	const allSent = sent.every((one) => 'results' in one);
	const errors = accounts.flatMap((account, i) => {
		const failOnRejected = changes[i]?.failOnRejected === true && (allSent || context.continueOnFail());
		const problem = problemOf(account, failOnRejected);
		if (problem === undefined) return [];
		const { cause, sentences, description } = problem;
		const applied = context.continueOnFail() ? partOf(account) : progressOf(sent, requests.length);
		const words = { message: [...sentences, ...applied].join('. '), ...(description && { description }) };
		const error = toNodeError(context.getNode(), cause, secrets, account.item, words);
		if (!context.continueOnFail()) throw error;
		return [{ item: account.item, error }];
	});

	context.addExecutionHints({ message: summaryOf(accounts, failed.length), location: 'outputPane' });
	const failedItems = new Set(errors.map(({ item }) => item));
	const results = accounts
		.filter(({ item }) => !failedItems.has(item))
		.flatMap((account) => resultItems(account, simplify));
	const output = [
		...[...failed, ...errors].map(({ error, item }) => ({ item, output: errorItem(error, item) })),
		...results,
		...(simplify ? [] : sent.flatMap(replyItems)),
	];
	return output.sort((a, b) => a.item - b.item).map((one) => one.output);
}

/** @throws Problem that says what is wrong with the item */
function readChange(context: IExecuteFunctions, options: Options, item: number): RequestedChange {
	return {
		item,
		instance: readInstanceName(readLocator(context, 'instance', item)),
		groupJid: readGroupJid(readLocator(context, 'group', item)),
		action: readAction(context.getNodeParameter('action', item)),
		participants: readParticipants(
			context.getNodeParameter('participants', item),
			options.flag('exactNumbers', false),
		),
		failOnRejected: options.flag('failOnRejected', false),
		dryRun: options.flag('dryRun', false),
	};
}

/** @throws Problem that says which option is wrong */
function readPacing(options: Options): Pacing {
	return {
		...options.patience,
		combineItems: options.flag('combineItems', true),
		batchSize: options.wholeNumber('batchSize', 'Participants per Request', { default: 50, min: 1 }),
		batchInterval: options.wholeNumber('batchInterval', 'Interval Between Requests', {
			default: 1000,
			min: 0,
		}),
	};
}

function readAction(value: unknown): Action {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
	const action = ACTIONS.find((one) => one === text);
	if (action === undefined)
		throw new Problem(`The action ${quote(value)} is not valid`, `Use one of ${ACTIONS.join(', ')}`);
	return action;
}

export const updateParticipants: Operation = { description, execute };
