import type { Received } from '../network/gateway';
import { rewritten, type Change, type Network } from '../network/network';

/** A participant of a request that arrived. */
export interface Sent {
	request: Received;
	change: Change;
}

/** Whether a number can be written in two ways: mobile numbers of Brazil, and those of Mexico and Argentina. */
export function hasOtherForm(sent: string): boolean {
	return /^(55\d\d9?[6-9]\d{7}|521?\d{10}|549?\d{10})(@s\.whatsapp\.net)?$/.test(sent);
}

/** Whether a reply leaves it open what became of a participant. */
export function leavesDoubt({ request, change }: Sent, network: Network): boolean {
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
