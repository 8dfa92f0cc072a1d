import { identityOf } from '../identity';
import type { Member } from '../member';
import type { Applied } from '../outcomes';
import { hasHiddenId, hasNumber, oneOfEachKind, People } from '../people';
import type { Addition, Decision, Plan, SentDecision } from './plan';

/** What was known of a change before the group was read again. */
export interface PriorResult {
	/** The sentence of the outcome, or of the failure. */
	readonly message: string;
	/** The ID by which the gateway's reply names the person, where it does. */
	readonly jid?: string;
}

/** What the group shows when it is read again. */
export interface Settlement {
	/** `undefined` where what was known before stays: the group doesn't tell. */
	readonly outcome?: 'done' | 'rejected';
	readonly applied: Applied;
	readonly message: string;
}

/**
 * Settles changes of which it isn't known whether they were carried out, by the members that the group has after them.
 *
 * @param before the plan that they are of
 * @param after the members as they were read again; `undefined` where they couldn't be
 * @param exact whether numbers count as they are spelled
 * @returns says what became of one change
 */
export function settleBy(
	before: Pick<Plan, 'members' | 'self'>,
	after: readonly Member[] | undefined,
	exact: boolean,
): (decision: SentDecision, prior: PriorResult) => Settlement {
	const members = new People(after ?? []);
	const isSelfThere = before.self.length === 0 || before.self.some(({ ids }) => members.find(ids).length > 0);
	if (members.all.length === 0 || !isSelfThere) return (_, { message }) => ({ applied: null, message });
	const listedBefore = new Set(before.members.all.map(({ id }) => id));
	const newcomers = new People(members.all.filter(({ id }) => !listedBefore.has(id)));
	const strangers = oneOfEachKind(
		newcomers.all.filter((one) => !hasNumber(one) && before.members.find(one.ids).length === 0),
	);
	const shown = { numbers: members.all.every(hasNumber), hiddenIds: members.all.every(hasHiddenId) };
	return (decision, prior) => {
		const applied =
			decision.action === 'add'
				? isThere(decision, prior, { members, exact, shown })
				: isGone(decision.member, { members, newcomers, strangers });
		return settlementOf(decision, prior, applied);
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

/** The group as it was read again. */
interface ReadAgain {
	readonly members: People<Member>;
	readonly exact: boolean;
	/** Of which kinds every member shows an ID. */
	readonly shown: { readonly numbers: boolean; readonly hiddenIds: boolean };
}

/** Whether a person is in the group now; `null` where a member may be them or not. */
function isThere(
	{ ids: named }: Addition,
	{ jid }: PriorResult,
	{ members, exact, shown }: ReadAgain,
): Applied {
	const known = identityOf(jid);
	const ids = known === undefined ? named : [...named, known];
	const inAnyForm = members.find(ids);
	if ((exact ? members.findExactly(ids) : inAnyForm).length > 0) return true;
	const wouldShow = ids.some(({ kind }) => (kind === 'phone' ? shown.numbers : shown.hiddenIds));
	return inAnyForm.length === 0 && wouldShow ? false : null;
}

/** Who is listed after a removal. */
interface ListedAfter {
	readonly members: People<Member>;
	/** Those under an ID that wasn't listed before. */
	readonly newcomers: People<Member>;
	/** Of whom nobody was listed before, and no number is shown: one of each kind stands for all. */
	readonly strangers: readonly Member[];
}

/**
 * Whether a member is no longer listed; `null` where they may be, under another form of their number that wasn't listed
 * before, or by a hidden ID as a newcomer.
 */
function isGone({ ids }: Member, { members, newcomers, strangers }: ListedAfter): Applied {
	if (members.findExactly(ids).length > 0) return false;
	const isAnother = (one: Member) => hasHiddenId(one) && hasHiddenId({ ids });
	const mayBeThere = [...newcomers.find(ids), ...strangers].some((one) => !isAnother(one));
	return mayBeThere ? null : true;
}

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

function settlementOf({ action }: SentDecision, { message }: PriorResult, applied: Applied): Settlement {
	if (applied === true) return { outcome: 'done', applied, message: SENTENCES[action].done };
	if (applied === false)
		return {
			outcome: 'rejected',
			applied,
			message: `${SENTENCES[action].rejected} ${withoutAdvice(message)}`,
		};
	return {
		applied,
		message: `${withoutAdvice(message)} The group was read again, and it doesn't tell either.`,
	};
}

/** What was said before, without the advice to check what has just been checked. */
function withoutAdvice(message: string): string {
	const said = message.replace(/(?<=\.) Check the group[^.]*\.$/, '');
	return said.endsWith('.') ? said : `${said}.`;
}
