/** The first digit and the length of a text; no digit where the text is empty. */
export interface Beginning {
	digit: string;
	length: number;
}

const TOKEN = /\(\?:|[)|]|\{\d+(?:,\d+)?\}|\?|\\d|\[[\d-]+\]|\d/g;
const DIGITS = [...'0123456789'];
const EMPTY: Beginning = { digit: '', length: 0 };

/**
 * Lists the first digits and lengths that texts of a pattern have.
 *
 * @param pattern digits, `\d`, `[2-9]`, `(?:…|…)`, `?` and `{2,3}`: all that patterns of phone numbers are made of
 */
export function beginningsOf(pattern: string): Beginning[] {
	const tokens = pattern.match(TOKEN) ?? [];
	if (tokens.join('') !== pattern) throw new Error(`Unknown pattern: ${pattern}`);
	return alternatives(tokens);
}

/** Reads up to the end or the closing bracket, and takes what it reads off the tokens; so do the others. */
function alternatives(tokens: string[]): Beginning[] {
	const all = sequence(tokens);
	while (tokens[0] === '|') {
		tokens.shift();
		all.push(...sequence(tokens));
	}
	tokens.shift();
	return distinct(all);
}

function sequence(tokens: string[]): Beginning[] {
	let all = [EMPTY];
	while (tokens.length > 0 && tokens[0] !== '|' && tokens[0] !== ')') {
		const atom = atomOf(tokens);
		const [least, most] = timesOf(tokens);
		let repeated = [EMPTY];
		const each: Beginning[] = [];
		for (let times = 0; times <= most; times++) {
			if (times >= least) each.push(...repeated);
			repeated = joined(repeated, atom);
		}
		all = joined(all, each);
	}
	return all;
}

function atomOf(tokens: string[]): Beginning[] {
	const token = tokens.shift() ?? '';
	if (token === '(?:') return alternatives(tokens);
	const pattern = new RegExp(token);
	return DIGITS.filter((digit) => pattern.test(digit)).map((digit) => ({ digit, length: 1 }));
}

function timesOf(tokens: string[]): [least: number, most: number] {
	if (tokens[0] === '?') return tokens.shift() ? [0, 1] : [1, 1];
	const [, least, most = least] = /^\{(\d+)(?:,(\d+))?\}$/.exec(tokens[0] ?? '') ?? [];
	if (least === undefined) return [1, 1];
	tokens.shift();
	return [Number(least), Number(most)];
}

function joined(some: readonly Beginning[], others: readonly Beginning[]): Beginning[] {
	return distinct(
		some.flatMap((one) =>
			others.map((other) => ({ digit: one.digit || other.digit, length: one.length + other.length })),
		),
	);
}

function distinct(all: readonly Beginning[]): Beginning[] {
	return [...new Map(all.map((one) => [`${one.digit} ${one.length}`, one])).values()];
}
