import type { JsonRecord } from '../../MessagingGateway/common/json';
import { Problem } from '../../MessagingGateway/common/problem';
import { readInstance } from '../../MessagingGateway/fields/locators';
import { Options, type Field } from '../../MessagingGateway/fields/options';
import { redactSecrets } from '../../MessagingGateway/gateway/redact/secretFields';
import { simplifyInstance, type Instance } from '../../MessagingGateway/gateway/replies/instances';
import {
	compareStatuses,
	DELETED,
	readStatuses,
	writeStatuses,
} from '../../MessagingGateway/groups/watch/statuses';
import { readChoice, readChoices } from '../../MessagingGateway/input/choices';
import type { Parameters } from '../../MessagingGateway/run/parameters';
import type { PollRequest, PollResult, Watch } from './event';

const STATUSES = ['close', 'connecting', 'deleted', 'open'] as const;

export const confirmPolls: Field<number> = {
	displayName: 'Confirm with Polls',
	name: 'confirmPolls',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	displayOptions: { show: { '/event': ['instanceStatusChanged'] } },
	default: 2,
	description:
		'How many polls in a row must show another status before the workflow starts. Connections often drop for a few seconds.',
};

/** Instances that lose their connection, get it back, or are deleted. */
export function instanceStatusChanged(parameters: Parameters, baseUrl: string): Watch {
	const watched = readChoice(parameters.get('watch', 'all'), ['all', 'one'], 'Instances');
	const instance = watched === 'one' ? readInstance(parameters) : undefined;
	const statuses = readChoices(parameters.get('statuses'), STATUSES, 'Statuses');
	const polls = new Options(parameters).wholeNumber(confirmPolls);
	return {
		about: JSON.stringify(['statuses', baseUrl, instance ?? null]),
		subject: instance === undefined ? {} : { instance },
		ask: async (request) => statusesFound(statuses, polls, await pollInstances(instance, request)),
		...(instance === undefined && {
			refusedKeyAdvice:
				"Check 'API Key' in the credential. If it's the key of one instance, choose Instances: One",
		}),
	};
}

function statusesFound(
	statuses: readonly string[],
	confirmPolls: number,
	polled: ReadonlyMap<string, { status: string | undefined; instance?: Instance }>,
): PollResult {
	const found = new Map([...polled].map(([name, { status }]) => [name, status]));
	const isChosen = (status: string) => statuses.includes(status);
	const itemOf = (name: string, status: string, previousStatus: string, detectedAt: string): JsonRecord => {
		const instance = status === DELETED ? undefined : polled.get(name)?.instance;
		const fields = instance && otherFieldsOf(simplifyInstance({ ...instance, status }));
		return { change: 'status', instance: name, status, previousStatus, detectedAt, ...fields };
	};
	return {
		compare: (remembered, detectedAt) => {
			const before = readStatuses(remembered);
			const { changes, snapshot } = compareStatuses(before, found, { confirmPolls, isChosen });
			return {
				items: changes.map(({ name, status, previousStatus }) =>
					itemOf(name, status, previousStatus, detectedAt),
				),
				remembered: writeStatuses(snapshot),
			};
		},
		sample: (detectedAt) => {
			const [status = 'close'] = statuses;
			const known = [...found].filter(([, now]) => now !== undefined);
			const [name, now] = known.find(([, current]) => current === status) ?? known[0] ?? [];
			if (name === undefined)
				throw new Problem('The gateway has no instance to show', 'Create one on the gateway first');
			const usual = status === 'close' || status === 'connecting' ? 'open' : 'close';
			return itemOf(name, status, now === undefined || now === status ? usual : now, detectedAt);
		},
	};
}

/** Leaves out the fields that come first in an event, and hides secrets. */
function otherFieldsOf({ instanceName: _name, status: _status, ...others }: JsonRecord): JsonRecord {
	return redactSecrets(others) as JsonRecord;
}

/** Lists all instances, or asks for the live state of one, since the list's can be stale. */
async function pollInstances(
	name: string | undefined,
	{ client, requestOptions, isKnown, redactKey }: PollRequest,
): Promise<ReadonlyMap<string, { status: string | undefined; instance?: Instance }>> {
	if (name === undefined) {
		const found = new Map<string, { status: string | undefined; instance: Instance }>();
		for (const instance of await client.allInstances(requestOptions)) {
			const status = instance.status && redactKey(instance.status);
			found.set(redactKey(instance.name), { status, instance });
		}
		return found;
	}
	const status = await client.connectionState(name, requestOptions, { allowMissing: isKnown() });
	return new Map(status === null ? [] : [[redactKey(name), { status: redactKey(status) }]]);
}
