import type { JsonRecord } from '../../MessagingGateway/common/json';
import { Problem } from '../../MessagingGateway/common/problem';
import { mapInSteps } from '../../MessagingGateway/common/steps';
import { readInstance } from '../../MessagingGateway/fields/locators';
import { Options, type Field } from '../../MessagingGateway/fields/options';
import { GatewayFailure } from '../../MessagingGateway/gateway/failures/gatewayFailure';
import { redactSecrets } from '../../MessagingGateway/gateway/redact/secretFields';
import { simplifyInstance, type Instance } from '../../MessagingGateway/gateway/replies/instances';
import {
	compareStatuses,
	DELETED,
	readStatuses,
	writeStatuses,
} from '../../MessagingGateway/groups/watch/statuses';
import { readChoice, readChoices } from '../../MessagingGateway/input/choices';
import type { Poll, PollEvent, PollResult } from './event';

export const STATUSES = ['close', 'connecting', 'deleted', 'open'] as const;

export const confirmPolls: Field<number> = {
	displayName: 'Confirm with Polls',
	name: 'confirmPolls',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	displayOptions: { show: { '/event': ['instanceStatusChanged'] } },
	default: 2,
	description:
		'How many polls in a row must show a new status before it counts. Connections often drop for a few seconds.',
};

/** An instance as a poll sees it; without fields if only its state was asked. */
interface PolledInstance {
	name: string;
	status: string | undefined;
	instance?: Instance;
}

/** Instances that lose their connection, get it back, or are deleted. */
export const instanceStatusChanged: PollEvent = (parameters, baseUrl) => {
	const watched = readChoice(parameters.get('watch', 'all'), ['all', 'one'], 'Instances');
	const instance = watched === 'one' ? readInstance(parameters) : undefined;
	const statuses = readChoices(parameters.get('statuses'), STATUSES, 'Statuses');
	const polls = new Options(parameters).wholeNumber(confirmPolls);
	return {
		about: JSON.stringify(['statuses', baseUrl, instance ?? null]),
		subject: instance === undefined ? {} : { instance },
		ask: async (poll) => {
			const listed = instance === undefined ? await listAll(poll) : await stateOf(instance, poll);
			return {
				text: JSON.stringify(listed.map(({ name, status }) => [name, status])),
				*read() {
					const polled = new Map(yield* mapInSteps(listed, (one) => withoutKey(one, poll)));
					return statusesFound(polled, statuses, polls);
				},
			};
		},
		// A refused key may be that of one instance, which is right in its place.
		adviceFor: (failure) =>
			instance === undefined && failure instanceof GatewayFailure && failure.httpCode === '401'
				? "Check 'API Key' in the credential. If it's the key of one instance, choose Instances: One"
				: undefined,
	};
};

function statusesFound(
	polled: ReadonlyMap<string, PolledInstance>,
	statuses: ReadonlyArray<(typeof STATUSES)[number]>,
	polls: number,
): PollResult {
	const found = new Map([...polled].map(([name, { status }]) => [name, status]));
	const itemOf = (name: string, status: string, previousStatus: string, detectedAt: string): JsonRecord => {
		const instance = status === DELETED ? undefined : polled.get(name)?.instance;
		const fields = instance && otherFieldsOf({ ...instance, status });
		return { change: 'status', instance: name, status, previousStatus, detectedAt, ...fields };
	};
	return {
		*remember() {
			return writeStatuses((yield* compareStatuses(new Map(), found, polls)).snapshot);
		},
		*compare(remembered, detectedAt) {
			const before = readStatuses(remembered);
			if (before === undefined) return undefined;
			const { changes, snapshot } = yield* compareStatuses(before, found, polls);
			return {
				items: changes
					.filter(({ status }) => statuses.some((one) => one === status))
					.map(({ name, status, previousStatus }) => itemOf(name, status, previousStatus, detectedAt)),
				remembered: writeStatuses(snapshot),
			};
		},
		sample: (detectedAt) => {
			const [status = 'close'] = statuses;
			const known = [...found].filter(([, now]) => now !== undefined);
			const [name, now] = known.find(([, one]) => one === status) ?? known[0] ?? [];
			if (name === undefined)
				throw new Problem('The gateway has no instance to show', 'Create one on the gateway first');
			const before = now === undefined || now === status ? SAMPLE_BEFORE[status] : now;
			return itemOf(name, status, before, detectedAt);
		},
	};
}

/** The status that an instance most often had before another one. */
const SAMPLE_BEFORE: Record<(typeof STATUSES)[number], string> = {
	close: 'open',
	connecting: 'open',
	deleted: 'close',
	open: 'close',
};

/** What an event has of an instance beside its name and status, without secrets. */
function otherFieldsOf(instance: Instance): JsonRecord {
	const fields = Object.entries(simplifyInstance(instance)).filter(([field]) => !SHOWN_FIRST.has(field));
	return redactSecrets(Object.fromEntries(fields)) as JsonRecord;
}

const SHOWN_FIRST = new Set(['instanceName', 'status']);

/** By its name. */
function withoutKey(one: PolledInstance, { redactKey }: Poll): [string, PolledInstance] {
	return [redactKey(one.name), { ...one, status: one.status && redactKey(one.status) }];
}

/** @throws GatewayFailure, also for an empty reply, but not for an empty list */
async function listAll({ client, requestOptions }: Poll): Promise<PolledInstance[]> {
	const all = await client.allInstances(requestOptions);
	return all.map((instance) => ({ name: instance.name, status: instance.status, instance }));
}

/** The live state: what the list has can be stale. */
async function stateOf(
	instance: string,
	{ client, requestOptions, isFirst }: Poll,
): Promise<PolledInstance[]> {
	const status = await client.connectionState(instance, requestOptions, { allowMissing: !isFirst() });
	return status === null ? [] : [{ name: instance, status }];
}
