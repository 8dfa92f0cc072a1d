import { capitalized } from '../../common/text';
import { sentenceOf } from '../outcomes';
import type { InviteRow } from './plan';

const POSTPONED_REASONS = {
	maxPerRun: "one run sends no more than 'Maximum Invites per Run' allows",
	unknown: "it isn't known whether an earlier message was sent",
	noLink: 'an earlier message went out without a working link',
	refused: 'the gateway refused two messages in a row without a reason',
};

/** Why an invite is left for another run: the limit, or what stopped the instance. */
export type PostponedReason = keyof typeof POSTPONED_REASONS;

export function isPostponedReason(value: unknown): value is PostponedReason {
	return typeof value === 'string' && Object.hasOwn(POSTPONED_REASONS, value);
}

/**
 * Why an invite is left for another run, and what to do before that one.
 *
 * @param isKept whether n8n will have in the next run what it is given in this one
 */
export function postponedText(
	reason: PostponedReason,
	{ onlyOnce, memory, memoryText }: InviteRow,
	isKept: boolean,
): string {
	const isRemembered = isKept || memory !== undefined;
	const remedy = memoryText === undefined ? "add the option 'Row Memory'" : 'use an item for each person';
	const steps = [
		...(reason === 'maxPerRun' ? [] : ['check the instance']),
		...(isRemembered ? [] : ['leave out those who were invited', remedy]),
		...(onlyOnce ? [] : ["turn on 'Only Once'"]),
	];
	if (steps.length === 0) return sentenceOf('postponed', 'invite');
	const next = isRemembered && onlyOnce ? '' : ', and the next run would start with the same people';
	return `Not sent, since ${POSTPONED_REASONS[reason]}${next}. ${capitalized(steps.join(', '))}, then run this again.`;
}
