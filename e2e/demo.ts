import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { installTools, say } from './install';
import { LINES } from './lines';
import { openBrowser } from './support/browser';
import { Editor } from './support/editor';
import { movingPicture } from './support/movingPicture';
import type { Rest } from './support/rest';
import { runScript, withSite } from './support/script';
import { readExample, type Server } from './support/site';

const FILE = join(__dirname, '../docs/images/demo.webp');

/** What READMEs and reviewers can be expected to load, in bytes. */
const LARGEST = 2_000_000;

const QUALITY = 0.75;

/** How long each position of the pointer is shown on its way, in ms. */
const STEP = 60;

/** How long people need to read what has come, in ms. */
const READING = 2800;

/** The editor while it is recorded: a pointer that can be seen, a caption, and stills of both. */
class Recording {
	readonly stills: Array<{ png: Buffer; shown: number }> = [];
	private at = { x: 640, y: 400 };

	constructor(private readonly page: Page) {}

	/** Says below the editor what is done now. */
	async caption(text: string): Promise<void> {
		await this.page.evaluate(drawOver, { ...this.at, caption: text });
	}

	/** Shows the page as it is. */
	async show(ms: number): Promise<void> {
		this.stills.push({ png: await this.page.screenshot(), shown: ms });
	}

	/** Leads the pointer to something and clicks it. */
	async click(target: Locator, how: 'click' | 'dblclick' = 'click'): Promise<void> {
		await target.waitFor();
		const box = await target.boundingBox();
		if (box === null) throw new Error("What is to be clicked can't be seen");
		const [from, to] = [this.at, { x: box.x + box.width / 2, y: box.y + box.height / 2 }];
		for (const way of [0.35, 0.7, 0.9, 1]) {
			this.at = { x: from.x + (to.x - from.x) * way, y: from.y + (to.y - from.y) * way };
			await this.page.evaluate(drawOver, this.at);
			await this.show(STEP);
		}
		await this.page.evaluate(drawOver, { ...this.at, pressed: true });
		await this.show(4 * STEP);
		await target[how]();
		await this.page.evaluate(drawOver, this.at);
	}
}

/** Runs in the page: puts the pointer and the caption over all that n8n shows, where clicks pass through. */
function drawOver({
	x,
	y,
	pressed,
	caption,
}: {
	x: number;
	y: number;
	pressed?: boolean;
	caption?: string;
}): void {
	const part = (id: string, style: string) => {
		const found = document.getElementById(id) ?? document.body.appendChild(document.createElement('div'));
		found.id = id;
		found.style.cssText = `position:fixed;z-index:2147483647;pointer-events:none;${style}`;
		return found;
	};
	const ring = pressed === true ? 'box-shadow:0 0 0 9px #ff6d5a66;' : '';
	part(
		'demo-pointer',
		`left:${x - 9}px;top:${y - 9}px;width:18px;height:18px;border-radius:50%;background:#ff6d5acc;border:2px solid #fff;${ring}`,
	);
	const bar = part(
		'demo-caption',
		'left:0;right:0;bottom:0;padding:11px 0;text-align:center;font:600 19px sans-serif;color:#fff;background:#1f2430;',
	);
	if (caption !== undefined) bar.textContent = caption;
}

/** The clicks of `docs/demo-video.md` from the sheet to the second run. */
async function play(recording: Recording, editor: Editor): Promise<void> {
	const { page } = editor;
	const byTestId = (id: string) => page.locator(`[data-test-id="${id}"]`).filter({ visible: true }).first();
	const node = (name: string) => page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	/** Executes the step, and waits until its hint says what came of it. */
	const execute = async (hint: RegExp) => {
		await recording.click(byTestId('node-execute-button'));
		await byTestId('output-panel').getByText(hint).first().waitFor();
		// Messages and animations are over by then.
		await page.waitForTimeout(1500);
		await recording.show(READING);
	};

	await recording.caption('A sheet: one row for everybody who should be in the group');
	await recording.show(1500);
	await recording.click(node('Read rows'), 'dblclick');
	await page.waitForTimeout(1500);
	await recording.show(READING);
	await page.keyboard.press('Escape');
	await page.waitForTimeout(800);

	await recording.caption('Dry run: what would change, and nobody is changed');
	await recording.click(node('Sync participants'), 'dblclick');
	await page.waitForTimeout(1500);
	await editor.widenOutput(450);
	await recording.show(1500);
	await execute(/would be added/);

	await recording.caption('Run: who is missing is added, who has no row is removed');
	await recording.click(byTestId('parameter-input-dryRun').locator('.el-switch').first());
	await execute(/1 added/);

	await recording.caption('Second run: nothing left to do');
	await execute(/^3 already there/);
}

/** The example with what the picture needs: its first nodes, and rows that nothing stands in the way of. */
async function makeWorkflow(rest: Rest): Promise<{ id: string }> {
	const { nodes, connections, pinData, settings } = readExample('keep-a-group-equal-to-a-sheet');
	const shown = nodes.slice(1, 4).map((node) => ({ ...node, onError: 'stopWorkflow' }));
	const options = { dryRun: true };
	for (const { parameters } of shown) if (parameters.resource === 'group') parameters.options = options;
	const workflow = await rest.post('/rest/workflows', {
		name: 'Keep a group equal to a sheet',
		nodes: shown,
		connections: Object.fromEntries(Object.entries(connections).slice(0, 2)),
		pinData: { ...pinData, 'Read rows': pinData['Read rows']?.slice(0, 3) },
		settings,
	});
	return workflow as { id: string };
}

async function record({ rest }: Server): Promise<Buffer> {
	const { page, close } = await openBrowser(rest, { width: 1280, height: 720 });
	try {
		// tsx wraps functions in this, also those that run in the page.
		await page.addInitScript('globalThis.__name = (named) => named');
		const editor = new Editor(page, rest.url);
		await editor.open(await makeWorkflow(rest));
		await page.waitForTimeout(3000);
		const recording = new Recording(page);
		await play(recording, editor);
		await page.goto('about:blank');
		return await movingPicture(page, recording.stills, QUALITY);
	} finally {
		await close();
	}
}

/** Records the moving picture of the README, with the node running against an embedded gateway. */
runScript(async () => {
	installTools();
	await withSite(LINES[2], async (server) => {
		const picture = await record(server);
		if (picture.length > LARGEST)
			throw new Error(`The picture has ${picture.length} bytes: ${LARGEST} at most`);
		writeFileSync(FILE, picture);
		say(`${FILE}: ${Math.round(picture.length / 1000)} kB`);
	});
});
