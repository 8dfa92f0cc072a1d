/** Longest text of the gateway's that is shown, in characters. */
const LONGEST_SHOWN = 500;
/** Longest value of an item that is shown, in characters. */
const LONGEST_VALUE = 60;

// Control characters, and the invisible marks that reorder text on the screen.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/**
 * Makes foreign text safe to show in one line.
 *
 * @param text anything from the gateway or an item
 * @param longest most characters to keep; the rest is cut and marked with an ellipsis
 */
export function oneLine(text: string, longest = LONGEST_SHOWN): string {
	// Cut before cleaning too, so that a huge text costs no more than a long one.
	const clean = text
		.slice(0, longest * 4)
		.replace(UNPRINTABLE, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	if (clean.length <= longest && text.length <= longest * 4) return clean;
	return `${clean
		.slice(0, longest - 1)
		.toWellFormed()
		.replace(/\uFFFD$/, '')}…`;
}

/** A value of an item as it is quoted in a message: `"5.51E+12"`, `true`, `a list`; short and in one line. */
export function quote(value: unknown): string {
	if (typeof value === 'string') return `"${oneLine(value, LONGEST_VALUE)}"`;
	if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
	return String(value);
}

/** Whether an item gives no value: none at all, or text without anything in it. */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** The parts of a summary that say something, in one line: `3 added; 2 failed`. */
export function joinParts(parts: readonly string[]): string {
	return parts.filter((part) => part !== '').join('; ');
}

/** `1 participant`, `2 participants`. */
export function count(amount: number, noun: string): string {
	return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** A sentence as the beginning of a longer one. */
export function withoutPeriod(sentence: string): string {
	return sentence.replace(/\.$/, '');
}

/** A sentence that begins with a capital letter. */
export function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A sentence as a part of another; an abbreviation in front stays. */
export function uncapitalized(text: string): string {
	return text.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());
}
