import type { OutputItem } from '../../engine/engine';
import type { NodeRun } from '../../engine/support';
import type { Network } from '../network/network';
import { additions, aboutEnd, fails } from './numbers';
import type { SyncGateway } from './gateway';
import { badItems, groupsOf, reasonsToKeep, type Group } from './group';
import { idsOf, idsOfMember, same, sameExactly, type Member } from './people';
import type { SyncPlan } from './plan';
import { wrongRequests } from './requests';
import { aboutRemovals, aboutStop, mustStop } from './stops';
import { itemOf, readTold, shown } from './told';
import { aboutChange, aboutError, aboutItem, wrongReason, wrongRemoval } from './words';

/**
 * Holds what a run of Sync says and does against the groups, before it and after it.
 *
 * @param start the network before the run
 */
export function judgeSync(plan: SyncPlan, run: NodeRun, gateway: SyncGateway, start: Network): string[] {
	const found = wrongRequests(plan, gateway);
	const { bad, unclear } = badItems(plan);
	const stopping = plan.onError === 'stopWorkflow';
	const groups = groupsOf(plan, start, gateway);
	for (const group of groups)
		for (const { request, change } of group.sent)
			if (request.action === 'remove') found.push(...wrongRemoval(group, change.sent, change.before));

	if (unclear) return found;
	if (stopping && bad.size > 0) {
		const { received, reads, listings } = gateway;
		if ([received, reads, listings].some(({ length }) => length > 0)) found.push('requests, and a bad row');
		if (run.error === undefined) found.push('a bad row did not end the run');
		return found;
	}
	if (stopping) {
		const mustEnd = groups.some(mustStop);
		if (mustEnd && gateway.received.length > 0) found.push('a group is stopped, and others are changed');
		if (run.error !== undefined) return [...found, ...aboutEnd(plan, run, gateway, groups)];
		if (mustEnd || gateway.received.some(fails)) found.push('a stop or a failed request did not end the run');
	}
	if (run.error !== undefined) return [...found, `the run ended. ${run.error.message}`];
	const told = readTold(plan, run);
	found.push(...told.contradictions);
	for (const item of bad)
		if (told.rows[item]?.[0]?.error === undefined)
			found.push(`a bad item is no error item. Item ${item}: ${shown(told.rows[item] ?? [])}`);
	for (const group of groups) {
		const rows = [...new Set(group.named.map(({ item }) => item))].flatMap((item) => told.rows[item] ?? []);
		const stop = aboutStop(group, rows);
		const unlisted = told.unlisted.filter((one) =>
			one.error === undefined ? one.json.groupJid === group.groupJid : itemOf(one) === group.first,
		);
		if (stop && unlisted.length > 0) found.push(`unlisted of a stopped group. ${shown(unlisted)}`);
		const wrong = stop ?? aboutGroup(group, told.rows, unlisted);
		found.push(...wrong.map((one) => `${one} (${group.groupJid})`));
	}
	const order = told.unlisted.filter(({ error }) => error === undefined).map(({ json }) => json.groupJid);
	const jids = groups.map(({ groupJid }) => groupJid);
	if (order.some((jid, i) => jids.indexOf(String(jid)) < jids.indexOf(String(order[i - 1] ?? jids[0]))))
		found.push(`unlisted members are not group by group. ${order.join(' ')}`);
	found.push(...additions(plan, groups, gateway, told.rows));
	return found;
}

/** What is wrong with what was done and said in a group that isn't stopped. */
function aboutGroup(group: Group, rows: readonly OutputItem[][], unlisted: readonly OutputItem[]): string[] {
	const { named, sent, list = [], plan, dry } = group;
	const found = aboutRemovals(group);
	for (const one of named) {
		const [first] = rows[one.item] ?? [];
		const item = first?.error === undefined ? rows[one.item]?.[one.place] : first;
		if (item === undefined) continue;
		const wrong = item.error ? aboutError(group, one, item.error.message) : aboutItem(group, one, item);
		const should = one.should ? 'be a member' : 'leave';
		found.push(
			...wrong.map((text) => `${text}. Item ${one.item}, ${one.text} should ${should}: ${shown([item])}`),
		);
	}
	const seen = new Set<string>();
	for (const { request, change } of sent) {
		const key = `${request.action} ${change.sent}`;
		const isAddition = request.action === 'add';
		const ids = idsOf(change.sent);
		const isListed = list.some((one) => (plan.exact ? sameExactly : same)(ids, idsOfMember(one)));
		if (seen.has(key)) found.push(`the same change twice. ${key}`);
		seen.add(key);
		if (dry) found.push(`a dry run sent a change. ${key}`);
		const isAsked = named.some((one) => one.should && same(one.ids, ids));
		const isRight = isAddition ? isAsked : list.some(({ id }) => id === change.sent);
		if (!isRight) found.push(`sent, and nobody asks for it. ${key}`);
		if (isAddition && isListed) found.push(`added although listed. ${key}`);
	}
	return [...found, ...aboutUnlisted(group, unlisted)];
}

/** The name by which the output speaks of a member. */
function nameOf(member: Member): string {
	return idsOfMember(member).numbers[0] ?? member.id;
}

/** What is wrong with the items of members who are not in the list, in the list's order. */
function aboutUnlisted(group: Group, items: readonly OutputItem[]): string[] {
	const { named, list = [], removesUnlisted, held, plan, first } = group;
	const found: string[] = [];
	const errors = items.filter(({ error }) => error !== undefined);
	const message = errors[0]?.error?.message ?? '';
	if (errors.length > 1) found.push(`several error items for removals of one group. ${shown(errors)}`);
	const names = items.filter(({ error }) => error === undefined).map(({ json }) => json.participant);
	const unlisted = list.filter((member) => {
		const about = named.filter(({ ids }) => same(ids, idsOfMember(member)));
		return removesUnlisted && !about.some(({ ids }) => !plan.exact || sameExactly(ids, idsOfMember(member)));
	});
	const places = names.map((name) => unlisted.findIndex((member) => nameOf(member) === name));
	if (places.some((place, i) => place < 0 || place <= (places[i - 1] ?? -1)))
		found.push(`unlisted members who are none, or not in the order of the list. ${names.join()}`);
	if (items.some((item) => itemOf(item) !== first))
		found.push(`unlisted members are not paired with the first item. ${shown(items)}`);
	for (const member of unlisted) {
		const item = items.find(({ json }) => json.participant === nameOf(member));
		const sent = group.sent.find((one) => one.request.action === 'remove' && one.change.sent === member.id);
		const about = `${JSON.stringify(member)}: ${item === undefined ? message : shown([item])}`;
		const texts = group.rows.flatMap(({ phones }) => phones);
		const isOpen = (held || plan.exact) && texts.some((text) => same(idsOf(text), idsOfMember(member)));
		if (item === undefined) {
			const isTold = isOpen || message.includes(nameOf(member));
			if (!isTold) found.push(`an unlisted member has no item. ${about}`);
		} else if (item.json.action === 'none') {
			const mustGo = group.isSure(member) && reasonsToKeep(group, member).length === 0;
			if (item.json.outcome !== 'kept' || mustGo) found.push(`an unlisted member is kept. ${about}`);
			if (sent !== undefined) found.push(`kept, and it was sent. ${about}`);
			found.push(...wrongReason(group, item, member).map((one) => `${one}. ${about}`));
		} else found.push(...aboutChange(group, item, sent, member).map((one) => `${one}. ${about}`));
	}
	return found;
}
