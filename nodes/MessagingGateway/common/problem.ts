/** A problem and its solution, in words for the person who built the workflow. */
export class Problem extends Error {
	/** @param brief the message as part of a list, with the value in question */
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

/** A reason to send nothing, as the end of "Nothing was changed: …". */
export class NothingSent extends Problem {}

export function messageOf(thrown: unknown): string {
	return (thrown instanceof Error && thrown.message) || 'Something unexpected happened';
}
