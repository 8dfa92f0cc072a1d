import { sentenceOf } from '../outcomes';
import { MOST_ALONE } from './limits';
import type { Addition, Decision, NoChange, Postponement, Removal, Retention } from './plan';

const KEPT: Record<Retention['reason'], string> = {
	self: "Kept: this is the instance's own account.",
	protected: "Kept: this participant is one of 'Protected Participants'.",
	admin: 'Kept: this participant is an admin of the group.',
	ambiguous: "Kept: it isn't certain which member this is.",
	unidentified:
		"Kept: the gateway doesn't show enough of this member to tell that they aren't somebody who should stay.",
	maxRemovalPercent:
		"Kept: more members would be removed than 'Maximum Removals (Percent)' allows. Look at them, then raise it.",
	badRow: "Kept: an item of this group isn't valid and may mean this member.",
};

const UNCONFIRMED =
	"Not found among the members, but the gateway doesn't show who all of them are. Check the group.";

/**
 * What is decided about a person, in one sentence or several.
 *
 * @param showsNumbers whether every member has a number
 * @param isRemembered whether the next run knows who was asked for in this one
 */
export function sentenceFor(decision: Decision, showsNumbers: boolean, isRemembered: boolean): string {
	switch (decision.outcome) {
		case 'planned':
			return plannedText(decision, showsNumbers);
		case 'unchanged':
			return sentenceOf('unchanged', decision.shouldBeMember ? 'add' : 'remove');
		case 'unconfirmed':
			return decision.shouldBeMember ? notAskedText(decision) : UNCONFIRMED;
		case 'left':
			return leftText(decision);
		case 'rejected':
			return 'Is a member now: the group was read again. Another item may have added them by another ID. Run this again to remove them.';
		case 'kept':
			return decision.reason === 'admin' && decision.members.some(({ role }) => role === 'superAdmin')
				? 'Kept: this participant created the group.'
				: KEPT[decision.reason];
		case 'postponed':
			return postponedText(decision, showsNumbers || isRemembered);
	}
}

function plannedText({ action, reason }: Addition | Removal, showsNumbers: boolean): string {
	const text =
		action === 'add' && !showsNumbers
			? 'Would be asked for; who is a member already stays one. Dry run: nothing was sent.'
			: sentenceOf('planned', action);
	return reason === undefined ? text : `${text} A real run would be stopped by 'Maximum Removals (Percent)'.`;
}

function notAskedText({ facts: { member, left }, until }: NoChange): string {
	const since = member ?? left;
	if (since === undefined) return UNCONFIRMED;
	const known = member
		? `Was a member on ${dayOf(since.at)}, and the group doesn't show whether they still are.`
		: `Left by ${dayOf(since.at)}, and the group doesn't show whether they are back.`;
	const next =
		until === undefined
			? 'Not asked for again. To add them, empty their memory.'
			: `Next attempt: ${dayOf(until)}.`;
	return `${known} ${next}`;
}

function leftText({ before: { member, left } }: NoChange): string {
	const what = member
		? `Was a member on ${dayOf(member.at)} and isn't any more`
		: `Hasn't been a member since ${dayOf(left?.at ?? 0)} at the latest`;
	return `${what}, so they left or somebody removed them. Not added again. To add them, empty their memory.`;
}

/** Why an addition waits for another run, by whether it is known what came of the last one. */
const HELD_BACK = {
	known: "Postponed: this run has made as many additions as 'Maximum Additions per Run' allows.",
	unknown: `Postponed: it isn't known what came of the last request, and at most ${MOST_ALONE} such people are asked for in a run, one by one.`,
};

function postponedText(
	{ reason, until = 0, facts: { refused, asked } }: Postponement,
	goesOn: boolean,
): string {
	switch (reason) {
		case 'maxAdditions':
			return `${HELD_BACK[asked === undefined ? 'known' : 'unknown']} ${
				goesOn
					? 'Run it again to go on.'
					: "The next run would ask for the same people, since neither the group nor n8n shows who was asked for: add the option 'Row Memory'."
			}`;
		case 'maxRemovals':
			return "Postponed: this run has made as many removals as 'Maximum Removals per Run' allows. Run it again to go on.";
		case 'removeAfter':
			return `Will be removed from ${dayOf(until)} on.`;
		case 'refusedLately': {
			const next = `Postponed: asked again from ${dayOf(until)} on.`;
			if (refused === undefined) return next;
			return `${next} On ${dayOf(refused.at)}: ${sentenceOf(refused.outcome, 'add', refused.code)}`;
		}
	}
}

/** In UTC. */
function dayOf(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}
