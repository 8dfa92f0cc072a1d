import { HIDDEN, isSecretField } from './secretFields';

// `apikey=`, `"token": "`, `<token>`, `API key provided: `, also in JSON that broke off or is inside JSON.
const NAME_OF_VALUE =
	/(?<![\w-])(?:api key(?: \w{1,20})?|[a-z][\w-]{0,99})\\{0,3}["']?\s{0,9}(?:[=:]>?|>|%3[ad])\s{0,9}\\{0,3}["']?/gi;
const VALUE =
	/(?<=")(?:\\.|[^"\\])*|(?<=')(?:\\.|[^'\\])*|[[{][^\n]*|(?:(?:Bearer|Basic|Token|ApiKey|Digest|Negotiate)\s+)?[^\s"'&,;<>\\]*/isy;

/** Headers that hold a secret without one of its names. */
const HEADER = /^(?:proxy-)?authorization\b|^(?:set-)?cookie\b/i;

// `token is `, `password was '`, `Bearer `, `key `.
const SENTENCE =
	/(?:token|key|password|passphrase|passwd|secret|jwt|hash|\bbearer|\bbasic)\s{1,9}(?:(?:is|was)(?: now| still)?\s{1,9})?["'“‘`]?(?=\S)/gi;
const QUOTED_OR_WORD = /(?<=["'“‘`])[^"'“”‘’`\n]+(?=["'”’`])|[^\s"'“”‘’`<>,;()]+/y;
/** Fewer characters tell nothing. */
const SHORTEST_SECRET_WORD = 6;
// Letters alone, also in camelCase.
const ORDINARY_WORD = /^(?:[A-Z]?[a-z]*(?:[A-Z][a-z]{2,})*|[A-Z]+)$/;

// `postgres://user:password@host`, `redis://:password@host`; a port and a path may have an `@` too.
const USER_OF_ADDRESS = /(:\/\/[^\s/:@?#"'<>]{0,200}:)(?!\d{1,5}[/?#])[^\s"'<>]{1,200}@/g;

/**
 * Hides what text itself shows to be a secret: `token=abc` becomes `token=**hidden**`. So do the value of a header
 * such as `Authorization`, a password in an address, and after `token is` what is no ordinary word.
 */
export function redactNamedSecrets(text: string): string {
	const withoutFields = hideAfter(text, NAME_OF_VALUE, (name, start) =>
		isSecretField(name) || HEADER.test(name) ? endOf(VALUE, text, start) : start,
	);
	const withoutPasswords = withoutFields.replace(USER_OF_ADDRESS, `$1${HIDDEN}@`);
	return hideAfter(withoutPasswords, SENTENCE, (_, start) => {
		const end = endOf(QUOTED_OR_WORD, withoutPasswords, start);
		return looksSecret(withoutPasswords.slice(start, end)) ? end : start;
	});
}

/** Hides what `valueAfter` finds behind each place that fits the pattern. */
function hideAfter(
	text: string,
	pattern: RegExp,
	valueAfter: (name: string, start: number) => number,
): string {
	let clean = '';
	let done = 0;
	for (const { 0: name, index } of text.matchAll(pattern)) {
		const start = index + name.length;
		const end = index < done ? start : valueAfter(name, start);
		if (end === start) continue;
		clean += text.slice(done, start) + HIDDEN;
		done = end;
	}
	return clean + text.slice(done);
}

function endOf(value: RegExp, text: string, start: number): number {
	value.lastIndex = start;
	return value.test(text) ? value.lastIndex : start;
}

function looksSecret(text: string): boolean {
	return (
		text.length >= SHORTEST_SECRET_WORD && !text.split(/[-_/.:!?*]/).every((word) => ORDINARY_WORD.test(word))
	);
}
