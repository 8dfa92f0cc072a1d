import { MissingValue, Problem } from '../common/problem';
import { isBlank, quote } from '../common/text';

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

/** Reads a decision without a default, also as text such as yes and no. @param field the field's label @throws Problem */
export function readRequiredBoolean(value: unknown, field: string): boolean {
	const answer = booleanIn(value);
	if (answer !== undefined) return answer;
	if (isBlank(value)) throw new MissingValue(`'${field}' is empty`, TRUE_OR_FALSE);
	throw new Problem(`'${field}' must be true or false, but it's ${quote(value)}`, TRUE_OR_FALSE);
}

/** Reads true or false, also as text. @returns `undefined` for anything else */
export function booleanIn(value: unknown): boolean | undefined {
	const isPlain = ['boolean', 'number', 'string'].includes(typeof value);
	return isPlain ? ANSWERS.get(String(value).trim().toLowerCase()) : undefined;
}
