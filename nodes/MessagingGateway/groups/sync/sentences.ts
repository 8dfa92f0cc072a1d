import { sentenceOf } from '../outcomes';
import { MOST_ALONE } from './limits';
import type { NextRun } from './nextRun';
import {
	phaseOf,
	type Decision,
	type NoChange,
	type Postponement,
	type Retention,
	type SentDecision,
	type Phase,
} from './plan';

const KEPT: Record<Retention['reason'], string> = {
	self: "Kept: this is the instance's own account.",
	protected: "Kept: this participant is one of 'Protected Participants'.",
	admin: 'Kept: this participant is an admin of the group.',
	ambiguous: "Kept: it isn't certain which member this is.",
	unidentified:
		"Kept: the gateway doesn't show enough of this member to tell that they aren't somebody who should stay.",
	maxRemovalPercent:
		"Kept: more members would be removed than 'Maximum Removals (Percent)' allows. Look at them, then raise it.",
	badRow:
		"Kept: an item of this group isn't valid and may mean this member. Correct it, then run this again.",
};

const UNCONFIRMED =
	"Not found among the members, but it isn't certain that none of them is this person. Check the group.";

/** What there is to know for a sentence besides the decision. */
interface Circumstances {
	/** Whether every member has a number. */
	showsNumbers: boolean;
	/** When the run began, ms since 1970. */
	now: number;
	/** What is to come for somebody whom a limit holds back. */
	nextRunFor: (postponed: Postponement) => NextRun;
}

/** What is decided about a person, in one sentence or several. */
export function sentenceFor(decision: Decision, { showsNumbers, now, nextRunFor }: Circumstances): string {
	switch (decision.outcome) {
		case 'planned':
			return plannedText(decision, showsNumbers);
		case 'unchanged':
			return sentenceOf('unchanged', decision.shouldBeMember ? 'add' : 'remove');
		case 'unconfirmed':
			return decision.shouldBeMember ? notAskedText(decision, now) : UNCONFIRMED;
		case 'left':
			return leftText(decision);
		case 'rejected':
			return 'Is a member now: the group was read again. Another item may have added them by another ID. Run this again to remove them.';
		case 'kept':
			return decision.reason === 'admin' && decision.members.some(({ role }) => role === 'superAdmin')
				? 'Kept: this participant created the group.'
				: KEPT[decision.reason];
		case 'postponed':
			return postponedText(decision, now, nextRunFor);
	}
}

function plannedText({ action, reason }: SentDecision, showsNumbers: boolean): string {
	const text =
		action === 'add' && !showsNumbers
			? 'Would be asked for; who is a member already stays one. Dry run: nothing was sent.'
			: sentenceOf('planned', action);
	return reason === undefined ? text : `${text} A real run would be stopped by 'Maximum Removals (Percent)'.`;
}

function notAskedText({ facts: { member, left }, until }: NoChange, now: number): string {
	const since = member ?? left;
	if (since === undefined) return UNCONFIRMED;
	const known = member
		? `Was a member on ${dayOf(since.at)}, and the group doesn't show whether they still are.`
		: `Left by ${dayOf(since.at)}, and the group doesn't show whether they are back.`;
	const next =
		until === undefined
			? 'Not asked for again. To add them, empty their memory.'
			: `Next attempt: ${timeOf(until, now)}.`;
	return `${known} ${next}`;
}

function leftText({ before: { member, left } }: NoChange): string {
	const what = member
		? `Was a member on ${dayOf(member.at)} and isn't any more`
		: `Hasn't been a member since ${dayOf(left?.at ?? 0)} at the latest`;
	return `${what}, so they left or somebody removed them. Not added again. To add them, empty their memory.`;
}

/** Why a change waits for another run. */
const HELD_BACK: Record<Phase, string> = {
	remove: "over 'Maximum Removals per Run'.",
	add: "over 'Maximum Additions per Run'.",
	addAlone: `it isn't known what came of the last request, and at most ${MOST_ALONE} such people are asked for in a run, one by one.`,
};

function heldBackText(postponed: Postponement, nextRun: NextRun): string {
	const phase = phaseOf(postponed);
	switch (nextRun) {
		case 'isReal':
			return `Would be postponed: ${HELD_BACK[phase]} Dry run: nothing was sent.`;
		case 'isRealWithoutRoom':
			return `Would be postponed: ${HELD_BACK[postponed.action]} Raise it to go on. Dry run: nothing was sent.`;
		case 'hasNone':
			return `Postponed: ${HELD_BACK[postponed.action]} Raise it to go on.`;
		case 'hasRoom':
			return `Postponed: ${HELD_BACK[phase]} Run it again to go on.`;
		case 'mayRepeat': {
			const isHelped = phase !== 'remove' && postponed.rows.every(({ memory }) => memory === undefined);
			const first = isHelped ? "add the option 'Row Memory'" : 'check their messages';
			const raise = phase === 'addAlone' ? '' : ', or raise it';
			return `Postponed: ${HELD_BACK[phase]} The next run may start with the same people: ${first}${raise}.`;
		}
	}
}

function postponedText(
	postponed: Postponement,
	now: number,
	nextRunFor: Circumstances['nextRunFor'],
): string {
	const {
		reason,
		until = 0,
		facts: { refused },
	} = postponed;
	switch (reason) {
		case 'maxAdditions':
		case 'maxRemovals':
			return heldBackText(postponed, nextRunFor(postponed));
		case 'removeAfter':
			return `Will be removed from ${timeOf(until, now)} on.`;
		case 'refusedLately': {
			const next = `Postponed: asked again from ${timeOf(until, now)} on.`;
			if (refused === undefined) return next;
			return `${next} On ${dayOf(refused.at)}: ${sentenceOf(refused.outcome, 'add', refused.code)}`;
		}
	}
}

/** The day of what is to come; of this day the time as well, since earlier runs don't count. */
function timeOf(ms: number, now: number): string {
	const day = dayOf(ms);
	return day === dayOf(now) ? `${day} ${new Date(ms).toISOString().slice(11, 16)} UTC` : day;
}

/** In UTC. */
function dayOf(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}
