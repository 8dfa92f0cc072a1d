import { isRecord } from '../../common/json';
import { decodingsOf, isInLines } from './decodings';
import { encodingsOf, SHORTEST_SECRET, type Encodings } from './encodings';
import { redactEncodings } from './redactText';
import { DEEPEST, HIDDEN, memoize } from './secretFields';

/**
 * Makes the function that strikes secrets out of JSON values, in whatever field and form they are, also out of the
 * names of fields and out of numbers.
 *
 * @param secrets the credential's key, as it was entered and as it is sent
 * @returns a function that gives the value itself where it holds none, otherwise a copy; nesting
 * of more than 100 levels is hidden whole
 */
export function keyRedactor(secrets: Iterable<string>): (value: unknown) => unknown {
	const forms = encodingsOf(secrets);
	const beginning = beginningOf(forms);
	// In steps, since nearly all text is clean, and most of it isn't encoded.
	const isSuspect = (text: string) =>
		beginning.test(text) ||
		(SIGN_OF_ENCODING.test(text) &&
			decodingsOf(text).some((one) => isInLines(one) || beginning.test(one.text)));
	const hide = (text: string) => (isSuspect(text) ? redactEncodings(text, forms) : text);
	const holdsSecret = secretFinder(hide);
	return (value) => (holdsSecret(value, 0) ? copyOf(value, hide, 0) : value);
}

/** What stands in every text that is encoded or in lines, but not in the query of every URL. */
const SIGN_OF_ENCODING = /%[\da-f]{2}|&(?:#|.{2,8};)|[\\\n]/is;

/** A pattern that fits all texts in which a secret may begin that isn't encoded. */
function beginningOf(forms: readonly Encodings[]): RegExp {
	const parts = forms.flatMap(({ plain, base64 }) => [
		// The beginning alone, since the middle may be cut out.
		...plain.map((form) => form.slice(0, SHORTEST_SECRET)),
		...base64,
	]);
	const literals = [...new Set(parts)].map((part) => part.replace(/[^\w\s]/g, '\\$&'));
	return new RegExp(literals.join('|') || '(?!)', 'i');
}

/** Makes what is asked first, since it is nearly always so that nothing has to be copied. */
function secretFinder(hide: (text: string) => string): (value: unknown, depth: number) => boolean {
	const holds = (text: string) => hide(text) !== text;
	const holdsInName = memoize(holds);
	return function holdsSecret(value, depth): boolean {
		if (typeof value === 'string') return holds(value);
		if (typeof value === 'number') return holds(String(value));
		if (!Array.isArray(value) && !isRecord(value)) return false;
		if (depth > DEEPEST) return true;
		if (Array.isArray(value)) return value.some((element) => holdsSecret(element, depth + 1));
		return Object.keys(value).some((name) => holdsInName(name) || holdsSecret(value[name], depth + 1));
	};
}

function copyOf(value: unknown, hide: (text: string) => string, depth: number): unknown {
	if (typeof value === 'string') return hide(value);
	if (typeof value === 'number') return hide(String(value)) === String(value) ? value : hide(String(value));
	if (!Array.isArray(value) && !isRecord(value)) return value;
	if (depth > DEEPEST) return HIDDEN;
	if (Array.isArray(value)) return value.map((element) => copyOf(element, hide, depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([name, field]) => [hide(name), copyOf(field, hide, depth + 1)]),
	);
}
