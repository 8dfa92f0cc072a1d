import { outcomeOf, WORDING, type Action, type Applied } from './outcomes';
import type { ReplyRow } from './replyRows';

/**
 * Finds each participant's row in the gateway's reply.
 *
 * The reply may name a person by another ID, so rows are looked for by `phone_number`, then by the digits of
 * `jid`, then under the number that the gateway is known to make of the one sent; where exactly one participant
 * and one row are left then, they belong together. Rows that contradict each other about a person count for
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
	const match = new Matching(rows, action);
	const byPhone = groupBy(rows, (row) => identityOf(row.phoneNumber));
	const byJid = groupBy(rows, (row) => identityOf(row.jid));
	for (const one of sent) match.byIdentity(one, byPhone.get(identityOf(one)));
	for (const one of sent) match.byIdentity(one, byJid.get(identityOf(one)));
	for (const one of sent) {
		const rewritten = identityOf(rewrite(one));
		match.byRewrite(one, byPhone.get(rewritten) ?? byJid.get(rewritten));
	}
	match.lastOneLeft(sent);
	return match.found;
}

class Matching {
	readonly found = new Map<string, ReplyRow>();

	private readonly settled = new Set<string>();

	private readonly used = new Set<ReplyRow>();

	constructor(
		private readonly rows: readonly ReplyRow[],
		private readonly action: Action,
	) {}

	/** The same ID: a person who was sent under two spellings may share one row. */
	byIdentity(participant: string, rows: readonly ReplyRow[] = []): void {
		this.settle(participant, rows, rows.find((row) => !this.used.has(row)) ?? rows[0]);
	}

	/** An ID that gateways are known to rewrite: only a row that nobody has been found in. */
	byRewrite(participant: string, rows: readonly ReplyRow[] = []): void {
		this.settle(
			participant,
			rows,
			rows.find((row) => !this.used.has(row)),
		);
	}

	/** One participant and one row that nothing connects with anybody else. */
	lastOneLeft(sent: readonly string[]): void {
		const idsOf = (one: string) => [identityOf(one), identityOf(rewrite(one))];
		const idsIn = ({ phoneNumber, jid }: ReplyRow) => [identityOf(phoneNumber), identityOf(jid)];
		// Everybody who was sent, also under the IDs that their rows give them.
		const sentIds = new Set([...sent.flatMap(idsOf), ...[...this.used].flatMap(idsIn)]);
		const rowIds = new Set(this.rows.flatMap(idsIn));
		const isNamed = (ids: Array<string | undefined>, others: Set<string | undefined>) =>
			ids.some((id) => id !== undefined && others.has(id));

		const [participant, ...otherParticipants] = sent.filter((one) => !this.settled.has(one));
		const [row, ...otherRows] = this.rows.filter(
			(one) => !this.used.has(one) && !isNamed(idsIn(one), sentIds),
		);
		if (participant === undefined || row === undefined || isNamed(idsOf(participant), rowIds)) return;
		if (otherParticipants.length === 0 && otherRows.length === 0) this.settle(participant, [row], row);
	}

	private settle(participant: string, candidates: readonly ReplyRow[], row: ReplyRow | undefined): void {
		if (row === undefined || this.settled.has(participant)) return;
		this.settled.add(participant);
		this.used.add(row);
		if (new Set(candidates.map((candidate) => this.appliedBy(candidate))).size === 1)
			this.found.set(participant, row);
	}

	private appliedBy({ code }: ReplyRow): Applied {
		return code === undefined ? null : WORDING[outcomeOf(code, this.action)].applied;
	}
}

/** Rows by ID; rows without one are left out. */
function groupBy(
	rows: readonly ReplyRow[],
	idOf: (row: ReplyRow) => string | undefined,
): Map<string | undefined, ReplyRow[]> {
	const groups = new Map<string | undefined, ReplyRow[]>();
	for (const row of rows) {
		const id = idOf(row);
		if (id === undefined) continue;
		const group = groups.get(id);
		if (group) group.push(row);
		else groups.set(id, [row]);
	}
	return groups;
}

/**
 * What makes two IDs the same person: the digits, and whether they are a phone number or a `@lid`, which has
 * digits of its own. A device (`:12`) is left out.
 */
function identityOf(id: string | undefined): string | undefined {
	const parts = /^(\d+)(?:[._:-][^@]*)?(?:@(.*))?$/.exec(id ?? '');
	if (parts === null) return undefined;
	return `${parts[2] === 'lid' ? 'lid' : 'phone'}:${parts[1]}`;
}

/**
 * What gateways make of a plain number before the network sees it (1.8.2, 2.2.3 and 2.3.6; recordings
 * `…-normalisation`). Full JIDs pass untouched.
 */
function rewrite(sentAs: string): string | undefined {
	const number = sentAs.replace(/@c\.us$/, '');
	const [, brazil, area, subscriber] = /^(55)(\d\d)\d(\d{8})$/.exec(number) ?? [];
	if (brazil !== undefined && area !== undefined && subscriber !== undefined)
		return Number(area) >= 31 && Number(subscriber[0]) >= 7 ? brazil + area + subscriber : undefined;
	const [, country, national] = /^(52|54)\d(\d{10})$/.exec(number) ?? [];
	return country !== undefined && national !== undefined ? country + national : undefined;
}
