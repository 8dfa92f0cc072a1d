import { MissingValue, Problem } from '../common/problem';
import { isBlank, quote } from '../common/text';

/** The texts that the editor and spreadsheets give, such as TRUE and 1. */
const BOOLEAN_TEXTS = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

/** The texts that people and language models write, too. */
const ANSWERS = new Map([...BOOLEAN_TEXTS, ['yes', true], ['no', false]]);

const TRUE_OR_FALSE = 'Enter true or false; yes, no, 1, and 0 work too';

/** Reads a decision without a default, also as text such as yes and no. @param field the field's label @throws Problem */
export function readRequiredBoolean(value: unknown, field: string): boolean {
	const answer = ANSWERS.get(wordOf(value));
	if (answer !== undefined) return answer;
	if (isBlank(value)) throw new MissingValue(`'${field}' is empty`, TRUE_OR_FALSE);
	throw new Problem(`'${field}' must be true or false, but it's ${quote(value)}`, TRUE_OR_FALSE);
}

/** Reads a switch of the node, also as text. @param field the field's label @param usual the default @throws Problem */
export function readBoolean(value: unknown, field: string, usual: boolean): boolean {
	const answer = BOOLEAN_TEXTS.get(wordOf(value));
	if (answer !== undefined) return answer;
	throw new Problem(
		`'${field}' must be true or false, but it's ${quote(value ?? '')}`,
		`Change the value or its expression. Default: ${usual}`,
	);
}

function wordOf(value: unknown): string {
	const isPlain = ['boolean', 'number', 'string'].includes(typeof value);
	return isPlain ? String(value).trim().toLowerCase() : '';
}
