import { sentenceOf } from '../outcomes';
import type { KeptReason } from './keptMembers';
import type { PastRefusal } from './memory';
import type { Decision } from './plan';

const KEPT: Record<KeptReason, string> = {
	self: "Kept: this is the instance's own account.",
	protected: "Kept: this participant is one of 'Protected Participants'.",
	admin: 'Kept: this participant is an admin of the group.',
	ambiguous: "Kept: it isn't certain which member this is.",
	unidentified:
		"Kept: the gateway doesn't show enough of this member to tell that they aren't somebody who should stay.",
	badRow: "Kept: an item of this group isn't valid and may mean this member.",
};

const UNCONFIRMED =
	"Not found among the members, but the gateway doesn't show who all of them are. Check the group.";

/** What is decided about a person, in one sentence. */
export function sentenceFor(decision: Decision): string {
	switch (decision.outcome) {
		case 'planned':
			return sentenceOf('planned', decision.action);
		case 'unchanged':
			return sentenceOf('unchanged', decision.shouldBeMember ? 'add' : 'remove');
		case 'unconfirmed':
			return UNCONFIRMED;
		case 'kept':
			return decision.reason === 'admin' && decision.members.some(({ role }) => role === 'superAdmin')
				? 'Kept: this participant created the group.'
				: KEPT[decision.reason];
		case 'postponed':
			return decision.refusal === undefined
				? "Postponed: this run has made as many additions as 'Maximum Additions per Run' allows. Run it again to go on."
				: `Postponed: ${refusalText(decision.refusal)}`;
	}
}

/** `on 2026-11-14 the gateway said "…". Asked again from 2026-11-21 on.` */
function refusalText({ at, outcome, code, retryAt }: PastRefusal): string {
	const said = sentenceOf(outcome, 'add', code);
	return `on ${dayOf(at)} the gateway said "${said}" They are asked again from ${dayOf(retryAt)} on.`;
}

/** In UTC. */
function dayOf(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}
