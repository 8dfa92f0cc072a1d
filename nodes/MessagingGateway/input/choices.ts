import { MissingValue, Problem } from '../common/problem';
import { isBlank, quote } from '../common/text';

/** Reads a parameter with several choices: a list, or a single choice. @throws Problem without a known choice */
export function readChoices<T extends string>(value: unknown, known: readonly T[], field: string): T[] {
	const given = Array.isArray(value) ? value : [value ?? ''];
	const chosen = new Set<unknown>(given.filter((choice) => choice !== ''));
	const valid = [...chosen].flatMap((choice) => known.filter((each) => each === choice));
	if (chosen.size > 0 && valid.length === chosen.size) return valid;
	const unknown = [...chosen].find((choice) => !known.some((each) => each === choice));
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

export const STATUS_OPTIONS = [
	{ name: 'Closed', value: 'close', description: 'Not connected to its account' },
	{ name: 'Connecting', value: 'connecting', description: 'Waiting for the connection to its account' },
	{ name: 'Open', value: 'open', description: 'Connected to its account' },
];
