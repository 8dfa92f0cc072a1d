import { HIDDEN, isSecretField } from './secrets';

/** Shorter text is no key, and striking it out of a sentence would garble it. */
const SHORTEST_SECRET = 4;
/** Of one that was cut off, fewer characters tell nothing. */
const SHORTEST_CUT = 8;

// `apikey=`, `"token": "`, `<token>`, `API key provided: `, also in JSON that broke off or is inside JSON.
const NAME_OF_VALUE =
	/(?<![\w-])(?:api key(?: \w{1,20})?|[a-z][\w-]{0,99})\\{0,3}["']?\s{0,9}(?:[=:]>?|>|%3[ad])\s{0,9}\\{0,3}["']?/gi;
const VALUE =
	/(?<=")(?:\\.|[^"\\])*|(?<=')(?:\\.|[^'\\])*|[[{][^\n]*|(?:(?:Bearer|Basic)\s+)?[^\s"'&,;<>\\]*/isy;

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
	return forms.reduce(strikeOutCut, clean);
}

/** A secret as it is, and as it stands in an address, a form, JSON and a page; each form once. */
export function formsOf(secret: string): string[] {
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
	// Nearly always so, and cheaper.
	if (!text.includes(secret.slice(0, SHORTEST_CUT))) return text;
	let clean = text;
	for (let { length } = secret; length >= SHORTEST_CUT; length--)
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
