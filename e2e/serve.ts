import { startGateway } from '../test/gateway/gateway';
import { installLine, say } from './install';
import { readLine } from './lines';
import { packNode } from './pack';
import { OWNER } from './support/rest';
import { Site } from './support/site';

/** A real n8n for a person to try the node in, until it is told to stop. */
async function serve(): Promise<void> {
	const line = readLine(process.argv[2] ?? '2');
	installLine(line);
	const packed = packNode();
	say('Starting n8n with the node, an embedded gateway, the credential and the examples');
	const gateway = await startGateway();
	const site = await Site.create(line, packed.file).finally(packed.remove);
	const stop = async () => {
		await site.remove();
		await gateway.close();
	};
	try {
		await site.seed(gateway);
		const { rest, process: server } = await site.start();
		say(`\nOpen    ${rest.url}\nEmail   ${OWNER.email}\nPassword ${OWNER.password}`);
		say(`Gateway ${gateway.url}, key ${gateway.apiKey}\n\nCtrl+C ends it and removes everything.`);
		await server.ended;
	} finally {
		await stop();
	}
}

serve().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
