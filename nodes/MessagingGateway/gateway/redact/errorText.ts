import { isRecord, textOf } from '../../common/json';
import { oneLine } from '../../common/text';
import { redactNamedSecrets } from './namedSecrets';
import { redactText } from './redactText';
import { secretsIn } from './secretFields';

/** Maximum length of a text that is read, in characters: an error says at once what is wrong. */
const LONGEST_START = 5000;
/** Maximum number of parts of a message that are read. */
const MOST_PARTS = 500;
/** Maximum length of an address, in characters. */
const LONGEST_ADDRESS = 500;
/** Maximum length of all secrets in a body: nothing of it is shown beside more, since looking for each takes long. */
const MOST_SECRET_TEXT = 10_000;
/** Maximum number of characters that encoding makes of one. */
const LONGEST_ENCODED = 9;

/** The words of a gateway about a failure, each in one line of at most 500 characters. */
export interface ErrorText {
	/** Safe to show: without secrets. Empty without words, or with too many secrets. */
	message: string;
	/** As it came, to recognize and never to show: a key that is an ordinary word is still in it. */
	errorText: string;
	/** The http address at which a license is registered (2.4), safe to show. */
	registerUrl: string | undefined;
}

/**
 * Reads the gateway's own words from the body of an error.
 *
 * The body is `{status, error, response: {message}}`, where `message` is text, a list of texts, a list of
 * `{property, message}`, or a list of lists (1.8.2, 2.2.3, 2.3.6); a proxy answers HTML or plain text.
 *
 * @param body parsed JSON, or the text of a reply that is not JSON
 * @param secrets texts to hide besides the secrets in the body
 */
export function errorTextIn(body: unknown, secrets: readonly string[]): ErrorText {
	const text = textIn(body);
	const start = text.slice(0, LONGEST_START);
	const visible = typeof body === 'string' ? textOfPage : (message: string) => message;
	const errorText = oneLine(visible(start));
	const found = secretsIn(body, MOST_SECRET_TEXT);
	if (found === undefined) return { message: '', errorText, registerUrl: undefined };
	const all = [...secrets, ...found];
	const redact = (shown: string) => redactNamedSecrets(redactText(shown, all));
	const clean = text.length > LONGEST_START ? withoutCutSecret(redact(start), all) : redact(start);
	const url = registerUrlIn(body);
	return { message: oneLine(visible(clean)), errorText, registerUrl: url && redact(url) };
}

function registerUrlIn(body: unknown): string | undefined {
	const url = isRecord(body) ? textOf(body.register_url)?.trim() : undefined;
	return url && url.length <= LONGEST_ADDRESS && /^https?:\/\/\S+$/i.test(url) ? url : undefined;
}

/** Gives the first of the known places that says something. */
function textIn(body: unknown): string {
	if (!isRecord(body)) return joined(body);
	const response = isRecord(body.response) ? body.response.message : body.response;
	// WhatsMiau gives the reason beside the message (from its source).
	const message = textOf(body.errorMessage) ? [body.message, body.errorMessage] : body.message;
	const error = isRecord(body.error) ? body.error.message : body.error;
	return joined(response) || joined(message) || joined(error);
}

function joined(message: unknown): string {
	return partsOf(message).filter(Boolean).join(', ');
}

/** @param depth the levels of lists to read: a list of lists is as deep as it gets */
function partsOf(message: unknown, depth = 3): string[] {
	if (!Array.isArray(message))
		return [(textOf(message) ?? textOf(isRecord(message) && message.message) ?? '').trim()];
	// An empty list counts, too: an error may hold hundreds of thousands.
	const parts = [''];
	for (const part of depth === 0 ? [] : message) {
		if (parts.length > MOST_PARTS) break;
		parts.push(...partsOf(part, depth - 1));
	}
	return parts;
}

/** Takes away the end of a text that was cut: the part of a secret before the cut isn't found. */
function withoutCutSecret(text: string, secrets: readonly string[]): string {
	const longest = Math.max(0, ...secrets.map(({ length }) => length));
	const start = text.slice(0, Math.max(0, text.length - longest));
	// An encoded secret has no space in it, and is no longer than this.
	const from = Math.max(0, text.length - longest * LONGEST_ENCODED);
	return start.slice(0, from) + start.slice(from).replace(/(?<!\S)\S+$/, '');
}

/** Gives the visible text of an HTML page, and other text as it is. */
function textOfPage(page: string): string {
	return page
		.replace(/<(script|style|head)\b.*?<\/\1>/gis, ' ')
		.replace(/<[^>]*>/g, ' ')
		.replace(/&nbsp;/g, ' ')
		.trim();
}
