/** What is wrong and what to do about it, in words for the person who built the workflow. */
export class Problem extends Error {
	/**
	 * @param message what happened, one or two sentences
	 * @param description what to do next
	 * @param brief the message as a part of a list of problems, with the value that it's about; left out where it names none
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

/** A value that an item doesn't give, often since an expression names a field that it doesn't have. */
export class MissingValue extends Problem {}

/** A phone number without `+` that isn't one with country code, either. */
export class MissingCountryCode extends Problem {}

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
	return (thrown instanceof Error && thrown.message) || 'Something unexpected happened';
}
