import type { ChangeResult } from '../change';
import { identityOf } from '../identity';
import { NO_CLEAR_RESULT, sentenceOf, type Applied } from '../outcomes';
import type { Member } from '../people';
import { hasHiddenId, hasNumber, kindsShown, oneOfEachKind, People } from '../people';
import type { Decision, Plan } from './plan';

/** Makes a function that settles an unknown result by the members afterwards. @param exact whether numbers count as they are spelled */
export function settleBy(
	before: Pick<Plan, 'members' | 'self'>,
	after: readonly Member[],
	exact: boolean,
): (
	decision: Decision,
	prior: Pick<ChangeResult, 'message' | 'jid'>,
) => Pick<ChangeResult, 'message' | 'applied' | 'outcome'> {
	const members = new People(after);
	const isSelfThere = before.self.length === 0 || before.self.some(({ ids }) => members.find(ids).length > 0);
	if (members.all.length === 0 || !isSelfThere)
		return (_, { message }) => ({ outcome: 'unconfirmed', applied: null, message });
	const listedBefore = new Set(before.members.all.map(({ id }) => id));
	const newcomers = new People(members.all.filter(({ id }) => !listedBefore.has(id)));
	const strangers = oneOfEachKind(
		newcomers.all.filter((member) => !hasNumber(member) && before.members.find(member.ids).length === 0),
	);
	const visibleIds = kindsShown(members.all);

	/** Whether a person is in the group now; `null` where a member may be them or not. */
	const isThere = ({ ids: named }: Decision, jid: string | undefined): Applied => {
		const known = identityOf(jid);
		const ids = known === undefined ? named : [...named, known];
		if ((exact ? members.findExactly(ids) : members.find(ids)).length > 0) return true;
		return members.findNearby(ids).length === 0 && ids.some(({ kind }) => visibleIds[kind]) ? false : null;
	};

	/** Whether a member is no longer listed; `null` if a newcomer may be them under another ID. */
	const isGone = ({ ids }: Member): Applied => {
		if (members.findExactly(ids).length > 0) return false;
		const isAnother = (member: Member) => hasHiddenId(member) && hasHiddenId({ ids });
		return [...newcomers.findNearby(ids), ...strangers].every(isAnother) || null;
	};

	return (decision, { message, jid }) => {
		const { action } = decision;
		const said = message === sentenceOf('unconfirmed', action) ? NO_CLEAR_RESULT : message;
		const [member] = decision.members;
		const applied = action === 'remove' && member ? isGone(member) : isThere(decision, jid);
		if (applied === null) return { outcome: 'unconfirmed', applied, message: `${said} ${DOES_NOT_TELL}.` };
		const { done, rejected } = SENTENCES[action === 'remove' ? 'remove' : 'add'];
		return applied
			? { outcome: 'done', applied, message: done }
			: { outcome: 'rejected', applied, message: `${rejected} ${said}` };
	};
}

/** Corrects the outcome of people who shouldn't be members and joined during the run, or may have. */
export function noteWhoJoined({ decisions }: Plan, after: readonly Member[]): void {
	const members = new People(after);
	for (const decision of decisions) {
		if (decision.shouldBeMember || decision.outcome !== 'unchanged') continue;
		if (members.find(decision.ids).length > 0) decision.outcome = 'rejected';
		else if (members.findNearby(decision.ids).length > 0) decision.outcome = 'unconfirmed';
	}
}

const DOES_NOT_TELL = "The group was read again and doesn't show it either";

const SENTENCES = {
	add: {
		done: "Added to the group. The gateway didn't confirm it, so the group was read again.",
		rejected: "Wasn't added: the group was read again, and this participant isn't in it so far.",
	},
	remove: {
		done: "Removed from the group. The gateway didn't confirm it, so the group was read again.",
		rejected: "Wasn't removed: the group was read again, and this participant is still in it.",
	},
};
