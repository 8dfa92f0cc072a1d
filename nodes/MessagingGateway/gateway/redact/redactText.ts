import { HIDDEN, walk } from './secretFields';

/** Shorter text is no key, and hiding it would garble sentences. */
const SHORTEST_SECRET = 4;
/** Longer secrets are found in parts of groups of three: each character takes a place on the stack. */
const LONGEST_PART = /.{1,999}/gsu;

/** Hides secrets in text: as they are, in any case, percent-encoded once, and in base64. */
export const redactText = (text: string, secrets: Iterable<string>): string => textRedactor(secrets)(text);

/** Makes the function that hides the credential's key in all texts and numbers of a JSON value. */
export function keyRedactor(secrets: Iterable<string>): (value: unknown) => unknown {
	const redact = textRedactor(secrets);
	const hide = (value: unknown) => {
		if (typeof value !== 'string' && typeof value !== 'number') return value;
		const text = String(value);
		const after = redact(text);
		return after === text ? value : after;
	};
	return (value) => walk(value, { hide, isSecretName: () => false });
}

/** Makes the function that hides secrets in each of these forms, in linear time. */
function textRedactor(secrets: Iterable<string>): (text: string) => string {
	const parts = Array.from(secrets, (secret) => secret.trim().match(LONGEST_PART) ?? []).flat();
	const known = [...new Set(parts)]
		.filter(({ length }) => length >= SHORTEST_SECRET)
		// One secret may begin as another.
		.sort((a, b) => b.length - a.length);
	if (known.length === 0) return (text) => text;
	const pattern = new RegExp(
		known.flatMap((part) => [textPattern(part), ...base64Patterns(part)]).join('|'),
		'gi',
	);
	return (text) => text.replace(pattern, HIDDEN);
}

/** Finds a secret as it is, as JSON has it, or with any of its characters percent-encoded. */
function textPattern(secret: string): string {
	const patternFor = (character: string) => {
		// JSON in JSON escapes twice.
		const escape = /["\\/]/.test(character) ? '\\\\{0,3}' : '';
		const itself = character === ' ' ? '[ +]' : /\w/.test(character) ? character : `${escape}\\${character}`;
		return `(?:${[itself, ...inBothCases(character).map(percentEncoded)].join('|')})`;
	};
	return Array.from(secret, patternFor).join('');
}

/** Fewest characters of base64 to look for inside other base64: fewer are part of ordinary words. */
const SHORTEST_INSIDE = 8;

/** Lists patterns of a secret's base64: alone, and behind other text, as in `Authorization: Basic`. */
function base64Patterns(secret: string): string[] {
	const bytes = Buffer.from(secret);
	return [0, 1, 2].flatMap((before) => {
		const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
		const end = before + bytes.length;
		const inside = encoded.slice(Math.ceil((before * 8) / 6), Math.floor((end * 8) / 6));
		if (before > 0 && inside.length < SHORTEST_INSIDE) return [];
		const escaped = inside.replaceAll('+', '(?:[+-]|%2b)').replaceAll('/', '(?:[/_]|%2f)');
		// A character at an end may have bits of the text around, too.
		const [first, last] = [before, end].map((bits) => (bits % 3 === 0 ? '' : '[\\w+/-]?'));
		return `${first}${escaped}${last}(?:=|%3d){0,2}`;
	});
}

const inBothCases = (character: string) => [...new Set([character.toLowerCase(), character.toUpperCase()])];
const percentEncoded = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&');
