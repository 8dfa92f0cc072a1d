import { isRecord } from '../common/json';

/** `{{ $json.phone }}`, `{{ $json['Phone number'] }}` and the like, and nothing before, between or after. */
const FIELD_OF_ITEM =
	/^=\{\{\s*\$json((?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*|\["[^"\\\n]*"\]|\['[^'\\\n]*'\])+)\s*\}\}$/u;

const FIELD_NAMES = /\.([^.[]+)|\["([^"]*)"\]|\['([^']*)'\]/g;

/**
 * The field that an expression names, where it does nothing else: dragging a field onto a parameter gives such a one.
 *
 * @param saved a parameter's value as the workflow has it, expressions with a `=`
 * @returns the field's name, after those of the objects that it's in; `undefined` if the expression does more than that
 */
export function fieldNamedBy(saved: unknown): string[] | undefined {
	const names = typeof saved === 'string' ? FIELD_OF_ITEM.exec(saved)?.[1] : undefined;
	if (names === undefined) return undefined;
	return [...names.matchAll(FIELD_NAMES)].map(([, ...forms]) => forms.join(''));
}

/** The text or number in a field of an item; `undefined` for anything else. */
export function plainValueOf(json: unknown, field: readonly string[]): string | number | undefined {
	const value = field.reduce<unknown>(
		(record, name) => (isRecord(record) && Object.hasOwn(record, name) ? record[name] : undefined),
		json,
	);
	return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
