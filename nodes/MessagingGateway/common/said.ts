import { capitalized } from './text';

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
