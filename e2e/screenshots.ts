import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startGateway } from '../test/gateway/gateway';
import { installLine, installTools } from './install';
import { LINES } from './lines';
import { packNode } from './pack';
import { openBrowser } from './support/browser';
import { Editor } from './support/editor';
import { CREDENTIAL, readExample, Site, type Server } from './support/site';

const IMAGES = join(__dirname, '..', 'docs', 'images');

const from = (value: string, cachedResultName: string) => ({
	__rl: true,
	mode: 'list',
	value,
	cachedResultName,
});
const instance = from('main', 'main (open)');

/** The operations that look something up: file name, and the node's name and parameters. */
const LOOKUPS: Record<string, { name: string; parameters: object }> = {
	'instance-get-many': {
		name: 'Get many instances',
		parameters: { resource: 'instance', operation: 'getAll' },
	},
	'instance-get': {
		name: 'Get instance',
		parameters: { resource: 'instance', operation: 'get', instance },
	},
	'bot-get': {
		name: 'Get bot',
		parameters: {
			resource: 'bot',
			operation: 'get',
			instance,
			bot: from('cmtestbot0000000000000001', 'Answers questions'),
		},
	},
};

/** A workflow with a trigger and one of the operations. */
async function makeLookup({ rest }: Server, { name, parameters }: { name: string; parameters: object }) {
	const node = (more: object) => ({ typeVersion: 1, parameters: {}, ...more });
	const trigger = { id: 'a', name: 'When clicking Execute', type: 'n8n-nodes-base.manualTrigger' };
	const ours = {
		id: 'b',
		name,
		type: 'n8n-nodes-messaging-gateway.messagingGateway',
		credentials: { [CREDENTIAL.type]: { id: CREDENTIAL.id, name: CREDENTIAL.name } },
	};
	const workflow = await rest.post('/rest/workflows', {
		name,
		nodes: [node({ ...trigger, position: [0, 0] }), node({ ...ours, position: [220, 0], parameters })],
		connections: { [trigger.name]: { main: [[{ node: name, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	return workflow as { id: string };
}

async function take(server: Server, colorScheme: 'light' | 'dark'): Promise<void> {
	const { page, close } = await openBrowser(server.rest, { colorScheme, width: 1600, height: 850 });
	const editor = new Editor(page, server.rest.url);
	const shoot = async (name: string) => {
		// Messages and animations are over by then.
		await page.waitForTimeout(5000);
		await page.screenshot({ path: join(IMAGES, `${name}-${colorScheme}.png`) });
	};
	try {
		await editor.open(readExample('update-a-group-from-a-sheet'));
		await shoot('canvas');
		await editor.openNode('Update participants');
		await editor.runStep();
		await editor.widenOutput(450);
		await shoot('group-update-participants');
		for (const [file, lookup] of Object.entries(LOOKUPS)) {
			await editor.open(await makeLookup(server, lookup));
			await editor.openNode(lookup.name);
			await editor.runStep();
			await shoot(file);
		}
	} finally {
		await close();
	}
}

/** Takes the README's pictures of the editor, with the node running against an embedded gateway. */
async function run(): Promise<void> {
	installTools();
	installLine(LINES[2]);
	mkdirSync(IMAGES, { recursive: true });
	const packed = packNode();
	const gateway = await startGateway();
	const site = await Site.create(LINES[2], packed.file).finally(packed.remove);
	try {
		await site.seed(gateway);
		const server = await site.start();
		await take(server, 'light');
		await take(server, 'dark');
	} finally {
		await site.remove();
		await gateway.close();
	}
}

run().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
