import { createServer } from 'node:net';

/** A port on 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	if (typeof address === 'object' && address !== null) return address.port;
	throw new Error('There is no free port');
}
