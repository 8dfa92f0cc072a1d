import { isRecord, parseJson } from '../../common/json';

/** Stands in place of a secret. */
export const HIDDEN = '**hidden**';

/** With the headers that hold a secret. */
const SECRET_WORDS = new Set('token apikey password secret hash jwt authorization cookie'.split(' '));
/** A part of each secret name: a reply may have a million others. */
const SECRET_PART = new RegExp(['key', ...SECRET_WORDS].join('|'), 'i');
/** Deeper values are hidden whole: no gateway nests so deep, and each level takes a place on the stack. */
const DEEPEST = 100;

/** The words of a name in snake_case, and in camelCase. */
const WORDS = [/[a-z]+/gi, /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g];

/** Whether a field of this name holds a secret: a word says so, or `api` and `key` stand side by side. */
export function isSecretField(name: string): boolean {
	if (!SECRET_PART.test(name)) return false;
	return WORDS.some((pattern) => {
		const words = (name.match(pattern) ?? []).map((word) => word.toLowerCase());
		return words.some((word) => SECRET_WORDS.has(word)) || words.join('').includes('apikey');
	});
}

/** Tells a walk through a JSON value what to hide. */
export interface WalkRules {
	/** Gives what is shown of a text, number, boolean or `null`. */
	hide: (value: unknown, isSecret: boolean, depth: number) => unknown;
	/** Whether all texts in a field of this name are secret. */
	isSecretName: (name: string) => boolean;
	/** Whether lists and objects are copied even if nothing in them is hidden. */
	copies?: boolean;
}

/** Gives a JSON value as the rules show it. Lists and objects in which nothing changes stay. */
export function walk(value: unknown, rules: WalkRules, isSecret = false, depth = 0): unknown {
	if (!Array.isArray(value) && !isRecord(value)) return rules.hide(value, isSecret, depth);
	if (depth > DEEPEST) return HIDDEN;
	if (Array.isArray(value)) return walkList(value, rules, isSecret, depth);
	// Copied whole, which is many times as fast as field by field, for lists of many records.
	let copy = rules.copies ? { ...value } : undefined;
	for (const name of Object.keys(value)) {
		const field = value[name];
		const after = walk(field, rules, isSecret || rules.isSecretName(name), depth + 1);
		if (after !== field) (copy ??= { ...value })[name] = after;
	}
	return copy ?? value;
}

/** Walks through a list. Apart, since a function made in the walk itself would cost every value. */
function walkList(list: unknown[], rules: WalkRules, isSecret: boolean, depth: number): unknown[] {
	let isChanged = rules.copies === true;
	const copy = list.map((element) => {
		const after = walk(element, rules, isSecret, depth + 1);
		isChanged ||= after !== element;
		return after;
	});
	return isChanged ? copy : list;
}

/** Makes a function that copies JSON and hides texts in secret fields, at any depth, also in JSON in text. */
export function secretRedactor(): (value: unknown) => unknown {
	const rules = { ...secretRules(() => HIDDEN), copies: true };
	return (value) => walk(value, rules);
}

/** Lists all texts in secret fields of a JSON value. */
export function secretsIn(value: unknown): Set<string> {
	const secrets = new Set<string>();
	const collect = (secret: string) => {
		secrets.add(secret);
		return secret;
	};
	walk(value, secretRules(collect));
	return secrets;
}

/** Makes the rules for texts in secret fields. @param shown gives what is shown of a secret */
function secretRules(shown: (secret: string) => string): WalkRules {
	const hide = (value: unknown, isSecret: boolean, depth: number) => {
		if (typeof value !== 'string' || value === '') return value;
		if (isSecret) return shown(value);
		if (!/^\s*[{["]/.test(value)) return value;
		// JSON stored as text, e.g. `disconnectionObject` of generation 2.
		const stored = parseJson(value);
		const after = walk(stored, rules, false, depth);
		return after === stored ? value : JSON.stringify(after);
	};
	const rules = { hide, isSecretName: isSecretField };
	return rules;
}
