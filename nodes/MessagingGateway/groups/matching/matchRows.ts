import { groupBy } from '../../common/groupBy';
import type { Participant } from '../change';
import { distinct, identityOf, rewrite, type Identity } from '../identity';

/** What the gateway says about one participant. */
export interface ReplyRow {
	/** The participant as the gateway names them, e.g. `5511999990001@s.whatsapp.net` or `…@lid`. */
	jid?: string | undefined;
	/** Their phone number as a JID, where `jid` is not one. */
	phoneNumber?: string | undefined;
	/** The network's code, e.g. `200`; absent where the row has none. */
	code?: string | undefined;
	inviteCode?: string | undefined;
	/** ISO 8601, UTC. */
	inviteExpiresAt?: string | undefined;
}

/** Rows about one person: each shares an ID with another of them. */
export type RowGroup = readonly ReplyRow[];

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
export function matchRows(
	sent: readonly Participant[],
	rows: readonly ReplyRow[],
): Map<Participant, RowGroup[]> {
	const { groups, byKey } = groupRows(rows);
	// The network was certainly asked about these numbers. So their rows are theirs alone, unless everybody has a row and
	// these have one too many.
	const certain = sent.filter(({ identity }) => !isRewritten(identity));
	const takers = groupBy(certain, ({ identity: { key } }) => byKey.get(key));
	const isTaken = (group: RowGroup) => {
		const amount = takers.get(group)?.length ?? 0;
		return amount > 0 && !(rows.length === sent.length && group.length > amount);
	};

	const matches = new Map<Participant, RowGroup[]>();
	const shared: Participant[] = [];
	const peopleLeft: Participant[] = [];
	for (const one of sent) {
		const { identity } = one;
		const own = byKey.get(identity.key);
		const rewritten = byKey.get(identity.rewritten);
		const free = groupsAmong(own, rewritten).filter((group) => !isRewritten(identity) || !isTaken(group));
		if (free.length > 0) matches.set(one, free);
		else if (rewritten) shared.push(one);
		else peopleLeft.push(one);
	}

	const keysSent = new Set(sent.flatMap(({ identity: { key, rewritten } }) => [key, rewritten]));
	const groupsLeft = groups.filter((group) => !group.flatMap(keysOf).some((key) => keysSent.has(key)));
	const unnamed = groupsLeft.filter((group) => group.every(namesNoNumber));
	const pool = unnamed.flat();
	// What is left may as well be about those who may share a row.
	const more = unnamed.length > 0 ? pool : undefined;
	for (const one of shared) {
		const { key, rewritten } = one.identity;
		matches.set(one, groupsAmong(byKey.get(key), byKey.get(rewritten), more));
	}
	if (shared.length === 0 && isOneEach(peopleLeft, groupsLeft, unnamed))
		for (const one of peopleLeft) matches.set(one, [pool]);
	return matches;
}

/** Whether gateways ask the network about another number than the one sent. */
function isRewritten({ key, rewritten }: Identity): boolean {
	return key !== rewritten;
}

/** Whether every participant that is left has exactly one of the rows that are left. */
function isOneEach(
	people: readonly Participant[],
	left: readonly RowGroup[],
	unnamed: readonly RowGroup[],
): boolean {
	if (left.length !== people.length || unnamed.length !== people.length) return false;
	if (left.some((group) => group.length > 1)) return false;
	// A row with another hidden ID than the one sent is about another person.
	return (
		!people.some(({ identity }) => identity.kind === 'hidden') || left.flat().flatMap(keysOf).length === 0
	);
}

function groupsAmong<G extends RowGroup>(...groups: Array<G | undefined>): G[] {
	return [...new Set(groups)].filter((group) => group !== undefined);
}

/** Whether a row has no ID, or hidden ones. What can't be read may be a number. */
export function namesNoNumber({ jid, phoneNumber }: ReplyRow): boolean {
	return [jid, phoneNumber].every((id) => id === undefined || identityOf(id)?.kind === 'hidden');
}

/** Puts the rows together that share an ID, in time that grows with their number. */
function groupRows(rows: readonly ReplyRow[]): { groups: RowGroup[]; byKey: Map<string, RowGroup> } {
	const groups = new Set<ReplyRow[]>();
	const byKey = new Map<string, ReplyRow[]>();
	for (const row of rows) {
		const keys = keysOf(row);
		let group = [row];
		groups.add(group);
		for (const known of groupsAmong(...keys.map((key) => byKey.get(key)))) {
			// The smaller one moves, so that no row moves often.
			const [from, to] = known.length < group.length ? [known, group] : [group, known];
			for (const moved of from) to.push(moved);
			for (const key of from.flatMap(keysOf)) byKey.set(key, to);
			groups.delete(from);
			group = to;
		}
		for (const key of keys) byKey.set(key, group);
	}
	return { groups: [...groups], byKey };
}

/** The keys of a row's identities; of two phone numbers of different people, `phone_number` is the one that counts. */
function keysOf(row: ReplyRow): string[] {
	const ids = distinct([row.phoneNumber, row.jid].map(identityOf));
	const numbers = new Set(ids.filter(({ kind }) => kind === 'phone').map(({ digits }) => rewrite(digits)));
	return (numbers.size > 1 ? ids.slice(0, 1) : ids).map(({ key }) => key);
}
