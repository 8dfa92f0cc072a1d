import type { Problem } from '../common/problem';
import type { Identity } from './identity';
import { sentenceOf, WORDING, type Action, type AnyAction, type Applied, type Outcome } from './outcomes';

/** A group of an instance. */
export interface GroupRef {
	instance: string;
	/** `…@g.us` */
	groupJid: string;
}

/** Makes a key for a group as an instance sees it. Two instances may be in one group. */
export function groupKey({ instance, groupJid }: GroupRef): string {
	return JSON.stringify([instance, groupJid]);
}

const UNMADE = 'planned: ';

/** Makes an ID for a group that a dry run of Create has planned: its name tells it from others. */
export function unmadeId(subject: unknown): string {
	return UNMADE + String(subject);
}

/** Whether a group isn't there yet, and so has nobody in it. A dry run of Create gives no ID at all. */
export function isUnmade({ groupJid }: { groupJid?: string | null | undefined }): boolean {
	return groupJid?.startsWith(UNMADE) === true;
}

/** A person, as an item and a request name them. */
export interface Participant {
	/** The item's text, trimmed, e.g. `+55 11 99999-0001`. */
	given: string;
	/** The text for the gateway: digits, or a full JID. */
	sentAs: string;
	identity: Identity;
	/** The digits of a number without `+` or `00`, without a 0 in front. */
	bare?: string;
	/** Whether the first digits of a number are taken for its country code, since nothing says it. */
	isGuessed?: boolean;
	/** The reason to refuse an ID that the group's members don't show. */
	doubt?: Problem;
}

/** One change of one person in one group: the unit of a plan. */
export interface Change extends GroupRef {
	/** The input item that wants the change; for a member whom none names, the first of the group's list. */
	item: number;
	action: Action;
	participant: Participant;
}

export interface ChangeRequest<C extends Change = Change> extends GroupRef {
	action: Action;
	/** The people to send, each once, in the order of first mention. */
	participants: Participant[];
	/** The changes that the request makes, person by person. */
	changes: C[];
}

/** The result of a change: the json of an output item. A type, since n8n's items take no interface. */
export type ChangeResult = {
	/** The item's text. */
	participant: string;
	/** The row's or the gateway's name of the person, from Sync; `null` in place of none if rows have names. */
	name?: string | null | undefined;
	/** The action that was done or is planned. `none` if there is nothing to do. */
	action: AnyAction;
	outcome: Outcome;
	message: string;
	applied: Applied;
	code?: string | undefined;
	/** The reason to keep or postpone a person. */
	reason?: string | undefined;
	/** The end of a wait, ISO 8601, UTC; from Sync. */
	until?: string | undefined;
	/** Whether the run changed or found something that no memory knew; from Sync. */
	isNew?: boolean;
	inviteCode?: string | undefined;
	/** ISO 8601, UTC. */
	inviteExpiresAt?: string | undefined;
	/** The text for the gateway. Missing if there is nothing to send. */
	sentAs?: string | undefined;
	/** The gateway's ID of the person, if it gives one. */
	jid?: string | undefined;
	instance: string;
	groupJid: string;
};

/** The part of a result that all operations have. Others set fields of a group. */
export type GroupResult = Pick<ChangeResult, 'outcome' | 'message' | 'applied' | 'instance' | 'groupJid'> &
	Partial<ChangeResult>;

/** Makes the result of a change or an invite, by default with the usual words for its outcome. */
export function changeResult(
	{ participant, action, instance, groupJid }: Omit<Change, 'item' | 'action'> & Pick<ChangeResult, 'action'>,
	{
		outcome,
		message = sentenceOf(outcome, action),
		applied = WORDING[outcome].applied,
		reason,
	}: Pick<ChangeResult, 'outcome' | 'reason'> & { message?: string | undefined; applied?: Applied },
): ChangeResult {
	const { given, sentAs } = participant;
	return { participant: given, action, outcome, message, applied, reason, sentAs, instance, groupJid };
}

/** Whether the group is as requested, but not known which people of a request were changed just now. */
export function isAmbiguous({
	outcome,
	action,
	code,
}: Pick<GroupResult, 'outcome' | 'action' | 'code'>): boolean {
	return outcome === 'unchanged' && action !== 'none' && action !== 'invite' && code === undefined;
}

/** The result of a change that was tried, or the failure of its request. */
export type JournalEntry<R = ChangeResult> =
	{ result: R; failure?: never } | { failure: unknown; result?: never };

/** The entries of changes, without changes that were never tried. */
export type Journal<C = Change> = Map<C, JournalEntry>;

/** Gives each change the entry at its place. */
export function journalOf<C>(changes: readonly C[], entries: readonly JournalEntry[]): Journal<C> {
	return new Map(
		changes.flatMap((change, i) => {
			const entry = entries[i];
			return entry === undefined ? [] : [[change, entry] as const];
		}),
	);
}

/** Something that is asked for, and what became of it; no entry if it was never tried. */
export interface Asked<R = ChangeResult> {
	entry?: JournalEntry<R> | undefined;
}
