/** A JSON object with unchecked fields. */
export type JsonRecord = Record<string, unknown>;

/** Whether a value is a JSON object, neither a list nor `null`. */
export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns text, and `undefined` for any other value. */
export function textOf(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

/** Returns a list, and an empty list for any other value. */
export function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Returns a JSON object, and an empty object for any other value. */
export function recordOf(value: unknown): JsonRecord {
	return isRecord(value) ? value : {};
}
