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
	const settle = (participant: string, candidates: readonly ReplyRow[] = [], mayShare = false) => {
		const row =
			candidates.find((candidate) => !used.has(candidate)) ?? (mayShare ? candidates[0] : undefined);
		if (row === undefined || settled.has(participant)) return;
		settled.add(participant);
		used.add(row);
		if (new Set(candidates.map(({ code }) => appliedBy(code, action))).size === 1)
			found.set(participant, row);
	};

	const byPhoneNumber = indexBy('phoneNumber', rows);
	const byJid = indexBy('jid', rows);
	// Full JIDs first: a gateway may have made another number of the same digits without a host.
	const jidsFirst = [...sent].sort((a, b) => Number(b.includes('@')) - Number(a.includes('@')));
	// A person who was sent under two spellings may have a row for each, or one for both.
	for (const mayShare of [false, true])
		for (const idOf of [identityOf, rewrittenIdentityOf])
			for (const index of [byPhoneNumber, byJid])
				for (const one of jidsFirst) settle(one, index.get(idOf(one)), mayShare);

	// A row that names somebody who was sent, or shares an ID with their row, is about nobody else.
	const idsOfSent = new Set([
		...sent.flatMap((one) => [identityOf(one), rewrittenIdentityOf(one)]),
		...[...used].flatMap(idsIn),
	]);
	const [participant, ...otherParticipants] = sent.filter((one) => !settled.has(one));
	const [row, ...otherRows] = rows.filter(
		(one) => !used.has(one) && !idsIn(one).some((id) => idsOfSent.has(id)),
	);
	if (
		participant !== undefined &&
		row !== undefined &&
		otherParticipants.length === 0 &&
		otherRows.length === 0
	)
		settle(participant, [row]);
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
	const [, digits, host] = /^(\d+)(?:[._:-][^@]*)?(?:@(.*))?$/.exec(id ?? '') ?? [];
	const kind = KINDS.get(host);
	return digits === undefined || kind === undefined ? undefined : `${kind}:${digits}`;
}

/**
 * The identity of what gateways make of a plain number before the network sees it (1.8.2, 2.2.3 and 2.3.6;
 * recordings `…-normalisation`). Full JIDs pass untouched, but for `@c.us`.
 */
function rewrittenIdentityOf(sentAs: string): string | undefined {
	const number = sentAs.replace(/@c\.us$/, '');
	const [, brazil = '', area = '', subscriber = ''] = /^(55)(\d\d)\d(\d{8})$/.exec(number) ?? [];
	if (brazil !== '')
		return Number(area) >= 31 && Number(subscriber[0]) >= 7
			? identityOf(brazil + area + subscriber)
			: undefined;
	const [, country = '', national = ''] = /^(52|54)\d(\d{10})$/.exec(number) ?? [];
	return identityOf(country + national);
}
