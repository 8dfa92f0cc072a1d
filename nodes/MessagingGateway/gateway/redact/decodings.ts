/** A text in lower case, with its encodings undone so many times. */
export interface Decoding {
	text: string;
	/** Where each character stood in the text as it is, and last where that ends: worked out only where it's asked for. */
	starts: () => Uint32Array;
}

/** Twice is what proxies and logs do; one more for JSON around it, and one to be safe. */
const MOST_ROUNDS = 4;

// In lower case: percent-encoded characters of UTF-8 and others, entities, escapes of JSON.
const ESCAPE =
	/%f[0-4](?:%[89ab][\da-f]){3}|%e[\da-f](?:%[89ab][\da-f]){2}|%[cd][\da-f]%[89ab][\da-f]|%[\da-f]{2}|&#\d{1,7};?|&#x[\da-f]{1,6};?|&[a-z][a-z\d]{1,7};|\\u[\da-f]{4}|\\["\\/]/g;

/** Where base64 is broken into lines, also as JSON has it. */
const LINE_BREAK = /(?<=[\w+/-])(?:\r?\n|(?:\\r)?\\n)[\t ]*(?=[\w+/=-])/g;

/** What a text must have to be encoded at all. */
const ENCODED = /%[\da-f]{2}|&(?:#|[a-z][a-z\d]{1,7};)|\\["\\/u]/i;

/** What it must have to be in lines. */
const IN_LINES = /\n|\\[nr]/i;

/** A text as it is, and with percent-encoding, entities and escapes undone, once and more often. */
export function decodingsOf(text: string): Decoding[] {
	const first: Decoding = {
		text: lowerCase(text),
		starts: () => new Uint32Array(text.length + 1).map((_, i) => i),
	};
	const decodings: Decoding[] = [first];
	for (let last: Decoding | undefined = first; last && decodings.length <= MOST_ROUNDS;) {
		last = ENCODED.test(last.text) ? decode(last) : undefined;
		if (last) decodings.push(last);
	}
	return decodings;
}

/** As many characters as before, so that each stays in its place. */
export function lowerCase(text: string): string {
	// The only letter that two characters stand for then.
	return text.replaceAll('İ', 'i').toLowerCase();
}

function decode(from: Decoding): Decoding {
	return replaced(from, ESCAPE, valueOf);
}

/** A text with its lines joined where they may be those of base64. */
export function joinLines(from: Decoding): Decoding {
	return isInLines(from) ? replaced(from, LINE_BREAK, () => '') : from;
}

/** Whether there may be lines to join. */
export function isInLines({ text }: Decoding): boolean {
	return IN_LINES.test(text);
}

/** @param by gives no more characters than it takes */
function replaced({ text, starts }: Decoding, pattern: RegExp, by: (part: string) => string): Decoding {
	return {
		text: lowerCase(text.replace(pattern, by)),
		starts: () => startsAfter(text, starts(), pattern, by),
	};
}

/** Where each character stood of what is left. @param starts where those of the text stood */
function startsAfter(
	text: string,
	starts: Uint32Array,
	pattern: RegExp,
	by: (part: string) => string,
): Uint32Array {
	const next = new Uint32Array(text.length + 1);
	let length = 0;
	let done = 0;
	const copyUntil = (end: number) => {
		next.set(starts.subarray(done, end), length);
		length += end - done;
	};
	for (const { 0: part, index } of text.matchAll(pattern)) {
		copyUntil(index);
		const { length: left } = by(part);
		next.fill(starts[index] ?? 0, length, length + left);
		length += left;
		done = index + part.length;
	}
	copyUntil(text.length + 1);
	return next.subarray(0, length);
}

function valueOf(escape: string): string {
	if (escape.startsWith('%')) return octetsOf(escape);
	if (escape.startsWith('\\u')) return String.fromCharCode(parseInt(escape.slice(2), 16));
	if (escape.startsWith('\\')) return escape.slice(1);
	if (escape.startsWith('&#x')) return characterOf(parseInt(escape.slice(3), 16), escape);
	if (escape.startsWith('&#')) return characterOf(parseInt(escape.slice(2), 10), escape);
	return ENTITIES.get(escape.slice(1, -1)) ?? escape;
}

function octetsOf(escape: string): string {
	try {
		return decodeURIComponent(escape);
	} catch {
		// One octet that is no UTF-8: a character of Latin-1.
		return Buffer.from(escape.replaceAll('%', ''), 'hex').toString('latin1');
	}
}

function characterOf(code: number, escape: string): string {
	return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
}

/** HTML's names of the characters that a header can carry, in lower case, from a code on. */
const ENTITY_NAMES: Array<[number, string]> = [
	[0x20, 'space excl quot num dollar percnt amp apos lpar rpar ast plus comma dash period sol'],
	[0x3a, 'colon semi lt equals gt quest commat'],
	[0x5b, 'lsqb bsol rsqb hat lowbar grave'],
	[0x5b, 'lbrack bsol rbrack hat underbar diacriticalgrave'],
	[0x7b, 'lcub verbar rcub'],
	[0x7b, 'lbrace vert rbrace'],
	[0xa0, 'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr'],
	[0xb0, 'deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest'],
	[0xd7, 'times'],
	[0xdf, 'szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml'],
	[0xec, 'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash'],
	[0xf9, 'ugrave uacute ucirc uuml yacute thorn yuml'],
];

const ENTITIES = new Map([
	['midast', '*'],
	...ENTITY_NAMES.flatMap(([from, names]) =>
		names.split(' ').map((name, i) => [name, String.fromCharCode(from + i)] as const),
	),
]);
