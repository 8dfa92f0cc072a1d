import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault, Gateway } from '../../gateway/gateway';
import { CUSTOMERS } from '../../gateway/seed';
import { listen } from '../../gateway/wire';
import { lines } from '../../thorough';
import { getInstance } from '../gateways/parameters';
import {
	describeEachLine,
	groupParameters,
	runNode,
	skipPauses,
	withEngine,
	withGateways,
	withPatience,
	ERROR_OUTPUT,
	type NodeSettings,
} from '../support';
import { runOnce, subjectOf } from './attempts';
import { canariesIn, canary, canarySeed } from './canaries';

/** Replies that never come to an end. */
const endless = [
	[
		'another protocol',
		'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
	],
	[
		'a body that stops in the middle',
		'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n[{"instance":',
	],
	[
		'a chunk that stops in the middle',
		'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n[{',
	],
	['a head that stops in the middle', 'HTTP/1.1 200 OK\r\nContent-Ty'],
] as const;

const options = { timeout: 400, maxRetries: 0 };
const operations = [
	['a lookup', getInstance('main', { options })],
	['a group change', groupParameters({ participants: '+447700900999', options })],
] as const;

describeEachLine('a reply that never comes to an end', (engine) => {
	describe.each(endless)('%s', (_what, reply) => {
		test.each(operations)('ends %s at its timeout, and its connection', async (_operation, parameters) => {
			const sockets: Socket[] = [];
			const server = createServer((socket) => {
				sockets.push(socket);
				socket.on('error', () => undefined);
				socket.once('data', () => socket.write(reply));
			});
			const port = await listen(server);
			try {
				const gateway = { url: `http://127.0.0.1:${port}`, apiKey: 'KEY-0000' };
				const { error } = await runNode(engine(), gateway, parameters, [{}]);
				expect(error?.message).toContain("The gateway didn't answer within 0.4 seconds");
				expect(sockets).toHaveLength(1);
				// The test ends at Jest's own timeout if one stays open.
				await Promise.all(sockets.map(async (socket) => socket.closed || (await once(socket, 'close'))));
			} finally {
				for (const socket of sockets) socket.destroy();
				server.close();
			}
		});
	});
});

