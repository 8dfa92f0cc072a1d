import { quote } from './text';

/** A problem and its solution, in words for the person who built the workflow. */
export class Problem extends Error {
	/** @param about the value in question, what is wrong with it, and what is wrong with many such values alike */
	constructor(
		message: string,
		readonly description: string,
		readonly about?: { value: unknown; reason: string; ofMany?: string | undefined },
	) {
		super(message);
		this.name = 'Problem';
	}

	/** The message as part of a list, if it's about a value: `"ask Maria" has letters`. */
	get brief(): string | undefined {
		if (this.about === undefined) return undefined;
		const { value, reason } = this.about;
		const said = reason.replace(/^it(?= )/, '').replace(/^it's/, ' is');
		return quote(value) + (said === reason ? `: ${reason}` : said);
	}
}

/** A value that an item lacks, often because an expression names a missing field. */
export class MissingValue extends Problem {}

/** A reason to send nothing, as the end of "Nothing was changed: …", with the failure behind it. */
export class NothingSent extends Problem {
	override readonly cause: unknown;

	constructor(message: string, description: string, cause?: unknown) {
		super(message, description);
		this.cause = cause;
	}
}

export function messageOf(thrown: unknown): string {
	return (thrown instanceof Error && thrown.message) || 'Something unexpected happened';
}
