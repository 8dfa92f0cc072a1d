import { MissingValue, Problem } from '../common/problem';
import { amountOf, count, isBlank, countCharacters, LONGEST, quote } from '../common/text';

/** Reads a name of one line, trimmed. @throws Problem */
export function readName(value: unknown, field: string, advice: string): string {
	const name = typeof value === 'string' ? value.replace(/\s+/g, ' ') : value;
	return readText(name, field, advice, LONGEST.subject);
}

/** Reads a text, trimmed. @param field e.g. `The message` @throws Problem for none, or too long a one */
export function readText(value: unknown, field: string, advice: string, longest = Infinity): string {
	if (isBlank(value)) throw new MissingValue(`${field} is empty`, advice);
	if (typeof value !== 'string' && typeof value !== 'number')
		throw new Problem(`${field} must be text, but it's ${quote(value)}`, advice);
	// Lines end as on the network, which would otherwise never show the text of a sheet from Windows.
	const text = String(value).trim().replaceAll('\r\n', '\n');
	const length = longest === Infinity ? 0 : countCharacters(text);
	if (length <= longest) return text;
	const said = `${field} has ${count(length, 'character')}: ${amountOf(longest)} at most are possible`;
	throw new Problem(said, 'Shorten it');
}
