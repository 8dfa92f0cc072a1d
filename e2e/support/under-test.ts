import { openBrowser, type Browser } from './browser';
import { Editor } from './editor';
import { startGateway, type Gateway, type GatewayOptions } from '../../test/gateway/gateway';
import { readLine, type Line } from '../lines';
import { Site, type Server } from './site';

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
	/** Ends n8n, as its administrator does or as a crash would; starts it again when what happens meanwhile is over. */
	restart(end: 'stop' | 'kill', meanwhile?: () => void): Promise<void>;
}

/** A gateway and a seeded n8n with a server, made before the tests of a file and removed after them. */
export function withServer(options: GatewayOptions = {}): () => Setting {
	const { line, packedNode } = underTest();
	const made: Partial<Omit<Setting, 'restart'>> = {};
	beforeAll(async () => {
		made.gateway = await startGateway(options);
		made.site = await Site.create(line, packedNode);
		await made.site.seed(made.gateway);
		made.server = await made.site.start();
	});
	afterAll(async () => {
		await made.site?.remove();
		await made.gateway?.close();
	});
	const restart: Setting['restart'] = async (end, meanwhile) => {
		const { site, server } = made;
		await server?.process[end]();
		meanwhile?.();
		if (site) made.server = await site.start();
	};
	return () => {
		const { gateway, site, server } = made;
		if (gateway && site && server) return { gateway, site, server, restart };
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
