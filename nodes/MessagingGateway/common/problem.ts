import { quote } from './text';

/** A fault of a value, in parts: the rest of a sentence about it, such as `has letters`, and more. */
export type Fault = readonly [said: string, more?: string | undefined];

export const joinFault = (fault: Fault): string => fault.filter(Boolean).join(': ');

/** A problem and its solution, in words for the person who built the workflow. */
export class Problem extends Error {
	/** @param about the value in question, its fault, and a sentence about many such values, with what to do */
	constructor(
		message: string,
		readonly description: string,
		readonly about?: { value: unknown; fault: Fault; ofMany?: Fault | undefined },
	) {
		super(message);
		this.name = 'Problem';
	}

	/** The message as part of a list, if it's about a value: `"ask Maria" has letters`. */
	get brief(): string | undefined {
		if (this.about === undefined) return undefined;
		const { value, fault } = this.about;
		const [said, more] = fault;
		return joinFault([quote(value) + (said && ` ${said}`), more]);
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

export const messageOf = (thrown: unknown): string =>
	(thrown instanceof Error && thrown.message) || 'Something unexpected happened';
