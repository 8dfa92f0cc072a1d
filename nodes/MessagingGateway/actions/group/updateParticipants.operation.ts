import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { itemResultOf } from '../../groups/itemResults';
import { draftPlan, planRequests } from '../../groups/batching/plan';
import { changeResultsOf } from '../../groups/requestResults';
import { plannedResults } from '../../groups/matching/results';
import { requestWords, tallies } from '../../groups/summary';
import { inInputOrder } from '../../run/items';
import { groupLocator, instanceLocator } from '../../fields/locators';
import type { Operation, Run } from '../../run/operation';
import { readFlag, simplifyField } from '../../fields/options';
import { applyChanges } from '../../run/applyChanges';
import { participantsField } from '../../fields/participants';
import { groupOptionsField } from '../../fields/groupOptions';
import { hintOf, outputsOf, replyItems } from '../../run/outputs';
import { ownAccountsOf } from '../../run/ownAccount';
import { readChanges } from './readChanges';

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
	participantsField,
	simplifyField,
	groupOptionsField,
];

async function execute(run: Run): Promise<INodeExecutionData[]> {
	const { context, parameters, hints, breather } = run;
	const { items, changes, failed, pacing } = await readChanges(run);
	const simplify = readFlag(parameters.of(0), simplifyField);
	const changesOf = (isDry: boolean) =>
		items.filter(({ dryRun }) => dryRun === isDry).flatMap((item) => item.changes);
	const planned = planRequests(changesOf(true), pacing).map((request) => ({
		request,
		results: plannedResults(request),
	}));
	const draft = draftPlan(changesOf(false), pacing);
	const requests = draft.decide(await ownAccountsOf(run, draft.undecided, pacing));
	const goesOn = context.continueOnFail();
	const sent = await applyChanges(run, requests, pacing, { goesOn, keepsReplies: !simplify });
	const changeResults = changeResultsOf(changes, [...planned, ...sent]);
	const itemResults = await breather.map(items, (item) =>
		itemResultOf(
			item,
			item.changes.map(({ place }) => changeResults[place]),
		),
	);
	const ended = { sent, requests: requests.length };
	const { outputs, failed: allFailed } = await outputsOf(run, itemResults, failed, ended, simplify);

	const all = itemResults.flatMap(({ results }) => results);
	hints.add(hintOf(tallies(all).join(', '), allFailed));
	if (planned.length > 0) hints.add(requestWords(planned.length, pacing.batchInterval));
	return inInputOrder([...outputs, ...(simplify ? [] : sent.flatMap(replyItems))]);
}

export const updateParticipants: Operation = { description, execute };
