import { createServer, type Server } from 'node:net';

/** Lets a server listen on a port of 127.0.0.1 that is free, and gives the port. */
export async function listen(server: Server): Promise<number> {
	await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (typeof address === 'object' && address !== null) return address.port;
	throw new Error('There is no free port');
}

/** A port on 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
	const server = createServer();
	const port = await listen(server);
	await new Promise((resolve) => server.close(resolve));
	return port;
}
