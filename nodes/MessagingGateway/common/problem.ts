/** A problem and its solution, in words for the person who built the workflow. */
export class Problem extends Error {
	/**
	 * @param message what happened, one or two sentences
	 * @param description what to do next
	 * @param brief the message as part of a list of problems, with the value in question; missing if there is no such value
	 */
	constructor(
		message: string,
		readonly description: string,
		readonly brief?: string,
	) {
		super(message);
		this.name = 'Problem';
	}
}

/** A value that an item lacks, often because an expression names a missing field. */
export class MissingValue extends Problem {}

/** Returns the message of a thrown value. */
export function messageOf(thrown: unknown): string {
	return (thrown instanceof Error && thrown.message) || 'Something unexpected happened';
}
