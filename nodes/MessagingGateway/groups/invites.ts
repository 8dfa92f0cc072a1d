import { groupBy } from '../common/maps';
import { sayNothingMore } from '../common/problem';
import { minuteOf } from '../common/time';
import { changeResult, type GroupRef, type JournalEntry, type Participant } from './change';
import { otherForm, type Identity } from './identity';
import { NO_FACTS, type Facts } from './memory/fact';
import type { InviteStep } from './memory/meaning';
import { dayOf, waitingText } from './memory/text';
import { sentenceOf, type Outcome } from './outcomes';

/** One participant of one item. */
export interface InviteRow extends GroupRef {
	readonly item: number;
	readonly participant: Participant;
	/** Text of the message before the link. */
	readonly message: string;
	/** Whether people who were invited before are left out. */
	readonly onlyOnce: boolean;
}

/** One message to one person, and what becomes of it: a record that each step of a run fills in. */
export interface Invite {
	/** All rows that name the person, in input order. The first one is sent. */
	readonly rows: readonly [InviteRow, ...InviteRow[]];
	/** All that is known of the person now. */
	after: Facts;
	/** The time when its message was sent, in ms since 1970. */
	sentAt?: number;
	entry?: JournalEntry | undefined;
}

/** The result of an invite. `noted`: the outcome to remember, if it's another; `at`: an earlier time. */
export type InviteAnswer = Parameters<typeof changeResult>[1] & { noted?: Outcome | 'noLink'; at?: number };

/** Makes one invite for each person, group and instance: a person who occurs twice gets one message. */
export function planInvites(rows: readonly InviteRow[]): Invite[] {
	// Only the name of an instance may have a space in it.
	const personOf = ({ instance, groupJid, participant }: InviteRow) =>
		`${groupJid} ${participant.identity.canonical} ${instance}`;
	return [...groupBy(rows, personOf).values()].map((ofPerson) => ({ rows: ofPerson, after: NO_FACTS }));
}

/** Makes a key for what an invite says to whom. */
export function messageKey({ rows: [{ instance, groupJid, participant, message }] }: Invite): string {
	return JSON.stringify([instance, groupJid, participant.identity.canonical, message]);
}

/**
 * Explains a refusal without a reason, which can come after the message went out, by what the network says.
 *
 * @param found the ID of the number on the network; `null` if it has none, `undefined` if that isn't known
 */
export function explainRefusal(
	{ sentAs, identity: id }: Pick<Participant, 'sentAs' | 'identity'>,
	found: Identity | null | undefined,
	reason: string,
): { outcome: 'notFound' | 'rejected' | 'unconfirmed'; message: string } {
	const form = otherForm(id);
	const tryForm = sentAs.includes('@') ? `try +${form}` : `enter ${id.digits}@s.whatsapp.net`;
	if (found === null && id.kind === 'hidden')
		return { outcome: 'notFound', message: "The gateway can't find this hidden ID. Use the phone number." };
	if (found === null) {
		const advice = form ? ` If every digit is right, ${tryForm}.` : '';
		return { outcome: 'notFound', message: sentenceOf('notFound', 'invite') + advice };
	}
	if (found !== undefined && isAnotherNumber(found, id))
		return {
			outcome: 'rejected',
			message: `Wasn't invited: the network has this person under the number ${found.digits}. Enter ${found.digits}@s.whatsapp.net.`,
		};
	const known = found === undefined ? "It's" : "The number is on the network, so it's";
	const advice = form ? ` If it wasn't, ${tryForm}: the number has another form.` : '';
	return {
		outcome: 'unconfirmed',
		message: `${reason}. ${known} not known whether the message was sent.${advice}`,
	};
}

function isAnotherNumber(found: Identity, { kind, key, rewritten }: Identity): boolean {
	return found.kind === 'phone' && kind === 'phone' && found.key !== key && found.key !== rewritten;
}

const NO_MORE = sayNothingMore('for this instance in this run');

export const NO_LINK = `The gateway sent a message without a working link: the messaging network didn't give it the link. ${NO_MORE}. To invite this person again, turn off 'Only Once' for this row.`;

export const REFUSED_BY_NETWORK = `The network refused the message: this account may not write to people who don't know it now. ${NO_MORE}.`;

/** Sentences for invites of an instance that gets no more of them in a run. */
export const STOPS = {
	unknown: sayStopped("it isn't known whether an earlier message was sent"),
	noLink: sayStopped('an earlier message went out without a working link'),
	refused: sayStopped('the gateway refused two messages in a row'),
	refusedByNetwork: sayStopped('the network refused an earlier message', 'Wait some days'),
};

function sayStopped(why: string, advice = 'Check the instance'): string {
	return `Not sent, since ${why}. ${advice}, then run this again.`;
}

/** @param until ms since 1970 */
export function pausedText(until: number): string {
	return `Not sent, since the network refused two messages of this account in a row. No invites are sent until ${minuteOf(until)}. Group changes go on.`;
}

export function linkSentText(day: string): string {
	return `The gateway has sent them this group's link on ${day}.`;
}

const MAYBE_INVITED =
	"An earlier run may have invited them: it isn't known whether that message was sent, so nothing was sent now. To send it again, start a new execution with 'Only Once' off for this row.";

/** Says why somebody gets no message, by the step that memory asks for. */
export function whyNot(step: Exclude<InviteStep, { do: 'send' }>, facts: Facts, now: number): InviteAnswer {
	if (step.do === 'wait') {
		const message = waitingText(facts, 'invite', { until: step.until, now });
		return { outcome: 'postponed', message, reason: 'refusedLately' };
	}
	if (!('at' in step))
		return {
			outcome: 'alreadyInvited',
			...(step.do === 'maybeInvited' && { message: MAYBE_INVITED, applied: null }),
		};
	const day = dayOf(step.at);
	if (step.do === 'member')
		return { outcome: 'unchanged', message: `Was in the group on ${day}, so nothing was sent.` };
	const advice = "To invite them, turn off 'Only Once' for this row.";
	return { outcome: 'left', message: `Left the group by ${day}, so nothing was sent. ${advice}` };
}

/** Gives the answer to an invite as an entry of the journal. */
export function inviteEntry({ rows: [row] }: Invite, answer: InviteAnswer): JournalEntry {
	return { result: changeResult({ ...row, action: 'invite' }, answer) };
}
