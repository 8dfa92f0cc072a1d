import { attempt } from './problem';

/** A JSON object with unchecked fields. */
export type JsonRecord = Record<string, unknown>;

export const isRecord = (value: unknown): value is JsonRecord =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** Reads JSON stored as text. @returns `undefined` for anything else */
export function parseJson(text: unknown): unknown {
	return typeof text === 'string' ? attempt(() => JSON.parse(text) as unknown) : undefined;
}
