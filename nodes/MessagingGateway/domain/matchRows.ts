import { outcomeOf, WORDING, type Action, type Applied } from './outcomes';
import type { ReplyRow } from './replyRows';

/**
 * Finds each participant's row in the gateway's reply.
 *
 * The reply may name a person by another ID, so rows are looked for by `phone_number` and the digits of `jid`,
 * then under the number that the gateway is known to make of the one sent; where exactly one participant and
 * one row are left then, they belong together. Rows that contradict each other about the same ID count for
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
	const used = new Set<ReplyRow>();
	const settle = (participant: string, row: ReplyRow | undefined, candidates: readonly ReplyRow[]) => {
		if (row === undefined || settled.has(participant)) return;
		settled.add(participant);
		used.add(row);
		if (new Set(candidates.map(({ code }) => appliedBy(code, action))).size === 1)
			found.set(participant, row);
	};

	const byPhoneNumber = indexBy('phoneNumber', rows);
	const byJid = indexBy('jid', rows);
	// Full JIDs first: a gateway may have made another number of the same digits without a host.
	const jidsFirst = new Set([...sent.filter((one) => one.includes('@')), ...sent]);
	// A person who was sent under two spellings may have a row for each, or one for both.
	const unused = (candidates: readonly ReplyRow[]) => candidates.find((row) => !used.has(row));
	const shared = ([row]: readonly ReplyRow[]) => row;
	for (const choose of [unused, shared])
		for (const idOf of [identityOf, rewrittenIdentityOf])
			for (const index of [byPhoneNumber, byJid])
				for (const one of jidsFirst) {
					const candidates = index.get(idOf(one)) ?? [];
					settle(one, choose(candidates), candidates);
				}

	// A row that names somebody who was sent, or shares an ID with their row, is about nobody else.
	const idsOfSent = new Set([
		...sent.flatMap((one) => [identityOf(one), rewrittenIdentityOf(one)]),
		...[...used].flatMap(idsIn),
	]);
	const peopleLeft = sent.filter((one) => !settled.has(one));
	const rowsLeft = rows.filter((row) => !used.has(row) && !idsIn(row).some((id) => idsOfSent.has(id)));
	if (peopleLeft.length === 1 && rowsLeft.length === 1)
		for (const one of peopleLeft) settle(one, rowsLeft[0], rowsLeft);
	return found;
}

function appliedBy(code: string | undefined, action: Action): Applied {
	return code === undefined ? null : WORDING[outcomeOf(code, action)].applied;
}

/** The rows that name each person in a field, in the order of the reply. */
function indexBy(
	field: 'phoneNumber' | 'jid',
	rows: readonly ReplyRow[],
): Map<string | undefined, ReplyRow[]> {
	const index = new Map<string | undefined, ReplyRow[]>();
	for (const row of rows) {
		const id = identityOf(row[field]);
		const named = index.get(id);
		if (named) named.push(row);
		else if (id !== undefined) index.set(id, [row]);
	}
	return index;
}

function idsIn({ phoneNumber, jid }: ReplyRow): string[] {
	return [identityOf(phoneNumber), identityOf(jid)].filter((id) => id !== undefined);
}

/** Digits of a phone number and of a hidden ID are different things; those of a group are no person's. */
const KINDS = new Map([
	[undefined, 'phone'],
	['s.whatsapp.net', 'phone'],
	['c.us', 'phone'],
	['lid', 'lid'],
]);

/** What makes two IDs the same person: the digits and their kind. A device (`:12`) is left out. */
function identityOf(id: string | undefined): string | undefined {
	const parts = id?.match(/^(\d+)(?:[._:-][^@]*)?(?:@(.*))?$/);
	if (!parts) return undefined;
	const kind = KINDS.get(parts[2]);
	return kind && `${kind}:${parts[1]}`;
}

/** What gateways make of a plain number before the network sees it: a digit is dropped. */
const REWRITES = [/^(55(?:3[1-9]|[4-9]\d))\d([7-9]\d{7})$/, /^(5[24])\d(\d{10})$/];

/**
 * The identity of a number after the rewrites that gateways apply (1.8.2, 2.2.3 and 2.3.6; recordings
 * `…-normalisation`). Full JIDs pass untouched, but for `@c.us`.
 */
function rewrittenIdentityOf(sentAs: string): string | undefined {
	const number = sentAs.replace('@c.us', '');
	return identityOf(REWRITES.reduce((rewritten, pattern) => rewritten.replace(pattern, '$1$2'), number));
}
