import { startGateway, type Gateway } from '../../test/gateway/gateway';
import { defaultSeed } from '../../test/gateway/seed';
import { step } from '../../test/install';
import { installLine } from '../install';
import type { Line } from '../lines';
import { packNode } from '../pack';
import { Site, type Server } from './site';

/** Does something with an n8n that has the packed node, an embedded gateway, the credential and the examples, and removes all. */
export async function withSite(
	line: Line,
	work: (server: Server, gateway: Gateway) => Promise<void>,
): Promise<void> {
	installLine(line);
	step('Packing the node');
	const packed = packNode();
	// A silent group would take a minute each time that somebody tries it.
	const seed = structuredClone(defaultSeed);
	for (const instance of seed.instances)
		instance.groups = instance.groups.filter(({ silent }) => silent !== true);
	const gateway = await startGateway({ seed });
	step('Installing the node in a new n8n');
	const site = await Site.create(line, packed.file).finally(packed.remove);
	try {
		step('Adding the credential and the examples');
		await site.seed(gateway);
		step('Starting n8n');
		const server = await site.start();
		step();
		await work(server, gateway);
	} finally {
		step();
		await site.remove();
		await gateway.close();
	}
}

/** Runs a script: what goes wrong is told in one line. */
export function runScript(script: () => Promise<void>): void {
	script().catch((error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		process.exitCode = 1;
	});
}
