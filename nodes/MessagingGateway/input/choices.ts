import type { JsonRecord } from '../common/json';
import { MissingValue, Problem } from '../common/problem';
import { isBlank, oneLine, quote } from '../common/text';

/** Reads a parameter with several choices: a list, or a single choice. @throws Problem without a known choice */
export function readChoices<T extends string>(value: unknown, known: readonly T[], field: string): T[] {
	const isKnown = (choice: unknown): choice is T => known.some((each) => each === choice);
	const chosen = [...new Set<unknown>([value ?? ''].flat())].filter((choice) => choice !== '');
	if (chosen.length > 0 && chosen.every(isKnown)) return chosen;
	const unknown = chosen.find((choice) => !isKnown(choice));
	throw new Problem(
		unknown === undefined ? `'${field}' is empty` : `'${field}' can't be ${quote(unknown)}`,
		`Choose one or more of ${known.join(', ')}`,
	);
}

export function readChoice<T extends string>(value: unknown, known: readonly T[], field: string): T {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
	const choice = known.find((each) => each.toLowerCase() === text);
	if (choice !== undefined) return choice;
	const Kind = isBlank(value) ? MissingValue : Problem;
	throw new Kind(`'${field}' can't be ${quote(value ?? '')}`, `Use one of ${known.join(', ')}`);
}

/** The texts of the editor and spreadsheets, such as TRUE and 1, and of people and language models. */
const ANSWERS = new Map([
	['true', true],
	['1', true],
	['yes', true],
	['false', false],
	['0', false],
	['no', false],
]);

const TRUE_OR_FALSE = 'Enter true or false; yes, no, 1, and 0 work too';

/** Reads a decision without a default, also as text such as yes and no. @param field the field's label @param json the item's fields @throws Problem */
export function readRequiredBoolean(value: unknown, field: string, json: JsonRecord): boolean {
	const answer = booleanIn(value);
	if (answer !== undefined) return answer;
	if (isBlank(value)) throw new MissingValue(`'${field}' is empty`, TRUE_OR_FALSE);
	// A sentence is no word for yes or no, but what an expression says to whoever reads it.
	const isWord = String(value).trim().length <= LONGEST_WORD;
	const example = isWord
		? `. For other words, write an expression such as ${expressionFor(value, json)}`
		: '';
	throw new Problem(`'${field}' must be true or false, but it's ${quote(value)}`, TRUE_OR_FALSE + example);
}

/** Words that mean no, each with the one that means yes. */
const OPPOSITES = new Map([
	['não', 'sim'],
	['nao', 'sim'],
	['nein', 'ja'],
	['non', 'oui'],
]);
const DATE = /^\d{1,2}([/.-])\d{1,2}\1\d{4}$/;

/** Writes the expression that makes true or false of a field's words, or of the last day in it. */
function expressionFor(value: unknown, json: JsonRecord): string {
	const text = String(value).trim();
	const name = Object.keys(json).find((field) => json[field] === value) ?? 'paid';
	const field = /^[\p{L}_$][\p{L}\d_$]*$/u.test(name) ? `$json.${name}` : `$json[${JSON.stringify(name)}]`;
	const [, separator] = DATE.exec(text) ?? [];
	if (separator !== undefined)
		return `{{ DateTime.fromFormat(${field}, 'd${separator}M${separator}yyyy') >= $today }}`;
	if (/^\d{4}-\d\d-\d\d/.test(text)) return `{{ DateTime.fromISO(${field}) >= $today }}`;
	return `{{ ${field} === ${yesLike(text)} }}`;
}

function yesLike(text: string): string {
	const yes = OPPOSITES.get(text.toLowerCase()) ?? text;
	return `'${oneLine(yes).replaceAll("'", "\\'")}'`;
}

const LONGEST_WORD = 30;

/** Reads true or false, also as text. @returns `undefined` for anything else */
export function booleanIn(value: unknown): boolean | undefined {
	const isPlain = ['boolean', 'number', 'string'].includes(typeof value);
	return isPlain ? ANSWERS.get(String(value).trim().toLowerCase()) : undefined;
}

export const STATUS_OPTIONS = [
	{ name: 'Closed', value: 'close', description: 'Not connected to its account' },
	{ name: 'Connecting', value: 'connecting', description: 'Waiting for the connection to its account' },
	{ name: 'Open', value: 'open', description: 'Connected to its account' },
];
