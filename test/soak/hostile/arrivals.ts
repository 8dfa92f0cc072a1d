import type { Received } from '../network/gateway';
import { asAsked, rewritten, type Change, type Network } from '../network/network';
import { misleading } from '../network/rows';
import { certainlySame, type Entry } from './claims';

/** A participant of a request that arrived. */
export interface Arrival {
	/** Counts the requests of the run, from 0. */
	number: number;
	request: Received;
	change: Change;
}

/** The participants of requests, in order. */
export function arrivalsOf(received: readonly Received[]): Arrival[] {
	return received.flatMap((request, number) =>
		request.changes.map((change) => ({ number, request, change })),
	);
}

/** Whether a request made a row's change: the same one, by the same instance, to what is said to be sent or may be. */
export function fits({ row, sent, json }: Entry, { request, change }: Arrival): boolean {
	return (
		row.instance === request.instance &&
		row.group === request.groupJid &&
		row.action === request.action &&
		(json === undefined ? certainlySame(sent, change.sent) : json.sentAs === change.sent)
	);
}

/** Whether the group was as asked after the request. */
export function isSo({ request, change }: Arrival): boolean {
	return asAsked[request.action].includes(change.after);
}

/** Whether the contract lets a row be taken for that of another participant, by its id or by what gateways make of it. */
export function isMisled({ request: { distortion = '', changes }, change }: Arrival): boolean {
	const made = rewritten(change.sent.split('@')[0] ?? '');
	const others = changes.filter((one) => one !== change);
	const shares = others.some(({ sent }) => sent.split('@')[0] === made);
	return distortion === misleading || (shares && /dropped|instead/.test(distortion));
}

/** Whether the reply said that it was done. */
export function isDone({ request, change }: Arrival): boolean {
	return request.trouble === undefined && change.code === '200';
}

/** Whether a number can be written in two ways: mobile numbers of Brazil, and those of Mexico and Argentina. */
export function hasOtherForm(sent: string): boolean {
	return /^(55\d\d9?[6-9]\d{7}|521?\d{10}|549?\d{10})(@s\.whatsapp\.net)?$/.test(sent);
}

/** Whether a reply leaves it open what became of a participant. */
export function leavesDoubt({ request, change }: Omit<Arrival, 'number'>, network: Network): boolean {
	const { action, changes, distortion, groupJid } = request;
	const { sent, asked } = change;
	const group = network.group(groupJid);
	if (group === undefined || distortion !== undefined) return true;
	const plain = !sent.includes('@');
	// Several may be sent for one number. Which of its rows is whose can't be told.
	const alsoAsked = changes.filter((one) => one.asked === asked);
	const notFound = alsoAsked.some(({ code }) => code === '404');
	if (action === 'remove' && notFound && plain && (asked !== sent || rewritten(sent) !== sent)) return true;
	// The network was asked about one form of the number, and the person may be there under the other.
	if (notFound && hasOtherForm(sent)) return true;
	// All rows with these digits can be about the full JID, and the plain number be one that was rewritten.
	if (plain && alsoAsked.some((one) => one !== change && one.sent.split('@')[0] === sent)) return true;
	if (changes.some((one) => one.sent.endsWith('@lid'))) return true;
	const unnamed = changes.filter((one) => network.person(one.asked) !== undefined);
	const alike = new Set(unnamed.map((one) => one.code)).size === 1;
	// Two rows with one hidden id are about one person, so that there are fewer people than participants.
	const doubled = new Set(unnamed.map((one) => one.asked)).size < unnamed.length;
	return group.hidden && !group.showsNumbers && (!alike || (doubled && unnamed.includes(change)));
}
