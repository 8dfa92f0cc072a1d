/** The published interface, or one of the generations that were observed (1.8.2, 2.2.3, 2.3.6). */
export type Generation = 'published' | '1.8' | '2.2' | '2.3';

export const GENERATIONS: readonly Generation[] = ['published', '1.8', '2.2', '2.3'];

/** What a generation does its own way. The facts are those of the recordings in `test/fixtures/recordings`. */
export interface Rules {
	/** The method of `/group/updateParticipant/{instance}`; the other one is not a route. */
	changeMethod: 'PUT' | 'POST';
	/** An element of the list: `{instance: {…}}`, or the fields themselves under the names of generation 2. */
	element: 'wrapped' | 'flat';
	/** The list with a name in the query: a list of one, or the element alone. */
	byName: 'list' | 'element';
	/** A full JID with a device number (`5511…:12@s.whatsapp.net`) goes to the network without it. */
	dropsDevice: boolean;
	/** A name that does not exist: an empty list, or 404. */
	unknownName: 'empty' | 'notFound';
	/** A name that every JavaScript object inherits, such as `constructor`. */
	inheritedName: 'empty' | 'all';
	/** The list takes `instanceId` and `number`, and an instance's own key shows that instance. */
	listFilters: boolean;
	/** The field of `integration` with the webhook address. */
	webhookField: string;
	/** `integration.integration` and `integration.token` are there together. */
	integrationAndToken: boolean;
	/** Fields of a flat element that hold a connected service, or null. */
	services: readonly string[];
	/** An `instanceName` query takes the place of the instance in the path, after the key was checked. */
	queryOverridesPath: boolean;
	/** How long the gateway waits for a silent network before it replies with an empty list; Infinity: for ever. */
	silenceMs: number;
	/** The bot routes, where there are any. */
	bots?: {
		/** `/openai/{route}/{bot}/{instance}`. */
		route: 'find' | 'fetch';
		/** An unknown bot: 200 `null`, or 500. */
		unknown: 'null' | 'error';
		/** A bot of another instance: as an unknown one, or returned. */
		foreign: 'unknown' | 'returned';
		/** The bots of an instance that has none. */
		none: null | [];
	};
}

const wrapped = {
	changeMethod: 'PUT',
	element: 'wrapped',
	listFilters: false,
	dropsDevice: false,
	services: [],
	queryOverridesPath: false,
} as const;

const flat = {
	changeMethod: 'POST',
	element: 'flat',
	byName: 'list',
	unknownName: 'notFound',
	inheritedName: 'empty',
	listFilters: true,
	dropsDevice: true,
	webhookField: '',
	integrationAndToken: true,
	queryOverridesPath: true,
	silenceMs: 60_000,
} as const;

/** What each generation does its own way. */
export const generations: Readonly<Record<Generation, Rules>> = {
	published: {
		...wrapped,
		byName: 'list',
		unknownName: 'empty',
		inheritedName: 'empty',
		webhookField: 'webhook_chat_business',
		integrationAndToken: false,
		silenceMs: 60_000,
		bots: { route: 'find', unknown: 'null', foreign: 'unknown', none: [] },
	},
	'1.8': {
		...wrapped,
		byName: 'element',
		unknownName: 'notFound',
		inheritedName: 'all',
		webhookField: 'webhook_wa_business',
		integrationAndToken: true,
		silenceMs: Infinity,
	},
	'2.2': {
		...flat,
		services: ['Chatwoot', 'Proxy', 'Rabbitmq', 'Sqs', 'Websocket'],
		bots: { route: 'fetch', unknown: 'error', foreign: 'unknown', none: null },
	},
	'2.3': {
		...flat,
		services: ['Chatwoot', 'Proxy', 'Rabbitmq', 'Nats', 'Sqs', 'Websocket'],
		bots: { route: 'fetch', unknown: 'null', foreign: 'returned', none: [] },
	},
};

const names: Readonly<Record<string, Generation>> = {
	published: 'published',
	'1': '1.8',
	'1.8': '1.8',
	'1.8.2': '1.8',
	'2': '2.3',
	'2.2': '2.2',
	'2.2.3': '2.2',
	'2.3': '2.3',
	'2.3.6': '2.3',
};

/**
 * The generation that a person means.
 * @param text `published`, a version such as `2.2` or `2.2.3`, or `1` and `2` for the newest of each.
 * @throws Error for any other text.
 */
export function parseGeneration(text: string): Generation {
	const generation = new Map(Object.entries(names)).get(text);
	if (generation === undefined) {
		throw new Error(`Unknown generation "${text}". Known ones: ${Object.keys(names).join(', ')}.`);
	}
	return generation;
}
