import type { JsonRecord } from '../../MessagingGateway/common/json';
import { Problem } from '../../MessagingGateway/common/problem';
import { readInstance } from '../../MessagingGateway/fields/locators';
import { secretRedactor } from '../../MessagingGateway/gateway/redact/secretFields';
import { requireStatus, simplifyInstance } from '../../MessagingGateway/gateway/replies/instances';
import {
	compareStatuses,
	DELETED,
	readStatuses,
	writeStatuses,
} from '../../MessagingGateway/groups/watch/statuses';
import { readChoice, readChoices } from '../../MessagingGateway/input/values';
import type { Parameters } from '../../MessagingGateway/run/parameters';
import type { PollResult, Watch } from './event';

const NEW_STATUSES = ['close', 'connecting', 'deleted', 'open'] as const;

export function instanceStatusChanged(parameters: Parameters, baseUrl: string): Watch {
	const watched = readChoice(parameters.get('watch', 'all'), ['all', 'one'], 'Instances');
	const statuses = readChoices(parameters.get('statuses'), NEW_STATUSES, 'Statuses');
	const about = (instance: string | null) => JSON.stringify(['statuses', baseUrl, instance]);
	if (watched === 'all')
		return {
			about: about(null),
			subject: {},
			ask: async (client, options) => {
				const instances = await client.allInstances(options);
				if (statuses.some((status) => status !== DELETED)) requireStatus(instances);
				return statusesFound(statuses, instances);
			},
			refusedKeyAdvice:
				"Check 'API Key' in the credential. If it's the key of one instance, choose Instances: One",
		};
	const name = readInstance(parameters);
	return {
		about: about(name),
		subject: { instance: name },
		ask: async (client, options, allowMissing) => {
			// The status in the list can be stale.
			const status = await client.connectionState(name, options, { allowMissing });
			return statusesFound(statuses, status === null ? [] : [{ name, status, record: {} }]);
		},
	};
}

function statusesFound(
	statuses: readonly string[],
	instances: ReadonlyArray<{ name: string; status: string | undefined; record: JsonRecord }>,
): PollResult {
	const detectedAt = new Date().toISOString();
	const byName = new Map(instances.map((instance) => [instance.name, instance]));
	const itemOf = (name: string, status: string, previousStatus: string): JsonRecord => {
		const { record = {} } = (status !== DELETED && byName.get(name)) || {};
		const fields = secretRedactor()(simplifyInstance({ record, status })) as JsonRecord;
		delete fields.instanceName;
		delete fields.status;
		return { change: 'status', instance: name, status, previousStatus, detectedAt, ...fields };
	};
	return {
		compare: (remembered) => {
			const now = new Map(instances.map(({ name, status }) => [name, status]));
			const isChosen = (status: string) => statuses.includes(status);
			const compared = compareStatuses(readStatuses(remembered), now, isChosen);
			return {
				items: compared.changes.map((change) => itemOf(change.name, change.status, change.previousStatus)),
				remembered: writeStatuses(compared.snapshot),
			};
		},
		sample: () => {
			const [status = 'close'] = statuses;
			const known = instances.filter((instance) => instance.status !== undefined);
			const { name, status: now = status } = known.find((each) => each.status === status) ?? known[0] ?? {};
			if (name === undefined)
				throw new Problem('The gateway has no instance to show', 'Create one on the gateway first');
			const usual = status === 'close' || status === 'connecting' ? 'open' : 'close';
			return itemOf(name, status, now === status ? usual : now);
		},
	};
}
