import { decodingsOf, joinLines, type Decoding } from './decodings';
import { encodingsOf, type Encodings } from './encodings';
import { HIDDEN } from './secretFields';

/** From where to where a secret stands. */
type Span = readonly [start: number, end: number];

/** Of a secret whose middle is cut out, as many characters at each end tell that it is one. */
const SHORTEST_END = 4;
/** Of one that is cut off, fewer characters tell nothing. */
const SHORTEST_START = 8;
/** What stands in place of a part that was cut off. */
const CUT = /[*•…]|\.{2,}/;
/** The most that is left of an encoded character before it. */
const LONGEST_ESCAPE = 12;

/**
 * Strikes known secrets out of text that is shown, however they stand there: in other case, percent-encoded or as
 * HTML and JSON have them (also several times), in base64, with their middle cut out or cut off with an ellipsis.
 *
 * @param secrets the credential's key, and what {@link secretsIn} found
 */
export function redactText(text: string, secrets: Iterable<string>): string {
	return redactEncodings(text, encodingsOf(secrets));
}

/** {@link redactText} where the forms of the secrets are at hand. */
export function redactEncodings(text: string, forms: readonly Encodings[]): string {
	const spans = decodingsOf(text).flatMap((reading) => [
		...spansWithin(reading, forms, plainSpansOf),
		...spansWithin(joinLines(reading), forms, base64SpansOf),
	]);
	let clean = '';
	let done = 0;
	for (const [start, end] of spans.sort(([a], [b]) => a - b)) {
		// Of what overlaps one that is struck out already, only the rest is left.
		if (start >= done) clean += text.slice(done, start) + HIDDEN;
		done = Math.max(done, end);
	}
	return clean + text.slice(done);
}

/** Where in the text as it is the secrets stand that are found in a reading of it. */
function spansWithin(
	reading: Decoding,
	forms: readonly Encodings[],
	spansOf: (text: string, form: Encodings) => Span[],
): Span[] {
	const found = forms.flatMap((form) => spansOf(reading.text, form));
	if (found.length === 0) return [];
	const starts = reading.starts();
	return found.map(([start, end]) => [starts[start] ?? 0, starts[end] ?? starts.length]);
}

function plainSpansOf(text: string, { plain }: Encodings): Span[] {
	return plain
		.filter((form) => text.includes(form.slice(0, SHORTEST_END)))
		.flatMap((form) => [
			...indexesOf(text, form).map((at): Span => [at, at + form.length]),
			...spansOfCut(text, form),
		]);
}

function indexesOf(text: string, part: string): number[] {
	const places: number[] = [];
	for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
	return places;
}

/** Base64 is hidden whole: at both ends of a secret it also holds what stands beside it. */
function base64SpansOf(text: string, { base64: forms }: Encodings): Span[] {
	if (!forms.some((form) => text.includes(form))) return [];
	return [...text.matchAll(/[\w+/-]{6,}={0,2}/g)]
		.filter(([run]) => forms.some((form) => run.includes(form)))
		.map(({ 0: run, index }) => [index, index + run.length]);
}

/** Where a beginning and an end of a secret stand around dots or stars, or a longer beginning before them. */
function spansOfCut(text: string, form: string): Span[] {
	if (form.length < 2 * SHORTEST_END) return [];
	const [head, tail] = [form.slice(0, SHORTEST_END), form.slice(-SHORTEST_END)];
	return indexesOf(text, head).flatMap((at): Span[] => {
		// As many stars as there were characters, and as many characters as are left.
		const near = text.slice(at, at + 2 * form.length + LONGEST_ESCAPE);
		const cut = SHORTEST_END + near.slice(SHORTEST_END).search(CUT);
		if (cut < SHORTEST_END) return [];
		const start = commonStart(near, form);
		// The cut belongs to another secret, which begins nearer to it.
		if (near.lastIndexOf(head, cut - SHORTEST_END) > start) return [];
		const end = near.indexOf(tail, cut + 1);
		if (end !== -1) return [[at, at + end + SHORTEST_END]];
		const rest = near.slice(start, start + LONGEST_ESCAPE).search(CUT);
		return start < SHORTEST_START || rest === -1 ? [] : [[at, at + start + rest]];
	});
}

function commonStart(a: string, b: string): number {
	let length = 0;
	while (length < b.length && a[length] === b[length]) length++;
	return length;
}
