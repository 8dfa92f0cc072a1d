import type { ChangeResult } from '../change';
import { identityOf } from '../identity';
import { NO_CLEAR_RESULT, sentenceOf, type Applied } from '../outcomes';
import type { Member } from '../people';
import { kindsShown, People } from '../people';
import type { Decision, Plan } from './plan';

/** Makes a function that settles an unknown result by the members afterwards. */
export function settleBy(
	{ self }: Pick<Plan, 'self'>,
	after: readonly Member[],
): (
	decision: Decision,
	prior: Pick<ChangeResult, 'message' | 'jid'>,
) => Pick<ChangeResult, 'message' | 'applied' | 'outcome'> {
	const members = new People(after);
	const isSelfThere = self.length === 0 || self.some(({ ids }) => members.find(ids).length > 0);
	if (members.all.length === 0 || !isSelfThere)
		return (_, { message }) => ({ outcome: 'unconfirmed', applied: null, message });
	const visibleIds = kindsShown(members.all);

	/** Whether a person is in the group now; `null` where a member may be them or not. */
	const isThere = ({ ids: named }: Decision, jid: string | undefined): Applied => {
		const known = identityOf(jid);
		const ids = known === undefined ? named : [...named, known];
		if (members.find(ids).length > 0) return true;
		return members.findNearby(ids).length === 0 && ids.some(({ kind }) => visibleIds[kind]) ? false : null;
	};

	return (decision, { message, jid }) => {
		const { action } = decision;
		const said = message === sentenceOf('unconfirmed', action) ? NO_CLEAR_RESULT : message;
		const [member] = decision.members;
		const applied =
			action === 'remove' && member ? members.find(member.ids).length === 0 : isThere(decision, jid);
		if (applied === null) return { outcome: 'unconfirmed', applied, message: `${said} ${DOES_NOT_TELL}.` };
		const { done, rejected } = SENTENCES[action === 'remove' ? 'remove' : 'add'];
		return applied
			? { outcome: 'done', applied, message: done }
			: { outcome: 'rejected', applied, message: `${rejected} ${said}` };
	};
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
