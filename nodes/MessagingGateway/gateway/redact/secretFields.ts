import { isRecord, mapFields } from '../../common/json';

/** What stands in place of a secret. */
export const HIDDEN = '**hidden**';

const SECRET_WORDS = new Set(['token', 'apikey', 'password', 'secret', 'hash', 'jwt']);
/** Deeper values are hidden whole: no gateway nests so deep, and each level takes a place on the stack. */
export const DEEPEST = 100;

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
export function redactSecrets(value: unknown): unknown {
	return secretRedactor()(value);
}

/** Makes a {@link redactSecrets} for many values: the records of a list have the same few names. */
export function secretRedactor(): (value: unknown) => unknown {
	const change: SecretMapping = {
		text: (text) => (text === '' ? text : HIDDEN),
		isSecret: memoize(isSecretField),
	};
	return (value) => mapValue(value, change, false, 0);
}

/** All texts inside secret fields of a JSON value. */
export function secretsIn(value: unknown): Set<string> {
	const secrets = new Set<string>();
	const text = (secret: string) => {
		secrets.add(secret);
		return secret;
	};
	mapValue(value, { text, isSecret: memoize(isSecretField) }, false, 0);
	return secrets;
}

/** What becomes of the texts inside secret fields, and which fields are secret. */
interface SecretMapping {
	text: (secret: string) => string;
	isSecret: (name: string) => boolean;
}

/** A copy of a JSON value with all texts inside secret fields changed. */
function mapValue(value: unknown, change: SecretMapping, isSecret: boolean, depth: number): unknown {
	if (typeof value === 'string') return isSecret ? change.text(value) : mapJsonText(value, change, depth);
	if (!Array.isArray(value) && !isRecord(value)) return value;
	if (depth > DEEPEST) return HIDDEN;
	if (Array.isArray(value)) return value.map((element) => mapValue(element, change, isSecret, depth + 1));
	return mapFields(value, (field, name) =>
		mapValue(field, change, isSecret || change.isSecret(name), depth + 1),
	);
}

/** JSON stored as text, e.g. `disconnectionObject` of generation 2; the text itself where nothing in it changes. */
function mapJsonText(text: string, change: SecretMapping, depth: number): string {
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

/** `undefined` for what nests too deep for `JSON.stringify`. */
function jsonOf(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}

/** The same question, answered once for each text: the records of a list have the same few names. */
export function memoize(question: (text: string) => boolean): (text: string) => boolean {
	const answers = new Map<string, boolean>();
	return (text) => {
		let answer = answers.get(text);
		if (answer === undefined) answers.set(text, (answer = question(text)));
		return answer;
	};
}
