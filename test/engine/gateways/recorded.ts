import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An exchange with a real gateway. */
export interface Recorded {
	request: { method: string; path: string; headers: Record<string, string>; body: unknown };
	response: { status: number | null; contentType: string | null; body: unknown };
}

const folder = join(__dirname, '../../fixtures/recordings');

/** Not one of the three calls, nor a list that a picker shows. */
const otherCalls = /__openai__(create|fetchSe)/;

/** The names of the recordings of the three calls, and of the lists that the pickers show. */
export const recordings = readdirSync(folder)
	.map((file) => file.replace(/\.json$/, ''))
	.filter((name) => !otherCalls.test(name));

export function load(name: string): Recorded {
	return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}

/** The path's segments and the query, decoded. */
export function partsOf({ request }: Recorded): { segments: string[]; query: URLSearchParams } {
	const [path = '', query] = request.path.split('?');
	return {
		segments: path.split('/').slice(1).map(decodeURIComponent),
		query: new URLSearchParams(query),
	};
}

/** The first two segments of its path, which tell what it is about. */
export function routeOf(recorded: Recorded): string {
	return partsOf(recorded).segments.slice(0, 2).join('/');
}

/** Whether it is the list of an instance's bots, which only the picker asks for. */
export function isBotList(recorded: Recorded): boolean {
	return routeOf(recorded) === 'openai/find' && partsOf(recorded).segments.length === 3;
}

/** All texts in the message of a refusal: these are the gateway's own words. */
export function wordsOf(body: unknown): string[] {
	return textsIn(field(field(body, 'response'), 'message'));
}

/** The keys and tokens that a recording holds. */
export function secretsOf({ request, response }: Recorded): string[] {
	const found: string[] = [request.headers.apikey ?? ''];
	JSON.stringify(response.body, (name, value: unknown) => {
		if (/^(apikey|token|password)$/i.test(name) && typeof value === 'string') found.push(value);
		return value;
	});
	return found.filter((secret) => secret !== '');
}

/** A property of what may be an object. */
export function field(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
		? Reflect.get(value, name)
		: undefined;
}

/** A list as it is, anything else as none. */
export function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

function textsIn(message: unknown): string[] {
	if (typeof message === 'string') return [message];
	if (Array.isArray(message)) return message.flatMap(textsIn);
	const text = field(message, 'message');
	return text === undefined ? [] : textsIn(text);
}
