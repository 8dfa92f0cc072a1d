import { quote, capitalized } from './text';

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

/** Gives a value; `undefined` where making it throws. */
export function attempt<T>(make: () => T): T | undefined {
	try {
		return make();
	} catch {
		return undefined;
	}
}

export const messageOf = (thrown: unknown): string =>
	(thrown instanceof Error && thrown.message) || 'Something unexpected happened';

/** The words after "Nothing was", up to the reason. @param done `changed`, or `sent` of messages */
const NOTHING = {
	item: () => 'sent for this item: ',
	instance: () => 'sent: ',
	run: (done: string) => `${done}: `,
	group: (done: string) => `${done}. `,
};

/** A failure in parts. */
export interface Said {
	/** Sentences without periods, the reason first. After `instance` and `run`, that is part of a sentence. */
	what: readonly string[];
	/** Nothing was sent or changed for it; left out where that isn't certain or needn't be said. */
	unsent?: keyof typeof NOTHING | undefined;
	/** Whether something was sent before. */
	isMore?: boolean;
	/** Whether it's about messages, which change nothing. */
	isMessage?: boolean | undefined;
}

/** Says what happened: `Nothing more was sent for this item: …`. */
export function say({ what, unsent, isMore = false, isMessage = false }: Said): string {
	if (unsent === undefined) return what.join('. ');
	return `Nothing ${isMore ? 'more ' : ''}was ${NOTHING[unsent](isMessage ? 'sent' : 'changed')}${what.join('. ')}`;
}

/** Says why a run ends before it has sent anything. @param reason part of a sentence */
export function sayUnsent(
	run: Pick<Said, 'isMessage'> & { onlyReads?: true | undefined; hasSentBefore: boolean },
	reason: string,
): string {
	if (run.onlyReads) return capitalized(reason);
	return say({ what: [reason], unsent: 'run', isMore: run.hasSentBefore, isMessage: run.isMessage });
}

/** Says that nothing follows. @param how e.g. `until 2026-11-24 09:15 UTC` */
export const sayNothingMore = (how: string): string => `Nothing more is sent ${how}`;
