import type { Recorded } from '../../recordings';

/** What a recording asks for, as a person would enter it in the node. */
export interface Ask {
	apiKey: string;
	instance: unknown;
	bot: unknown;
	group: unknown;
	action: unknown;
	participants: unknown;
	/** What an invite or a message says. */
	message: unknown;
	/** The name of a group, its picture, and the life of its messages. */
	subject: unknown;
	image: unknown;
	expiration: unknown;
}

/** What it asks for, as it was recorded. */
export function askOf(recorded: Recorded): Ask {
	const { segments, query } = partsOf(recorded);
	const { headers, body } = recorded.request;
	const [, route, first, second] = segments;
	const named = route === 'fetchInstances' ? query.get('instanceName') : undefined;
	return {
		apiKey: headers.apikey ?? '',
		instance: named ?? (route === 'updateParticipant' || second === undefined ? first : second) ?? '',
		bot: first,
		group: query.get('groupJid') ?? field(body, 'groupJid') ?? field(body, 'number') ?? '',
		action: field(body, 'action') ?? '',
		participants: field(body, 'participants') ?? field(body, 'numbers'),
		message: field(body, 'text') ?? field(body, 'description') ?? '',
		subject: field(body, 'subject') ?? '',
		image: field(body, 'image') ?? '',
		expiration: field(body, 'expiration') ?? '',
	};
}

/** The path's segments and the query, decoded. */
function partsOf({ request }: Recorded): { segments: string[]; query: URLSearchParams } {
	const [path = '', query] = request.path.split('?');
	return { segments: path.split('/').slice(1).map(decodeURIComponent), query: new URLSearchParams(query) };
}

/** The first two segments of its path, which tell what it is about. */
export function routeOf(recorded: Recorded): string {
	return partsOf(recorded).segments.slice(0, 2).join('/');
}

/** All texts in the message of a refusal: these are the gateway's own words. */
export function wordsOf(body: unknown): string[] {
	return textsIn(field(field(body, 'response') ?? body, 'message'));
}

/** Whether it says that there is no such route. */
export function isNoRoute(body: unknown): boolean {
	return /^(Cannot [A-Z]+ \/|Not Found$)/.test(wordsOf(body)[0] ?? '');
}

/** The keys and tokens that a recording holds. */
export function secretsOf({ request, response }: Recorded): string[] {
	const found: string[] = [request.headers.apikey ?? ''];
	JSON.stringify(response.body, (name, value: unknown) => {
		if (/^(apikey|token|password)$/i.test(name) && typeof value === 'string') found.push(value);
		return value;
	});
	return found.filter((secret) => secret !== '');
}

/** A property of what may be an object. */
export function field(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
		? Reflect.get(value, name)
		: undefined;
}

/** A list as it is, anything else as none. */
export function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

function textsIn(message: unknown): string[] {
	if (typeof message === 'string') return [message];
	if (Array.isArray(message)) return message.flatMap(textsIn);
	const text = field(message, 'message');
	return text === undefined ? [] : textsIn(text);
}
