import { HIDDEN, isSecretField } from './secretFields';

// `apikey=`, `"token": "`, `<token>`, `API key provided: `, also in JSON that broke off or is inside JSON.
const NAME_OF_VALUE =
	/(?<![\w-])(?:api key(?: \w{1,20})?|[a-z][\w-]{0,99})\\{0,3}["']?\s{0,9}(?:[=:]>?|>|%3[ad])\s{0,9}\\{0,3}["']?/gi;
const VALUE =
	/(?<=")(?:\\.|[^"\\])*|(?<=')(?:\\.|[^'\\])*|[[{][^\n]*|(?:(?:Bearer|Basic|Token|ApiKey|Digest|Negotiate)\s+)?[^\s"'&,;<>\\]*/isy;

/** Headers that hold a secret without one of its names. */
const HEADER = /^(?:proxy-)?authorization\b|^(?:set-)?cookie\b/i;

/** The value of a header without its name, but no ordinary word: `Bearer eyJh…`. */
const CREDENTIALS = /\b([Bb]earer|[Bb]asic)\s{1,9}(?=\S*(?:\d|[a-z][A-Z]))[^\s"'`<>,;()]{6,}/g;

// `postgres://user:password@host`, `redis://:password@host`; a port and a path may have an `@` too.
const USER_OF_ADDRESS = /(:\/\/[^\s/:@?#"'<>]{0,200}:)(?!\d{1,5}[/?#])[^\s"'<>]{1,200}@/g;

/**
 * Hides what text itself shows to be a secret: `token=abc` becomes `token=**hidden**`. So do the value of a header
 * such as `Authorization`, and a password in an address.
 */
export function redactNamedSecrets(text: string): string {
	let clean = '';
	let done = 0;
	for (const { 0: name, index } of text.matchAll(NAME_OF_VALUE)) {
		if (index < done || !(isSecretField(name) || HEADER.test(name))) continue;
		const start = index + name.length;
		VALUE.lastIndex = start;
		const [value = ''] = VALUE.exec(text) ?? [];
		if (value === '') continue;
		clean += text.slice(done, start) + HIDDEN;
		done = start + value.length;
	}
	clean += text.slice(done);
	return clean.replace(USER_OF_ADDRESS, `$1${HIDDEN}@`).replace(CREDENTIALS, `$1 ${HIDDEN}`);
}
