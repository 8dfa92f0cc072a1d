/** A JSON object whose fields are not checked yet. */
export type JsonRecord = Record<string, unknown>;

/** Whether the value is a JSON object (not a list, not `null`). */
export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is text, otherwise `undefined`. */
export function textOf(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

/** The value if it is a list, otherwise an empty one. */
export function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? (value as unknown[]) : [];
}

/** A copy of the object with other values: several times as fast as over its entries, for lists of many records. */
export function mapFields(
	record: JsonRecord,
	valueOf: (field: unknown, name: string) => unknown,
): JsonRecord {
	const copy: JsonRecord = {};
	for (const name of Object.keys(record)) {
		const value = valueOf(record[name], name);
		// An assignment to `__proto__` would change the object itself.
		if (name === '__proto__') Object.defineProperty(copy, name, { value, ...OWN });
		else copy[name] = value;
	}
	return copy;
}

const OWN = { configurable: true, enumerable: true, writable: true };
