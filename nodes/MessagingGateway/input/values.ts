import { MissingValue, Problem } from '../common/problem';
import { isBlank, quote, amountOf, count, countCharacters, LONGEST } from '../common/text';

/** Reads a parameter with several choices: a list, or one. @throws Problem without a known choice */
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

/** Words of the editor, of sheets in several languages, of people and language models, without accents. */
const ANSWERS = {
	yes: 'true 1 yes verdadeiro sim verdadero si wahr ja vrai oui vero waar',
	no: 'false 0 no falso nao falsch nein faux non onwaar nee',
};

const TRUE_OR_FALSE = 'Enter true or false; yes, no, 1, and 0 work too';

/** Reads a decision without a default, also as text such as yes and no. @throws Problem */
export function readRequiredBoolean(value: unknown, field: string): boolean {
	const answer = booleanIn(value);
	if (answer !== undefined) return answer;
	if (isBlank(value)) throw new MissingValue(`'${field}' is empty`, TRUE_OR_FALSE);
	throw new Problem(`'${field}' must be true or false, but it's ${quote(value)}`, TRUE_OR_FALSE);
}

/** Reads true or false, also as text. @returns `undefined` for anything else */
export function booleanIn(value: unknown): boolean | undefined {
	if (!['boolean', 'number', 'string'].includes(typeof value)) return undefined;
	const word = String(value).trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
	const isAmong = (words: string) => words.split(' ').includes(word);
	return isAmong(ANSWERS.yes) || (isAmong(ANSWERS.no) ? false : undefined);
}

export const STATUS_OPTIONS = [
	{ name: 'Closed', value: 'close', description: 'Not connected to its account' },
	{ name: 'Connecting', value: 'connecting', description: 'Waiting for the connection to its account' },
	{ name: 'Open', value: 'open', description: 'Connected to its account' },
];

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
