/** One way in which a key can stand in a text. */
export interface KeyForm {
	name: string;
	of: (key: string) => string;
}

const each = (key: string, encode: (code: number, character: string) => string) =>
	[...key].map((character) => encode(character.codePointAt(0) ?? 0, character)).join('');
const percent = (key: string) => each(key, (code) => `%${code.toString(16).toUpperCase().padStart(2, '0')}`);
const decimal = (key: string) => each(key, (code) => `&#${code};`);
const hex = (key: string) => each(key, (code) => `&#x${code.toString(16)};`);
const named = (key: string) => each(key, (_, character) => NAMED[character] ?? character);
const ampersands = (text: string) => text.replaceAll('&', '&amp;');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const urlSafe = (text: string) => Buffer.from(text).toString('base64url');
const cut =
	(left: number, dots: string) =>
	(key: string): string =>
		key.slice(0, left) + dots + key.slice(-left);

const NAMED: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&apos;',
	'/': '&sol;',
	'=': '&equals;',
	'+': '&plus;',
	'-': '&dash;',
	_: '&lowbar;',
	'.': '&period;',
	$: '&dollar;',
	'{': '&lcub;',
	'|': '&vert;',
};

/** The forms of a key of ASCII characters in which it must not be shown. */
export const KEY_FORMS: KeyForm[] = [
	{ name: 'as it is', of: (key) => key },
	{ name: 'in lower case', of: (key) => key.toLowerCase() },
	{ name: 'in upper case', of: (key) => key.toUpperCase() },
	{ name: 'as an address has it', of: encodeURIComponent },
	{ name: 'as a form has it', of: (key) => new URLSearchParams({ a: key }).toString().slice(2) },
	{ name: 'percent-encoded', of: percent },
	{ name: 'percent-encoded with lower-case digits', of: (key) => percent(key).toLowerCase() },
	{ name: 'percent-encoded twice', of: (key) => encodeURIComponent(percent(key)) },
	{ name: 'percent-encoded whole, twice', of: (key) => percent(percent(key)) },
	{ name: 'percent-encoded in lower case', of: (key) => percent(key.toLowerCase()) },
	{ name: 'as JSON has it', of: (key) => JSON.stringify(key).slice(1, -1) },
	{
		name: 'as JSON may have it',
		of: (key) => each(key, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
	},
	{ name: 'with named entities', of: named },
	{ name: 'with decimal entities', of: decimal },
	{ name: 'with hexadecimal entities', of: hex },
	{ name: 'with hexadecimal entities in upper case', of: (key) => hex(key).toUpperCase() },
	{ name: 'with named entities, twice', of: (key) => ampersands(named(key)) },
	{ name: 'with decimal entities, twice', of: (key) => ampersands(decimal(key)) },
	{ name: 'with hexadecimal entities, twice', of: (key) => ampersands(hex(key)) },
	{ name: 'with entities in an address', of: (key) => encodeURIComponent(decimal(key)) },
	{ name: 'with entities in JSON', of: (key) => JSON.stringify(named(key)).slice(1, -1) },
	{ name: 'in base64', of: base64 },
	{ name: 'base64 in lines', of: (key) => base64(key).replace(/.{8}(?=.)/g, '$&\r\n') },
	{ name: 'base64 in lines, in JSON', of: (key) => base64(key).replace(/.{8}(?=.)/g, '$&\\n') },
	{ name: 'in base64 without padding', of: (key) => base64(key).replace(/=+$/, '') },
	{ name: 'in base64 for addresses', of: urlSafe },
	{ name: 'in base64, percent-encoded', of: (key) => encodeURIComponent(base64(key)) },
	{ name: 'in lower case in base64', of: (key) => base64(key.toLowerCase()) },
	{ name: 'in upper case in base64', of: (key) => base64(key.toUpperCase()) },
	{ name: 'in base64 behind a user', of: (key) => base64(`user:${key}`) },
	{ name: 'in base64 behind two characters', of: (key) => base64(`a:${key}`) },
	{ name: 'in base64 between others', of: (key) => urlSafe(`{"apikey":"${key}"}`) },
	{ name: 'with its middle cut out, as dots', of: cut(4, '...') },
	{ name: 'with its middle cut out, as an ellipsis', of: cut(4, '…') },
	{ name: 'with its middle cut out, as stars', of: cut(4, '***') },
	{ name: 'with its middle cut out, as a star for each', of: (key) => cut(4, '*'.repeat(key.length))(key) },
	{ name: 'in lower case with its middle cut out', of: (key) => cut(4, '....')(key.toLowerCase()) },
	{ name: 'percent-encoded, with its middle cut out', of: (key) => percent(cut(4, '...')(key)) },
	{
		name: 'cut off in its middle only just',
		of: (key) => `${key.slice(0, Math.max(4, key.length - 5))}…${key.slice(-4)}`,
	},
];
