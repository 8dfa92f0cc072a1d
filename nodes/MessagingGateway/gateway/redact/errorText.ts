import { isRecord, textOf } from '../../common/json';
import { oneLine } from '../../common/text';
import { redactNamedSecrets } from './namedSecrets';
import { redactText } from './redactText';
import { secretsIn } from './secretFields';

/** Of a text, in characters: an error says what it has to say at once. */
const LONGEST_START = 5000;
/** Of an address, in characters. */
const LONGEST_ADDRESS = 500;
/** A body with more of them is no error's, and looking for each in all its forms takes seconds: so nothing of it is shown. */
const MOST_SECRETS = 500;
/** The most characters that an encoding makes of one: `&amp;#x00e9;`. */
const LONGEST_ENCODED = 12;

/**
 * The gateway's own words about what went wrong, flattened into one line that is safe to show.
 *
 * The body is `{status, error, response: {message}}`, where `message` is text, a list of texts, a list of
 * `{property, message}`, or a list of lists (1.8.2, 2.2.3, 2.3.6); a proxy answers HTML or plain text.
 *
 * @param body parsed JSON, or the text of a reply that is not JSON
 * @param secrets what must not be shown besides the secrets in the body itself
 * @returns the words without secrets and control characters, at most 500 characters; empty where there are none, or too
 * many secrets
 */
export function errorMessageIn(body: unknown, secrets: readonly string[]): string {
	const found = secretsIn(body, MOST_SECRETS);
	if (found === undefined) return '';
	const all = [...secrets, ...found];
	const text = textIn(body);
	const start = redactNamedSecrets(redactText(text.slice(0, LONGEST_START), all));
	const clean = text.length > LONGEST_START ? withoutCutSecret(start, all) : start;
	return oneLine(visibleText(clean, body));
}

/**
 * The gateway's own words as they came, of which a secret may be a part: to be recognized, never to be shown. A key
 * that is an ordinary word, such as `rate`, would be struck out of {@link errorMessageIn}.
 *
 * @param body as for {@link errorMessageIn}
 */
export function errorTextIn(body: unknown): string {
	return oneLine(visibleText(textIn(body).slice(0, LONGEST_START), body));
}

/**
 * Where a gateway wants its license to be registered (2.4).
 *
 * @param body as for {@link errorMessageIn}
 * @param secrets as for {@link errorMessageIn}
 * @returns the address without secrets; `undefined` if there is none that is http or https, or too many secrets
 */
export function registerUrlIn(body: unknown, secrets: readonly string[]): string | undefined {
	const url = isRecord(body) ? textOf(body.register_url)?.trim() : undefined;
	if (url === undefined || url.length > LONGEST_ADDRESS || !/^https?:\/\/\S+$/i.test(url)) return undefined;
	const found = secretsIn(body, MOST_SECRETS);
	return found && redactNamedSecrets(redactText(url, [...secrets, ...found]));
}

/** The first of the known places that says something. */
function textIn(body: unknown): string {
	if (!isRecord(body)) return startOf(body);
	const response = isRecord(body.response) ? body.response.message : body.response;
	// WhatsMiau gives the reason beside the message (from its source).
	const message = textOf(body.errorMessage) ? [body.message, body.errorMessage] : body.message;
	const places = [response, message, isRecord(body.error) ? body.error.message : body.error];
	for (const place of places) {
		const text = startOf(place);
		if (text !== '') return text;
	}
	return '';
}

/** The texts of a message in one, no further than they are shown: an error may list hundreds of thousands. */
function startOf(message: unknown): string {
	let text = '';
	let looked = 0;
	for (const one of texts(message)) {
		if (one !== '') text += text === '' ? one : `, ${one}`;
		if (++looked > LONGEST_START || text.length > LONGEST_START) break;
	}
	return text;
}

/** The texts of a message one by one, empty for what has none. @param depth of lists; one of lists of lists is as deep as it gets */
function* texts(message: unknown, depth = 3): Generator<string, void> {
	if (!Array.isArray(message))
		yield (textOf(message) ?? textOf(isRecord(message) && message.message) ?? '').trim();
	else if (message.length === 0 || depth === 0) yield '';
	else for (const one of message) yield* texts(one, depth - 1);
}

function visibleText(text: string, body: unknown): string {
	return typeof body === 'string' ? textOfPage(text) : text;
}

/** A cut through a secret leaves a part that nothing finds: so as much as a secret is long goes too. */
function withoutCutSecret(text: string, secrets: readonly string[]): string {
	const longest = secrets.reduce((most, { length }) => Math.max(most, length), 0);
	const start = text.slice(0, -longest || undefined);
	// An encoded one is longer, and has no space in it.
	const end = start.slice(-longest * LONGEST_ENCODED || start.length);
	return start.slice(0, start.length - (end.split(/\s/).at(-1)?.length ?? 0));
}

/** The visible text of an HTML page; other text as it is. */
function textOfPage(page: string): string {
	return page
		.replace(/<(script|style|head)\b.*?<\/\1>/gis, ' ')
		.replace(/<[^>]*>/g, ' ')
		.replace(/&nbsp;/g, ' ')
		.trim();
}
