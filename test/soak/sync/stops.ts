import type { OutputItem } from '../../engine/engine';
import { whoGoes, type Group } from './group';
import { idsOfMember, same, type Member } from './people';
import { shown } from './told';

const isNumbered = (member: Member) => idsOfMember(member).numbers.length > 0;
const hasOwn = ({ own, list = [] }: Group) =>
	own !== undefined && list.some((member) => same(own, idsOfMember(member)));

/** Whether a member is wanted by one id and not wanted by another: `perhaps` where it isn't certain who is who. */
function contradictory({ named, list = [], plan }: Group): boolean | 'perhaps' {
	const fits = (ids: Parameters<typeof same>[0]) => list.filter((member) => same(ids, idsOfMember(member)));
	const all = list.map((member) => named.filter(({ ids }) => same(ids, idsOfMember(member))));
	const both = all.filter((about) => new Set(about.map(({ should }) => should)).size > 1);
	const isSure = (about: Group['named']) => !plan.exact && about.every(({ ids }) => fits(ids).length === 1);
	return both.some(isSure) || (both.length > 0 && 'perhaps');
}

const cap = ({ percent, list = [] }: Group) =>
	percent === 0 ? 0 : Math.max(3, Math.floor((percent * list.length) / 100));

type Holds = (group: Group) => boolean | 'perhaps';

const isCut: Holds = (group) => {
	const isTooMany = (some: Member[]) => group.percent < 100 && !group.dry && some.length > cap(group);
	const all = whoGoes(group);
	return isTooMany(all.filter(group.isSure)) || (isTooMany(all) && 'perhaps');
};
const isBlind: Holds = (group) => {
	const admins = whoGoes(group).filter(({ admin }) => admin !== null && group.removeAdmins && !hasOwn(group));
	return admins.some(group.isSure) || (admins.length > 0 && 'perhaps');
};

/** Where nothing is to be sent, it doesn't matter. */
const isNoAdmin: Holds = ({ own, list = [] }) => {
	const self = own && list.filter((member) => same(own, idsOfMember(member)));
	return self !== undefined && self.length > 0 && self.every(({ admin }) => admin === null) && 'perhaps';
};

/** Why nothing may be sent for a group, in the node's words, and whether it is so; `perhaps` where the list leaves it open. */
const stops: Array<[words: RegExp, holds: Holds]> = [
	[/^(?!Nothing was changed)/, ({ list }) => list === undefined],
	[/empty list/, ({ list }) => list?.length === 0],
	[
		/own account isn't in/,
		(one) => one.own !== undefined && !hasOwn(one) && one.list?.every(isNumbered) === true,
	],
	[/are the same member/, contradictory],
	[/names nobody/, ({ removesUnlisted, named }) => removesUnlisted && !named.some(({ should }) => should)],
	[
		/doesn't show the phone/,
		({ removesUnlisted, list }) => removesUnlisted && list?.some(isNumbered) === false,
	],
	[/would be removed \(/, isCut],
	[/an admin would be removed/, isBlind],
	[/isn't an admin of the group/, isNoAdmin],
];

/** A dry run is stopped by what can't be read alone. */
function whyStopped(group: Group): RegExp[] {
	const all = group.dry ? stops.slice(0, 2) : stops;
	return all.flatMap(([words, holds]) => (holds(group) === true ? [words] : []));
}

/** Whether nothing may be sent for a group. */
export function mustStop(group: Group): boolean {
	return whyStopped(group).length > 0;
}

/**
 * What is wrong with a group that is stopped or has to be.
 *
 * @param items those of the group's rows
 * @returns undefined where it isn't stopped and needn't be
 */
export function aboutStop(group: Group, items: readonly OutputItem[]): string[] | undefined {
	const words = items[0]?.error?.message ?? '';
	const allFailed = items.every(({ error }) => error !== undefined);
	const why = whyStopped(group);
	if (why.length > 0) {
		const found = [];
		if (group.sent.length > 0) found.push(`a change of a stopped group. ${why.join()}`);
		if (!allFailed) found.push(`items of a stopped group that did not fail. ${why.join()}, ${shown(items)}`);
		return found;
	}
	if (!allFailed || group.sent.length > 0 || !words.startsWith('Nothing was changed')) return undefined;
	const isSo = stops.some(([pattern, holds]) => pattern.test(words) && holds(group) !== false);
	return isSo ? [] : [`stopped without a reason. ${words}`];
}

/** More removals than a group may have, and admins removed by nobody knows whom. */
export function aboutRemovals(group: Group): string[] {
	const removed = group.sent.filter(({ request }) => request.action === 'remove');
	const isAdmin = (sent: string) => group.list?.find(({ id }) => id === sent)?.admin === 'admin';
	return [
		...(group.percent < 100 && removed.length > cap(group)
			? [`more removals than allowed. ${removed.length} of ${group.list?.length}, ${group.percent} %`]
			: []),
		...(!hasOwn(group) && removed.some(({ change }) => isAdmin(change.sent))
			? ['an admin removed although it is not known who the own account is']
			: []),
	];
}
