import { isRecord } from './json';

/** What stands in place of a secret. */
export const HIDDEN = '**hidden**';

const SECRET_WORDS = new Set(['token', 'apikey', 'password', 'secret', 'hash', 'jwt']);
/** Shorter text is no key, and striking it out of a sentence would garble it. */
const SHORTEST_SECRET = 4;
/** Of one that was cut off, fewer characters tell nothing. */
const SHORTEST_CUT = 8;
/** Deeper values are hidden whole: no gateway nests so deep, and each level takes a place on the stack. */
const DEEPEST = 100;

// `apikey=`, `"token": "`, `<token>`, `API key provided: `, also in JSON that broke off or is inside JSON.
const NAME_OF_VALUE =
	/(?<![\w-])(?:api key(?: \w{1,20})?|[a-z][\w-]{0,99})\\{0,3}["']?\s{0,9}(?:[=:]>?|>|%3[ad])\s{0,9}\\{0,3}["']?/gi;
const VALUE =
	/(?<=")(?:\\.|[^"\\])*|(?<=')(?:\\.|[^'\\])*|[[{][^\n]*|(?:(?:Bearer|Basic)\s+)?[^\s"'&,;<>\\]*/isy;

/** The words of a name in snake_case, and in camelCase. */
const WORDS = [/[a-z]+/gi, /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g];

/** Whether a field of this name holds a secret: one of its words says so, or `api` and `key` stand side by side. */
export function isSecretField(name: string): boolean {
	return WORDS.some((pattern) => {
		const words = [...name.matchAll(pattern)].map(([word]) => word.toLowerCase());
		return words.some((word) => SECRET_WORDS.has(word)) || words.join('').includes('apikey');
	});
}

/**
 * A copy of a JSON value without secrets: all text inside a secret field, at any depth, also in JSON that is
 * stored as text.
 *
 * @returns the copy; empty text, numbers, booleans and `null` stay
 */
export function hideSecrets(value: unknown): unknown {
	return mapSecrets(value, (text) => (text === '' ? text : HIDDEN));
}

/**
 * Strikes known secrets out of text that is shown, also where they are encoded, or cut off with an ellipsis.
 *
 * @param secrets the credential's key, and what {@link secretsIn} found
 */
export function strikeOut(text: string, secrets: Iterable<string>): string {
	const forms = [...secrets]
		.map((secret) => secret.trim())
		.filter((secret) => secret.length >= SHORTEST_SECRET)
		.flatMap(formsOf)
		// The longest first: of a secret that begins as another one, nothing may stay.
		.sort((a, b) => b.length - a.length);
	const clean = forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text);
	return clean.includes('…') ? forms.reduce(strikeOutCut, clean) : clean;
}

/** A secret as it is, and as it stands in an address, a form, JSON and a page. */
function formsOf(secret: string): string[] {
	const encoded = encodeURIComponent(secret.toWellFormed());
	const forms = [
		secret,
		encoded,
		encoded.replace(/%../g, (octet) => octet.toLowerCase()),
		encoded.replaceAll('%20', '+'),
		JSON.stringify(secret).slice(1, -1),
		secret.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign),
	];
	return [...new Set(forms)];
}

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function strikeOutCut(text: string, secret: string): string {
	if (!text.includes(secret.slice(0, SHORTEST_CUT))) return text;
	let clean = text;
	for (let length = secret.length - 1; length >= SHORTEST_CUT; length--)
		clean = clean.replaceAll(`${secret.slice(0, length)}…`, `${HIDDEN}…`);
	return clean;
}

/** Hides what text itself names as a secret: `token=abc` becomes `token=**hidden**`. */
export function hideNamedSecrets(text: string): string {
	let clean = '';
	let done = 0;
	for (const { 0: name, index } of text.matchAll(NAME_OF_VALUE)) {
		const start = index + name.length;
		const end = index < done || !isSecretField(name) ? start : endOfValue(text, start);
		if (end === start) continue;
		clean += text.slice(done, start) + HIDDEN;
		done = end;
	}
	return clean + text.slice(done);
}

function endOfValue(text: string, start: number): number {
	VALUE.lastIndex = start;
	VALUE.test(text);
	return VALUE.lastIndex;
}

/** All texts inside secret fields of a JSON value. */
export function secretsIn(value: unknown): Set<string> {
	const secrets = new Set<string>();
	mapSecrets(value, (text) => {
		secrets.add(text);
		return text;
	});
	return secrets;
}

/** What becomes of the texts inside secret fields, and which fields are secret. */
interface Change {
	text: (secret: string) => string;
	isSecret: (name: string) => boolean;
}

/** A copy of a JSON value with all texts inside secret fields changed. */
function mapSecrets(value: unknown, text: Change['text']): unknown {
	// The records of a list have the same few names.
	const known = new Map<string, boolean>();
	const isSecret = (name: string) => {
		const secret = known.get(name) ?? isSecretField(name);
		known.set(name, secret);
		return secret;
	};
	return mapValue(value, { text, isSecret }, false, 0);
}

function mapValue(value: unknown, change: Change, isSecret: boolean, depth: number): unknown {
	if (typeof value === 'string') return isSecret ? change.text(value) : mapJsonText(value, change, depth);
	if (!Array.isArray(value) && !isRecord(value)) return value;
	if (depth > DEEPEST) return HIDDEN;
	if (Array.isArray(value)) return value.map((element) => mapValue(element, change, isSecret, depth + 1));
	// fromEntries defines fields, where an assignment to `__proto__` would change the object itself.
	return Object.fromEntries(
		Object.entries(value).map(([name, field]) => [
			name,
			mapValue(field, change, isSecret || change.isSecret(name), depth + 1),
		]),
	);
}

/** JSON stored as text, e.g. `disconnectionObject` of generation 2; the text itself where nothing in it changes. */
function mapJsonText(text: string, change: Change, depth: number): string {
	if (!/^\s*[{["]/.test(text)) return text;
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return text;
	}
	const after = JSON.stringify(mapValue(value, change, false, depth));
	return after === jsonOf(value) ? text : after;
}

/** Nothing where it nests too deep for `JSON.stringify`. */
function jsonOf(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}
