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

/** The value if it is a JSON object, otherwise an empty one. */
export function recordOf(value: unknown): JsonRecord {
	return isRecord(value) ? value : {};
}
