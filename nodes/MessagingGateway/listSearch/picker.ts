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

/** How a picker gets its list. */
interface Picker {
	/** Asks the gateway. @throws GatewayFailure, Problem */
	entries: (client: GatewayClient, requestOptions: RequestOptions) => Promise<INodeListSearchItems[]>;
	/** What to do where the gateway has no such list. */
	without: Problem;
}

/**
 * Fills a picker: an empty list means that there is nothing, never that something went wrong.
 *
 * @param filter what was typed; entries match by name or value, upper and lower case alike
 * @returns the entries, sorted by name
 * @throws NodeApiError or NodeOperationError that says why there is no list
 */
export async function fillPicker(
	context: ILoadOptionsFunctions,
	filter: string | undefined,
	{ entries: ask, without }: Picker,
): Promise<INodeListSearchResult> {
	const secrets: string[] = [];
	try {
		// The key goes before the lists are read: an entry's value is stored in the workflow.
		const redactReply = (body: unknown) => keyRedactor(secrets)(body);
		const client = await GatewayClient.open(context, secrets, {
			asksState: 'afterSilence',
			isTimeoutFixed: true,
			redactReply,
		});
		const entries = await ask(client, PICKER_OPTIONS);
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
			: toNodeError(context.getNode(), missing ? without : problem, secrets);
		throw error;
	}
}

/** The instance chosen in the node. @throws Problem where none is */
export function chosenInstance(context: ILoadOptionsFunctions): string {
	const chosen: unknown = context.getCurrentNodeParameter('instance', { extractValue: true });
	if (chosen === undefined || chosen === null || chosen === '')
		throw new Problem(
			'No instance is chosen yet. Choose it first',
			'Groups and bots are listed for one instance',
		);
	return readInstanceName(chosen);
}
