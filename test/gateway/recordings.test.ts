import { allRecordings, load, type Recorded } from '../recordings';
import { parseGeneration, startGateway } from './gateway';
import { circumstancesOf, recordedSeed, type RecordedGeneration } from './recorded-seed';

type Answer = Recorded['response'];

/** JSON that was not valid is recorded as text, and so is a form. */
function asSent(body: unknown): string | undefined {
	if (body === null || body === undefined) return undefined;
	return typeof body === 'string' ? body : JSON.stringify(body);
}

/** Newer recordings keep no content type. */
const JSON_HEADERS = { 'content-type': 'application/json' };

async function ask(
	generation: RecordedGeneration,
	name: string,
	{ request, response }: Recorded,
): Promise<Answer> {
	const signal = AbortSignal.timeout(response.status === null ? 300 : 10_000);
	const gateway = await startGateway({ generation, seed: recordedSeed(generation, name) });
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

function generationOf({ version }: Recorded): RecordedGeneration {
	const generation = parseGeneration(version);
	if (generation === 'published' || generation === '2.3.0') throw new Error(`${version} was not recorded`);
	return generation;
}

/** What this gateway does not do. */
const leftOut: ReadonlyArray<readonly [name: RegExp, reason: string]> = [
	[
		/__openai__(create|fetchSe|GET-creds)/,
		'bots are part of the seed, and have no settings and conversations',
	],
	[/__instance__(logout|restart)/, 'connections end by gateway.network'],
	[/find-after-create/, 'four bots of as many shapes, found as any other recorded bots'],
	[/keys-not-exposed/, 'a setting of the server that no other recording has'],
];

const kept = allRecordings.filter((name) => !leftOut.some(([part]) => part.test(name)));

const keptTexts = [
	'status',
	'error',
	'message',
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
	if (Array.isArray(value)) return ordered(value).map((one) => shape(one, key));
	if (value === null || typeof value !== 'object')
		return keptTexts.includes(key) ? value : value === null ? 'null' : typeof value;
	const entries = Object.entries(value).sort(([a], [b]) => a.localeCompare(b));
	return Object.fromEntries(entries.map(([name, one]) => [name, shape(one, name)]));
}

function rowsOf(body: unknown): unknown[] {
	const rows =
		typeof body === 'object' && body !== null ? new Map(Object.entries(body)).get('updateParticipants') : [];
	return Array.isArray(rows) ? rows : [];
}

function jidOf(row: unknown): unknown {
	const jid = typeof row === 'object' && row !== null ? new Map(Object.entries(row)).get('jid') : undefined;
	return typeof jid === 'string' && jid.endsWith('@lid') ? '@lid' : jid;
}

describe('the embedded gateway answers as the recorded one did', () => {
	test.each(kept)('%s', async (name) => {
		const recorded = load(name);
		const { status, contentType, body } = await ask(generationOf(recorded), name, recorded);
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
