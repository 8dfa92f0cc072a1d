import { readInstance } from '../../MessagingGateway/fields/locators';
import { Options, type NumberOption } from '../../MessagingGateway/fields/options';
import { GatewayFailure } from '../../MessagingGateway/gateway/failures/gatewayFailure';
import { isInstanceMissing } from '../../MessagingGateway/gateway/failures/callFailure';
import { Problem } from '../../MessagingGateway/common/problem';
import { readChoice, readChoices } from '../../MessagingGateway/input/choices';
import {
	readConnectionState,
	readInstances,
	simplifyInstance,
	statusOf,
} from '../../MessagingGateway/gateway/replies/instances';
import { isRecord, type JsonRecord } from '../../MessagingGateway/common/json';
import { hideSecrets } from '../../MessagingGateway/gateway/redact/secretFields';
import {
	compareStatuses,
	DELETED,
	readStatuses,
	writeStatuses,
} from '../../MessagingGateway/groups/watch/statuses';
import type { Found, Poll, PollEvent } from './event';

export const STATUSES = ['close', 'connecting', 'deleted', 'open'] as const;

export const confirmPolls: NumberOption = {
	field: {
		displayName: 'Confirm with Polls',
		name: 'confirmPolls',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		displayOptions: { show: { '/event': ['instanceStatusChanged'] } },
		default: 2,
		description:
			'How many polls in a row must show a new status before it counts. Connections often drop for a few seconds.',
	},
	notAdded: 2,
};

/** An instance as a poll finds it. */
interface FoundInstance {
	status: string | undefined;
	/** Its other fields, without secrets; none if only its state was asked. */
	fields: JsonRecord;
}

type FoundInstances = ReadonlyMap<string, FoundInstance>;

/** Instances that lose their connection, get it back, or are deleted. */
export const instanceStatusChanged: PollEvent = {
	read: (parameters, baseUrl) => {
		const watched = readChoice(parameters.get('watch', 'all'), ['all', 'one'], 'Instances');
		const instance = watched === 'one' ? readInstance(parameters) : undefined;
		const statuses = readChoices(parameters.get('statuses'), STATUSES, 'Statuses');
		const polls = new Options(parameters).wholeNumber(confirmPolls);
		return {
			about: JSON.stringify(['statuses', baseUrl, instance ?? null]),
			ask: async (poll) =>
				foundAmong(
					instance === undefined ? await listAll(poll) : await stateOf(instance, poll),
					statuses,
					polls,
				),
			// A refused key may be that of one instance, which is right in its place.
			adviceFor: (failure) =>
				instance === undefined && failure instanceof GatewayFailure && failure.observed.status === 401
					? "Check 'API Key' in the credential. If it's the key of one instance, choose Instances: One"
					: undefined,
		};
	},
};

function foundAmong(found: FoundInstances, statuses: readonly string[], polls: number): Found {
	const now = new Map([...found].map(([name, { status }]) => [name, status]));
	return {
		remember: () => writeStatuses(compareStatuses(new Map(), now, polls).snapshot),
		compare: (remembered, detectedAt) => {
			const before = readStatuses(remembered);
			if (before === undefined) return undefined;
			const { changes, snapshot } = compareStatuses(before, now, polls);
			return {
				items: changes
					.filter(({ status }) => statuses.includes(status))
					.map(({ name, status, previousStatus }) =>
						itemOf(name, status, previousStatus, detectedAt, found.get(name)?.fields),
					),
				remembered: writeStatuses(snapshot),
			};
		},
		sample: (detectedAt) => {
			const [first] = [...found].filter(([, { status }]) => status !== undefined);
			if (first === undefined)
				throw new Problem('The gateway has no instance to show', 'Create one on the gateway first');
			const [name, { status = '', fields }] = first;
			return itemOf(name, status, null, detectedAt, fields);
		},
	};
}

function itemOf(
	instance: string,
	status: string,
	previousStatus: string | null,
	detectedAt: string,
	fields: JsonRecord = {},
): JsonRecord {
	return { change: 'status', instance, status, previousStatus, detectedAt, ...fields };
}

/** @throws GatewayFailure, also for an empty reply, but not for an empty list */
async function listAll({ gateway, retryOptions, hideKey }: Poll): Promise<FoundInstances> {
	const all = await gateway.read('listInstances', {}, retryOptions, {
		read: (reply) => (reply === null ? undefined : readInstances(reply)),
	});
	return new Map(
		all.map((instance) => {
			const shown = Object.entries(simplifyInstance(instance)).filter(([field]) => !SHOWN_FIRST.has(field));
			const fields = hideSecrets(Object.fromEntries(shown));
			const status = statusOf(instance);
			return [
				hideKey(instance.name),
				{ status: status && hideKey(status), fields: isRecord(fields) ? fields : {} },
			];
		}),
	);
}

/** Fields of an instance that an item has under names of its own. */
const SHOWN_FIRST = new Set(['instanceName', 'status']);

/** The live state: what the list has can be stale. */
async function stateOf(
	instance: string,
	{ gateway, retryOptions, isFirst, hideKey }: Poll,
): Promise<FoundInstances> {
	const values = { path: { instance } };
	const status = await gateway.read('connectionState', values, retryOptions, {
		read: readConnectionState,
		readFailure: (observed) => (isInstanceMissing(observed) && !isFirst() ? DELETED : undefined),
	});
	return new Map(status === DELETED ? [] : [[instance, { status: hideKey(status), fields: {} }]]);
}
