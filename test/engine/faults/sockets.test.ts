import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { listen } from '../../gateway/wire';
import { getInstance } from '../gateways/parameters';
import { describeEachLine, groupParameters, runNode } from '../support';

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
	['a group change', groupParameters({ participants: '447700900999', options })],
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
		expect(sent).toBeGreaterThan(32_000_000);
		expect(sent).toBeLessThan(64_000_000);
	});
});
