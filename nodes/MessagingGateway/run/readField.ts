/** A field of an item that may be bad: its value, what is wrong with it, or both where only a part can be read. */
export interface ReadField<T> {
	value?: T;
	problem?: unknown;
}

/** Reads a field by itself, so that what is wrong with it doesn't cost the others. */
export function readField<T>(read: () => T): ReadField<T> {
	try {
		return { value: read() };
	} catch (problem) {
		return { problem };
	}
}
