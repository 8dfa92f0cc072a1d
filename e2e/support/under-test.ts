import { openBrowser, type Browser } from './browser';
import { Editor } from './editor';
import { startGateway, type Gateway, type GatewayOptions } from '../../test/gateway/gateway';
import { readLine, type Line } from '../lines';
import type { Child } from './children';
import { startServices, type Services } from './services';
import { Site, type Server, type Workflow } from './site';
import { REPORT_LOST_WORKERS, startWorker } from './workers';

/** The line of n8n and the packed node that this run is about: `npm run test:e2e` sets them. */
export function underTest(): { line: Line; packedNode: string } {
	const { N8N_LINE, PACKED_NODE } = process.env;
	if (PACKED_NODE === undefined) throw new Error('Start these tests with "npm run test:e2e"');
	return { line: readLine(N8N_LINE), packedNode: PACKED_NODE };
}

/** What the tests of a file share. */
export interface Setting {
	gateway: Gateway;
	site: Site;
	server: Server;
	/** In queue mode, those that were started so far. */
	workers: Child[];
	/** Ends n8n, as its administrator does or as a crash would; starts it again when what happens meanwhile is over. */
	restart(end: 'stop' | 'kill', meanwhile?: () => void): Promise<void>;
	/** Has n8n live so much later (ms), and signs in anew: a session lasts for days. */
	later(ms: number): Promise<void>;
}

/**
 * A gateway and a seeded n8n with a server, made before the tests of a file and removed after them.
 *
 * @param n8n its mode, `queue` with two workers, and its workflows, where they aren't the examples
 */
export function withServer(
	options: GatewayOptions = {},
	{ mode, workflows }: { mode?: 'regular' | 'queue'; workflows?: Workflow[] } = {},
): () => Setting {
	const { line, packedNode } = underTest();
	const made: Partial<Omit<Setting, 'restart' | 'later'>> & { services?: Services } = {};
	const workers: Child[] = [];
	beforeAll(async () => {
		made.gateway = await startGateway(options);
		if (mode === 'queue') made.services = await startServices();
		const env = made.services && { ...made.services.env, ...REPORT_LOST_WORKERS };
		made.site = await Site.create(line, packedNode, env);
		await made.site.seed(made.gateway, workflows);
		made.server = await made.site.start();
		if (mode === 'queue') workers.push(await startWorker(made.site), await startWorker(made.site));
	});
	afterAll(async () => {
		await made.site?.remove();
		await made.services?.stop();
		await made.gateway?.close();
	});
	const restart: Setting['restart'] = async (end, meanwhile) => {
		const { site, server } = made;
		await server?.process[end]();
		meanwhile?.();
		if (site) made.server = await site.start();
	};
	const later: Setting['later'] = async (ms) => {
		await made.site?.clock.moveOn(ms);
		await made.server?.rest.signIn();
	};
	return () => {
		const { gateway, site, server } = made;
		if (gateway && site && server) return { gateway, site, server, workers, restart, later };
		throw new Error('The server is there only while a test runs');
	};
}

/** n8n's editor in a browser, for all tests of a file: opened once the server runs. */
export function withEditor(setting: () => Setting): () => Editor {
	let browser: Browser | undefined;
	let editor: Editor | undefined;
	beforeAll(async () => {
		const { rest } = setting().server;
		browser = await openBrowser(rest);
		editor = new Editor(browser.page, rest.url);
	});
	afterAll(async () => await browser?.close());
	return () => {
		if (editor) return editor;
		throw new Error('The editor is there only while a test runs');
	};
}
