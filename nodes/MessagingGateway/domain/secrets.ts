import { isRecord } from './json';

/** What stands in place of a secret. */
export const HIDDEN = '**hidden**';

const SECRET_WORDS = new Set(['token', 'apikey', 'password', 'secret', 'hash', 'jwt']);
/** Shorter text is no key, and striking it out of a sentence would garble it. */
const SHORTEST_SECRET = 4;
/** Deeper values are hidden whole: no gateway nests so deep, and each level takes a place on the stack. */
const DEEPEST = 100;

// `apikey=`, `"token": `, also in JSON that broke off or is inside JSON.
const NAME_OF_VALUE = /(?<![\w-])([A-Za-z][\w-]{0,99})\\{0,3}["']?\s{0,9}[=:]\s{0,9}\\{0,3}/g;
const VALUE = /"(?:\\.|[^"\\])*|'(?:\\.|[^'\\])*|[[{][^\]}]*|[^\s"'&,;<>\\]*/sy;

/** Whether a field of this name holds a secret: one of its words says so, or `api` and `key` stand side by side. */
export function isSecretField(name: string): boolean {
	const snake = name.split(/[^A-Za-z]+/);
	const camel = snake.flatMap((part) => part.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []);
	return [snake, camel].some((words) => {
		const lower = words.map((word) => word.toLowerCase());
		return lower.some((word, i) => SECRET_WORDS.has(word) || (word === 'api' && lower[i + 1] === 'key'));
	});
}

/**
 * A copy of a JSON value without secrets: all text inside a secret field, at any depth, also in JSON that is
 * stored as text.
 *
 * @returns the copy; empty text, numbers, booleans and `null` stay
 */
export function hideSecrets(value: unknown): unknown {
	return mapAllText(value, (text, secret) => (secret && text !== '' ? HIDDEN : text));
}

/**
 * Strikes known secrets out of text that is shown, also where they are percent-encoded.
 *
 * @param secrets the credential's key, and what {@link secretsIn} found
 */
export function strikeOut(text: string, secrets: Iterable<string>): string {
	const forms = [...secrets]
		.filter((secret) => secret.length >= SHORTEST_SECRET)
		.flatMap((secret) => {
			const encoded = encodeURIComponent(secret.toWellFormed());
			return [secret, encoded, encoded.replace(/%../g, (octet) => octet.toLowerCase())];
		})
		// The longest first: of a secret that begins as another one, nothing may stay.
		.sort((a, b) => b.length - a.length);
	return forms.reduce((clean, form) => clean.replaceAll(form, HIDDEN), text);
}

/** Hides what text itself names as a secret: `token=abc` becomes `token=**hidden**`. */
export function hideNamedSecrets(text: string): string {
	let clean = '';
	let done = 0;
	for (const { 0: all, 1: name = '', index } of text.matchAll(NAME_OF_VALUE)) {
		VALUE.lastIndex = index + all.length;
		const start = VALUE.lastIndex;
		const value = index < done || !isSecretField(name) ? '' : (VALUE.exec(text)?.[0] ?? '');
		const quote = /^["']/.exec(value)?.[0] ?? '';
		if (value === quote) continue;
		clean += text.slice(done, start) + quote + HIDDEN;
		done = start + value.length;
	}
	return clean + text.slice(done);
}

/** All texts inside secret fields of a JSON value. */
export function secretsIn(value: unknown): Set<string> {
	const secrets = new Set<string>();
	mapAllText(value, (text, secret) => {
		if (secret) secrets.add(text);
		return text;
	});
	return secrets;
}

/** How text of a JSON value is changed. */
interface Change {
	/** The new text; `secret` says whether it is inside a secret field. */
	text: (text: string, secret: boolean) => string;
	/** Whether a field of this name holds a secret. */
	isSecret: (name: string) => boolean;
}

function mapAllText(value: unknown, text: Change['text']): unknown {
	// The records of a list have the same few names.
	const known = new Map<string, boolean>();
	const isSecret = (name: string) => {
		const secret = known.get(name) ?? isSecretField(name);
		known.set(name, secret);
		return secret;
	};
	return mapText(value, false, { text, isSecret }, 0);
}

function mapText(value: unknown, secret: boolean, change: Change, depth: number): unknown {
	if (typeof value === 'string')
		return (!secret && mapJsonText(value, change, depth + 1)) || change.text(value, secret);
	if (!Array.isArray(value) && !isRecord(value)) return value;
	if (depth > DEEPEST) return HIDDEN;
	if (Array.isArray(value)) return value.map((element) => mapText(element, secret, change, depth + 1));
	// fromEntries defines fields, where an assignment to `__proto__` would change the object itself.
	return Object.fromEntries(
		Object.entries(value).map(([name, field]) => [
			name,
			mapText(field, secret || change.isSecret(name), change, depth + 1),
		]),
	);
}

/** JSON stored as text, e.g. `disconnectionObject` of generation 2; the text itself where nothing in it changes. */
function mapJsonText(text: string, change: Change, depth: number): string | undefined {
	if (!/^\s*[{[]/.test(text) || depth > DEEPEST) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		const before = JSON.stringify(value);
		const after = JSON.stringify(mapText(value, false, change, depth));
		return after === before ? text : after;
	} catch {
		return undefined;
	}
}
