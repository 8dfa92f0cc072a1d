import type { Exchange } from './wire';

/** A request as the handlers see it. */
export interface GatewayRequest {
	method: string;
	/** As on the wire, with the query. */
	target: string;
	/** The path's segments, still encoded. */
	segments: string[];
	query(name: string): string | undefined;
	/** The `apikey` header; empty where there is none. */
	key: string;
	body: Record<string, unknown>;
}

/** What a handler gets of an exchange. @throws where the body is not JSON */
export function toRequest({ call, text }: Exchange): GatewayRequest {
	const [path = '', ...rest] = call.path.split('?');
	const query = new URLSearchParams(rest.join('?'));
	const key = call.headers['apikey'];
	return {
		method: call.method,
		target: call.path,
		segments: path.replace(/\/$/, '').split('/').slice(1),
		query: (name) => query.get(name) ?? undefined,
		key: typeof key === 'string' ? key : '',
		body: Object(text === '' ? {} : JSON.parse(text)),
	};
}
