import { outcomeOf, WORDING, type Action, type Applied } from './outcomes';
import { digitsOf, identityOf, isPhone, rewrittenIdentityOf } from '../people/identity';
import type { ReplyRow } from './replyRows';

/** A row, and whom it names. */
interface Named {
	row: ReplyRow;
	phoneNumber: string | undefined;
	jid: string | undefined;
	/** Both, as far as they are there. */
	ids: string[];
	/** Whether it is about something that is no person. */
	isNobody: boolean;
}

/**
 * Finds each participant's row in the gateway's reply.
 *
 * The reply may name a person by another ID, so rows are looked for by `phone_number` and the digits of `jid`,
 * then under the number that the gateway is known to make of the one sent; where exactly one participant and
 * one row are left then, they belong together. Rows that contradict each other about the same person count for
 * nobody.
 *
 * @param sent the participants of the request, each once
 * @param rows the rows of its reply
 * @returns the row of each participant that has one
 */
export function matchRows(
	sent: readonly string[],
	rows: readonly ReplyRow[],
	action: Action,
): Map<string, ReplyRow> {
	const found = new Map<string, ReplyRow>();
	const settled = new Set<string>();
	const used = new Set<Named>();
	const all = rows.map(namesIn);
	const byPhoneNumber = indexBy(all, ({ phoneNumber }) => [phoneNumber]);
	const byJid = indexBy(all, ({ jid }) => [jid]);
	const byAnyId = indexBy(all, ({ ids }) => ids);
	const idsSent = new Set(sent.map(identityOf));

	// All rows about a person: those that share an ID with their row, and those under what the gateway makes of their
	// number, unless somebody was sent by that.
	const rowsAbout = (one: string, row: Named): Named[] => [
		row,
		...row.ids.flatMap((id) => byAnyId.get(id) ?? []),
		...(byAnyId.get(rewrittenIdentityOf(one)) ?? []).filter(({ ids }) => !ids.some((id) => idsSent.has(id))),
	];
	const settle = (one: string, row: Named | undefined) => {
		if (row === undefined || settled.has(one)) return;
		const applied = new Set(rowsAbout(one, row).map((about) => appliedBy(about.row.code, action)));
		settled.add(one);
		used.add(row);
		if (applied.size === 1) found.set(one, row.row);
	};

	// Full JIDs first: a gateway may have made another number of the same digits without a host.
	const jidsFirst = new Set([...sent.filter((one) => one.includes('@')), ...sent]);
	// A person who was sent under two spellings may have a row for each, or one for both.
	const unused = (candidates: readonly Named[]) => candidates.find((row) => !used.has(row));
	const shared = ([row]: readonly Named[]) => row;
	for (const choose of [unused, shared])
		for (const idOf of [identityOf, rewrittenIdentityOf])
			for (const index of [byPhoneNumber, byJid])
				for (const one of jidsFirst) settle(one, choose(index.get(idOf(one)) ?? []));

	// A row that names somebody who was sent, or shares an ID with their row, is about nobody else.
	const idsTaken = new Set([
		...idsSent,
		...sent.map(rewrittenIdentityOf),
		...[...used].flatMap(({ ids }) => ids),
	]);
	const peopleLeft = sent.filter((one) => !settled.has(one));
	const rowsLeft = all.filter((row) => !used.has(row) && !row.ids.some((id) => idsTaken.has(id)));
	if (peopleLeft.length === 1 && rowsLeft.length === 1 && !rowsLeft.some(({ isNobody }) => isNobody))
		for (const one of peopleLeft) settle(one, rowsLeft[0]);
	return found;
}

function appliedBy(code: string | undefined, action: Action): Applied {
	return code === undefined ? null : WORDING[outcomeOf(code, action)].applied;
}

/** The rows by each of some IDs, in the order of the reply. */
function indexBy(
	rows: readonly Named[],
	idsOf: (row: Named) => Array<string | undefined>,
): Map<string | undefined, Named[]> {
	const index = new Map<string | undefined, Named[]>();
	for (const row of rows)
		for (const id of idsOf(row)) {
			const named = index.get(id);
			if (named) named.push(row);
			else if (id !== undefined) index.set(id, [row]);
		}
	return index;
}

/** Where a row names two phone numbers of different people, `phone_number` is the one that counts. */
function namesIn(row: ReplyRow): Named {
	const phoneNumber = identityOf(row.phoneNumber);
	const named = identityOf(row.jid);
	const numbers = [phoneNumber, named].filter((id) => id !== undefined && isPhone(id));
	const people = new Set(numbers.map((id) => rewrittenIdentityOf(digitsOf(id ?? ''))));
	const jid = people.size > 1 ? undefined : named;
	const ids = [phoneNumber, jid].filter((id) => id !== undefined);
	return { row, phoneNumber, jid, ids, isNobody: NOT_A_PERSON.test(row.jid ?? '') };
}

/** Groups, also of the old kind without a host, channels and broadcast lists. */
const NOT_A_PERSON = /@(?:g\.us|newsletter|broadcast)$|^\d+-\d+$/;
