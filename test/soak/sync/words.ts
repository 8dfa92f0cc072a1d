import type { OutputItem } from '../../engine/engine';
import { misleading } from '../network/rows';
import { idsOnNetwork, isIn, reasonsToKeep, type Group, type Named } from './group';
import { idsOf, idsOfMember, same, sameExactly, type Ids, type Member } from './people';
import { hasOtherForm, leavesDoubt, type Sent } from './doubt';

/** Who a row's participant is in the list, if that is certain. */
function memberOf({ list = [], plan }: Group, { ids }: Named): Member | undefined {
	const fits = list.filter((member) => same(ids, idsOfMember(member)));
	const exactly = plan.exact ? fits.filter((member) => sameExactly(ids, idsOfMember(member))) : [];
	return fits.length === 1 ? fits[0] : exactly[0];
}

/** The change that was sent for a row's participant. */
export function sentFor(group: Group, named: Named): Sent | undefined {
	const is = group.plan.exact ? sameExactly : same;
	const id = memberOf(group, named)?.id;
	return group.sent.find(({ request, change }) =>
		named.should
			? request.action === 'add' && is(named.ids, idsOf(change.sent))
			: request.action === 'remove' && change.sent === id,
	);
}

/** Who would be removed although the contract never lets it happen, whatever the node could know. */
export function wrongRemoval(group: Group, sent: string, before: string): string[] {
	const { rows, named, list = [], start, groupJid, instance, guarded, own, held, removesUnlisted } = group;
	const asked = start.asked(sent);
	const ids = idsOnNetwork(start, asked);
	const names = (should: unknown) =>
		rows.some((row) => row.should === should && row.phones.some((text) => same(idsOf(text), ids)));
	const isOwn = asked === start.owners.get(instance);
	const found = [];
	if (names(true) && !names(false)) found.push('somebody wanted was to be removed');
	// Where no list names the own account, it "stops nothing": one that is no admin is refused every change.
	// And a dry run only says that it would be stopped.
	if (isOwn && (own !== undefined || (before === 'admin' && !group.dry)))
		found.push('the own account was to be removed');
	if (start.group(groupJid)?.creator === asked) found.push('the superadmin was to be removed');
	if (before === 'admin' && !group.removeAdmins) found.push('an admin was to be removed');
	const shown = idsOfMember(list.find(({ id }) => id === sent) ?? { id: sent, admin: null });
	// Somebody who has to stay, and is not found among the numbers, may be a member whose number isn't shown.
	const isSeen = ({ numbers }: Ids) =>
		numbers.length === 0 || list.some((one) => same({ numbers, lids: [] }, idsOfMember(one)));
	// Who is found by the other form of a number is them, though this network has both.
	const isElsewhere = (one: Ids) => shown.numbers.length === 0 && isSeen(one);
	if (guarded.some((one) => same(one, ids) && !isElsewhere(one)))
		found.push('somebody protected was to be removed');
	if (!names(false) && !removesUnlisted) found.push('somebody not in the list was to be removed');
	const leaving = named.filter((one) => !one.should && same(one.ids, shown));
	const isNamed = leaving.length > 0;
	const isSure = leaving.some((one) => memberOf(group, one) !== undefined);
	if (isNamed && !isSure) found.push('one of several whom a row may mean was to be removed');
	if (shown.numbers.length === 0 && !(isNamed && guarded.every(isSeen)))
		found.push('a member without a number was to be removed');
	if (!names(false) && held) found.push('an unlisted member was to be removed in spite of a bad item');
	return found.map((one) => `${one}. ${sent} (${asked}) of ${groupJid}`);
}