describeEachLine('a body that goes on and on', (engine) => {
	const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[';
	let server: Server | undefined;
	afterEach(() => server?.close());

	/** Gets an instance of a gateway that sends a body in pieces without end, and awaits the end of its connection. */
	async function readEndless(piece: string, options: object, onPiece = (_sent: number): void => undefined) {
		let sent = 0;
		const closed = new Promise<number>((resolve) => {
			server = createServer((socket) => {
				const send = () => {
					if (socket.destroyed) return;
					onPiece((sent += piece.length));
					socket.write(piece, () => setImmediate(send));
				};
				socket.on('error', () => undefined);
				socket.once('close', () => resolve(sent));
				socket.once('data', () => socket.write(HEAD, send));
			});
		});
		if (server === undefined) throw new Error('No server');
		const gateway = { url: `http://127.0.0.1:${await listen(server)}`, apiKey: 'KEY-0000' };
		const parameters = getInstance('main', { options: { maxRetries: 0, ...options } });
		const { error, run } = await runNode(engine(), gateway, parameters, [{}]);
		return { message: error?.message, status: run.status, sent: await closed };
	}

	test('ends at its timeout, however often something of it comes', async () => {
		const { message } = await readEndless(' ', { timeout: 400 });
		expect(message).toContain("The gateway didn't answer within 0.4 seconds");
	});

	test('ends with the execution', async () => {
		const cancel = (sent: number) => {
			if (sent === 100) engine().cancel();
		};
		const { status } = await readEndless(' ', { timeout: 3_600_000 }, cancel);
		expect(status).toBe('canceled');
	});

	test('is given up where it is larger than what is read', async () => {
		const { message, sent } = await readEndless(' '.repeat(1_000_000), { timeout: 3_600_000 });
		expect(message).toContain('too large to be read');
		// How much more the sockets take in between is up to the machine; without an end, this would wait for one.
		expect(sent).toBeGreaterThan(32_000_000);
	});
});

const people = ['4915200000001', '4915200000002', '4915200000003', '4915200000004'];
const [a = '', b = '', c = ''] = people;

const added = (gateway: Gateway, group = CUSTOMERS): string[] =>
	people.filter((phone) => gateway.group('main', group)?.members.includes(`${phone}@s.whatsapp.net`));
const nth = (n: number, kind: Fault['kind'], more: Partial<Fault> = {}): Fault => ({
	kind,
	after: n - 1,
	times: 1,
	...more,
});

describe('outcomes', () => {
	const engine = withEngine(2);
	skipPauses(engine);
	const start = withGateways();
	const change = async (
		gateway: Pick<Gateway, 'url' | 'apiKey'>,
		items: object[],
		options: object = {},
		settings: NodeSettings = {},
	) => {
		const parameters = groupParameters({
			group: '={{ $json.group ?? "120363000000000001" }}',
			options: { maxRetries: 1, ...options },
		});
		return await runOnce(
			engine(),
			{ baseUrl: gateway.url, apiKey: gateway.apiKey },
			parameters,
			items,
			settings,
		);
	};

	describe('what is said of an item whose participants took several requests', () => {
		const item = [{ phone: [a, b, c].map((phone) => `+${phone}`) }];
		const one = { batchSize: 1 };
		const unknown: Array<[string, Fault]> = [
			['a success without a list', nth(1, 'empty', { applied: true })],
			['a success that was cut short', nth(1, 'truncated-body')],
			['a list without anybody', nth(1, 'wrong-shape', { applied: true, body: { updateParticipants: [] } })],
		];
		const certain: Fault[] = [nth(2, 'forbidden'), { kind: '401', after: 1 }];
		const pairs = unknown.flatMap(([title, first]) =>
			certain.map((second) => ({ title: `${title}, then ${second.kind}`, faults: [second, first] })),
		);

		it.each(pairs)('$title: not known', async ({ faults }) => {
			const gateway = await start();
			for (const fault of faults) gateway.fault(fault);
			const tried = await change(gateway, item, { ...one, maxRetries: 0 }, ERROR_OUTPUT);
			expect(added(gateway)).toContain(a);
			expect(tried.items).toEqual([]);
			expect(tried.errors).toHaveLength(1);
			expect(tried.errors[0]?.message).toMatch(/not known/);
		});

		it('how many were applied of the item, and whether others were', async () => {
			const [gateway, other] = [await start(), await start()];
			for (const one of [gateway, other]) one.fault(nth(3, 'forbidden'));
			const ofItem = await change(gateway, item, one, ERROR_OUTPUT);
			const ofRun = await change(
				other,
				people.map((phone) => ({ phone: `+${phone}` })),
				one,
			);
			expect([added(gateway), added(other)]).toEqual([
				[a, b],
				[a, b],
			]);
			expect(ofItem.errors[0]?.message).toMatch(/^(?!.*not known).*2 of the 3 participants/);
			expect(ofRun.errors[0]?.message).toMatch(/Some changes were made before this/);
			expect(other.calls).toHaveLength(3);
		});
	});
});

describe('a gateway that is not there yet', () => {
	const engine = withEngine(2);
	const start = withGateways();

	it.each(['group updateParticipants', 'instance get', 'searchGroups'].map(subjectOf))(
		'is asked again by $name',
		async ({ attempt }) => {
			// A busy machine can be back too late for a picker, which asks only twice.
			const { calls, items, errors } = await withPatience(
				async () => {
					const { url, apiKey, close } = await start();
					await close();
					const trying = attempt(engine(), { baseUrl: url, apiKey }, {}, { maxRetries: 30 });
					await wait(250);
					const { calls } = await start({ port: Number(new URL(url).port) });
					return { calls, ...(await trying) };
				},
				({ calls }) => calls.length === 1,
			);
			expect(errors).toEqual([]);
			expect(items.length).toBeGreaterThan(0);
			expect(calls).toHaveLength(1);
		},
	);
});

describe.each(lines)(
	'a reply that is no proper HTTP leaves the outcome of a change open (n8n %i.x)',
	(line) => {
		const engine = withEngine(line);
		skipPauses(engine);
		const replies: Array<[string, string]> = [
			['a broken chunk', 'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
			['a header that is too large', `HTTP/1.1 201 Created\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`],
			['two lengths', 'HTTP/1.1 201 Created\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
			['a broken header', 'HTTP/1.1 201 Created\r\nX Y\r\n\r\n{}'],
			['half a status line', 'HTTP/1.1 20'],
		];
		let server: Server | undefined;
		afterEach(() => server?.close());

		it.each(replies)('%s', async (_, reply) => {
			let requests = 0;
			server = createServer((socket) => {
				socket.on('error', () => undefined);
				socket.once('data', () => {
					requests += 1;
					socket.end(reply);
				});
			});
			const credentials = { baseUrl: `http://127.0.0.1:${await listen(server)}`, apiKey: 'TEST-KEY' };
			const { items, errors } = await subjectOf('group updateParticipants').attempt(engine(), credentials);
			expect(requests).toBe(1);
			expect(items).toEqual([]);
			expect(errors[0]?.message).toMatch(/not known whether/);
		});
	},
);

const statuses: Array<NonNullable<Fault['status']>> = [301, 302, 303, 307, 308];
/** The same address with what must not be shown of it. */
const withSecrets = (url: string) => url.replace('//', `//${canary('user')}:${canary('password')}@`);

/** The matrix has the others, with one status. */
const subjects = ['instance get', 'group updateParticipants', 'searchGroups'].map(subjectOf);
const cases = statuses.flatMap((status) => subjects.map(({ name, attempt }) => ({ status, name, attempt })));

describe.each(lines)('redirects (n8n %i.x)', (line) => {
	const engine = withEngine(line);
	const start = withGateways();

	it.each(cases)('$status is not followed by $name', async ({ status, attempt }) => {
		const gateway = await start({ seed: canarySeed() });
		const other = await start();
		gateway.fault({ kind: 'redirect', to: withSecrets(other.url), status });
		const before = gateway.snapshot();
		const tried = await attempt(engine(), { baseUrl: gateway.url, apiKey: gateway.apiKey });
		expect(other.calls).toEqual([]);
		expect(gateway.calls).toHaveLength(1);
		expect(gateway.snapshot()).toEqual(before);
		expect(tried.items).toEqual([]);
		expect(tried.errors[0]?.message).toContain(
			`The gateway redirects to ${other.url} — set that as 'Base URL'`,
		);
		expect(tried.errors[0]?.message).not.toMatch(/not known/);
		expect(canariesIn(tried.everything)).toEqual([]);
	});

	it('none is followed by the test of the credential', async () => {
		const gateway = await start({ seed: canarySeed() });
		const other = await start();
		for (const status of statuses) {
			gateway.clearFaults();
			gateway.fault({ kind: 'redirect', to: other.url, status });
			const tested = await engine().testCredential({ baseUrl: gateway.url, apiKey: gateway.apiKey });
			expect(tested).toMatchObject({ status: 'Error', message: expect.stringContaining(other.url) });
			expect([other.calls, canariesIn(tested)]).toEqual([[], []]);
		}
	});
});
