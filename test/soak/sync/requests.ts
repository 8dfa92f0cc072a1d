import type { OutputItem } from '../../engine/engine';
import type { Received } from '../hostile/gateway';
import { badItems, type Expected } from './expected';
import { isRewritten, type Logged } from './gateway';
import { canonical, idsOf, same, type Ids } from './people';
import { jidOf, type SyncPlan } from './plan';
import type { Complain } from './told';

/** Order, number and pace of requests, and stops. */
export function aboutRequests(plan: SyncPlan, log: readonly Logged[], complain: Complain): void {
	const firstChange = log.findIndex(({ kind }) => kind === 'change');
	const seen = new Map<string, number>();
	const stopped = new Map<string, string>();
	const refusedKeys = new Set<string>();
	let last: Logged | undefined;
	log.forEach((one, i) => {
		if (one.kind === 'list') {
			if (firstChange >= 0 && i > firstChange)
				complain('a list of instances after the first change', `request ${i}`);
			return;
		}
		const why = stopped.get('') ?? stopped.get(one.instance);
		if (why !== undefined) complain(`sent although ${why} had stopped it`, `request ${i}: ${one.kind}`);
		const trouble = one.kind === 'read' ? one.trouble : one.change.trouble;
		if (trouble?.name.endsWith('401')) refusedKeys.add(one.instance);
		if (trouble?.stops !== undefined)
			stopped.set(
				trouble.stops === 'gateway' || refusedKeys.size > 1 ? '' : one.instance,
				`${trouble.name} (${one.kind})`,
			);
		if (one.kind === 'read') {
			const times = (seen.get(one.groupJid) ?? 0) + 1;
			seen.set(one.groupJid, times);
			if (times > 2) complain('a group read more than twice', one.groupJid);
			if (times === 1 && firstChange >= 0 && i > firstChange)
				complain('a first reading after the first change', one.groupJid);
			if (times === 2) {
				const doubt = log.some(
					(other) =>
						other.kind === 'change' &&
						other.groupJid === one.groupJid &&
						(other.change.trouble !== undefined ||
							other.change.distortion !== undefined ||
							mayDoubt(plan, other.change)),
				);
				if (!doubt) complain('a group read again for nothing', one.groupJid);
			}
		}
		const interval = Number(plan.options.batchInterval);
		const paced = one.kind === 'change' || (seen.get(one.groupJid) ?? 0) > 1;
		if (paced && last !== undefined && firstChange >= 0 && i > firstChange) {
			// From the arrival of the one before, since its reply came later.
			const gap = one.arrived - last.arrived;
			if (gap < interval - 2)
				complain('sooner than the interval', `${one.kind} ${Math.round(gap)} ms after ${last.kind}`);
		}
		last = one;
		if (one.kind === 'change') {
			const { action, changes } = one.change;
			if (changes.length > Number(plan.options.batchSize))
				complain('more participants than a request may have', String(changes.length));
			const later = log
				.slice(i + 1)
				.some((other) => other.kind === 'change' && other.change.action === 'remove');
			if (action === 'add' && later) complain('an addition before a removal', `request ${i}`);
		}
	});
}

export function stopOf(log: readonly Logged[], instance: string): string | undefined {
	// A gateway that is starting may refuse connections, which stops it.
	if (
		log.some(
			(one) =>
				one.kind !== 'list' && (one.kind === 'read' ? one.trouble : one.change.trouble)?.wire === 'restart',
		)
	)
		return 'restart';
	const troubles = log.flatMap((one) => {
		if (one.kind === 'list') return [];
		const trouble = one.kind === 'read' ? one.trouble : one.change.trouble;
		return trouble?.stops !== undefined ? [{ instance: one.instance, trouble }] : [];
	});
	const keys = new Set(
		troubles.filter(({ trouble }) => trouble.name.endsWith('401')).map((one) => one.instance),
	);
	return troubles.find((one) => one.trouble.stops === 'gateway' || one.instance === instance || keys.size > 1)
		?.trouble.name;
}