/** What is wrong with the words about a row's participant. */
export function aboutItem(group: Group, one: Named, item: OutputItem): string[] {
	const { start, isClear, list, again } = group;
	const { action, outcome, applied, sentAs, reason } = item.json;
	if (action === (one.should ? 'add' : 'remove')) return aboutChange(group, item, sentFor(group, one));
	if (action !== 'none') return ['another action than asked for'];
	const found: string[] = [];
	const member = memberOf(group, one);
	if (sentAs !== undefined) found.push('sentAs where nothing is sent');
	if (sentFor(group, one) !== undefined && one.should) found.push('nothing to do, and it was sent');
	const outcomes = one.should ? ['unchanged', 'kept'] : ['unchanged', 'kept', 'unconfirmed'];
	// The first list may have missed them, and the second shows them.
	const isThere = !one.should && (again?.members ?? []).some((shown) => same(one.ids, idsOfMember(shown)));
	if (![...outcomes, ...(isThere ? ['rejected'] : [])].includes(String(outcome)))
		found.push('an unexpected outcome');
	const should = { unchanged: true, kept: applied || null, unconfirmed: null, rejected: false }[
		String(outcome)
	];
	if (applied !== should) found.push('an unexpected value of applied');
	const isOwn = group.own !== undefined && same(one.ids, group.own);
	if (outcome === 'kept' && one.should && (isClear || applied !== null)) found.push('kept, and it is wanted');
	if (isClear && outcome === 'unconfirmed') found.push('not known, although the list tells');
	const mayBeKept = member === undefined ? isOwn : reasonsToKeep(group, member).length > 0;
	const isSure = member === undefined ? isClear : group.isSure(member);
	if (isSure && outcome === 'kept' && !mayBeKept) found.push(`kept without a reason (${reason})`);
	if (member !== undefined) found.push(...wrongReason(group, item, member));
	// A list that lies is believed.
	const isTrue = isIn(start, group, one.ids);
	if (list === undefined || groupLied(group)) return found;
	if (outcome === 'unchanged' && isTrue !== one.should) found.push('unchanged, and it is not so');
	if (outcome === 'kept' && !isTrue) found.push('kept, and not in the group');
	return found;
}

function groupLied({ start, groupJid, list = [] }: Group): boolean {
	const all = [...(start.group(groupJid)?.standings.values() ?? [])].filter((standing) => standing !== 'out');
	return all.length !== list.length;
}

/**
 * What is wrong with what is said of an addition or a removal.
 *
 * @param sent the change that was sent for it
 * @param member the member who is to be removed, where no row names them
 */
export function aboutChange(
	group: Group,
	{ json }: OutputItem,
	sent: Sent | undefined,
	member = group.list?.find(({ id }) => id === json.sentAs),
): string[] {
	const { plan, dry, again, stopped, groupJid } = group;
	const { network } = plan.scene;
	const found: string[] = [];
	const { action, outcome, applied } = json;
	const isAddition = action === 'add';
	if (!isAddition && json.sentAs !== member?.id) found.push('sentAs is not the id of the member');
	if (isAddition && plan.exact && !String(json.sentAs).includes('@')) found.push('not sent exactly');
	if (outcome === 'postponed') {
		if (sent !== undefined) found.push('postponed, and sent');
		if (applied !== false || json.reason !== 'maxAdditions') found.push('postponed without its fields');
		return found;
	}
	if (outcome === 'planned') {
		if (!dry) found.push('planned, and it is no dry run');
		const before = group.start.standing(groupJid, group.start.asked(String(json.sentAs)));
		return isAddition ? found : [...found, ...wrongRemoval(group, String(json.sentAs), before)];
	}
	if (sent === undefined) return [...found, 'said so without a request'];
	const { request, change } = sent;
	const { trouble, distortion } = request;
	const ids = idsOf(change.sent);
	const exactly = network.standing(groupJid, change.asked) !== 'out';
	// A full ID stands for one account.
	const wasRefused = !['', '200', '409'].includes(change.code);
	const isLoose = !change.sent.includes('@') && (!wasRefused || applied === true);
	const inAnyForm = isLoose && isIn(network, group, ids);
	const isSo = isAddition ? exactly || inAnyForm : !exactly;
	const person = idsOnNetwork(network, change.asked);
	const about = group.named.filter((one) => same(one.ids, person));
	// Rows may ask for both of somebody, by ids that no list connects.
	const isMisled = distortion === misleading || new Set(about.map(({ should }) => should)).size > 1;
	if (applied === true && !isSo && !isMisled) found.push('said to be applied, and it is not so');
	const is404 = change.code === '404';
	if (applied === false && isSo && !isMisled && !is404) found.push('said not to be applied, and it is so');
	if (trouble?.certain === 'yes') found.push('certainly refused, and no failure');
	const reading = shows(group, sent);
	if (applied === null && outcome === 'notFound') {
		const isKnown = change.code !== '404' || !hasOtherForm(change.sent);
		if (isKnown && !isMisled) found.push('not found, and it is known');
	} else if (applied === null) {
		if (again === undefined && !stopped) found.push('not known, and not read again');
		if (reading !== undefined) found.push('not known, although the second reading tells');
		if (!trouble && !leavesDoubt(sent, network)) found.push('not known, although the reply tells');
	} else if (!isAddition && reading === undefined && /read again/i.test(String(json.message)))
		found.push('told by a second reading that does not tell');
	else if (trouble !== undefined) {
		if (again?.members === undefined) found.push('told out of a failed request, and not read again');
		if (!['done', 'rejected'].includes(String(outcome))) found.push('another outcome after a second reading');
		if (!/again/i.test(String(json.message))) found.push('it does not say that the group was read again');
	}
	return found;
}

