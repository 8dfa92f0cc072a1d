/** Reads fields of an item that may be bad: what is wrong with one doesn't cost the others. */
export class FieldReader {
	/** What is wrong with the first one that is; `undefined` if all are right. */
	problem: unknown;

	/** @returns the field's value; `undefined` if it can't be read */
	read<T>(field: () => T): T | undefined {
		try {
			return field();
		} catch (problem) {
			this.note(problem);
			return undefined;
		}
	}

	/** Notes what is wrong with a field of which a part can be read. */
	note(problem: unknown): void {
		this.problem ??= problem;
	}
}
