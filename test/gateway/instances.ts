import type { Rules } from './generations';
import { json, refusal, type Reply } from './reply';
import type { SeedInstance } from './seed';
import type { Target } from './target';

const businessKind = 'WHATSAPP-BUSINESS';
const usualKind = 'WHATSAPP-BAILEYS';
const madeAt = '2026-01-01T00:00:00.000Z';

/** Whether an instance speaks to the network's business interface, which has no groups. */
export function isBusiness({ integration }: SeedInstance): boolean {
	return integration === businessKind;
}

function wrappedElement(instance: SeedInstance, rules: Rules, url: string): unknown {
	const { instanceName, instanceId, status, apikey, integration, number } = instance;
	const profile = {
		owner: instance.owner,
		profileName: instance.profileName ?? 'not loaded',
		profilePictureUrl: instance.profilePictureUrl,
		profileStatus: instance.profileStatus ?? '',
	};
	return {
		instance: {
			instanceName,
			instanceId,
			...(status === 'open' ? profile : {}),
			status,
			serverUrl: url,
			apikey,
			integration: {
				integration,
				number: isBusiness(instance) && rules.integrationAndToken ? number : undefined,
				token: rules.integrationAndToken || integration === undefined ? apikey : undefined,
				[rules.webhookField]: `${url}/webhook/whatsapp/${encodeURIComponent(instanceName)}`,
			},
		},
	};
}

function flatElement(instance: SeedInstance, rules: Rules): unknown {
	return {
		id: instance.instanceId,
		name: instance.instanceName,
		connectionStatus: instance.status,
		ownerJid: instance.owner ?? null,
		profileName: instance.profileName ?? null,
		profilePicUrl: instance.profilePictureUrl ?? null,
		integration: instance.integration ?? usualKind,
		number: instance.number ?? null,
		businessId: null,
		token: instance.apikey,
		clientName: 'test_gateway',
		disconnectionReasonCode: null,
		disconnectionObject: null,
		disconnectionAt: null,
		createdAt: madeAt,
		updatedAt: madeAt,
		...Object.fromEntries(rules.services.map((service) => [service, null])),
		Setting: {
			id: `setting-${instance.instanceId}`,
			rejectCall: false,
			msgCall: '',
			groupsIgnore: false,
			alwaysOnline: false,
			readMessages: false,
			readStatus: false,
			syncFullHistory: false,
			wavoipToken: '',
			createdAt: madeAt,
			updatedAt: madeAt,
			instanceId: instance.instanceId,
		},
		_count: { Message: 0, Contact: 0, Chat: 0 },
		...instance.extra,
	};
}

const unknownNames: Readonly<Record<Rules['unknownName'], (message: string[]) => Reply>> = {
	empty: () => json(200, []),
	notFound: (message) => refusal(404, message),
	broken: (message) => json(500, { error: true, message }),
};

/** `/instance/fetchInstances`, as the generation gives it: who may see what, and by name. */
export function listInstances({ backend, rules, request }: Target): Reply {
	const { seed, url } = backend;
	const element = (instance: SeedInstance): unknown =>
		rules.element === 'flat' ? flatElement(instance, rules) : wrappedElement(instance, rules, url);
	const list = (instances: SeedInstance[]): Reply => json(200, instances.map(element));
	const name = request.query('instanceName') ?? '';
	const found = seed.instances.filter(({ instanceName }) => name === '' || instanceName === name);

	if (request.key !== seed.apiKey) {
		const own = rules.ownKeyLists ? found.filter(({ apikey }) => apikey === request.key) : [];
		return own.length > 0 ? list(own) : refusal(401, 'Unauthorized');
	}
	if (name === '') return list(seed.instances);
	if (name in {}) return list(rules.inheritedName === 'all' ? seed.instances : []);
	const [first] = found;
	if (first !== undefined) return rules.byName === 'element' ? json(200, element(first)) : list(found);
	return unknownNames[rules.unknownName]([`Instance "${name}" not found`]);
}
