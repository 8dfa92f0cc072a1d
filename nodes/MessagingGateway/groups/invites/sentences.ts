import { minuteOf } from '../../common/time';
import { sentenceOf } from '../outcomes';
import type { InviteRow } from './plan';

/** Reasons why an instance gets no more invites in a run. */
const STOPS = {
	unknown: "it isn't known whether an earlier message was sent",
	noLink: 'an earlier message went out without a working link',
	refused: 'the gateway refused two messages in a row without a reason',
	refusedByNetwork: 'the network refused an earlier message',
} as const;

export type InviteStop = keyof typeof STOPS;

export const MAYBE_INVITED =
	"An earlier run may have invited them: it isn't known whether that message was sent, so nothing was sent now. To send it again, turn off 'Only Once' for this row.";

export const NO_LINK =
	"The gateway sent a message without a working link: the messaging network didn't give it the link. Nothing more is sent for this instance in this run. To invite this person again, turn off 'Only Once' for this row.";

export const REFUSED_BY_NETWORK =
	"The network refused the message: this account may not write to people who don't know it now. Nothing more is sent for this instance in this run.";

/** Says why an invite is left for another run, and what to do before that one. */
export function stoppedText(stop: InviteStop): string {
	const advice = stop === 'refusedByNetwork' ? 'Wait some days' : 'Check the instance';
	return `Not sent, since ${STOPS[stop]}. ${advice}, then run this again.`;
}

/** @param until ms since 1970 */
export function pausedText(until: number): string {
	return `Not sent, since the network refused two messages of this account in a row. No invites are sent until ${minuteOf(until)}. Group changes go on.`;
}

/** Says why an invite is over the limit of a run, and what to do. */
export function overLimitText({ onlyOnce }: Pick<InviteRow, 'onlyOnce'>): string {
	if (onlyOnce) return sentenceOf('postponed', 'invite');
	return "Not sent, since one run sends no more than 'Maximum Invites per Run' allows, and the next run would start with the same people. Turn on 'Only Once', then run this again.";
}
