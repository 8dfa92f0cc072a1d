import { kindsSeed, startGateway, type Gateway, type GatewayOptions, type Generation } from './gateway';
import { CUSTOMERS } from './seed';

const started: Gateway[] = [];

afterEach(async () => {
	await Promise.all(started.splice(0).map((gateway) => gateway.close()));
});

/** A gateway that ends with the test. */
export async function start(options: GatewayOptions = {}): Promise<Gateway> {
	const gateway = await startGateway(options);
	started.push(gateway);
	return gateway;
}

export interface Change {
	action?: string;
	participants?: string[];
	group?: string;
	method?: string;
	key?: string;
	/** Gives the request up. */
	signal?: AbortSignal;
}

/** Asks the instance `main` for a group change. */
export async function change(gateway: Gateway, asked: Change = {}): Promise<Response> {
	const { action = 'add', participants = ['447700900999'], group = CUSTOMERS, method = 'PUT' } = asked;
	return await fetch(`${gateway.url}/group/updateParticipant/main?groupJid=${encodeURIComponent(group)}`, {
		method,
		headers: { apikey: asked.key ?? gateway.apiKey, 'content-type': 'application/json' },
		body: JSON.stringify({ action, participants }),
		redirect: 'manual',
		...(asked.signal && { signal: asked.signal }),
	});
}

/** Aborts a moment after the gateway has got one more call, and dealt with it. */
export function onceThereIsACall({ calls }: Gateway): AbortSignal {
	const { length } = calls;
	const patience = new AbortController();
	const look = (): void => {
		const call = calls[length];
		if (call?.method === 'GET' || call?.body !== undefined) setTimeout(() => patience.abort(), 50);
		else setImmediate(look);
	};
	look();
	return patience.signal;
}

/** The JSON of a reply to a GET with the global key. */
export async function get(gateway: Gateway, path: string): Promise<unknown> {
	return await (await fetch(gateway.url + path, { headers: { apikey: gateway.apiKey } })).json();
}

/** The status of each row that a group change is answered with. */
export async function statuses(gateway: Gateway, asked: Change): Promise<unknown[]> {
	const { updateParticipants } = JSON.parse(await (await change(gateway, asked)).text());
	return updateParticipants.map(({ status }: { status: unknown }) => status);
}

/** The members of a group of `main`, sorted. */
export function members(gateway: Gateway, group = CUSTOMERS): string[] {
	return gateway.group('main', group)?.members ?? [];
}

/** A gateway with the groups of four kinds, and a network that is silent for no longer than 20 ms. */
export async function keeper(generation: Generation = '2.3'): Promise<Gateway> {
	return await start({ generation, seed: { ...kindsSeed, silenceMs: 20 } });
}

/** A member as a gateway shows it. */
export interface Member {
	id: string;
	admin: string | null;
	phoneNumber?: string;
	jid?: string;
}

/** The members of a group, as the gateway lists them. */
export async function participants(gateway: Gateway, group: string, instance = 'keeper'): Promise<Member[]> {
	const path = `/group/participants/${instance}?groupJid=${group}`;
	return JSON.parse(JSON.stringify(await get(gateway, path))).participants;
}

/** The status and text of a reply to a request with the global key. */
export async function replied(
	gateway: Gateway,
	path: string,
	init: RequestInit = {},
): Promise<{ status: number; text: string }> {
	const headers = { apikey: gateway.apiKey, 'content-type': 'application/json' };
	const reply = await fetch(gateway.url + path, { headers, ...init });
	return { status: reply.status, text: await reply.text() };
}
