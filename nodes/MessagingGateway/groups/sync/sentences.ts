import { dayOf, timeOf, waitingText } from '../memory/text';
import { DRY_RUN, sentenceOf } from '../outcomes';
import type { KeptReason } from './keptMembers';
import type { Decision, DecisionReason } from './plan';

const KEPT: Record<KeptReason | 'notApproved', string> & Partial<Record<DecisionReason, string>> = {
	self: "Kept: this is the instance's own account.",
	protected: "Kept: this participant is one of 'Protected Participants'.",
	admin: 'Kept: this participant is an admin of the group.',
	ambiguous: "Kept: it isn't certain which member this is.",
	unidentified: "Kept: the gateway doesn't show enough of this member to match them to your list.",
	badRow:
		"Kept: an item of this group isn't valid and may mean this member. Correct it, then run this again.",
	notApproved: "Kept: this removal isn't in 'Approved Changes'.",
};

/** Reasons to leave a change that would be sent otherwise, as part of a sentence. */
export const POSTPONED: Record<
	Exclude<DecisionReason, KeptReason | 'maxRemovalPercent' | 'removeAfter' | 'refusedLately'>,
	string
> &
	Partial<Record<DecisionReason, string>> = {
	maxAdditions: "over 'Maximum Additions per Run'.",
	maxRemovals: "over 'Maximum Removals per Run'.",
	groupFull: 'the group is full.',
	notApproved: "this addition isn't in 'Approved Changes'.",
};

const UNMATCHED =
	"Not found among the members, but it isn't certain that none of them is this person. Check the group.";

const NOT_ADDED_AGAIN =
	"Not added again. To add them, use Update Participants, or set 'People Who Left' to Add Again for one run.";

const SEEN = 'A run a moment ago saw them in the group. Run this again in a few minutes.';

const TRIED = "Was tried a moment ago, and the group doesn't show it so far. Not tried again now.";

const LOOK_AT_BOTH =
	'If they are one person, correct the number where it comes from. If not, remove this member by hand.';

/** Says what was decided about a person. @param nameOf names an item, e.g. `row 5` */
export function sentenceFor(
	decision: Decision,
	{
		showsNumbers,
		now,
		dryRun,
		nameOf,
	}: { showsNumbers: boolean; now: number; dryRun: boolean; nameOf: (item: number) => string },
): string {
	const { outcome, shouldBeMember, presence } = decision;
	switch (outcome) {
		case 'planned':
			return plannedText(decision, showsNumbers);
		case 'unchanged':
			return sentenceOf('unchanged', shouldBeMember ? 'add' : 'remove');
		case 'unconfirmed':
			if (presence === 'found') return TRIED;
			return shouldBeMember ? notTriedText(decision, now) : unmatchedText(decision);
		case 'left':
			return leftText(decision);
		case 'kept':
			return keptText(decision, nameOf);
		case 'postponed':
			return postponedText(decision, now, dryRun);
	}
}

function unmatchedText({ mayBe }: Decision): string {
	if (mayBe === undefined) return UNMATCHED;
	return `Not found among the members, but ${mayBe[0]} may be this person. ${LOOK_AT_BOTH}`;
}

function keptText(
	{ reason, because, members, mayBe, shouldBeMember }: Decision,
	nameOf: (item: number) => string,
): string {
	if (because !== undefined) return `Kept: ${because}.`;
	if (shouldBeMember && mayBe)
		return `Not added: may be ${mayBe[0]}. Write + and the country code in your list.`;
	if (mayBe !== undefined) {
		const [given, item] = mayBe;
		return `Kept: may be ${given}${item === undefined ? '' : ` of ${nameOf(item)}`}. ${LOOK_AT_BOTH}`;
	}
	if (reason === 'admin' && members.some(({ role }) => role === 'superAdmin'))
		return 'Kept: this participant created the group.';
	return (reason && KEPT[reason]) || sentenceOf('kept', 'remove');
}

function plannedText({ action, reason }: Decision, showsNumbers: boolean): string {
	const text =
		action === 'add' && !showsNumbers
			? `Would be added unless already a member. ${DRY_RUN}`
			: sentenceOf('planned', action);
	return reason === undefined ? text : `${text} A real run would be stopped by 'Maximum Removals (Percent)'.`;
}

function notTriedText({ before: { member, left }, until, presence }: Decision, now: number): string {
	const since = member ?? left;
	if (since === undefined) return TRIED;
	if (presence === 'absent') return SEEN;
	const known = member
		? `Was a member on ${dayOf(since.at)}, and the group doesn't show whether they still are.`
		: `Left by ${dayOf(since.at)}, and the group doesn't show whether they are back.`;
	const next = until === undefined ? NOT_ADDED_AGAIN : `Next try: ${timeOf(until, now)}.`;
	return `${known} ${next}`;
}

function leftText({ before: { member, left } }: Decision): string {
	const what = member
		? `Was in the group, or was added, on ${dayOf(member.at)} and isn't there any more`
		: `Hasn't been a member since ${dayOf(left?.at ?? 0)} at the latest`;
	return `${what}. ${NOT_ADDED_AGAIN}`;
}

function postponedText({ action, reason, until = 0, facts }: Decision, now: number, dryRun: boolean): string {
	if (reason === 'removeAfter') return `Will be removed from ${timeOf(until, now)} on.`;
	if (reason === 'refusedLately') return waitingText(facts, action, { until, now });
	const why = (reason && POSTPONED[reason]) ?? '';
	return dryRun
		? `Would be postponed: ${why} ${DRY_RUN}`
		: `Postponed: ${why}${reason === 'maxAdditions' || reason === 'maxRemovals' ? ' Run it again to go on.' : ''}`;
}

/** Reasons why people stay whom the list doesn't want, in few words. Others are counted. */
const STAYS: Partial<Record<DecisionReason, string>> = {
	admin: 'admin; Remove Admins is off',
	protected: 'protected',
	ambiguous: "it isn't certain which member this is",
};

/** Says why somebody stays whom the list doesn't want; `undefined` for whoever is only counted. */
export function whyStays({
	outcome,
	shouldBeMember,
	reason,
	because,
	members,
	mayBe,
}: Decision): string | undefined {
	if (outcome !== 'kept' || shouldBeMember || because !== undefined || reason === undefined) return undefined;
	if (reason === 'admin' && members.some(({ role }) => role === 'superAdmin')) return 'created the group';
	return reason === 'ambiguous' && mayBe ? `may be ${mayBe[0]}` : STAYS[reason];
}

/** Names somebody who loses a place, e.g. `Ana (+55 11 99999-0001)`. */
export function nameWithNumber(decision: Decision): string {
	const [name, number] = [displayNameOf(decision), numberOf(decision)];
	return name === number ? name : `${name} (${number})`;
}

export function displayNameOf(decision: Decision): string {
	return decision.rows[0]?.name ?? decision.members[0]?.name ?? numberOf(decision);
}

function numberOf(decision: Decision): string {
	const [member] = decision.rows.length > 0 ? [] : decision.members;
	return member?.number === undefined ? namePerson(decision) : `+${member.number}`;
}

/** Returns what the row has, or the member's number or ID. */
export function namePerson({ rows: [row], members: [member] }: Decision): string {
	return row?.participant.given ?? member?.number ?? member?.id ?? '';
}
