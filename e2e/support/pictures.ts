import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openBrowser } from './browser';
import { Editor } from './editor';
import type { Rest } from './rest';
import { exampleNames, readExample } from './site';

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

/** Rows of the pictures of Sync: two new people, a member who should go, and one who stays. */
const ROWS = [
	['+55 11 99000-0100', 'Ana'],
	['+55 11 99000-0101', 'Bruno'],
	['+55 11 99000-0002', 'Carla'],
	['+55 21 99000-0003', 'Dani'],
].map(([phone, name], i) => ({ json: { row_number: i + 2, phone, name, stays: name !== 'Carla' } }));

/** Panels by the file names of their pictures: the recipe, its node, other parameters, and rows. */
const PANELS = {
	'dry-run': [
		'keep-a-group-equal-to-a-sheet',
		'Sync participants',
		{ limits: {}, unlisted: 'keep', options: { shouldBeMember: '={{ $json.stays }}' } },
		ROWS,
	],
	'group-send-invite': [
		'keep-a-group-equal-to-a-sheet',
		'Sync participants',
		{ operation: 'sendInvite', message: 'Join our customers here:' },
		ROWS.slice(0, 1),
	],
	// The last, since it changes the group.
	'group-update-participants': [
		'update-a-group-from-a-sheet',
		'Update participants',
		{ action: 'add', dryRun: false },
		ROWS,
	],
} as const;

/** Takes the picture of what a dry run of Sync says, and in light those of the panels of operations. */
export async function takePanels(rest: Rest, colorScheme: 'light' | 'dark'): Promise<void> {
	const { page, close } = await openBrowser(rest, { colorScheme, width: 1366, height: 900 });
	const editor = new Editor(page, rest.url);
	try {
		for (const [file, [recipe, name, parameters, rows]] of Object.entries(PANELS)) {
			const example = readExample(recipe);
			const nodes = example.nodes.map((node) =>
				node.name === name ? { ...node, parameters: { ...node.parameters, ...parameters } } : node,
			);
			const pinData = { ...example.pinData, 'Read rows': rows };
			await rest.patch(`/rest/workflows/${example.id}`, { nodes, pinData });
			await editor.open(example);
			await editor.openNode(name);
			await editor.runStep();
			await settled(page);
			const output = await boxOf(page.locator('[data-test-id="output-panel"]'));
			const applied = await boxOf(page.locator('[data-test-id="output-panel"] th', { hasText: /^applied$/ }));
			// What a dry run doesn't know, n8n shows in red.
			const right = 'dryRun' in parameters ? output.x + output.width - MARGIN / 2 : applied.x;
			const shoot = async (picture: string, { x }: { x: number }, height: number) => {
				const clip = { x, y: output.y, width: right - x, height };
				await page.screenshot({ path: join(IMAGES, `${picture}.png`), clip });
			};
			if (file === 'dry-run') await shoot(`${file}-${colorScheme}`, output, 585);
			const fields = await boxOf(page.locator('[data-test-id="resource-locator-instance"]'));
			if (colorScheme === 'light')
				await shoot(file.replace('dry-run', 'group-sync-participants'), { x: fields.x - MARGIN / 2 }, 795);
			await rest.patch(`/rest/workflows/${example.id}`, { nodes: example.nodes, pinData: example.pinData });
			if (colorScheme === 'dark') break;
		}
	} finally {
		await close();
	}
}

async function boxOf(locator: Locator) {
	const box = await locator.first().boundingBox();
	if (box === null) throw new Error(`The panel doesn't show ${String(locator)}`);
	return box;
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
