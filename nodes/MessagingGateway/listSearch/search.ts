import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { groupBy } from '../common/maps';
import { Problem } from '../common/problem';
import { count, isBlank } from '../common/text';
import { GatewayClient } from '../gateway/client';
import { GatewayFailure } from '../gateway/failures/gatewayFailure';
import type { Group } from '../gateway/replies/groups';
import { readInstanceName } from '../input/identifiers';
import { STATUS_OPTIONS } from '../input/values';
import { toNodeError } from '../run/nodeErrors';

/** Limits for a person who waits. A gateway can take a minute to find out that the network is silent. */
const PICKER_OPTIONS = { timeout: 75_000, maxRetries: 1 };

/** Time in ms for which a list also answers what is typed after it was opened. */
const LISTED_FOR = 60_000;

interface Picking {
	client: GatewayClient;
	context: ILoadOptionsFunctions;
	/** Whether text was typed, so that the list is open already. */
	isTyped: boolean;
	secrets: readonly string[];
}

/** Makes a picker, sorted by name, filtered by what is typed. @param without said if there is no such list */
function picker(ask: (picking: Picking) => Promise<INodeListSearchItems[]>, without: Problem) {
	return async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
		const secrets: string[] = [];
		try {
			const client = await GatewayClient.open(this, secrets, { caller: 'editor' });
			const wanted = filter?.trim().toLowerCase() ?? '';
			const entries = await ask({ client, context: this, isTyped: wanted !== '', secrets });
			return {
				results: entries
					.filter(({ name, value }) => `${name}\n${value}`.toLowerCase().includes(wanted))
					// n8n runs a chosen entry's text that begins with "=": a stranger's subject would be an expression.
					.map((entry) => ({ ...entry, name: entry.name.replace(/^=/, ' =') }))
					.sort((a, b) => a.name.localeCompare(b.name)),
			};
		} catch (problem) {
			const missing = problem instanceof GatewayFailure && problem.isRouteMissing;
			throw toNodeError(this.getNode(), missing ? without : problem, secrets);
		}
	};
}

function chosenInstance(context: ILoadOptionsFunctions): string {
	const chosen: unknown = context.getCurrentNodeParameter('instance', { extractValue: true });
	if (isBlank(chosen)) throw new Problem('Choose an instance first', 'Then its groups or bots are listed');
	return readInstanceName(chosen);
}

/** Fills the Instance picker: `main`, and beside it `Open`. n8n keeps the chosen name with the workflow. */
export const searchInstances = picker(
	async ({ client }) => {
		const instances = await client.instances(PICKER_OPTIONS);
		return instances.map(({ name, status }) => {
			const label = STATUS_OPTIONS.find(({ value }) => value === status)?.name ?? status;
			return { name, value: name, ...(label !== undefined && { description: label }) };
		});
	},
	new Problem(
		'No gateway at this address can list its instances',
		"Check 'Base URL' in the credential and the version of the gateway, or choose 'By Name'",
	),
);

/** The list of groups that was read last, since a gateway asks the network twice for each group. */
let lastListed: { whose: string; at: number; groups: Promise<Group[]> } | undefined;

async function groupsFor({ client, context, isTyped, secrets }: Picking): Promise<Group[]> {
	const instance = chosenInstance(context);
	const whose = JSON.stringify([client.session.baseUrl, instance, secrets]);
	if (isTyped && lastListed?.whose === whose && Date.now() - lastListed.at < LISTED_FOR)
		return await lastListed.groups;
	const listed = { whose, at: Date.now(), groups: client.groups(instance, PICKER_OPTIONS) };
	lastListed = listed;
	listed.groups.catch(() => {
		if (lastListed === listed) lastListed = undefined;
	});
	return await listed.groups;
}

/**
 * Fills the Group picker: `Customers`, and beside it `48 members`. Groups that share a name show the end of
 * their ID, too, since a change of the wrong group can't be undone: `Customers (…678901)`.
 */
export const searchGroups = picker(
	async (picking) => {
		const groups = await groupsFor(picking);
		const namesakes = groupBy(groups, ({ id, subject = id }) => subject);
		const subjects = new Map(groups.map(({ id, subject }) => [id, subject]));
		return groups.map(({ id, subject = id, size, isCommunity, announcementsOf }) => {
			const isUnique = namesakes.get(subject)?.length === 1;
			const details = [
				size !== undefined && count(size, 'member'),
				isCommunity && 'community',
				announcementsOf !== undefined && `announcements of ${subjects.get(announcementsOf) ?? 'a community'}`,
			].filter((detail) => detail !== false);
			return {
				name: isUnique ? subject : `${subject} (…${id.replace(/@.*/, '').slice(-6)})`,
				value: id,
				...(details.length > 0 && { description: details.join(', ') }),
			};
		});
	},
	new Problem("This gateway can't list groups", "Choose 'By ID' and enter the ID of the group"),
);

/** Fills the Bot picker with descriptions. A bot without a description shows its ID. */
export const searchBots = picker(
	async ({ client, context }) => {
		const bots = await client.bots(chosenInstance(context), PICKER_OPTIONS);
		return bots.map(({ id, description = id }) => ({ name: description, value: id }));
	},
	new Problem(
		"This gateway can't list bots",
		"Evolution API has bots from version 2 on. If it is one, choose 'By ID' and enter the ID of the bot",
	),
);
