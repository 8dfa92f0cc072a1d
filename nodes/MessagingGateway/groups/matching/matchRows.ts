import { digitsOf, identityOf, isHidden, isPhone, rewrittenIdentityOf } from '../identity';
import type { ReplyRow } from '../../gateway/replies/changeRows';

/** Rows about one person: each shares an ID with another of them. */
export interface RowGroup {
	rows: ReplyRow[];
	/** All their IDs, as {@link identityOf} gives them. */
	ids: Set<string>;
}

/** A participant, and the numbers that the network may have been asked about. */
interface Sent {
	sentAs: string;
	own: string | undefined;
	/** The same as `own` where gateways leave it as it is. */
	made: string | undefined;
}

/**
 * Finds the rows that may be about each participant.
 *
 * The reply may name a person by another ID, so rows are looked for by `phone_number` and the digits of `jid`, then
 * under the number that gateways are known to make of the one sent. What is left, as many rows as participants and
 * none of them with a number, belongs together.
 *
 * @param sent the participants of the request, each once
 * @param rows the rows of its reply
 * @returns for each participant that has any, the groups that may be about them; what all their rows agree on is certain
 */
export function matchRows(sent: readonly string[], rows: readonly ReplyRow[]): Map<string, RowGroup[]> {
	const { groups, byId } = groupRows(rows);
	const groupOf = (id: string | undefined) => (id === undefined ? undefined : byId.get(id));
	const people = sent.map((one): Sent => ({
		sentAs: one,
		own: identityOf(one),
		made: rewrittenIdentityOf(one),
	}));
	// The network was certainly asked about these. So their rows say nothing about a number that gateways may or may not
	// have made the same.
	const taken = new Set(people.filter(({ own, made }) => own === made).map(({ own }) => groupOf(own)));

	const found = new Map<string, RowGroup[]>();
	const shared: Sent[] = [];
	const peopleLeft: Sent[] = [];
	for (const one of people) {
		const own = groupOf(one.own);
		const made = groupOf(one.made);
		const free = groupsAmong(own, made).filter((group) => one.own === one.made || !taken.has(group));
		if (free.length > 0) found.set(one.sentAs, free);
		else if (made) shared.push(one);
		else peopleLeft.push(one);
	}

	const idsSent = new Set(people.flatMap(({ own, made }) => [own, made]));
	const groupsLeft = groups.filter(({ ids }) => ![...ids].some((id) => idsSent.has(id)));
	const unnamed = groupsLeft.filter((group) => group.rows.every(namesNoNumber));
	const pool = { rows: unnamed.flatMap((group) => group.rows), ids: new Set<string>() };
	// What is left may as well be about those who may share a row.
	const more = unnamed.length > 0 ? pool : undefined;
	for (const { sentAs, own, made } of shared)
		found.set(sentAs, groupsAmong(groupOf(own), groupOf(made), more));
	if (shared.length === 0 && isOneEach(peopleLeft, groupsLeft, unnamed))
		for (const { sentAs } of peopleLeft) found.set(sentAs, [pool]);
	return found;
}

/** Whether every participant that is left has exactly one of the rows that are left. */
function isOneEach(
	people: readonly Sent[],
	left: readonly RowGroup[],
	unnamed: readonly RowGroup[],
): boolean {
	if (left.length !== people.length || unnamed.length !== people.length) return false;
	if (left.some(({ rows }) => rows.length > 1)) return false;
	// A row with another hidden ID than the one sent is about somebody else.
	return (
		!people.some(({ own }) => own !== undefined && isHidden(own)) || left.every(({ ids }) => ids.size === 0)
	);
}

function groupsAmong(...groups: Array<RowGroup | undefined>): RowGroup[] {
	return [...new Set(groups)].filter((group) => group !== undefined);
}

/** Whether a row has no ID, or hidden ones. What can't be read may be a number. */
function namesNoNumber({ jid, phoneNumber }: ReplyRow): boolean {
	return [jid, phoneNumber].every((id) => id === undefined || isHidden(identityOf(id) ?? ''));
}

/** Puts the rows together that share an ID, in time that grows with their number. */
function groupRows(rows: readonly ReplyRow[]): { groups: RowGroup[]; byId: Map<string, RowGroup> } {
	const groups = new Set<RowGroup>();
	const byId = new Map<string, RowGroup>();
	for (const row of rows) {
		const ids = idsOf(row);
		let group: RowGroup = { rows: [row], ids: new Set(ids) };
		groups.add(group);
		for (const known of groupsAmong(...ids.map((id) => byId.get(id)))) {
			// The smaller one moves, so that no row moves often.
			const [from, to] = known.rows.length < group.rows.length ? [known, group] : [group, known];
			for (const moved of from.rows) to.rows.push(moved);
			for (const id of from.ids) to.ids.add(id);
			for (const id of from.ids) byId.set(id, to);
			groups.delete(from);
			group = to;
		}
		for (const id of ids) byId.set(id, group);
	}
	return { groups: [...groups], byId };
}

/** Where a row names two phone numbers of different people, `phone_number` is the one that counts. */
function idsOf(row: ReplyRow): string[] {
	const ids = [row.phoneNumber, row.jid].map(identityOf).filter((id) => id !== undefined);
	const people = new Set(ids.filter(isPhone).map((id) => rewrittenIdentityOf(digitsOf(id))));
	return people.size > 1 ? ids.slice(0, 1) : ids;
}
