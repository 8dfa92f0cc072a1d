import { EXPECTED } from '../engine/gateways/replies';
import { thorough } from '../thorough';
import { allRecordings, load, type Recorded } from '../recordings';
import { parseGeneration, startGateway } from './gateway';
import { circumstancesOf, recordedSeed } from './recorded-seed';

type Answer = Recorded['response'];

/** JSON that was not valid is recorded as text, and so is a form. */
function asSent(body: unknown): string | undefined {
	if (body === null || body === undefined) return undefined;
	return typeof body === 'string' ? body : JSON.stringify(body);
}

/** Newer recordings keep no content type. */
const JSON_HEADERS = { 'content-type': 'application/json' };

async function ask(name: string, { version, request, response }: Recorded): Promise<Answer> {
	const signal = AbortSignal.timeout(response.status === null ? 60 : 10_000);
	const gateway = await startGateway({ generation: parseGeneration(version), seed: recordedSeed(name) });
	const { fault } = circumstancesOf(name);
	if (fault !== undefined) gateway.fault({ kind: fault });
	try {
		const body = asSent(request.body);
		const reply = await fetch(gateway.url + request.path, {
			method: request.method,
			headers: { ...(typeof request.body === 'object' && JSON_HEADERS), ...request.headers },
			...(body === undefined ? {} : { body }),
			signal,
		});
		const text = await reply.text();
		const contentType = reply.headers.get('content-type');
		return {
			status: reply.status,
			contentType,
			body: contentType === null ? text || null : JSON.parse(text || 'null'),
		};
	} catch (error) {
		if (response.status !== null || !signal.aborted) throw error;
		return { status: null, contentType: null, body: null };
	} finally {
		await gateway.close();
	}
}

/** What this gateway does not do. */
const leftOut: ReadonlyArray<readonly [name: RegExp, reason: string]> = [
	[/__openai__/, 'bots are part of the seed, in whatever form a test wants'],
	[/__instance__(logout|restart)/, 'connections end by gateway.network'],
	[/keys-not-exposed/, 'a setting of the server that no other recording has'],
	[
		/-twice$|twice-the-same$|-duplicates$|no-suffix$|in-query$/,
		"the node doesn't send it: its lists and groups are complete",
	],
	[
		/participants-(numbers|string)|getParticipants-1|(bad|missing)-getParticipants/,
		'nor values of another type',
	],
	[/__findGroupInfos__(no-groupJid|groupJid-not)/, 'nor such groups'],
	[/__fetchInstances__(instanceId|number)|override|instanceName-unknown/, 'nor such filters'],
	[/^whatsmiau.*POST-demote$/, 'its network has a code of its own for who made a group'],
	[
		/create__(made-(but|network)|hidden)|sendText__group-(connection-lost|no-ack)/,
		'a fault of a part of a call',
	],
	[/updateGroupPicture__(address-404|file-png)/, 'it fetches no pictures, and a recording has no long file'],
	[/findMessages__group-message/, 'it keeps no messages to groups'],
	[/^whatsmiau-main/, 'only its words for failures differ from 1.0.0'],
	[/POST-normalisation/, 'as PUT-normalisation, but for device numbers, which the node never sends'],
];

/** What the node doesn't send as it was, either. */
const refused = new Set(EXPECTED.filter((line) => line.refused && !line.without).map(({ name }) => name));
const kept = allRecordings.filter((name) => !refused.has(name) && !leftOut.some(([part]) => part.test(name)));
/** The version of the gateway and the call, as a name begins. */
const callOf = (name: string) => name.split('__', 2).join();
const tried = thorough ? kept : [...new Map(kept.map((name) => [callOf(name), name])).values()];

const keptTexts = [
	'status',
	'error',
	'message',
	'errorMessage',
	'state',
	'property',
	'tag',
	'instanceName',
	'name',
	'connectionStatus',
	'integration',
];

/** Lists of instances have no order of their own; that of a group change is the order of the request. */
function ordered(list: unknown[]): unknown[] {
	const isInstance = (one: unknown): boolean => /"(connectionStatus|serverUrl)":/.test(JSON.stringify(one));
	if (!list.every(isInstance)) return list;
	const nameOf = (one: unknown): string =>
		/"(?:instanceN|n)ame":"[^"]*"/.exec(JSON.stringify(one))?.[0] ?? '';
	return [...list].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
}

/** Keys and types at any depth, the length of lists, and the texts that say what happened. */
function shape(value: unknown, key = ''): unknown {
	// What WhatsMiau's language makes of a failure.
	if (key === 'error' && typeof value === 'object') return Array.isArray(value) ? 'list' : 'object';
	if (Array.isArray(value)) return ordered(value).map((one) => shape(one, key));
	if (value === null || typeof value !== 'object')
		return keptTexts.includes(key) ? value : value === null ? 'null' : typeof value;
	const entries = Object.entries(value).sort(([a], [b]) => a.localeCompare(b));
	return Object.fromEntries(entries.map(([name, one]) => [name, shape(one, name)]));
}

function rowsOf(body: unknown): unknown[] {
	const { updateParticipants, participants: rows = updateParticipants } = Object(body);
	return Array.isArray(rows) ? rows : [];
}

function jidOf(row: unknown): unknown {
	const jid = typeof row === 'object' && row !== null ? new Map(Object.entries(row)).get('jid') : undefined;
	return typeof jid === 'string' && jid.endsWith('@lid') ? '@lid' : jid;
}

describe('the embedded gateway answers as the recorded one did', () => {
	test.each(tried)('%s', async (name) => {
		const recorded = load(name);
		const { status, contentType, body } = await ask(name, recorded);
		expect({ status, contentType, body: shape(body) }).toEqual({
			...recorded.response,
			body: shape(recorded.response.body),
		});
		expect(rowsOf(body).map(jidOf)).toEqual(rowsOf(recorded.response.body).map(jidOf));
	});
});

test('every reason to leave a recording out is needed', () => {
	const needed = leftOut.filter(([part]) => allRecordings.some((name) => part.test(name)));
	expect(needed).toEqual(leftOut);
});
