/** A JSON object with unchecked fields. */
export type JsonRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

export function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? (value as unknown[]) : [];
}

export function recordOf(value: unknown): JsonRecord {
	return isRecord(value) ? value : {};
}

/** Reads JSON stored as text. @returns `undefined` for anything else */
export function parseJson(text: unknown): unknown {
	try {
		return typeof text === 'string' ? JSON.parse(text) : undefined;
	} catch {
		return undefined;
	}
}
