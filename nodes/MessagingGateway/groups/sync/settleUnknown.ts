import type { ChangeResult } from '../change';
import { identityOf } from '../identity';
import type { Member } from '../member';
import type { Applied } from '../outcomes';
import { hasHiddenId, hasNumber, kindsShown, oneOfEachKind, People } from '../people';
import type { Addition, Decision, Plan, SentDecision } from './plan';

/** What was known of a change before: the sentence of the outcome or failure, and by which ID the reply names the person. */
export type PriorResult = Pick<ChangeResult, 'message' | 'jid'>;

/** What the group shows when it is read again: no outcome where it doesn't tell, so that the one known before stays. */
export type Settlement = Pick<ChangeResult, 'message' | 'applied'> & { outcome?: 'done' | 'rejected' };

/**
 * Settles changes of which it isn't known whether they were carried out, by the members that the group has after them.
 *
 * @param before the plan that they are of
 * @param after the members as they were read again
 * @param exact whether numbers count as they are spelled
 * @returns says what became of one change
 */
export function settleBy(
	before: Pick<Plan, 'members' | 'self'>,
	after: readonly Member[],
	exact: boolean,
): (decision: SentDecision, prior: PriorResult) => Settlement {
	const members = new People(after);
	const isSelfThere = before.self.length === 0 || before.self.some(({ ids }) => members.find(ids).length > 0);
	if (members.all.length === 0 || !isSelfThere) return (_, { message }) => ({ applied: null, message });
	const listedBefore = new Set(before.members.all.map(({ id }) => id));
	const newcomers = new People(members.all.filter(({ id }) => !listedBefore.has(id)));
	const strangers = oneOfEachKind(
		newcomers.all.filter((one) => !hasNumber(one) && before.members.find(one.ids).length === 0),
	);
	const shows = kindsShown(members.all);

	/** Whether a person is in the group now; `null` where a member may be them or not. */
	const isThere = ({ ids: named }: Addition, jid: string | undefined): Applied => {
		const known = identityOf(jid);
		const ids = known === undefined ? named : [...named, known];
		const inAnyForm = members.find(ids);
		if ((exact ? members.findExactly(ids) : inAnyForm).length > 0) return true;
		return inAnyForm.length === 0 && ids.some(({ kind }) => shows[kind]) ? false : null;
	};

	/**
	 * Whether a member is no longer listed; `null` where they may be, under another form of their number that wasn't listed
	 * before, or by a hidden ID as a newcomer.
	 */
	const isGone = ({ ids }: Member): Applied => {
		if (members.findExactly(ids).length > 0) return false;
		const isAnother = (one: Member) => hasHiddenId(one) && hasHiddenId({ ids });
		return [...newcomers.find(ids), ...strangers].every(isAnother) || null;
	};

	return (decision, { message, jid }) => {
		const applied = decision.action === 'add' ? isThere(decision, jid) : isGone(decision.member);
		if (applied === null) return { applied, message: `${withoutAdvice(message)} ${DOES_NOT_TELL}.` };
		const { done, rejected } = SENTENCES[decision.action];
		return applied
			? { outcome: 'done', applied, message: done }
			: { outcome: 'rejected', applied, message: `${rejected} ${withoutAdvice(message)}` };
	};
}

/**
 * People who should not be members and weren't, and are there now: another row has added them by an ID that nothing
 * connected with theirs, or they joined.
 */
export function joinedSince({ decisions }: Plan, after: readonly Member[]): Decision[] {
	const members = new People(after);
	return decisions.filter(
		({ shouldBeMember, outcome, ids }) =>
			!shouldBeMember && outcome === 'unchanged' && members.find(ids).length > 0,
	);
}

/** What is said where the group was read again and shows neither that a change was carried out nor that it wasn't. */
export const DOES_NOT_TELL = "The group was read again, and it doesn't tell either";

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

/** What was said before, without the advice to check what has just been checked. */
function withoutAdvice(message: string): string {
	const said = message.replace(/(?<=\.) Check the group[^.]*\.$/, '');
	return said.endsWith('.') ? said : `${said}.`;
}
