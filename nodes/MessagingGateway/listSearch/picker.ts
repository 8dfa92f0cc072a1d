import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { Problem } from '../common/problem';
import { GatewayClient } from '../gateway/client';
import { GatewayFailure } from '../gateway/failures/gatewayFailure';
import { keyRedactor } from '../gateway/redact/redactKey';
import type { RequestOptions } from '../gateway/retry';
import { readInstanceName } from '../input/identifiers';
import { isNodeError, toNodeError } from '../run/nodeErrors';

/** A person waits in the editor, but a gateway can take a minute to find out that the network is silent. */
const PICKER_OPTIONS = { timeout: 75_000, maxRetries: 1 };

/** Fills a picker. @param filter what was typed; entries match by name or value, upper and lower case alike */
type Picker = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/**
 * Makes a picker: an empty list means that there is nothing, never that something went wrong.
 *
 * @param ask asks the gateway for the entries, of the chosen instance if it reads that. @throws GatewayFailure, Problem
 * @param without what to do where the gateway has no such list
 * @returns a function that gives the entries, sorted by name. @throws NodeApiError or NodeOperationError that says why
 * there is no list
 */
export function picker(
	ask: (
		client: GatewayClient,
		options: RequestOptions,
		chosenInstance: () => string,
	) => Promise<INodeListSearchItems[]>,
	without: Problem,
): Picker {
	return async function (filter) {
		const secrets: string[] = [];
		try {
			// The key goes before the lists are read: an entry's value is stored in the workflow.
			const redactReply = (body: unknown) => keyRedactor(secrets)(body);
			const client = await GatewayClient.open(this, secrets, { asker: 'editor', redactReply });
			const entries = await ask(client, PICKER_OPTIONS, () => chosenInstance(this));
			const wanted = filter?.trim().toLowerCase() ?? '';
			return {
				results: entries
					.filter(({ name, value }) => `${name}\n${value}`.toLowerCase().includes(wanted))
					.sort((a, b) => a.name.localeCompare(b.name)),
			};
		} catch (problem) {
			const missing = problem instanceof GatewayFailure && problem.isRouteMissing;
			const error = isNodeError(problem)
				? problem
				: toNodeError(this.getNode(), missing ? without : problem, secrets);
			throw error;
		}
	};
}

/** @throws Problem where none is chosen in the node */
function chosenInstance(context: ILoadOptionsFunctions): string {
	const chosen: unknown = context.getCurrentNodeParameter('instance', { extractValue: true });
	if (chosen === undefined || chosen === null || chosen === '')
		throw new Problem(
			'No instance is chosen yet. Choose it first',
			'Groups and bots are listed for one instance',
		);
	return readInstanceName(chosen);
}
