import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import {
	accountFor,
	NOT_KNOWN,
	partApplied,
	progressOf,
	rejectionOf,
	summaryOf,
	type Account,
} from '../../domain/accounts';
import { GatewayFailure } from '../../domain/failures';
import { readGroupJid, readInstanceName } from '../../domain/identifiers';
import { isRecord } from '../../domain/json';
import { ACTIONS, type Action } from '../../domain/outcomes';
import { readParticipants } from '../../domain/participants';
import { planRequests, type GroupChange } from '../../domain/plan';
import { messageOf, Problem } from '../../domain/problem';
import { plannedResults } from '../../domain/results';
import { hideSecrets } from '../../domain/secrets';
import { quote } from '../../domain/text';
import { NotSent } from '../../transport/gateway';
import { groupLocator, instanceLocator, readLocator } from '../locators';
import { errorItem, readItems, toNodeError } from '../nodeErrors';
import type { Operation, Run } from '../operation';
import { Options, optionsField, simplifyField } from '../options';
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
			description: 'Most participants to change in one request',
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
	pacing: Pacing;
}

async function execute(run: Run): Promise<INodeExecutionData[]> {
	const { context, secrets } = run;
	const { read: changes, failed } = readItems(context, secrets, (item) => readChange(context, item));
	// How requests are put together and paced is one decision for the whole run: the first item's.
	const pacing = changes[0]?.pacing;
	if (pacing === undefined) return failed.map(({ error, item }) => errorItem(error, item));

	const dryRun: Sent[] = planRequests(
		changes.filter((change) => change.dryRun),
		pacing,
	).map((request) => ({ request, results: plannedResults(request) }));
	const requests = planRequests(
		changes.filter((change) => !change.dryRun),
		pacing,
	);
	const sent = await sendRequests(run, requests, pacing);
	const accounts = accountFor(changes, [...dryRun, ...sent]);
	const allSent = sent.every((one) => 'results' in one);
	const errors = accounts.flatMap((account, i) => {
		const failOnRejected = changes[i]?.failOnRejected === true && (allSent || context.continueOnFail());
		const problem = problemOf(account, failOnRejected);
		if (problem === undefined) return [];
		const { cause, sentences } = problem;
		const all = context.continueOnFail() ? sentences : [...sentences, progressOf(sent, requests.length)];
		const error = toNodeError(context.getNode(), cause, secrets, account.item, all.join('. '));
		if (!context.continueOnFail()) throw error;
		return [{ item: account.item, error }];
	});

	context.addExecutionHints({ message: summaryOf(accounts, failed.length), location: 'outputPane' });
	const simplify = context.getNodeParameter('simplify', 0, true) === true;
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
function readChange(context: IExecuteFunctions, item: number): RequestedChange {
	const options = new Options(context, item);
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
		pacing: {
			...options.patience,
			combineItems: options.flag('combineItems', true),
			batchSize: options.wholeNumber('batchSize', 'Participants per Request', { default: 50, min: 1 }),
			batchInterval: options.wholeNumber('batchInterval', 'Interval Between Requests', {
				default: 1000,
				min: 0,
			}),
		},
	};
}

function readAction(value: unknown): Action {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
	const action = ACTIONS.find((one) => one === text);
	if (action === undefined)
		throw new Problem(`The action ${quote(value)} is not valid`, `Use one of ${ACTIONS.join(', ')}`);
	return action;
}

/** Why an item fails: what it goes back to, and the sentences to say; nothing where it does not fail. */
function problemOf(
	account: Account<unknown>,
	failOnRejected: boolean,
): { cause: unknown; sentences: string[] } | undefined {
	const [cause] = [...account.failures].sort((a, b) => weightOf(b) - weightOf(a));
	if (cause !== undefined) {
		const more = cause instanceof NotSent && account.results.length > 0;
		const message = more ? `Nothing more was sent for this item: ${cause.reason.message}` : messageOf(cause);
		const known = isUncertain(cause) ? [NOT_KNOWN] : [];
		return { cause, sentences: [message, ...known, ...partApplied(account)] };
	}
	const rejection = failOnRejected ? rejectionOf(account) : undefined;
	if (rejection === undefined) return undefined;
	const description =
		"Turn off 'Fail When a Participant Is Rejected' in the options to get the result of each participant";
	return { cause: new Problem(rejection, description), sentences: [rejection, ...partApplied(account)] };
}

/** Of several failures of an item, the one that matters most: an outcome that is not known, then a refusal. */
function weightOf(failure: unknown): number {
	if (isUncertain(failure)) return 2;
	return failure instanceof NotSent ? 0 : 1;
}

function isUncertain(failure: unknown): boolean {
	return failure instanceof GatewayFailure && !failure.notCarriedOut;
}

interface OutputOfItem {
	item: number;
	output: INodeExecutionData;
}

function resultItems({ item, results }: Account<unknown>, simplify: boolean): OutputOfItem[] {
	return results
		.filter(({ outcome }) => simplify || outcome === 'planned')
		.map((result) => ({ item, output: { json: { ...result }, pairedItem: { item } } }));
}

/** The gateway's reply as it came, paired with every item that took part. */
function replyItems(sent: Sent): OutputOfItem[] {
	const items = [...new Set(sent.request.origins.map(({ item }) => item))];
	if ('failure' in sent || items[0] === undefined) return [];
	const reply = hideSecrets(sent.reply ?? null);
	const json = (isRecord(reply) ? reply : { reply }) as IDataObject;
	return [{ item: items[0], output: { json, pairedItem: items.map((item) => ({ item })) } }];
}

export const updateParticipants: Operation = { description, execute };
