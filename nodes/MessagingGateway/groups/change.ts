import type { Identity } from './identity';
import type { Action, Applied, Outcome } from './outcomes';

/** A group of an instance. */
export interface GroupRef {
	instance: string;
	/** `…@g.us` */
	groupJid: string;
}

/** Tells groups apart: two instances that are in the same one may do different things there. */
export function groupKey({ instance, groupJid }: GroupRef): string {
	return JSON.stringify([instance, groupJid]);
}

/** A person as an item names them and as the gateway is asked for them. */
export interface Participant {
	/** As the item gave it, trimmed, e.g. `+55 11 99999-0001`. */
	given: string;
	/** As sent: digits, or a full JID. */
	sentAs: string;
	/** The identity that `sentAs` spells. */
	identity: Identity;
}

/** One change of one person in one group: the unit of a plan. */
export interface Change extends GroupRef {
	/** The input item that asks for it; of a member whom no item names, the first of the group's list. */
	item: number;
	action: Action;
	participant: Participant;
}

/** One call to the gateway. */
export interface ChangeRequest extends GroupRef {
	action: Action;
	/** The people who are sent, each once, in the order of first mention. */
	participants: Participant[];
	/** Every change that the request makes, in order. */
	changes: Change[];
}

/**
 * What came of one change: the json of an output item of operations that change something, with the fields in the order
 * in which a table shows them. A type and no interface, since only that fits n8n's items without a copy.
 */
export type ChangeResult = {
	/** As the item gave it. */
	participant: string;
	/** What was or is to be done; `none`: nothing has to be. */
	action: Action | 'none' | 'invite';
	outcome: Outcome;
	message: string;
	applied: Applied;
	/** The gateway's own code. */
	code?: string;
	/** Why a person is kept or postponed. */
	reason?: string;
	inviteCode?: string;
	/** ISO 8601, UTC. */
	inviteExpiresAt?: string;
	/** As sent to the gateway; left out if there is nothing to send. */
	sentAs?: string;
	/** As the gateway names them, where it does. */
	jid?: string;
	instance: string;
	groupJid: string;
	/** What the row is to remember, last of all fields; left out without Row Memory. */
	memory?: string;
};

/** The result of a change of which the gateway says no more, also of an invite. */
export function changeResult(
	{ participant, action, instance, groupJid }: Omit<Change, 'item' | 'action'> & Pick<ChangeResult, 'action'>,
	{ outcome, message, applied, reason }: Pick<ChangeResult, 'outcome' | 'message' | 'applied' | 'reason'>,
): ChangeResult {
	const { given, sentAs } = participant;
	const why = reason === undefined ? {} : { reason };
	return { participant: given, action, outcome, message, applied, ...why, sentAs, instance, groupJid };
}

/**
 * Whether the group is as asked, and it isn't known who of several people was changed just now: rows that name nobody
 * have several codes.
 */
export function isSharedChange({
	outcome,
	action,
	code,
}: Pick<ChangeResult, 'outcome' | 'action'> & { code?: string | undefined }): boolean {
	return outcome === 'unchanged' && action !== 'none' && code === undefined;
}

/** What is known of a change that was tried: its result, or the failure of its request. */
export type Entry<F = unknown> = { result: ChangeResult } | { failure: F };

/** What came of the changes of a run. A change whose request was never tried isn't in it. */
export type Journal<C = Change> = Map<C, Entry>;
