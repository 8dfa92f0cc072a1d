/**
 * The published interface, or one of the generations that were observed (1.8.2, 2.2.3, 2.3.6). Two more differ from one
 * of these in one point: 1.8.6, which was observed, and 2.3.0, which stands for versions before 2.3.3 that were not.
 */
export type EvolutionGeneration = 'published' | '1.8' | '1.8.6' | '2.2' | '2.3.0' | '2.3';

/** A generation, or another gateway with the same routes: WhatsMiau 1.0.0. */
export type Generation = EvolutionGeneration | 'whatsmiau';

/** Those that differ from each other in more than one point. */
export const GENERATIONS: readonly EvolutionGeneration[] = ['published', '1.8', '2.2', '2.3'];

/** What a generation does its own way. The facts are those of the recordings in `test/fixtures/recordings`. */
export interface Rules {
	/** The method of the routes that change a group; the other one is not a route. */
	changeMethod: 'PUT' | 'POST';
	/** An element of the list: `{instance: {…}}`, or the fields themselves under the names of generation 2. */
	element: 'wrapped' | 'flat';
	/** The list with a name in the query: a list of one, or the element alone. */
	byName: 'list' | 'element';
	/** A name that does not exist: an empty list, 404, or 500 in a form of its own. */
	unknownName: 'empty' | 'notFound' | 'broken';
	/** A name that every JavaScript object inherits, such as `constructor`. */
	inheritedName: 'empty' | 'all';
	/** An instance's own key shows that instance in the list. */
	ownKeyLists: boolean;
	/** The field of `integration` with the webhook address. */
	webhookField: string;
	/** `integration.integration` and `integration.token` are there together. */
	integrationAndToken: boolean;
	/** Fields of a flat element that hold a connected service, or null. */
	services: readonly string[];
	/** When the network is silent: no reply ever, the call's own error, or a success with nothing in it. */
	silence: 'noReply' | 'timedOut' | 'emptySuccess';
	/** How a member of a group with hidden ids shows its number, where the network gives it. */
	hiddenNumber: 'phoneNumber' | 'jid' | 'none';
	/** Members have their hidden id as `lid` too. */
	lidField: boolean;
	/** The list of groups without a connection: 404 with the reason, or 500 with the bare reason. */
	noGroupList: 'reason' | 'bare';
	/** A group or the list of them where the instance ignores groups: an empty body, or what there is all the same. */
	ignoredGroups: 'emptyBody' | 'list';
	/** The list of groups says what belongs to a community. */
	communities: boolean;
	/** Stored messages can be looked up. */
	findsMessages: boolean;
	/** An invitation can be sent to a hidden id. */
	invitesHiddenIds: boolean;
	/** Milliseconds that a gateway waits for the QR code of a connection; real ones of generation 1 wait for 5 s. */
	qrMs: number;
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
	ownKeyLists: false,
	services: [],
	lidField: false,
	noGroupList: 'reason',
	ignoredGroups: 'emptyBody',
	communities: false,
	findsMessages: false,
	invitesHiddenIds: false,
	qrMs: 50,
} as const;

const flat = {
	changeMethod: 'POST',
	element: 'flat',
	byName: 'list',
	unknownName: 'notFound',
	inheritedName: 'empty',
	ownKeyLists: true,
	webhookField: '',
	integrationAndToken: true,
	lidField: false,
	noGroupList: 'bare',
	ignoredGroups: 'list',
	communities: true,
	findsMessages: true,
	qrMs: 0,
} as const;

const one: Rules = {
	...wrapped,
	byName: 'element',
	unknownName: 'notFound',
	inheritedName: 'all',
	webhookField: 'webhook_wa_business',
	integrationAndToken: true,
	silence: 'noReply',
	hiddenNumber: 'none',
};

const two: Rules = {
	...flat,
	services: ['Chatwoot', 'Proxy', 'Rabbitmq', 'Nats', 'Sqs', 'Websocket'],
	silence: 'emptySuccess',
	hiddenNumber: 'phoneNumber',
	invitesHiddenIds: true,
	bots: { route: 'fetch', unknown: 'null', foreign: 'returned', none: [] },
};

/** What each generation does its own way. */
export const generations: Readonly<Record<EvolutionGeneration, Rules>> = {
	published: {
		...wrapped,
		byName: 'list',
		unknownName: 'empty',
		inheritedName: 'empty',
		webhookField: 'webhook_chat_business',
		integrationAndToken: false,
		silence: 'emptySuccess',
		hiddenNumber: 'phoneNumber',
		bots: { route: 'find', unknown: 'null', foreign: 'unknown', none: [] },
	},
	'1.8': one,
	'1.8.6': { ...one, unknownName: 'broken' },
	'2.2': {
		...flat,
		services: ['Chatwoot', 'Proxy', 'Rabbitmq', 'Sqs', 'Websocket'],
		silence: 'timedOut',
		hiddenNumber: 'none',
		invitesHiddenIds: false,
		bots: { route: 'fetch', unknown: 'error', foreign: 'unknown', none: null },
	},
	'2.3.0': { ...two, hiddenNumber: 'jid', lidField: true },
	'2.3': two,
};

const names: Readonly<Record<string, Generation>> = {
	published: 'published',
	'1': '1.8',
	'1.8': '1.8',
	'1.8.2': '1.8',
	'1.8.6': '1.8.6',
	'2': '2.3',
	'2.2': '2.2',
	'2.2.3': '2.2',
	'2.3.0': '2.3.0',
	'2.3': '2.3',
	'2.3.6': '2.3',
	'2.3.7': '2.3',
	whatsmiau: 'whatsmiau',
	'1.0.0': 'whatsmiau',
};

/**
 * The generation that a person means.
 * @param text `published`, a version such as `2.2` or `2.2.3`, `1` and `2` for the newest of each, or `whatsmiau`.
 * @throws Error for any other text.
 */
export function parseGeneration(text: string): Generation {
	const generation = new Map(Object.entries(names)).get(text);
	if (generation === undefined) {
		throw new Error(`Unknown generation "${text}". Known ones: ${Object.keys(names).join(', ')}.`);
	}
	return generation;
}
