import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as playwright, type BrowserContext, type Page } from 'playwright-core';
import { chromium } from '../install';
import { BROWSER_ID, type Rest } from './rest';

/** Chromium without a window, and with nothing that asks the internet. */
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** How the editor is shown. */
export interface Look {
	colorScheme?: 'light' | 'dark';
	width?: number;
	height?: number;
}

/** A browser that is signed in to n8n. */
export interface Browser {
	page: Page;
	close(): Promise<void>;
}

/** Opens a browser with a new profile, signed in to a server; whatever is not on this machine is out of its reach. */
export async function openBrowser(rest: Rest, look: Look = {}): Promise<Browser> {
	const { colorScheme = 'light', width = 1440, height = 900 } = look;
	const profile = mkdtempSync(join(tmpdir(), 'browser-'));
	const context = await playwright.launchPersistentContext(profile, {
		executablePath: chromium(),
		args: FLAGS,
		viewport: { width, height },
		colorScheme,
	});
	await signIn(context, rest);
	const page = context.pages()[0] ?? (await context.newPage());
	page.setDefaultTimeout(60_000);
	return {
		page,
		close: async () => {
			await context.close();
			rmSync(profile, { recursive: true, force: true });
		},
	};
}

async function signIn(context: BrowserContext, rest: Rest): Promise<void> {
	await context.route(
		({ hostname }) => hostname !== '127.0.0.1',
		async (route) => await route.abort(),
	);
	await context.addCookies([{ ...rest.session, url: rest.url }]);
	await context.addInitScript((id) => localStorage.setItem('n8n-browserId', id), BROWSER_ID);
}
