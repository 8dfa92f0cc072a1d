import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from './browser';
import { Editor } from './editor';
import type { Rest } from './rest';
import { exampleNames, readExample, type Workflow } from './site';

export const IMAGES = join(__dirname, '..', '..', 'docs', 'images');

/** Space around what a picture shows, in pixels. */
const MARGIN = 24;

/** Takes a picture of each recipe's nodes, without its note. */
export async function takeRecipes(rest: Rest): Promise<void> {
	const folder = join(IMAGES, 'recipes');
	mkdirSync(folder, { recursive: true });
	const { page, close } = await openBrowser(rest, { width: 2000, height: 1100 });
	const editor = new Editor(page, rest.url);
	try {
		for (const name of exampleNames()) {
			const { id, nodes } = readExample(name);
			await rest.patch(`/rest/workflows/${id}`, {
				nodes: nodes.filter(({ type }) => !type.endsWith('.stickyNote')),
			});
			await editor.open({ id });
			await settled(page);
			await page.screenshot({ path: join(folder, `${name}.png`), clip: await nodesOn(page) });
			await rest.patch(`/rest/workflows/${id}`, { nodes });
		}
	} finally {
		await close();
	}
}

/** Rows of the picture of a dry run: two new people, a member who should go, and one who stays. */
const ROWS = [
	['+55 11 99000-0100', 'Ana'],
	['+55 11 99000-0101', 'Bruno'],
	['+55 11 99000-0002', 'Carla'],
	['+55 21 99000-0003', 'Dani'],
].map(([phone, name], i) => ({ json: { row_number: i + 2, phone, name, stays: name !== 'Carla' } }));

/** Takes the picture of what a dry run of Sync says. */
export async function takeDryRun(rest: Rest, colorScheme: 'light' | 'dark'): Promise<void> {
	const example = readExample('keep-a-group-equal-to-a-sheet');
	const change = { limits: {}, unlisted: 'keep', shouldBeMember: '={{ $json.stays }}' };
	const nodes = example.nodes.map((node) => ({ ...node, parameters: { ...node.parameters, ...change } }));
	const pinData = { ...example.pinData, 'Read rows': ROWS } as Workflow['pinData'];
	await rest.patch(`/rest/workflows/${example.id}`, { nodes, pinData });
	const { page, close } = await openBrowser(rest, { colorScheme, width: 1366, height: 768 });
	const editor = new Editor(page, rest.url);
	try {
		await editor.open(example);
		await editor.openNode('Sync participants');
		await editor.runStep();
		await settled(page);
		const box = await page.locator('[data-test-id="output-panel"]').boundingBox();
		if (box === null) throw new Error("The node's panel has no output");
		// Up to the column that n8n shows in red where nothing is known.
		const clip = { ...box, width: box.width - 12, height: 585 };
		await page.screenshot({ path: join(IMAGES, `dry-run-${colorScheme}.png`), clip });
	} finally {
		await close();
		await rest.patch(`/rest/workflows/${example.id}`, { nodes: example.nodes, pinData: example.pinData });
	}
}

/** Pictures of operations by their file names: the recipe, and its node with other parameters. */
const PANELS = {
	'group-update-participants': ['update-a-group-from-a-sheet', 'Update participants', {}],
	'group-sync-participants': ['keep-a-group-equal-to-a-sheet', 'Sync participants', {}],
	'group-send-invite': [
		'keep-a-group-equal-to-a-sheet',
		'Sync participants',
		{ operation: 'sendInvite', message: 'Join our customers here:', dryRun: true },
	],
} as const;

/** Takes a picture of the panel of some operations: their fields, and what a dry run gives. */
export async function takePanels(rest: Rest): Promise<void> {
	const { page, close } = await openBrowser(rest, { width: 1366, height: 900 });
	const editor = new Editor(page, rest.url);
	try {
		for (const [file, [recipe, name, parameters]] of Object.entries(PANELS)) {
			const example = readExample(recipe);
			const nodes = example.nodes.map((node) =>
				node.name === name ? { ...node, parameters: { ...node.parameters, ...parameters } } : node,
			);
			await rest.patch(`/rest/workflows/${example.id}`, { nodes });
			await editor.open(example);
			await editor.openNode(name);
			await editor.runStep();
			await settled(page);
			await page.screenshot({ path: join(IMAGES, `${file}.png`) });
		}
	} finally {
		await close();
	}
}

/** Waits until messages and animations are over. */
async function settled(page: Page): Promise<void> {
	await page.waitForTimeout(5000);
}

/** The part of the page with all nodes, and what hangs on them. */
async function nodesOn(page: Page) {
	const boxes = await page.locator('[data-test-id="canvas-node"]').evaluateAll((nodes) =>
		nodes.map((node) => {
			const { left, top, right, bottom } = node.getBoundingClientRect();
			return { left, top, right, bottom };
		}),
	);
	const x = Math.min(...boxes.map(({ left }) => left)) - 3 * MARGIN;
	const y = Math.min(...boxes.map(({ top }) => top)) - MARGIN;
	const right = Math.max(...boxes.map((box) => box.right)) + 3 * MARGIN;
	const bottom = Math.max(...boxes.map((box) => box.bottom)) + 3 * MARGIN;
	return { x, y, width: right - x, height: bottom - y };
}
