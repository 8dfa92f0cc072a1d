import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { isNodeError, toNodeError } from '../run/nodeErrors';
import { GatewayFailure } from '../gateway/failures/gatewayFailure';
import { isRouteMissing } from '../gateway/failures/callFailure';
import { readInstanceName } from '../input/identifiers';
import { isRecord, type JsonRecord } from '../common/json';
import { Problem } from '../common/problem';
import { keyHider } from '../gateway/redact/redactKey';
import { openGateway } from '../gateway/openGateway';
import type { ReplyReader } from '../gateway/connection';
import type { CallValues, RouteName } from '../gateway/routes';

/** Somebody waits in the editor, but a gateway can take a minute to find out that the network is silent. */
const RETRY_OPTIONS = { timeout: 75_000, maxRetries: 1 };

/** How a picker gets its list. */
interface Picker extends Pick<ReplyReader<INodeListSearchItems[]>, 'read' | 'isEmpty'> {
	route: RouteName;
	/** What the call needs, from the node's other parameters. @throws Problem */
	values: () => CallValues;
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
	{ route, values, without, ...reader }: Picker,
): Promise<INodeListSearchResult> {
	const secrets: string[] = [];
	try {
		const gateway = await openGateway(context, secrets);
		const hideKey = keyHider(secrets);
		const entries = await gateway.read(route, values(), RETRY_OPTIONS, {
			...reader,
			// The key goes before the lists are read: an entry's value is stored in the workflow.
			read: (reply, isSilent) => reader.read(hideKey(reply), isSilent),
		});
		const wanted = filter?.trim().toLowerCase() ?? '';
		return {
			results: entries
				.filter(({ name, value }) => `${name}\n${value}`.toLowerCase().includes(wanted))
				.sort((a, b) => a.name.localeCompare(b.name)),
		};
	} catch (problem) {
		const missing = problem instanceof GatewayFailure && isRouteMissing(problem.observed);
		const error = isNodeError(problem)
			? problem
			: toNodeError(context.getNode(), missing ? without : problem, secrets);
		throw error;
	}
}

/**
 * Reads a list of records.
 *
 * @param entryOf the entry for a record; nothing where it is not such a record, which is then left out
 * @returns the entries; nothing where the reply is not a list, or one of other things only
 */
export function readEntries(
	reply: unknown,
	entryOf: (record: JsonRecord) => INodeListSearchItems | undefined,
): INodeListSearchItems[] | undefined {
	if (!Array.isArray(reply)) return undefined;
	const entries = reply.flatMap((record) => (isRecord(record) ? (entryOf(record) ?? []) : []));
	return entries.length > 0 || reply.length === 0 ? entries : undefined;
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
