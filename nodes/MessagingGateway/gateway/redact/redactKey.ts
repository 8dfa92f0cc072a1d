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
	// The records of a list have the same few names.
	const redactor = { hide, hideName: memoize(hide) };
	return (value) => redact(value, redactor, 0);
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

/** What strikes the secrets out of a text, and out of a field's name. */
interface Redactor {
	hide: (text: string) => string;
	hideName: (name: string) => string;
}

/** Nothing is copied where nothing changes, which is nearly always so. */
function redact(value: unknown, redactor: Redactor, depth: number): unknown {
	if (typeof value === 'string') return redactor.hide(value);
	if (typeof value === 'number') {
		const text = String(value);
		const after = redactor.hide(text);
		return after === text ? value : after;
	}
	if (!Array.isArray(value) && !isRecord(value)) return value;
	if (depth > DEEPEST) return HIDDEN;
	if (Array.isArray(value)) {
		const after = value.map((element) => redact(element, redactor, depth + 1));
		return after.some((element, i) => element !== value[i]) ? after : value;
	}
	let changed: Map<string, [name: string, field: unknown]> | undefined;
	for (const name of Object.keys(value)) {
		const shown = redactor.hideName(name);
		const field = redact(value[name], redactor, depth + 1);
		if (shown !== name || field !== value[name]) (changed ??= new Map()).set(name, [shown, field]);
	}
	if (changed === undefined) return value;
	return Object.fromEntries(Object.entries(value).map(([name, field]) => changed.get(name) ?? [name, field]));
}
