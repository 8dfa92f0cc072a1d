/** One way in which a key can stand in a text. */
export interface KeyForm {
	name: string;
	of: (key: string) => string;
}

const each = (key: string, encode: (code: number) => string) =>
	[...key].map((character) => encode(character.codePointAt(0) ?? 0)).join('');
const percent = (key: string) => each(key, (code) => `%${code.toString(16).toUpperCase().padStart(2, '0')}`);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const urlSafe = (text: string) => Buffer.from(text).toString('base64url');

/** The forms of a key of ASCII characters in which it must not be shown. */
export const KEY_FORMS: KeyForm[] = [
	{ name: 'as it is', of: (key) => key },
	{ name: 'in lower case', of: (key) => key.toLowerCase() },
	{ name: 'in upper case', of: (key) => key.toUpperCase() },
	{ name: 'as an address has it', of: encodeURIComponent },
	{ name: 'as a form has it', of: (key) => new URLSearchParams({ a: key }).toString().slice(2) },
	{ name: 'percent-encoded', of: percent },
	{ name: 'percent-encoded with lower-case digits', of: (key) => percent(key).toLowerCase() },
	{ name: 'percent-encoded in lower case', of: (key) => percent(key.toLowerCase()) },
	{ name: 'as JSON has it', of: (key) => JSON.stringify(key).slice(1, -1) },
	{ name: 'in base64', of: base64 },
	{ name: 'in base64 without padding', of: (key) => base64(key).replace(/=+$/, '') },
	{ name: 'in base64 for addresses', of: urlSafe },
	{ name: 'in base64 behind a user', of: (key) => base64(`user:${key}`) },
	{ name: 'in base64 in other text', of: (key) => base64(`as user2:${key}, and more`) },
	{ name: 'in base64, percent-encoded', of: (key) => encodeURIComponent(base64(key)) },
];
