import { join } from 'node:path';
import { installTools } from './install';
import { LINES } from './lines';
import { openBrowser } from './support/browser';
import { Editor } from './support/editor';
import { IMAGES, takeDryRun, takeRecipes } from './support/pictures';
import { runScript, withSite } from './support/script';
import { CREDENTIAL, readExample, type Server } from './support/site';

const from = (value: string, cachedResultName: string) => ({
	__rl: true,
	mode: 'list',
	value,
	cachedResultName,
});
const instance = from('main', 'main');

const group = from('120363000000000001@g.us', 'Customers');

/** Operations that need no rows: file name, and the node's name and parameters. */
const OPERATIONS: Record<string, { name: string; parameters: object }> = {
	'group-get-many': {
		name: 'Get many groups',
		parameters: { resource: 'group', operation: 'getAll', instance },
	},
	'group-get-participants': {
		name: 'Get group participants',
		parameters: { resource: 'group', operation: 'getParticipants', instance, group },
	},
	'group-get-invite-link': {
		name: 'Get group invite link',
		parameters: { resource: 'group', operation: 'getInviteLink', instance, group },
	},
	'group-send-invite': {
		name: 'Send group invite',
		parameters: {
			resource: 'group',
			operation: 'sendInvite',
			instance,
			group,
			participants: '+55 11 99000-0403',
			message: 'Join our customers here:',
		},
	},
	'group-update-settings': {
		name: 'Update group settings',
		parameters: {
			resource: 'group',
			operation: 'updateSettings',
			instance,
			group,
			sendMessages: 'admins',
			dryRun: true,
		},
	},
	'group-reset-invite-link': {
		name: 'Reset group invite link',
		parameters: { resource: 'group', operation: 'resetInviteLink', instance, group, dryRun: true },
	},
	'instance-get-many': {
		name: 'Get many instances',
		parameters: { resource: 'instance', operation: 'getAll' },
	},
	'instance-get': { name: 'Get instance', parameters: { resource: 'instance', operation: 'get', instance } },
	'bot-get': {
		name: 'Get bot',
		parameters: {
			resource: 'bot',
			operation: 'get',
			instance,
			bot: from('cmtestbot0000000000000001', 'Answers questions'),
		},
	},
	// The last, since the panel then stays with files.
	'instance-get-qr-code': {
		name: 'Get instance QR code',
		parameters: { resource: 'instance', operation: 'getQrCode', instance: from('closed', 'closed') },
	},
};

/** A workflow with a trigger and one of the operations. */
async function makeWorkflow({ rest }: Server, { name, parameters }: { name: string; parameters: object }) {
	const node = (more: object) => ({ parameters: {}, ...more });
	const trigger = {
		id: 'a',
		name: 'When clicking Execute',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
	};
	const ours = {
		id: 'b',
		name,
		type: 'n8n-nodes-messaging-gateway.messagingGateway',
		typeVersion: 1.1,
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
		await editor.openNode('Update participants');
		await editor.runStep();
		await editor.widenOutput(450);
		await shoot('group-update-participants');
		await editor.open(readExample('keep-a-group-equal-to-a-sheet'));
		await editor.openNode('Sync participants');
		await editor.runStep();
		await editor.widenOutput(450);
		await shoot('group-sync-participants');
		for (const [file, operation] of Object.entries(OPERATIONS)) {
			await editor.open(await makeWorkflow(server, operation));
			await editor.openNode(operation.name);
			await editor.runStep();
			await shoot(file);
		}
	} finally {
		await close();
	}
}

/** Takes the pictures of the operations in the editor, each time with a group in which nobody was changed yet. */
runScript(async () => {
	installTools();
	for (const look of ['light', 'dark'] as const)
		await withSite(LINES[2], async (server) => {
			await takeDryRun(server.rest, look);
			if (look === 'light') await takeRecipes(server.rest);
			await take(server, look);
		});
});
