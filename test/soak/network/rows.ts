import type { Random } from '../random';
import type { Change, Network, NetworkGroup } from './network';

/** A row of the reply to a group change, as real gateways send it. */
export interface ReplyRow {
	status?: string | number;
	jid?: string;
	content?: object;
}

/** The row about one participant of a request. */
export function rowOf(change: Change, network: Network, { hidden, showsNumbers }: NetworkGroup): ReplyRow {
	const person = network.person(change.asked);
	const number = `${change.asked}@s.whatsapp.net`;
	const jid = hidden && person !== undefined ? `${person.lid}@lid` : number;
	return rowWith(change.code, jid, jid !== number && showsNumbers ? number : undefined);
}

function rowWith(code: string, jid: string, phoneNumber?: string): ReplyRow {
	const attrs = { jid, phone_number: phoneNumber, error: code === '200' ? undefined : code };
	const invite = { tag: 'add_request', attrs: { code: 'ADDCODE0403', expiration: '1795542385' } };
	const content = { tag: 'participant', attrs, ...(code === '403' && { content: [invite] }) };
	return { status: code, jid, content };
}

const stranger = rowWith('200', '4930999999999@s.whatsapp.net');

/** The same row under another id of the same person, if there is one. */
function renamed(row: ReplyRow, network: Network): ReplyRow {
	const [id = ''] = row.jid?.split('@') ?? [];
	const person = network.people.find(({ number, lid }) => number === id || lid === id);
	if (person === undefined) return row;
	const jid = id === person.lid ? `${person.number}@s.whatsapp.net` : `${person.lid}@lid`;
	return rowWith(String(row.status), jid);
}

/** Leaves one row more about one participant, by a hidden id, and none about another: they look like each other's. */
export const misleading = 'a row doubled under another id, a row dropped';

/** What can become of the row at a random place. */
const atOnePlace: Record<string, Array<(row: ReplyRow, network: Network) => ReplyRow[]>> = {
	'a row dropped': [() => []],
	'a row doubled': [(row) => [row, row]],
	'a row doubled under another id': [(row, network) => [row, renamed(row, network)]],
	'a row doubled, a row dropped': [(row) => [row, row], () => []],
	[misleading]: [(row, network) => [row, renamed(row, network)], () => []],
	'a row renamed to another id': [(row, network) => [renamed(row, network)]],
	'a stranger instead of a row': [() => [stranger]],
};
/** What can become of all rows. */
const everywhere: Record<string, (row: ReplyRow, network: Network) => ReplyRow[]> = {
	'all rows dropped': () => [],
	reordered: (row) => [row],
	'reordered, renamed to other ids': (row, network) => [renamed(row, network)],
	'codes as numbers': (row) => [{ ...row, status: Number(row.status) }],
	'device in the ids': ({ jid, ...row }) => [{ ...row, jid: jid?.replace('@', ':12@') ?? '' }],
	'no ids': ({ status }) => [{ ...(status !== undefined && { status }) }],
	'no content': ({ content: _, ...row }) => [row],
	'a stranger more': (row) => [row, stranger],
};
/** Names of what can become of a reply's rows on the way. What is left in them stays true. */
export const distortions = [...Object.keys(atOnePlace), ...Object.keys(everywhere)];

/** The rows as a distortion leaves them. */
export function distort(name: string, rows: ReplyRow[], random: Random, network: Network): ReplyRow[] {
	const changed = (atOnePlace[name] ?? []).reduce((all, exchange) => {
		const place = random.from(0, all.length - 1);
		return all.flatMap((row, i) => (i === place ? exchange(row, network) : [row]));
	}, rows);
	const all = changed.flatMap((row) => everywhere[name]?.(row, network) ?? [row]);
	return name.startsWith('reordered') ? random.shuffled(all) : all;
}
