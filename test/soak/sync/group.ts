import type { Network } from '../network/network';
import type { SyncGateway } from './gateway';
import { idsOf, idsOfMember, same, sameExactly, type Ids, type Member } from './people';
import { badPhone } from '../sheets';
import type { Sent } from './doubt';
import { jidOf, type SyncPlan, type SyncRow } from './plan';

/** A group in a run: what the sheet says of it, what the node was shown of it, and what was done. */
export type Group = ReturnType<typeof groupsOf>[number];

/** A participant of a row that can be read. */
export type Named = Group['named'][number];

/** The items that no node can take; `unclear`: the contract leaves some of that open. */
export function badItems({ rows, options, exact }: SyncPlan): { bad: Set<number>; unclear: boolean } {
	const isFine = (row: SyncRow): boolean =>
		!row.phones.includes(badPhone) &&
		row.group !== 'true' &&
		typeof row.should === 'boolean' &&
		['keep', 'remove'].includes(row.unlisted) &&
		(options.protected === undefined || row.protect !== '12');
	const bad = new Set(rows.flatMap((row, i) => (isFine(row) ? [] : [i])));
	const slips = new Set(bad);
	let unclear = false;
	rows.forEach((row, i) =>
		rows.forEach((other, j) => {
			if (row.group === 'true' || jidOf(row.group) !== jidOf(other.group)) return;
			const meet = (is: typeof same) =>
				row.should !== other.should &&
				row.phones.some((one) => other.phones.some((two) => is(idsOf(one), idsOf(two))));
			if (row.instance === other.instance && !meet(same)) return;
			// What exact numbers make of a contradiction between two forms is left open, and what a slip takes part in.
			const isOpen = row.instance === other.instance && exact && !meet(sameExactly);
			if (isOpen || slips.has(i) !== slips.has(j)) unclear = true;
			else bad.add(i);
		}),
	);
	return { bad, unclear };
}

