import { isRecord, textOf } from '../../common/json';
import { oneLine } from '../../common/text';
import { redactText } from './redactText';
import { HIDDEN, isSecretField, secretsIn } from './secretFields';

/** Maximum length of a text that is read, in characters: an error says at once what is wrong. */
const LONGEST_START = 5000;
const MOST_PARTS = 500;
const LONGEST_ADDRESS = 500;
/** Maximum length of all secrets in a body. With more, nothing is shown: looking for each takes long. */
const MOST_SECRET_TEXT = 10_000;

/** The code that the gateway's ORM shows before it says what is wrong. */
const CODE_LISTING =
	/(?:Prisma\w+:\s*)?Invalid `[^`]*prisma(?:.*?\n\s*(?=Can't reach database)|.*\n\s*(?=\S))/is;

/** Reads a body's words: text, lists of lists or of `{message}`, a page. @param secrets to hide, too */
export function errorTextIn(body: unknown, secrets: readonly string[]) {
	const text = textIn(body);
	const start = text.slice(0, LONGEST_START).replace(CODE_LISTING, '');
	const visible = typeof body === 'string' ? textOfPage : (message: string) => message;
	const errorText = oneLine(visible(start));
	const found = [...secretsIn(body)];
	if (found.join('').length > MOST_SECRET_TEXT) return { message: '', errorText, registerUrl: undefined };
	const all = [...secrets, ...found];
	const redact = (shown: string) => redactNamedSecrets(redactText(shown, all));
	const url = registerUrlIn(body);
	return { message: oneLine(visible(redact(start))), errorText, registerUrl: url && redact(url) };
}

function registerUrlIn(body: unknown): string | undefined {
	const url = isRecord(body) ? textOf(body.register_url)?.trim() : undefined;
	return url && url.length <= LONGEST_ADDRESS && /^https?:\/\/\S+$/i.test(url) ? url : undefined;
}

/** Gives the first of the known places that says something. */
function textIn(body: unknown): string {
	if (!isRecord(body)) return joined(body);
	const response = isRecord(body.response) ? body.response.message : body.response;
	// WhatsMiau gives the reason beside the message.
	const message = textOf(body.errorMessage) ? [body.message, body.errorMessage] : body.message;
	const error = isRecord(body.error) ? body.error.message : body.error;
	return joined(response) || joined(message) || joined(error);
}

const joined = (message: unknown): string => partsOf(message).filter(Boolean).join(', ');

/** @param depth the levels of lists to read: a list of lists is as deep as it gets */
function partsOf(message: unknown, depth = 3): string[] {
	if (!Array.isArray(message))
		return [(textOf(message) ?? textOf(isRecord(message) && message.message) ?? '').trim()];
	// An error may hold hundreds of thousands of empty lists.
	const parts = [''];
	for (const part of depth === 0 ? [] : message) {
		if (parts.length > MOST_PARTS) break;
		parts.push(...partsOf(part, depth - 1));
	}
	return parts;
}

/** Gives the visible text of an HTML page, and other text as it is. */
function textOfPage(page: string): string {
	return page
		.replace(/<(script|style|head)\b.*?<\/\1>/gis, ' ')
		.replace(/<[^>]*>/g, ' ')
		.replace(/&nbsp;/g, ' ')
		.trim();
}

// Not `failed to get privacy token: dial tcp db:5432` (WhatsMiau).
// `apikey=`, `"token": "`, `<token>`, `API key provided: `, also in JSON that broke off or is inside JSON.
const NAME_OF_VALUE =
	/(?<![\w-])(?:api key(?: \w{1,20})?|[a-z][\w-]{0,99})\\{0,3}["']?\s{0,9}(?:[=:]>?|>|%3[ad])\s{0,9}\\{0,3}["']?/gi;
const VALUE =
	/(?!(?:dial|read|write) tcp\b|info query\b)(?:(?<=")(?:\\.|[^"\\])*|(?<=')(?:\\.|[^'\\])*|[[{][^\n]*|(?:(?:Bearer|Basic|Token|ApiKey|Digest|Negotiate)\s+)?[^\s"'&,;<>\\]*)/isy;

// `postgres://user:password@host`, `redis://:password@host`; a port and a path may have an `@` too.
const USER_OF_ADDRESS = /(:\/\/[^\s/:@?#"'<>]{0,200}:)(?!\d{1,5}[/?#])[^\s"'<>]{1,200}@/g;

/** Hides what text shows to be a secret: `token=abc`, `Authorization`'s value, a password in an address. */
export function redactNamedSecrets(text: string): string {
	let clean = '';
	let done = 0;
	for (const { 0: name, index } of text.matchAll(NAME_OF_VALUE)) {
		if (index < done || !isSecretField(name)) continue;
		const start = index + name.length;
		VALUE.lastIndex = start;
		const [value = ''] = VALUE.exec(text) ?? [];
		if (value === '') continue;
		clean += text.slice(done, start) + HIDDEN;
		done = start + value.length;
	}
	clean += text.slice(done);
	return clean.replace(USER_OF_ADDRESS, `$1${HIDDEN}@`);
}
