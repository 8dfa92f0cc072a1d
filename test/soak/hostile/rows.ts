import type { Random } from '../random';
import type { Change, Network, NetworkGroup } from './network';

/** A row of the reply to a group change, as real gateways send it. */
export interface ReplyRow {
	status?: string | number;
	jid?: string;
	content?: {
		tag: string;
		attrs: { jid?: string; phone_number?: string; error?: string };
		content?: object[];
	};
}

/** The row about one participant of a request. */
export function rowOf(change: Change, network: Network, { hidden, showsNumbers }: NetworkGroup): ReplyRow {
	const person = network.person(change.asked);
	const number = `${change.asked}@s.whatsapp.net`;
	const jid = hidden && person !== undefined ? `${person.lid}@lid` : number;
	return rowWith(change.code, jid, jid !== number && showsNumbers ? number : undefined);
}

function rowWith(code: string, jid: string, phoneNumber?: string): ReplyRow {
	const attrs = {
		jid,
		...(phoneNumber !== undefined && { phone_number: phoneNumber }),
		...(code !== '200' && { error: code }),
	};
	const invite = { tag: 'add_request', attrs: { code: 'ADDCODE0403', expiration: '1795542385' } };
	return {
		status: code,
		jid,
		content: { tag: 'participant', attrs, ...(code === '403' && { content: [invite] }) },
	};
}

/** The rows with the one at a random place exchanged for others. */
function exchanged(
	rows: readonly ReplyRow[],
	random: Random,
	others: (row: ReplyRow) => ReplyRow[],
): ReplyRow[] {
	const place = random.from(0, rows.length - 1);
	return rows.flatMap((row, i) => (i === place ? others(row) : [row]));
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
	return all
		.map((one) => ({ one, at: random.next() }))
		.sort((a, b) => a.at - b.at)
		.map(({ one }) => one);
}

/** The same row under another id of the same person, if there is one. */
function renamed(row: ReplyRow, network: Network): ReplyRow {
	const [id = ''] = row.jid?.split('@') ?? [];
	const person = network.people.find(({ number, lid }) => number === id || lid === id);
	if (person === undefined) return row;
	const jid = id === person.lid ? `${person.number}@s.whatsapp.net` : `${person.lid}@lid`;
	return rowWith(String(row.status), jid);
}

function withDevice(jid: string | undefined): string {
	return jid?.replace('@', ':12@') ?? '';
}

/** Leaves one row more about one participant, by a hidden id, and none about another: they look like each other's. */
export const misleading = 'a row doubled under another id, a row dropped';

/** What can become of a reply's rows on the way. What is left in them stays true. */
export const distortions: Record<string, (rows: ReplyRow[], random: Random, network: Network) => ReplyRow[]> =
	{
		'a row dropped': (rows, random) => exchanged(rows, random, () => []),
		'all rows dropped': () => [],
		'a row doubled': (rows, random) => exchanged(rows, random, (row) => [row, row]),
		'a row doubled under another id': (rows, random, network) =>
			exchanged(rows, random, (row) => [row, renamed(row, network)]),
		'a row doubled, a row dropped': (rows, random) =>
			exchanged(
				exchanged(rows, random, (row) => [row, row]),
				random,
				() => [],
			),
		[misleading]: (rows, random, network) =>
			exchanged(
				exchanged(rows, random, (row) => [row, renamed(row, network)]),
				random,
				() => [],
			),
		reordered: (rows, random) => shuffled(rows, random),
		'reordered, renamed to other ids': (rows, random, network) =>
			shuffled(rows, random).map((row) => renamed(row, network)),
		'a row renamed to another id': (rows, random, network) =>
			exchanged(rows, random, (row) => [renamed(row, network)]),
		'codes as numbers': (rows) => rows.map((row) => ({ ...row, status: Number(row.status) })),
		'device in the ids': (rows) => rows.map(({ jid, ...row }) => ({ ...row, jid: withDevice(jid) })),
		'no ids': (rows) => rows.map(({ status }) => ({ ...(status !== undefined && { status }) })),
		'no content': (rows) => rows.map(({ content: _, ...row }) => row),
		'a stranger instead of a row': (rows, random) =>
			exchanged(rows, random, () => [rowWith('200', '4930999999999@s.whatsapp.net')]),
		'a stranger more': (rows) => [rowWith('200', '4930999999999@s.whatsapp.net'), ...rows],
	};