/** Whether the second reading shows that it is as asked; undefined where it doesn't tell. */
function shows({ again, plan, list = [] }: Group, { request, change }: Sent): boolean | undefined {
	const members = again?.members ?? [];
	const before = list.find(({ id }) => id === change.sent);
	const ids = before === undefined ? idsOf(change.sent) : idsOfMember(before);
	const now = members.map(idsOfMember);
	if (members.length === 0) return undefined;
	if (now.some((one) => sameExactly(ids, one))) return request.action === 'add';
	const isThere = now.some((one) => same(ids, one));
	const all = now.every(({ numbers, lids }) => (ids.lids.length > 0 ? lids : numbers).length > 0);
	if (request.action === 'add') return isThere ? (plan.exact ? undefined : true) : all ? false : undefined;
	const mayBe = members.filter(({ id }) => !list.some((one) => one.id === id)).map(idsOfMember);
	const isUnsure = mayBe.some((one) => {
		const isAnother = one.lids.length > 0 && ids.lids.length > 0;
		return !isAnother && (one.numbers.length === 0 || same(ids, one));
	});
	return isUnsure ? undefined : true;
}

/** What is wrong with the words of an item that failed. */
export function aboutError(group: Group, one: Named, message: string): string[] {
	const { named, plan, again, stopped, refused } = group;
	const found: string[] = [];
	const mine = named.filter(({ item }) => item === one.item).map((each) => sentFor(group, each));
	const troubled = mine.some((sent) => sent?.request.trouble !== undefined);
	if (!troubled && !stopped && !refused && plan.options.failOnRejected !== true)
		found.push('a failure without a failed request');
	const [sent] = mine;
	if (mine.length > 1 || sent === undefined) return found;
	const { trouble } = sent.request;
	const wasReadAgain = /again/i.test(message);
	if (/nothing was sent/i.test(message)) found.push('said that nothing was sent, and it was');
	if (/not known|isn't known/i.test(message)) {
		if (trouble?.certain === 'yes') found.push('an error says not known, and the reply tells');
		// Who isn't found under one form of a number isn't looked for in the group.
		const isOpen = sent.change.code === '404' && hasOtherForm(sent.change.sent);
		if (again === undefined && !stopped && !isOpen) found.push('an error says not known, not read again');
		if (again?.members !== undefined && !wasReadAgain) found.push('an error does not say: read again');
	} else if (trouble?.certain === 'no' && !wasReadAgain) found.push('an error does not say: not known');
	else if (sent.change.before !== sent.change.after && trouble !== undefined && !wasReadAgain)
		found.push('an error says that nothing was done, and it was');
	return found;
}

/** Why somebody is kept by a rule has to be so. */
export function wrongReason(group: Group, { json }: OutputItem, member: Member): string[] {
	if (json.outcome !== 'kept' || json.applied === null) return [];
	const isSo = reasonsToKeep(group, member).includes(String(json.reason));
	return isSo ? [] : [`kept for a reason that is none (${json.reason})`];
}
