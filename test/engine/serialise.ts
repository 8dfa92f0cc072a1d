import type { SerialisedError } from './protocol';

type Fields = Record<string, unknown>;

/** A value as JSON text, for results: errors with all they hold, other class instances by name only. */
export function toJson(value: unknown): string {
	const ancestors: Array<{ original: object; shown: object }> = [];
	return stringify(value, (original, parent) => {
		while (ancestors.length > 0 && ancestors.at(-1)?.shown !== parent) ancestors.pop();
		if (ancestors.some((ancestor) => ancestor.original === original)) return '[circular]';
		const shown = original instanceof Error ? serialiseError(original) : original;
		const type = typeName(shown);
		if (type !== 'Object' && type !== 'Array') return `[${type}]`;
		ancestors.push({ original, shown });
		return shown;
	});
}

/**
 * A value as JSON text, to look for secrets in: each object it reaches, sockets and requests too, is there once.
 * n8n stores less than this (an error's `cause`, on 2.x the failed request with its headers, stays out of the
 * database), but its hooks are given all of it.
 */
export function toRawText(value: unknown): string {
	const seen = new WeakSet<object>();
	return stringify(value, (original) => {
		if (seen.has(original)) return '[seen]';
		seen.add(original);
		return original instanceof Error ? ownFields(original) : original;
	});
}

/**
 * An error as JSON data. In run data it is mostly a plain copy made by n8n, without `cause`.
 */
export function serialiseError(error: unknown): SerialisedError {
	if (typeof error !== 'object' || error === null) return { name: 'Error', message: String(error) };
	const fields = ownFields(error);
	const itemIndex: unknown = Reflect.get(Object(fields.context), 'itemIndex');
	return {
		...fields,
		name: String(Reflect.get(error, 'name')),
		message: String(Reflect.get(error, 'message')),
		...(typeof itemIndex === 'number' && { itemIndex }),
	};
}

/** Own properties, hidden ones (`message`, `stack`, `cause`) too, without their `toJSON`, which leaves out most. */
function ownFields(value: object): Fields {
	return Object.fromEntries(
		Object.getOwnPropertyNames(value).map((key): [string, unknown] => [key, Reflect.get(value, key)]),
	);
}

/** The name of an object's class. n8n makes some objects in another realm, so only the name tells. */
function typeName(value: object): string {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null ? 'Object' : String(Reflect.get(Object(prototype), 'constructor')?.name);
}

/** `JSON.stringify` with a say over each object, given as it is in its parent, that is before `toJSON`. */
function stringify(value: unknown, show: (original: object, parent: unknown) => unknown): string {
	return JSON.stringify(value, function (this: unknown, key: string, converted: unknown): unknown {
		const original: unknown = Reflect.get(Object(this), key);
		if (typeof original === 'bigint') return String(original);
		if (typeof original !== 'object' || original === null || original instanceof Date) return converted;
		return show(original, this);
	});
}
