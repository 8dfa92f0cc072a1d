import { isRecord } from './json';

/** What stands in place of a secret. */
export const HIDDEN = '**hidden**';

const SECRET_WORDS = new Set(['token', 'apikey', 'password', 'secret', 'hash', 'jwt']);
/** Shorter text is no key, and striking it out of a sentence would garble it. */
const SHORTEST_SECRET = 4;
// `apikey=…`, `"token": "…"` inside text.
const SECRET_IN_TEXT =
	/((?:api[_-]?key|token|password|secret|hash|jwt)["']?\s*[=:]\s*["']?)([^\s"'&,;<>]+)/gi;

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
	return mapText(value, false, (text, secret) => (secret && text !== '' ? HIDDEN : text));
}

/**
 * Strikes known secrets out of text that is shown, also where they are percent-encoded.
 *
 * @param secrets the credential's key, and what {@link secretsIn} found
 */
export function strikeOut(text: string, secrets: Iterable<string>): string {
	let clean = text;
	for (const secret of secrets)
		if (secret.length >= SHORTEST_SECRET)
			for (const form of [secret, encodeURIComponent(secret.toWellFormed())])
				clean = clean.replaceAll(form, HIDDEN);
	return clean;
}

/** Hides what text itself names as a secret: `token=abc` becomes `token=**hidden**`. */
export function hideNamedSecrets(text: string): string {
	return text.replace(SECRET_IN_TEXT, `$1${HIDDEN}`);
}

/** All texts inside secret fields of a JSON value. */
export function secretsIn(value: unknown): Set<string> {
	const secrets = new Set<string>();
	mapText(value, false, (text, secret) => {
		if (secret) secrets.add(text);
		return text;
	});
	return secrets;
}

function mapText(
	value: unknown,
	secret: boolean,
	change: (text: string, secret: boolean) => string,
): unknown {
	if (typeof value === 'string') return (!secret && mapJsonText(value, change)) || change(value, secret);
	if (Array.isArray(value)) return value.map((element) => mapText(element, secret, change));
	if (!isRecord(value)) return value;
	// fromEntries defines fields, where an assignment to `__proto__` would change the object itself.
	return Object.fromEntries(
		Object.entries(value).map(([name, field]) => [
			name,
			mapText(field, secret || isSecretField(name), change),
		]),
	);
}

/** JSON stored as text, e.g. `disconnectionObject` of generation 2; the text itself where nothing in it changes. */
function mapJsonText(text: string, change: (text: string, secret: boolean) => string): string | undefined {
	if (!/^\s*[{[]/.test(text)) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		const before = JSON.stringify(value);
		const after = JSON.stringify(mapText(value, false, change));
		return after === before ? text : after;
	} catch {
		return undefined;
	}
}
