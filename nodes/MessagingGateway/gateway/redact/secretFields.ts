import { isRecord } from '../../common/json';

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
	const isSecretName = memoize(isSecretField);
	return (value) => withoutSecrets(value, isSecretName, false, 0);
}

/**
 * All texts inside secret fields of a JSON value. No copy is made on the way: an error may hold hundreds of thousands.
 *
 * @param most how many may be found
 * @returns `undefined` if there are more: the rest isn't looked at
 */
export function secretsIn(value: unknown, most: number): Set<string> | undefined {
	const secrets = new Set<string>();
	const isSecretName = memoize(isSecretField);
	const collect = (one: unknown, isSecret: boolean, depth: number): void => {
		if (secrets.size > most) return;
		if (typeof one === 'string' && isSecret) secrets.add(one);
		else if (typeof one === 'string') collect(parsedText(one), false, depth);
		else if (depth > DEEPEST) return;
		else if (Array.isArray(one)) for (const element of one) collect(element, isSecret, depth + 1);
		else if (isRecord(one))
			for (const name of Object.keys(one)) collect(one[name], isSecret || isSecretName(name), depth + 1);
	};
	collect(value, false, 0);
	return secrets.size > most ? undefined : secrets;
}

/** A copy of a JSON value in which all texts inside secret fields are hidden. */
function withoutSecrets(
	value: unknown,
	isSecretName: (name: string) => boolean,
	isSecret: boolean,
	depth: number,
): unknown {
	if (typeof value === 'string' && isSecret) return value === '' ? value : HIDDEN;
	if (typeof value === 'string') return withoutSecretsInText(value, isSecretName, depth);
	if (!Array.isArray(value) && !isRecord(value)) return value;
	if (depth > DEEPEST) return HIDDEN;
	if (Array.isArray(value))
		return value.map((element) => withoutSecrets(element, isSecretName, isSecret, depth + 1));
	// Copied whole, which is many times as fast as field by field, for lists of many records.
	const copy = { ...value };
	for (const name of Object.keys(copy)) {
		const field = copy[name];
		const after = withoutSecrets(field, isSecretName, isSecret || isSecretName(name), depth + 1);
		if (after !== field) copy[name] = after;
	}
	return copy;
}

/** JSON stored as text without secrets; the text itself where nothing in it changes. */
function withoutSecretsInText(text: string, isSecretName: (name: string) => boolean, depth: number): string {
	const value = parsedText(text);
	if (value === undefined) return text;
	const after = JSON.stringify(withoutSecrets(value, isSecretName, false, depth));
	return after === jsonOf(value) ? text : after;
}

/** JSON stored as text, e.g. `disconnectionObject` of generation 2; `undefined` for other text. */
function parsedText(text: string): unknown {
	if (!/^\s*[{["]/.test(text)) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
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
export function memoize<T>(question: (text: string) => T): (text: string) => T {
	const answers = new Map<string, T>();
	return (text) => {
		let answer = answers.get(text);
		if (answer === undefined) answers.set(text, (answer = question(text)));
		return answer;
	};
}
