/** Maximum length of the gateway's texts in messages, in characters. */
const LONGEST_SHOWN = 500;
const LONGEST_VALUE = 60;
const LONGEST_GIVEN_NAME = 100;

// Control characters, and the invisible marks that reorder text on the screen.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Makes foreign text safe to show in one line. Above `longest` characters it ends with an ellipsis. */
export function oneLine(text: string, longest = LONGEST_SHOWN): string {
	// Cuts before cleaning, too, so that a huge text costs no more than a long one.
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

/** Reads a name that others have written, in one line of at most 100 characters: it stands in approvals. */
export const oneName = (value: unknown): string | undefined =>
	typeof value === 'string' ? oneLine(value, LONGEST_GIVEN_NAME) : undefined;

/** The limits of the network for texts of a group, in characters. */
export const LONGEST = { subject: 100, description: 2048 };

/** All of these but joiners of emoji and letters, and tags of flags: a text without them is another one. */
const UNPRINTABLE_ALONE = /(?:(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}])+/gu;

/** Maximum length in code units of what people see as one sign. */
const LONGEST_SIGN = 40;

/** Reads another's text for an output: in one line, or with its line breaks. @param longest in characters */
export function shownText(value: unknown, longest: number, hasLines = false): string | undefined {
	if (typeof value !== 'string') return undefined;
	const start = value.slice(0, longest * LONGEST_SIGN);
	const lines = hasLines ? start.split(/\r\n?|\n/) : [start];
	const clean = lines.map((line) => {
		const printable = line.replace(UNPRINTABLE_ALONE, ' ');
		return (hasLines ? printable : printable.replace(/\s+/g, ' ')).trimEnd();
	});
	const signs = [...new Intl.Segmenter().segment(clean.join('\n').trim())].map(({ segment }) => segment);
	return signs.length <= longest ? signs.join('') : `${signs.slice(0, longest - 1).join('')}…`;
}

/** Gives a value for a comparison: networks change the form of letters and spaces, and drop unseen marks. */
export function comparable(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	return value
		.normalize('NFC')
		.replace(/[\p{Cf}\uFE0F]/gu, '')
		.replace(/[^\S\n]+/g, ' ')
		.replaceAll(' \n', '\n')
		.trim();
}

/** Quotes an item's value for a message, short and in one line: `"5.51E+12"`, `true`, `a list`. */
export function quote(value: unknown): string {
	if (typeof value === 'string') return `"${oneLine(value, LONGEST_VALUE)}"`;
	if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
	return String(value);
}

/** Whether a value is missing, or text of spaces and characters that have no width. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && UNSEEN.test(value));

const UNSEEN = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/** Joins the parts of a summary that aren't empty: `3 added; 2 failed`. */
export const joinParts = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('; ');

/** Writes an amount as all messages have it: `1,000`. */
export const amountOf = (amount: number): string => amount.toLocaleString('en-US');

export const count = (amount: number, noun: string): string =>
	`${amountOf(amount)} ${noun}${amount === 1 ? '' : 's'}`;

export const sayPeople = (amount: number): string => (amount === 1 ? '1 person' : `${amount} people`);

/** Maximum number of people that a message names. Others are counted. */
const MOST_NAMES = 10;

/** Lists names: `Ana, Bo and 3 more`. n8n shows HTML, where `<!--` in one would hide the others. */
export function nameSome(names: readonly string[], most = MOST_NAMES): string {
	const more = names.length - most;
	const named = names.slice(0, most).join(', ').replaceAll('<', '‹');
	return named + (more > 0 ? ` and ${amountOf(more)} more` : '');
}

/** Counts characters as people do: an emoji is one. */
export const countCharacters = (text: string): number => [...new Intl.Segmenter().segment(text)].length;

export const withoutPeriod = (sentence: string): string => sentence.replace(/\.$/, '');

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Writes the first letter in lower case, unless text begins with an abbreviation. */
export const uncapitalized = (text: string): string =>
	text.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());

/** Returns eight hex digits that tell texts apart (32-bit FNV-1a). Not for secrets. */
export function hashOf(text: string): string {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return (hash >>> 0).toString(16).padStart(8, '0');
}
