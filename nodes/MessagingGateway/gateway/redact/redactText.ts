import { HIDDEN, walk } from './secretFields';

/** Shorter text is no key, and hiding it would garble sentences. */
const SHORTEST_SECRET = 4;
/** Less of a base64 text is found in words, too. */
const SHORTEST_BASE64 = 6;
/** Longer secrets are found in parts: a pattern takes a place on the stack for each character. */
const LONGEST_PART = /.{1,1000}/gsu;

/** A character of base64 as a pattern, and the start of a text of them. */
const BASE64 = '(?:[\\w+/-]|%2[bf])';
const BASE64_START = '(?<![\\w+/-]|%(?=2[bf]))';

/** Hides secrets in text: as they are, in any case, percent-encoded once, and in base64. */
export function redactText(text: string, secrets: Iterable<string>): string {
	return textRedactor(secrets)(text);
}

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
	const forms = known.flatMap((secret) => [plainPattern(secret), ...encodedPatterns(secret)]).join('|');
	if (forms === '') return (text) => text;
	const base64 = known.flatMap(base64Patterns).join('|') || '(?!)';
	// Base64 is hidden whole: at both ends of a secret, a character holds bits of the text beside it, too.
	const whole = `${BASE64_START}${BASE64}*?(?:${base64})${BASE64}*(?:=|%3d){0,2}`;
	const pattern = new RegExp(`${whole}|${forms}`, 'gi');
	// Most text has no secret in it, and is read several times as fast without the rest of the base64.
	const sign = new RegExp(`${base64}|${forms}`, 'i');
	return (text) => (sign.test(text) ? text.replace(pattern, HIDDEN) : text);
}

/** Finds a secret as it is, or partly encoded, as addresses, forms and JSON have it. */
function plainPattern(secret: string): string {
	const patternFor = (character: string) => {
		if (/\w/.test(character)) return character;
		// JSON in JSON escapes twice.
		const escape = /["\\/]/.test(character) ? '\\\\{0,3}' : '';
		const itself = character === ' ' ? '[ +]' : `${escape}\\${character}`;
		return `(?:${[itself, ...encodedPatterns(character)].join('|')})`;
	};
	return Array.from(secret, patternFor).join('');
}

/** Finds text with all characters percent-encoded. Letters differ from their upper case by one bit. */
function encodedPatterns(text: string): string[] {
	return octetsOf(text).map((octets) =>
		octets.toString('hex').replace(/../g, '%$&').replace(/%[46]/g, '%[46]').replace(/%[57]/g, '%[57]'),
	);
}

/** Finds the base64 of a secret, at each place in a group of three octets. */
function base64Patterns(secret: string): string[] {
	const starts = octetsOf(secret).flatMap((octets) => [0, 1, 2].map((start) => ({ start, octets })));
	return starts
		.map(({ start, octets }) => {
			const encoded = Buffer.concat([Buffer.alloc(start), octets]).toString('base64');
			// A character holds six bits. Those that hold bits of other octets, too, are left out.
			return encoded.slice(Math.ceil((start * 8) / 6), Math.floor(((start + octets.length) * 8) / 6));
		})
		.filter(({ length }) => length >= SHORTEST_BASE64)
		.map((core) => core.replaceAll('+', '(?:[+-]|%2b)').replaceAll('/', '(?:[/_]|%2f)'));
}

/** Encodes text as UTF-8, and as Latin-1 if that differs: headers have it. */
function octetsOf(text: string): Buffer[] {
	const [utf8, latin1] = [Buffer.from(text), Buffer.from(text, 'latin1')];
	return utf8.equals(latin1) ? [utf8] : [utf8, latin1];
}
