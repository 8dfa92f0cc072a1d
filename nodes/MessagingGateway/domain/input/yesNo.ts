import { Problem } from '../failures/problem';
import { quote } from '../text/text';

/** What sheets, forms and language models write. */
const WORDS = new Map([
	['true', true],
	['yes', true],
	['1', true],
	['false', false],
	['no', false],
	['0', false],
]);

/**
 * Reads a decision that must not be left to chance, so it has no default.
 *
 * @param value true or false, 1 or 0, or text that says so in any case, with yes and no
 * @param field the field's label, for the message
 * @throws Problem where it is empty or anything else
 */
export function readYesNo(value: unknown, field: string): boolean {
	const isPlain = ['boolean', 'number', 'string'].includes(typeof value);
	const text = isPlain ? String(value).trim().toLowerCase() : value;
	const whatToDo = 'Enter true or false (yes, no, 1, and 0 work too), also where it comes from an expression';
	if (text === '' || text === undefined || text === null) throw new Problem(`'${field}' is empty`, whatToDo);
	const answer = typeof text === 'string' ? WORDS.get(text) : undefined;
	if (answer === undefined)
		throw new Problem(`'${field}' must be true or false, but it's ${quote(value)}`, whatToDo);
	return answer;
}
