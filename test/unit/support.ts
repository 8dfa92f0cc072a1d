import type { RequestedItem } from '../../nodes/MessagingGateway/groups/itemResults';
import { sentenceOf, WORDING, type Action, type Outcome } from '../../nodes/MessagingGateway/groups/outcomes';
import type { PlannedRequest } from '../../nodes/MessagingGateway/groups/batching/plan';
import type { ParticipantResult } from '../../nodes/MessagingGateway/groups/matching/results';
import type { Participant } from '../../nodes/MessagingGateway/input/participants';
import { Problem } from '../../nodes/MessagingGateway/common/problem';

/** The problem that a call ends in; the test fails where it ends in anything else. */
export function problemOf(call: () => unknown): Problem {
	try {
		call();
	} catch (thrown) {
		if (thrown instanceof Problem) return thrown;
		throw thrown;
	}
	throw new Error('There was no problem');
}

/** A participant that is sent as the item gave it. */
export function person(sentAs: string): Participant {
	return { given: sentAs, sentAs };
}

/** What one item asks for. */
export interface Wish {
	item: number;
	instance: string;
	groupJid: string;
	action: Action;
	participants: Participant[];
}

/** What items ask for, every change in its place. */
export function itemsOf(wishes: readonly Wish[]): RequestedItem[] {
	let place = 0;
	return wishes.map(({ item, participants, ...where }) => ({
		item,
		changes: participants.map(({ given, sentAs }) => ({
			...where,
			place: place++,
			item,
			participant: given,
			sentAs,
		})),
	}));
}

/** The request that changes these people in one group. */
export function requestOf(action: Action, mentions: readonly Participant[]): PlannedRequest {
	const where = { instance: 'main', groupJid: '1@g.us', action };
	const changes = itemsOf([{ ...where, item: 0, participants: [...mentions] }]).flatMap((one) => one.changes);
	return { ...where, participants: [...new Set(mentions.map(({ sentAs }) => sentAs))], changes };
}

export const NUMBERS = ['5511999990001', '5511999990002', '5511999990003', '5511999990004', '5511999990005'];

/** A result of a participant who was to be added. */
export function resultOf(outcome: Outcome, participant = NUMBERS[0] ?? ''): ParticipantResult {
	return {
		instance: 'main',
		groupJid: '1@g.us',
		action: 'add',
		participant,
		sentAs: participant,
		outcome,
		applied: WORDING[outcome].applied,
		message: sentenceOf(outcome, 'add', '500'),
	};
}