/** Whether the reply to a change can leave something unknown by itself. */
export function mayDoubt(plan: SyncPlan, { changes, groupJid }: Received): boolean {
	const group = plan.scene.network.group(groupJid);
	if (changes.some(({ sent }) => sent.endsWith('@lid') || (!sent.includes('@') && isRewritten(sent))))
		return true;
	return group !== undefined && group.hidden && !group.showsNumbers;
}

/** Who was removed although the contract never lets it happen, whatever the node could know. */
export function safety(
	plan: SyncPlan,
	requests: readonly Received[],
	ownerOf: (instance: string) => string | undefined,
	complain: Complain,
): void {
	const { network } = plan.scene;
	const { bad } = badItems(plan);
	for (const { changes, action, groupJid, instance } of requests) {
		if (action !== 'add' && action !== 'remove') complain('a request of another action', action);
		for (const { sent, asked, before, after } of changes) {
			if (action !== 'remove') continue;
			const rows = plan.rows.filter(({ group }) => jidOf(group) === groupJid);
			const person: Ids = { numbers: [asked], lids: [network.person(asked)?.lid ?? ''] };
			const names = (should: unknown, good = true) =>
				rows.filter(
					(row) =>
						row.should === should &&
						(!good || !bad.has(plan.rows.indexOf(row))) &&
						row.phones.some((text) => same(idsOf(text), person)),
				);
			const leave = names(false).length > 0;
			const about = `${groupJid}: ${sent} (${asked}), ${before} → ${after}`;
			if (names(true, false).length > 0 && !leave) complain('somebody wanted was to be removed', about);
			// Where no list names the own account, it "stops nothing": one that is no admin is refused every change.
			const refused = ownerOf(instance) === undefined && before === 'member' && after === 'member';
			if (asked === network.owners.get(instance) && !refused)
				complain('the own account was to be removed', about);
			if (network.group(groupJid)?.creator === asked) complain('the superadmin was to be removed', about);
			if (before === 'admin' && rows[0]?.removeAdmins !== true) complain('an admin was to be removed', about);
			const guarded = rows
				.filter(() => plan.options.protected !== undefined)
				.flatMap(({ protect }) => (protect === '12' ? [] : protect.split(', ')))
				.some((text) => same(idsOf(text), person));
			if (guarded)
				complain(`somebody protected was to be removed${leave ? ' (asked for by another id)' : ''}`, about);
			if (!leave && rows[0]?.unlisted !== 'remove')
				complain('somebody not in the list was to be removed', about);
			if (rows.some(({ dry }) => dry)) complain('a dry run sent a change', about);
		}
	}
}

/** How many are added, and who is postponed. */
export function additions(
	plan: SyncPlan,
	expectations: readonly Expected[],
	requests: readonly Received[],
	rows: readonly OutputItem[][],
	log: readonly Logged[],
	complain: Complain,
): void {
	for (const instance of plan.scene.network.owners.keys()) {
		const mine = requests.filter((one) => one.instance === instance && one.action === 'add');
		const people = new Set(
			mine.flatMap(({ changes }) => changes.map(({ sent }) => canonical(sent.split('@')[0] ?? ''))),
		);
		if (people.size > plan.maxAdditions)
			complain('more additions than allowed', `${people.size}, ${plan.maxAdditions} allowed`);
		const groups = expectations.filter((one) => one.instance === instance);
		const postponed = groups.flatMap(({ named }) =>
			named.filter(({ item, place }) => rows[item]?.[place]?.json.outcome === 'postponed'),
		);
		const planned = groups.flatMap(({ named }) =>
			named.filter(
				({ item, place }) =>
					rows[item]?.[place]?.json.outcome === 'planned' && rows[item]?.[place]?.json.action === 'add',
			),
		);
		const whole =
			requests.every(({ trouble }) => trouble === undefined) && stopOf(log, instance) === undefined;
		const used = new Set([
			...people,
			...planned.map(({ ids }) => canonical([...ids.numbers, ...ids.lids][0] ?? '')),
		]);
		if (postponed.length > 0 && whole && used.size < plan.maxAdditions && groups.length === 1)
			complain('postponed although there was room', `${used.size} of ${plan.maxAdditions}`);
	}
}
