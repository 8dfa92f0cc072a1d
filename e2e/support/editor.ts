import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { isRecord } from '../../nodes/MessagingGateway/common/json';
import type { Workflow } from './site';

/** What the output panel has once a step has run: a table, what went wrong, or files. */
const SHOWN = 'tbody td, [data-test-id="node-error-description"], [data-test-id^="ndv-binary-data"]';

type Node = Workflow['nodes'][number];

/** Pastes a text into the page, as the clipboard does. */
function paste(text: string): void {
	const clipboardData = new DataTransfer();
	clipboardData.setData('text/plain', text);
	document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
}

/** n8n's editor, by what a person does in it. */
export class Editor {
	/** @param url of the server */
	constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	/** Opens a workflow on the canvas. */
	async open({ id }: Pick<Workflow, 'id'>): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.byTestId('canvas-node').first().waitFor();
	}

	/** Opens the list of nodes, searches it, and waits until a node is found. Gives the names of all that are found. */
	async search(text: string, node: string): Promise<string[]> {
		const bar = this.byTestId('node-creator-search-bar');
		if (!(await bar.isVisible())) await this.byTestId('node-creator-plus-button').first().click();
		await bar.fill(text);
		const found = this.byTestId('node-creator-item-name');
		await found.getByText(node, { exact: true }).waitFor();
		return (await found.allTextContents()).map((name) => name.trim());
	}

	/** Closes the list of nodes, so that the next search begins anew. */
	async closeSearch(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.byTestId('node-creator-search-bar').waitFor({ state: 'hidden' });
	}

	/** Picks a line of the list of nodes. */
	async pickNode(name: string): Promise<void> {
		await this.byTestId('node-creator-item-name').getByText(name, { exact: true }).click();
	}

	/** Opens a node's panel. */
	async openNode(name: string): Promise<void> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.panel.waitFor();
	}

	/** The panel of the node that is open. */
	get panel(): Locator {
		return this.byTestId('ndv');
	}

	/** Opens a "From List" field and gives the names in its list. */
	async namesIn(field: string): Promise<string[]> {
		await this.byTestId(`resource-locator-${field}`).locator('[data-test-id="rlc-input"]').click();
		const items = this.byTestId('rlc-item').filter({ visible: true });
		await items.first().waitFor();
		return (await items.allTextContents()).map((name) => name.trim());
	}

	/** Chooses a name of a "From List" field. */
	async choose(field: string, name: string): Promise<void> {
		await this.namesIn(field);
		await this.byTestId('rlc-item').filter({ visible: true, hasText: name }).click();
	}

	/** Picks a choice of a field that has some. */
	async pick(field: string, name: string): Promise<void> {
		await this.byTestId(`parameter-input-${field}`).locator('input').click();
		const option = this.page.getByRole('option').filter({ visible: true });
		await option.filter({ has: this.page.getByText(name, { exact: true }) }).click();
	}

	/** Turns a switch on or off. */
	async turn(field: string): Promise<void> {
		await this.byTestId(`parameter-input-${field}`).locator('.el-switch, [role="switch"]').first().click();
	}

	/** Types into a text field. */
	async type(field: string, text: string): Promise<void> {
		const input = this.byTestId(`parameter-input-${field}`).locator('input, textarea').first();
		await input.click();
		await input.fill(text);
		await input.blur();
	}

	/** Runs the node that is open, and gives the text of its output: a table, or what went wrong. */
	async runStep(): Promise<string> {
		await this.byTestId('node-execute-button').click();
		const output = this.byTestId('output-panel');
		await output.locator(SHOWN).first().waitFor();
		return await output.innerText();
	}

	/** Closes the panel that is open, and saves the workflow. */
	async save(): Promise<void> {
		const saved = this.page.waitForResponse(
			(response) => response.url().includes('/rest/workflows/') && response.request().method() === 'PATCH',
		);
		await this.page.keyboard.press('Escape');
		await this.panel.waitFor({ state: 'hidden' });
		await this.page.keyboard.press('ControlOrMeta+s');
		await saved;
	}

	/** Brings a workflow into a new one, from a file or by paste, saves it, and gives its nodes. */
	async bringIn(way: 'from file' | 'by paste', file: string): Promise<Node[]> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.locator('[data-test-id="canvas-wrapper"], [data-test-id="node-view"]').first().waitFor();
		const saved = this.page.waitForResponse(
			(response) => response.url().endsWith('/rest/workflows') && response.request().method() === 'POST',
		);
		if (way === 'from file') await this.byTestId('workflow-import-input').setInputFiles(file);
		else await this.page.evaluate(paste, readFileSync(file, 'utf8'));
		await this.byTestId('canvas-node').first().waitFor();
		await this.page.keyboard.press('ControlOrMeta+s');
		const reply: unknown = await (await saved).json();
		if (isRecord(reply) && isRecord(reply.data) && Array.isArray(reply.data.nodes)) return reply.data.nodes;
		throw new Error(`n8n saved no nodes: ${JSON.stringify(reply)}`);
	}

	/** Moves the node's parameters to the left (px), so that more of its output can be seen. */
	async widenOutput(by: number): Promise<void> {
		const handle = this.byTestId('panel-drag-button');
		const box = await handle.boundingBox();
		if (box === null) throw new Error("The node's panel has no handle");
		const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
		await this.page.mouse.move(x, y);
		await this.page.mouse.down();
		await this.page.mouse.move(x - by, y, { steps: 10 });
		await this.page.mouse.up();
	}

	private byTestId(id: string): Locator {
		return this.page.locator(`[data-test-id="${id}"]`);
	}
}
