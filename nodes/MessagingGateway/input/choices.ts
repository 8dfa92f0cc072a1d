import { Problem } from '../common/problem';
import { quote } from '../common/text';

/**
 * Reads a parameter of which several values can be chosen.
 *
 * @param value a list, or one of them
 * @param known all values that there are
 * @param field the field's label, for the message
 * @returns the chosen ones, each once, in the order of the value
 * @throws Problem if none is chosen, or one that isn't known
 */
export function readChoices<T extends string>(value: unknown, known: readonly T[], field: string): T[] {
	const given = Array.isArray(value) ? value : [value ?? ''];
	const chosen = new Set<unknown>(given.filter((one) => one !== ''));
	const valid = [...chosen].flatMap((one) => known.filter((each) => each === one));
	if (chosen.size > 0 && valid.length === chosen.size) return valid;
	const unknown = [...chosen].find((one) => !known.some((each) => each === one));
	throw new Problem(
		unknown === undefined ? `'${field}' is empty` : `'${field}' can't be ${quote(unknown)}`,
		`Choose one or more of ${known.join(', ')}`,
	);
}

/** Reads a parameter that is one of some values. @throws Problem for anything else */
export function readChoice<T extends string>(value: unknown, known: readonly T[], field: string): T {
	const choice = known.find((one) => one === value);
	if (choice !== undefined) return choice;
	throw new Problem(`'${field}' can't be ${quote(value ?? '')}`, `Choose one of ${known.join(', ')}`);
}
