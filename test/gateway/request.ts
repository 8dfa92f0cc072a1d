import { refusal, type Reply } from './reply';
import type { Exchange } from './wire';

/** A field of the query: the text, or the texts where it occurs several times. */
export type QueryValue = string | string[] | undefined;

/** A request as the handlers see it. */
export interface GatewayRequest {
	method: string;
	/** As on the wire, with the query. */
	target: string;
	/** The path's segments, still encoded. */
	segments: string[];
	query(name: string): QueryValue;
	/** The `apikey` header; empty where there is none. */
	key: string;
	body: Record<string, unknown>;
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

function fromForm(text: string): Record<string, unknown> {
	const form = new URLSearchParams(text);
	const names = [...new Set(form.keys())];
	return Object.fromEntries(
		names.map((name) =>
			name.endsWith('[]') ? [name.slice(0, -2), form.getAll(name)] : [name, form.get(name)],
		),
	);
}

function fromJson(text: string): Record<string, unknown> {
	const value: unknown = JSON.parse(text);
	if (isRecord(value)) return value;
	throw new SyntaxError(`Unexpected token ${text.trim()[0]} in JSON at position 0`);
}

const parsers: ReadonlyArray<readonly [type: string, parse: (text: string) => Record<string, unknown>]> = [
	['application/json', fromJson],
	['application/x-www-form-urlencoded', fromForm],
];

function parseBody(contentType: string, text: string): Record<string, unknown> {
	const parse = parsers.find(([type]) => contentType.startsWith(type))?.[1];
	return parse === undefined || text === '' ? {} : parse(text);
}

/** What a handler gets of an exchange, or the refusal where the body is not what its content type says. */
export function toRequest({ call, text }: Exchange): { request: GatewayRequest } | { refused: Reply } {
	const [path = '', ...rest] = call.path.split('?');
	const query = new URLSearchParams(rest.join('?'));
	const key = call.headers['apikey'];
	try {
		const request = {
			method: call.method,
			target: call.path,
			segments: path.replace(/\/$/, '').split('/').slice(1),
			query: (name: string): QueryValue => {
				const values = query.getAll(name);
				return values.length > 1 ? values : values[0];
			},
			key: typeof key === 'string' ? key : '',
			body: parseBody(call.headers['content-type'] ?? '', text),
		};
		return { request };
	} catch (error) {
		// Newer engines add a line and column to the text that the recordings have.
		const message = String(error instanceof Error ? error.message : error).replace(
			/ \(line \d+ column \d+\)$/,
			'',
		);
		return { refused: refusal(400, message, 'Internal Server Error') };
	}
}
