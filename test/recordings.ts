import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An exchange with a real gateway. */
export interface Recorded {
	/** Of the gateway, e.g. `2.3.6`. */
	version: string;
	request: { method: string; path: string; headers: Record<string, string>; body: unknown };
	/** A status of `null`: the gateway never answered. */
	response: { status: number | null; contentType: string | null; body: unknown };
}

const folder = join(__dirname, 'fixtures/recordings');

const allNames = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));

/** Recordings of what the node never asks for: making bots, and their conversations and settings. */
const otherCalls = /__openai__(create|fetchSe)/;

/** The names of all others, which tests go through. */
export const recordings = allNames.filter((name) => !otherCalls.test(name));

/** Reads a recording. @throws where there is none of this name */
export function load(name: string): Recorded {
	return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}
