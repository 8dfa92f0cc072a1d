import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds for which n8n may take the time as it was. */
const READ_EVERY = 50;

/** The clock of all processes of an n8n: a test that moves it on needn't wait for the night. */
export class Clock {
	/** What to start n8n with. */
	readonly env: Record<string, string>;
	private readonly file: string;
	private ahead = 0;

	/** @param folder of the n8n, where the clock is kept */
	constructor(folder: string) {
		this.file = join(folder, 'ahead');
		writeFileSync(this.file, '0');
		const code = join(folder, 'clock.cjs');
		writeFileSync(code, codeOf(this.file));
		this.env = { NODE_OPTIONS: `--require ${code}` };
	}

	/** @param ms by which it is later from now on */
	async moveOn(ms: number): Promise<void> {
		writeFileSync(this.file, String((this.ahead += ms)));
		await new Promise((resolve) => setTimeout(resolve, 2 * READ_EVERY));
	}
}

/** Code that has a process tell the time that a file asks for. Timers stay as they are. */
function codeOf(file: string): string {
	return `
		const { readFileSync } = require('node:fs');
		const measured = performance.now.bind(performance);
		const today = Date.now.bind(Date);
		let readAt = -Infinity;
		let known = 0;
		const ahead = () => {
			if (measured() - readAt < ${READ_EVERY}) return known;
			readAt = measured();
			known = Number(readFileSync(${JSON.stringify(file)}, 'utf8')) || known;
			return known;
		};
		Date.now = () => today() + ahead();
		performance.now = () => measured() + ahead();
	`;
}
