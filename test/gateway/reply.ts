import { STATUS_CODES } from 'node:http';

/** What the gateway sends back. */
export interface Reply {
	status: number;
	contentType: string | null;
	text: string;
	headers?: Record<string, string>;
	/** Sent only after this time; Infinity: never. */
	afterMs?: number;
}

/** The content type that all generations use. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** A JSON reply. */
export function json(status: number, body: unknown): Reply {
	return { status, contentType: JSON_TYPE, text: JSON.stringify(body) };
}

/** A page, as a reverse proxy in front of a gateway sends it. */
export function html(status: number, title = `${status} ${STATUS_CODES[status] ?? ''}`): Reply {
	const text = `<html>\n<head><title>${title}</title></head>\n<body><center><h1>${title}</h1></center></body>\n</html>\n`;
	return { status, contentType: 'text/html', text };
}

/**
 * A refusal in the gateway's form.
 * @param message a text, or a list of texts or of `{property, message}`.
 * @param error the name of the status, unless the gateway says another.
 */
export function refusal(status: number, message: unknown, error = STATUS_CODES[status]): Reply {
	return json(status, { status, error, response: { message } });
}
