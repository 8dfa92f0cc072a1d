import { groupBy } from '../../common/maps';
import type { Participant } from '../../groups/change';
import { distinct, identityOf, rewrite, type Identity } from '../../groups/identity';
import type { ReplyRow } from './changeRows';

/**
 * Finds the rows that may be about each participant: by the IDs of a row, then by the number that gateways
 * make of the one sent. As many rows as participants that are left, all without a number, belong together.
 *
 * @returns groups of rows for each participant. Those of a group are about one person, since they share IDs
 */
export function matchRows(
	sent: readonly Participant[],
	rows: readonly ReplyRow[],
): Map<Participant, ReplyRow[][]> {
	const { groups, byKey } = groupRows(rows);
	// The network was certainly asked about these. A row with such a number belongs to nobody else, unless every
	// participant has a row and there is one too many for the number.
	const certain = sent.filter(({ identity }) => !isRewritten(identity));
	const takers = groupBy(certain, ({ identity: { key } }) => byKey.get(key));
	const isTaken = (group: ReplyRow[]) => {
		const amount = takers.get(group)?.length ?? 0;
		return amount > 0 && !(rows.length === sent.length && group.length > amount);
	};

	const matches = new Map<Participant, ReplyRow[][]>();
	const ambiguous: Participant[] = [];
	const peopleLeft: Participant[] = [];
	for (const participant of sent) {
		const { identity } = participant;
		const own = byKey.get(identity.key);
		const rewritten = byKey.get(identity.rewritten);
		const free = groupsAmong(own, rewritten).filter((group) => !isRewritten(identity) || !isTaken(group));
		if (free.length > 0) matches.set(participant, free);
		else if (rewritten) ambiguous.push(participant);
		else peopleLeft.push(participant);
	}

	const keysSent = new Set(sent.flatMap(({ identity: { key, rewritten } }) => [key, rewritten]));
	const groupsLeft = groups.filter((group) => !group.flatMap(rowKeys).some((key) => keysSent.has(key)));
	const unnamed = groupsLeft.filter((group) => group.every(namesNoNumber));
	const pool = unnamed.flat();
	// Rows that name nobody may as well be about people who may share a row.
	const more = unnamed.length > 0 ? pool : undefined;
	for (const participant of ambiguous) {
		const { key, rewritten } = participant.identity;
		matches.set(participant, groupsAmong(byKey.get(key), byKey.get(rewritten), more));
	}
	if (ambiguous.length === 0 && isOneEach(peopleLeft, groupsLeft, unnamed))
		for (const participant of peopleLeft) matches.set(participant, [pool]);
	return matches;
}

const isRewritten = ({ key, rewritten }: Identity): boolean => key !== rewritten;

/** Whether every participant that is left has exactly one of the rows that are left. */
function isOneEach(
	people: readonly Participant[],
	left: readonly ReplyRow[][],
	unnamed: readonly ReplyRow[][],
): boolean {
	if (left.length !== people.length || unnamed.length !== people.length) return false;
	if (left.some((group) => group.length > 1)) return false;
	// A row with another hidden ID than the one sent is about another person.
	return (
		!people.some(({ identity }) => identity.kind === 'hidden') || left.flat().flatMap(rowKeys).length === 0
	);
}

const groupsAmong = (...groups: Array<ReplyRow[] | undefined>): ReplyRow[][] =>
	[...new Set(groups)].filter((group) => group !== undefined);

/** Whether a row has no ID, or none that is a number. An ID that can't be read may be one. */
export function namesNoNumber({ jid, otherId }: ReplyRow): boolean {
	const given = [jid, otherId].filter((id) => id !== undefined);
	const ids = given.map(identityOf);
	return !ids.includes(undefined) && distinct(ids).every(({ kind }) => kind !== 'phone');
}

/** Puts rows together that share an ID, in time that grows with their number. */
function groupRows(rows: readonly ReplyRow[]): { groups: ReplyRow[][]; byKey: Map<string, ReplyRow[]> } {
	const groups = new Set<ReplyRow[]>();
	const byKey = new Map<string, ReplyRow[]>();
	for (const row of rows) {
		const keys = rowKeys(row);
		let group = [row];
		groups.add(group);
		for (const known of groupsAmong(...keys.map((key) => byKey.get(key)))) {
			// The smaller one moves, so that no row moves often.
			const [from, to] = known.length < group.length ? [known, group] : [group, known];
			for (const moved of from) to.push(moved);
			for (const key of from.flatMap(rowKeys)) byKey.set(key, to);
			groups.delete(from);
			group = to;
		}
		for (const key of keys) byKey.set(key, group);
	}
	return { groups: [...groups], byKey };
}

/** Lists the keys of a row's identities. Of two phone numbers of different people, the other ID's counts. */
function rowKeys(row: ReplyRow): string[] {
	const ids = distinct([row.otherId, row.jid].map(identityOf));
	const numbers = new Set(ids.filter(({ kind }) => kind === 'phone').map(({ digits }) => rewrite(digits)));
	return (numbers.size > 1 ? ids.slice(0, 1) : ids).map(({ key }) => key);
}