/** The groups of a run that a readable row names, in the order of first mention. */
export function groupsOf(plan: SyncPlan, start: Network, gateway: SyncGateway) {
	const { bad } = badItems(plan);
	const { received, reads, listings } = gateway;
	const jids = new Set(plan.rows.flatMap(({ group }, i) => (bad.has(i) ? [] : [jidOf(group)])));
	return [...jids].map((groupJid) => {
		const items = [...plan.rows.keys()].filter((i) => jidOf(plan.rows[i]?.group ?? '') === groupJid);
		const rows = items.flatMap((item) => plan.rows[item] ?? []);
		const [first] = rows;
		const instance = first?.instance ?? '';
		const owner = listings
			.find(({ asked, owners }) => owners && [null, instance].includes(asked))
			?.owners?.get(instance);
		const [read, again] = readsOf(reads, groupJid);
		const list = read?.members;
		const good = items.filter((item) => !bad.has(item));
		const named = good.flatMap((item) => {
			const { phones = [], should: given } = plan.rows[item] ?? {};
			const should = given === true;
			return phones.map((text, place) => ({ item, place, text, ids: idsOf(text), should }));
		});
		const guards = plan.options.protected === undefined ? [] : rows.filter(({ protect }) => protect !== '12');
		const guarded = guards.flatMap(({ protect }) => protect.split(', ').map((one) => idsOf(one)));
		const held = [...bad].some((item) => items.includes(item) || plan.rows[item]?.group === 'true');
		const shown = (list ?? []).map(idsOfMember);
		const mentioned = [...named.map(({ ids }) => ids), ...guarded];
		const isSeen = (lid: string) => shown.some(({ lids }) => lids.includes(lid));
		const areSeen = mentioned.every(({ lids }) => lids.every(isSeen));
		const areApart = mentioned.every((ids) => shown.filter((one) => same(one, ids)).length <= 1);
		const isTrue = list !== undefined && read?.lied === false && areApart && !plan.exact && !held;
		const all = [...received, ...reads];
		const keys = new Set(all.flatMap((one) => (one.trouble?.status === 401 ? [one.instance] : [])));
		// A gateway that is starting may refuse connections, which stops it.
		const stops = all.filter(
			({ trouble, ...one }) =>
				trouble?.wire === 'restart' ||
				trouble?.stops === 'gateway' ||
				(trouble?.stops && one.instance === instance),
		);
		return {
			plan,
			start,
			groupJid,
			instance,
			first: items[0] ?? 0,
			/** All rows about it, also bad ones. */
			rows,
			named,
			guarded,
			/** Where the list of instances says it. */
			own: owner === undefined ? undefined : { numbers: [owner], lids: [] },
			removeAdmins: first?.removeAdmins === true,
			removesUnlisted: first?.unlisted === 'remove',
			percent: Math.min(...rows.map(({ percent }) => percent)),
			dry: rows.some(({ dry }) => dry),
			/** A bad item may have named people of it. */
			held,
			/** As it was read first; undefined where it couldn't be. */
			list,
			again,
			sent: received
				.filter((one) => one.groupJid === groupJid)
				.flatMap((request) => request.changes.map((change): Sent => ({ request, change }))),
			/** Nothing more could be sent for its instance in the end. */
			stopped: stops.length > 0 || keys.size > 1,
			/** The group refused a change, so that no more were sent to it. */
			refused: received.some(
				(one) =>
					one.groupJid === groupJid &&
					one.trouble?.certain === 'yes' &&
					/forbidden|not-authorized|item-not-found/.test(one.trouble.name),
			),
			/** Who everybody is can be told from the list alone, so that nothing may be left in doubt. */
			isClear: isTrue && areSeen && shown.every(({ numbers }) => numbers.length > 0),
			/** Who a member is can be told from the list alone. */
			isSure: (member: Member): boolean => {
				const { numbers, lids } = idsOfMember(member);
				return isTrue && numbers.length > 0 && (areSeen || lids.length > 0);
			},
		};
	});
}

/** All ids of an account. */
export function idsOnNetwork(network: Network, number: string): Ids {
	return { numbers: [number], lids: [network.person(number)?.lid ?? ''] };
}

/** Whether a person is in the group, under any form. */
export function isIn(network: Network, { groupJid }: Pick<Group, 'groupJid'>, ids: Ids): boolean {
	const all = [...(network.group(groupJid)?.standings ?? [])];
	return all.some(([number, is]) => is !== 'out' && same(ids, idsOnNetwork(network, number)));
}

/** Why a member may not be removed, whatever the sheet says, as far as the list shows it. */
export function reasonsToKeep(group: Group, member: Member): string[] {
	const ids = idsOfMember(member);
	const { own, guarded, removeAdmins } = group;
	return [
		...(own !== undefined && same(own, ids) ? ['self'] : []),
		...(guarded.some((one) => same(one, ids)) ? ['protected'] : []),
		...(member.admin === 'superadmin' || (member.admin === 'admin' && !removeAdmins) ? ['admin'] : []),
	];
}

/** The members who have to go, as far as it is sure who they are; of others those who may. */
export function whoGoes(group: Group): Member[] {
	return (group.list ?? []).filter((member) => {
		const about = group.named.filter(({ ids }) => same(ids, idsOfMember(member)));
		const isUnlisted = group.removesUnlisted && idsOfMember(member).numbers.length > 0;
		const unwanted = about.length === 0 ? isUnlisted : about.some(({ should }) => !should);
		return unwanted && reasonsToKeep(group, member).length === 0;
	});
}

/** The readings of a group, but for those that failed and were repeated: the instance was open all the same. */
export function readsOf(reads: SyncGateway['reads'], groupJid: string): SyncGateway['reads'] {
	const all = reads.filter((one) => one.groupJid === groupJid);
	return all.filter(({ trouble }, i) => trouble === undefined || i === all.length - 1);
}
