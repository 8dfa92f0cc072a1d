import type { Locator, Page } from 'playwright-core';
import type { Workflow } from './site';

/** What the output panel has once a step has run: a table, what went wrong, or files. */
const SHOWN = 'tbody td, [data-test-id="node-error-description"], [data-test-id^="ndv-binary-data"]';

/** n8n's editor, by what a person does in it. */
export class Editor {
	/** How many clicks were made so far, and keys pressed that stand for one; typing counts for none. */
	clicks = 0;

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

	/** Opens the canvas of a new workflow. */
	async openNew(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.getByText('Add first step').waitFor();
	}

	/** The id of the workflow on the canvas, once the editor has saved it. */
	async workflowId(): Promise<string> {
		const saved = new RegExp(`^${this.url}/workflow/(?!new)([^/?]+)`);
		await this.page.waitForURL(saved);
		return saved.exec(this.page.url())?.[1] ?? '';
	}

	/** Opens the list of nodes, searches it, and waits until a node is found. Gives the names of all that are found. */
	async search(text: string, node: string): Promise<string[]> {
		const bar = this.byTestId('node-creator-search-bar');
		if (!(await bar.isVisible())) await this.click(this.byTestId('node-creator-plus-button').first());
		await bar.fill(text);
		const found = this.byTestId('node-creator-item-name');
		await found.getByText(node, { exact: true }).waitFor();
		return (await found.allTextContents()).map((name) => name.trim());
	}

	/** Picks a line of the list of nodes. */
	async pickNode(name: string): Promise<void> {
		await this.click(this.byTestId('node-creator-item-name').getByText(name, { exact: true }));
	}

	/** Gives a command in the command bar, by its whole name. */
	async command(name: string): Promise<void> {
		await this.press('Control+k');
		await this.page.keyboard.type(name);
		await this.page.getByText(name, { exact: true }).filter({ visible: true }).first().waitFor();
		await this.press('Enter');
	}

	/** Opens a node's panel. */
	async openNode(name: string): Promise<void> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.panel.waitFor();
	}

	/** Closes the panel of the node that is open. */
	async closeNode(): Promise<void> {
		await this.click(this.byTestId('ndv-close-button'));
		await this.panel.waitFor({ state: 'hidden' });
	}

	/** The panel of the node that is open. */
	get panel(): Locator {
		return this.byTestId('ndv');
	}

	/** Opens a "From List" field and gives the names in its list. */
	async namesIn(field: string): Promise<string[]> {
		await this.click(this.byTestId(`resource-locator-${field}`).locator('[data-test-id="rlc-input"]'));
		const items = this.byTestId('rlc-item').filter({ visible: true });
		await items.first().waitFor();
		return (await items.allTextContents()).map((name) => name.trim());
	}

	/** Chooses a name of a "From List" field. */
	async choose(field: string, name: string): Promise<void> {
		await this.namesIn(field);
		await this.click(this.byTestId('rlc-item').filter({ visible: true, hasText: name }));
	}

	/** Picks a choice of a field that has some. */
	async pick(field: string, name: string): Promise<void> {
		await this.click(this.byTestId(`parameter-input-${field}`).locator('input'));
		await this.pickOption(name);
	}

	/** Turns a field that is on or off to the other side. */
	async toggle(field: string): Promise<void> {
		await this.click(this.byTestId(`parameter-input-${field}`).locator('.el-switch').first());
	}

	/** Adds one of the options. */
	async addOption(name: string): Promise<void> {
		await this.click(this.byTestId('collection-parameter-add'));
		await this.pickOption(name);
	}

	/** Adds a condition, which is about the first column at first. */
	async addCondition(): Promise<void> {
		await this.click(this.byTestId('node-parameters').getByText('Add Condition', { exact: true }));
	}

	/** Types into a text field. */
	async type(field: string, text: string): Promise<void> {
		const input = this.inputOf(field);
		await this.click(input);
		await input.fill(text);
		await input.blur();
	}

	/** Types an expression into a text field: an equals sign makes it one, and n8n closes the braces. */
	async typeExpression(field: string, code: string): Promise<void> {
		await this.click(this.inputOf(field));
		await this.page.keyboard.type('=');
		const editor = this.byTestId(`parameter-input-${field}`).locator('.cm-content').first();
		await editor.and(this.page.locator(':focus')).waitFor();
		await this.page.keyboard.type(`{{${code}`);
		await editor.getByText(`{{ ${code} }}`, { exact: true }).waitFor();
	}

	/** Runs the node that is open, and gives the text of its output: a table, or what went wrong. */
	async runStep(): Promise<string> {
		await this.click(this.byTestId('node-execute-button'));
		const output = this.byTestId('output-panel');
		await output.locator(SHOWN).first().waitFor();
		return await output.innerText();
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

	private inputOf(field: string): Locator {
		return this.byTestId(`parameter-input-${field}`).locator('input, textarea').first();
	}

	private async pickOption(name: string): Promise<void> {
		const option = this.page.getByRole('option').filter({ visible: true });
		await this.click(option.filter({ has: this.page.getByText(name, { exact: true }) }));
	}

	private async click(target: Locator): Promise<void> {
		await target.click();
		this.clicks++;
	}

	private async press(key: string): Promise<void> {
		await this.page.keyboard.press(key);
		this.clicks++;
	}

	private byTestId(id: string): Locator {
		return this.page.locator(`[data-test-id="${id}"]`);
	}
}
