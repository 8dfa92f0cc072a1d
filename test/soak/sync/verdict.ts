import type { OutputItem } from '../../engine/engine';
import type { NodeRun } from '../../engine/support';
import type { Received } from '../hostile/gateway';
import type { Change } from '../hostile/network';
import { misleading } from '../hostile/rows';
import { badItems, expect, type Choice, type Expected, type Named } from './expected';
import { isRewritten, type Logged } from './gateway';
import { canonical, idsOf, idsOfMember, same, sameExactly, type Ids, type Member } from './people';
import { jidOf, type SyncPlan } from './plan';
import { readTold, shown } from './told';

type Read = Extract<Logged, { kind: 'read' }>;
type Sent = { request: Received; change: Change };

/** What is known of a group once the run is over. */
interface Scene {
	plan: SyncPlan;
	run: NodeRun;
	expected: Expected;
	/** The second reading, where there was one. */
	again: Read | undefined;
	sent: Sent[];
	/** Why the instance was stopped. */
	stopped: string | undefined;
	complain: (kind: string, about: string) => void;
}

/** Holds what a run of Sync says and does against the contract and the groups. */
export function judgeSync(plan: SyncPlan, run: NodeRun, log: readonly Logged[]): string[] {
	const found: string[] = [];
	const complain = (kind: string, about: string) => void found.push(`${kind}. ${about}`);
	const reads = log.filter((one) => one.kind === 'read');
	const changes = log.filter((one) => one.kind === 'change');
	const list = log.filter((one) => one.kind === 'list');
	const { bad, unclear } = badItems(plan);
	const stopping = plan.onError === 'stopWorkflow';
	aboutRequests(plan, log, complain);
	safety(
		plan,
		changes.map(({ change }) => change),
		complain,
	);

	if (stopping && bad.size > 0) {
		if (log.length > 0) complain('a bad row, and requests all the same', `${log.length} requests`);
		if (run.error === undefined) complain('a bad row did not end the run', [...bad].join());
		const named = /items? (?:is|are) not valid: ([\d, ]+)/.exec(run.error?.message ?? '')?.[1];
		const wrong = named !== undefined && named !== [...bad].sort((a, b) => a - b).join(', ');
		if (wrong && unclear.size === 0) complain('the bad items are named wrongly', run.error?.message ?? '');
		return found;
	}
	if (!stopping && run.error !== undefined) complain('the run ended', run.error.message);

	const ownerOf = (instance: string) =>
		list
			.find(({ asked, owners }) => owners !== undefined && (asked === null || asked === instance))
			?.owners?.get(instance);
	for (const instance of plan.scene.network.owners.keys())
		if (list.filter(({ asked }) => asked === null || asked === instance).length > 1)
			complain('an own account asked for twice', instance);
	const groups = [...new Set(plan.rows.flatMap(({ group }, i) => (bad.has(i) ? [] : [jidOf(group)])))];
	const told = stopping && run.error !== undefined ? undefined : readTold(plan, run);
	for (const one of told?.contradictions ?? []) found.push(one);
	const expectations = groups.map((groupJid) => {
		const [first] = reads.filter((one) => one.groupJid === groupJid);
		const instance = plan.rows.find(({ group }) => jidOf(group) === groupJid)?.instance ?? '';
		return expect(plan, groupJid, first?.members, ownerOf(instance), first?.lied ?? false);
	});
	if (stopping) {
		const must = expectations.filter(({ stops }) => stops.length > 0);
		if (must.length > 0 && changes.length > 0)
			complain(
				'a group is stopped, and others are changed',
				`${must.map(({ stops }) => stops).join()} ${run.error?.message}`,
			);
		if (must.length > 0 && run.error === undefined)
			complain('a stopped group did not end the run', `${must.map(({ stops }) => stops).join()}`);
		if (run.error !== undefined) aboutRunError(plan, run, log, expectations, complain);
	}
	const failure = log.find((one) => one.kind === 'change' && one.change.trouble !== undefined);
	if (stopping && run.error === undefined && failure !== undefined) {
		const missing = told?.rows.filter((items) => items.length === 0).length ?? 0;
		const action = failure.kind === 'change' ? failure.change.action : '';
		return [
			`a failed request (${action}) does not end the run, ${missing > 0 ? 'which leaves rows without items' : 'which goes on'}. ${missing} of ${plan.rows.length} rows`,
		];
	}
	if (told === undefined) return found;
	if (unclear.size > 0) return found;

	for (const item of bad)
		if (told.rows[item]?.[0]?.error === undefined)
			complain('a bad item is no error item', `item ${item}: ${shown(told.rows[item] ?? [])}`);
	const unlisted = [...told.unlisted];
	for (const expected of expectations) {
		const { groupJid, instance, first } = expected;
		const mine: OutputItem[] = [];
		while (
			unlisted[0] !== undefined &&
			(unlisted[0].error === undefined
				? unlisted[0].json.groupJid === groupJid
				: JSON.stringify(unlisted[0].pairedItem) === JSON.stringify({ item: first }))
		)
			mine.push(...unlisted.splice(0, 1));
		// On the error output they come after those of the main one.
		for (const one of [...unlisted])
			if (
				plan.onError === 'continueErrorOutput' &&
				one.error !== undefined &&
				JSON.stringify(one.pairedItem) === JSON.stringify({ item: first })
			)
				mine.push(...unlisted.splice(unlisted.indexOf(one), 1));
		const sent = changes
			.filter((one) => one.groupJid === groupJid)
			.flatMap(({ change }) => change.changes.map((each): Sent => ({ request: change, change: each })));
		judgeGroup(
			{
				plan,
				run,
				expected,
				again: reads.filter((one) => one.groupJid === groupJid)[1],
				sent,
				stopped: stopOf(log, instance),
				complain: (kind, about) => complain(kind, `${groupJid}: ${about}`),
			},
			told.rows,
			mine,
		);
	}
	if (unlisted.length > 0)
		complain('items that nobody asked for, or not group by group', shown(unlisted.slice(0, 3)));
	additions(
		plan,
		expectations,
		changes.map(({ change }) => change),
		told.rows,
		log,
		complain,
	);
	if (plan.options.failOnRejected !== true) hints(plan, run, told.rows, told.unlisted, complain);
	return found;
}

/** Order, number and pace of requests, and stops. */
function aboutRequests(plan: SyncPlan, log: readonly Logged[], complain: Scene['complain']): void {
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

function stopOf(log: readonly Logged[], instance: string): string | undefined {
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
function mayDoubt(plan: SyncPlan, { changes, groupJid }: Received): boolean {
	const group = plan.scene.network.group(groupJid);
	if (changes.some(({ sent }) => sent.endsWith('@lid') || (!sent.includes('@') && isRewritten(sent))))
		return true;
	return group !== undefined && group.hidden && !group.showsNumbers;
}

/** Who was removed although the contract never lets it happen, whatever the node could know. */
function safety(plan: SyncPlan, requests: readonly Received[], complain: Scene['complain']): void {
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
			if (asked === network.owners.get(instance)) complain('the own account was to be removed', about);
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

function fitsChoice({ json }: OutputItem, choices: readonly Choice[]): boolean {
	return choices.some(
		(one) =>
			one.outcome !== undefined &&
			json.action === one.action &&
			json.outcome === one.outcome &&
			json.applied === one.applied &&
			(one.reason === undefined || json.reason === one.reason),
	);
}

function judgeGroup(scene: Scene, rows: readonly OutputItem[][], unlisted: readonly OutputItem[]): void {
	const { expected, sent, complain, plan } = scene;
	const { stops, mayStop, named } = expected;
	const failed = new Set(
		named.filter(({ item }) => rows[item]?.[0]?.error !== undefined).map(({ item }) => item),
	);
	const all = [...new Set(named.map(({ item }) => item))];
	const allFailed = all.every((item) => failed.has(item));
	const words = rows[all[0] ?? 0]?.[0]?.error?.message ?? '';
	if (stops.length > 0) {
		const why = stops.join(', ');
		if (sent.length > 0)
			complain('a change of a stopped group', `${why}: ${sent.map(({ change }) => change.sent).join()}`);
		if (!allFailed)
			complain('a stopped group has items that did not fail', `${why}: ${shown(rows.flat().slice(0, 2))}`);
		if (unlisted.length > 0)
			complain('a stopped group tells of unlisted members', shown(unlisted.slice(0, 2)));
		aboutStop(scene, words);
		return;
	}
	if (
		allFailed &&
		sent.length === 0 &&
		scene.stopped === undefined &&
		(/^Nothing was changed/.test(words) || all.length > 1)
	) {
		if (mayStop.length === 0) complain('stopped without a reason', words);
		return;
	}
	for (const one of named) judgeNamed(scene, one, rows[one.item] ?? []);
	judgeUnlisted(scene, unlisted);
	const allowed = [
		...named.map(({ ids, choices, fits }) => ({ ids, choices, fits })),
		...expected.unlisted.map(({ member, choices }) => ({
			ids: idsOfMember(member),
			choices,
			fits: [member],
		})),
	];
	const seen = new Set<string>();
	for (const { request, change } of sent) {
		const [id = ''] = change.sent.split('@');
		const key = `${request.action} ${request.action === 'add' && !plan.exact ? canonical(id) : id}`;
		if (seen.has(key)) complain('the same change twice', `${request.action} ${change.sent}`);
		seen.add(key);
		const fits = allowed.some(({ ids, choices, fits: members }) =>
			choices.some(({ action }) =>
				action === 'add'
					? request.action === 'add' && same(ids, idsOf(change.sent))
					: action === 'remove' &&
						request.action === 'remove' &&
						members.some(({ id }) => id === change.sent),
			),
		);
		if (!fits) complain(`sent, and nobody asks for it: ${request.action}`, change.sent);
		if (expected.dry) complain('a dry run sent a change', change.sent);
	}
	const cap =
		expected.percent === 0 ? 0 : Math.max(3, Math.floor((expected.percent * expected.members.length) / 100));
	const removed = new Set(
		sent.filter(({ request }) => request.action === 'remove').map(({ change }) => change.sent),
	);
	if (expected.percent < 100 && removed.size > cap)
		complain(
			'more removals than allowed',
			`${removed.size} of ${expected.members.length}, ${expected.percent} %`,
		);
}

function aboutStop({ expected, complain }: Scene, words: string): void {
	const found = /(\d+) of (\d+) members would be removed \(([\d.]+) %\), more than the (\d+) % allowed/.exec(
		words,
	);
	if (found === null) return;
	const [, removals, members, share, allowed] = found.map(Number);
	const fine =
		removals === expected.removals &&
		members === expected.members.length &&
		allowed === expected.percent &&
		Math.abs((share ?? 0) - (100 * expected.removals) / expected.members.length) < 0.051;
	if (!fine && expected.mayStop.length === 0)
		complain(
			'the numbers of a stop are wrong',
			`${words}; ${expected.removals} of ${expected.members.length}`,
		);
}

/** What is said of a participant of a row. */
function judgeNamed(scene: Scene, one: Named, items: readonly OutputItem[]): void {
	const { expected, complain, plan } = scene;
	const item = items[0]?.error === undefined ? items[one.place] : items[0];
	if (item === undefined) return;
	const about = (): string =>
		`item ${one.item}, ${one.text} should ${one.should ? 'be a member' : 'leave'}: ` +
		`${shown([item])}; ${sentTo(scene, one)}; allowed ${JSON.stringify(one.choices)}`;
	const dry = item.json.outcome === 'planned';
	if (item.error !== undefined) return judgeError(scene, one, item.error.message, about());
	if (fitsChoice(item, one.choices)) {
		if (item.json.sentAs !== undefined) complain('sentAs where nothing is sent', about());
		if (typeof item.json.message !== 'string' || item.json.message === '') complain('no message', about());
		return soOrNot(scene, one, item, about());
	}
	const choice = one.choices.find(
		({ action, outcome }) => outcome === undefined && action === item.json.action,
	);
	if (choice === undefined)
		return complain(
			`an unexpected outcome ${item.json.action} ${item.json.outcome} ${item.json.reason ?? ''}`,
			about(),
		);
	if (dry !== expected.dry && !(dry && expected.mayBeDry) && item.json.outcome !== 'postponed')
		complain(dry ? 'planned, and it is no dry run' : 'a dry run that is none', about());
	if (dry) return;
	if (item.json.outcome === 'postponed') {
		if (item.json.applied !== false || item.json.reason !== 'maxAdditions')
			complain('postponed without its fields', about());
		if (find(scene, one) !== undefined) complain('postponed, and sent', about());
		return;
	}
	const id = choice.action === 'remove' ? one.fits[0]?.id : undefined;
	const arrival = find(scene, one, id);
	if (id !== undefined && item.json.sentAs !== id) complain('sentAs is not the id of the member', about());
	if (arrival === undefined) return complain('said so without a request', about());
	if (choice.action === 'add' && plan.exact && !String(item.json.sentAs).includes('@'))
		complain('not sent exactly', about());
	judgeClaim(scene, item, arrival, about());
}

function sentTo(scene: Scene, one: Named): string {
	const arrival = find(scene, one, one.fits[0]?.id);
	if (arrival === undefined) return 'not sent';
	const { request, change } = arrival;
	return (
		`sent ${request.action} ${change.sent} of ${request.changes.length}: code ${change.code}, ` +
		`${request.trouble?.name ?? request.distortion ?? 'fine'}, ${request.applied ? 'applied' : 'not applied'}, ${change.before} → ${change.after}, ` +
		`read again: ${scene.again === undefined ? 'no' : (scene.again.trouble?.name ?? 'yes')}`
	);
}

/** The change that was sent for somebody. */
function find(
	{ sent, plan }: Scene,
	{ ids, should }: Pick<Named, 'ids' | 'should'>,
	id?: string,
): Sent | undefined {
	return sent.find(({ request, change }) =>
		should
			? request.action === 'add' && (plan.exact ? sameExactly : same)(ids, idsOf(change.sent))
			: request.action === 'remove' && change.sent === id,
	);
}

/** Whether a person is in the group, under any form. */
function isIn({ plan, expected }: Scene, ids: Ids): boolean {
	const { network } = plan.scene;
	const standings = network.group(expected.groupJid)?.standings ?? new Map<string, string>();
	return [...standings].some(
		([number, standing]) =>
			standing !== 'out' && same(ids, { numbers: [number], lids: [network.person(number)?.lid ?? ''] }),
	);
}

/** Whether words about somebody for whom nothing was sent are so. */
function soOrNot(scene: Scene, one: Named, { json }: OutputItem, about: string): void {
	const { plan, complain } = scene;
	const odd = plan.scene.network.group(scene.expected.groupJid) === undefined;
	if (odd || json.applied === null || scene.expected.lied) return;
	const inside = isIn(scene, one.ids);
	if (json.outcome === 'unchanged' && inside !== one.should) complain('unchanged, and it is not so', about);
	if (json.outcome === 'kept' && !inside) complain('kept, and not in the group', about);
}

/** Holds the outcome of something sent against the group, and against what was read again. */
function judgeClaim(scene: Scene, item: OutputItem, sent: Sent, about: string): void {
	const { json } = item;
	const { request, change } = sent;
	const { complain } = scene;
	const { trouble, distortion } = request;
	const add = request.action === 'add';
	const ids = idsOf(change.sent);
	const exactly = scene.plan.scene.network.standing(scene.expected.groupJid, change.asked) !== 'out';
	// A full ID stands for one account.
	const refused = !['', '200', '409'].includes(change.code);
	const so = add ? exactly || (!refused && !change.sent.includes('@') && isIn(scene, ids)) : !exactly;
	const misled = distortion === misleading;
	const listed = shows(scene, item, sent);
	if (json.action !== request.action) complain('another action than sent', about);
	if (json.applied === true && !so && !misled) complain('said to be applied, and it is not so', about);
	if (json.applied === false && so && !misled && change.code !== '404')
		complain('said not to be applied, and it is so', about);
	if (json.applied === null) {
		if (scene.again === undefined && scene.stopped === undefined)
			complain('not known, and not read again', about);
		if (listed !== undefined) complain('not known, although the second reading tells', about);
		if (trouble === undefined && distortion === undefined && !mayDoubt(scene.plan, request))
			complain('not known, although the reply tells', about);
	}
	if (trouble !== undefined && json.applied !== null) {
		if (trouble.certain === 'yes') complain('certainly refused, and no failure', about);
		else if (listed === undefined) complain('told out of a failed request that no reading tells of', about);
		else if (listed !== json.applied) complain('told otherwise than the second reading', about);
		else if (!/again/i.test(String(json.message)))
			complain('the message does not say that the group was read again', about);
		else if (!['done', 'rejected'].includes(String(json.outcome)))
			complain('another outcome after a second reading', about);
	}
}

/** Whether the second reading shows that it is as asked; nothing where it does not tell. */
function shows({ again, plan }: Scene, { json }: OutputItem, { request, change }: Sent): boolean | undefined {
	const members = again?.members;
	const { action, changes } = request;
	const { sent } = change;
	if (members === undefined || members.length === 0 || changes.length === 0) return undefined;
	if (action === 'remove') return !members.some(({ id }) => id === sent);
	const ids = idsOf(sent);
	const [like, exactly] = [same, sameExactly].map((is) =>
		members.some((member) => is(ids, idsOfMember(member))),
	);
	if (like) return plan.exact && !exactly ? undefined : true;
	const numbered = members.every((member) => idsOfMember(member).numbers.length > 0);
	// By the letter a hidden id that is not shown is not in it, too.
	const lids = members.every((member) => idsOfMember(member).lids.length > 0);
	return (ids.lids.length === 0 ? numbered : lids || (numbered && json.applied === false))
		? false
		: undefined;
}

function judgeError(scene: Scene, one: Named, message: string, about: string): void {
	const { expected, complain, plan } = scene;
	const mine = expected.named.filter(({ item }) => item === one.item);
	const alone = mine.length === 1;
	const arrivals = mine.map((each) => find(scene, each, each.fits[0]?.id));
	const troubled = arrivals.some((arrival) => arrival?.request.trouble !== undefined);
	const [arrival] = arrivals;
	if (/nothing was sent/i.test(message) && alone && arrival !== undefined)
		complain('said that nothing was sent, and it was', about);
	if (!troubled && scene.stopped === undefined && plan.options.failOnRejected !== true)
		complain('a failure without a failed request', about);
	if (!alone || arrival === undefined) return;
	const { request, change } = arrival;
	if (/not known|isn't known/i.test(message)) {
		if (request.trouble?.certain === 'yes') complain('an error says not known, and the reply tells', about);
		if (scene.again === undefined && scene.stopped === undefined)
			complain('an error says not known, and the group was not read again', about);
		if (scene.again?.members !== undefined && !/again/i.test(message))
			complain('an error does not say that the group was read again', about);
	} else if (request.trouble?.certain === 'no' && !/again/i.test(message))
		complain('an error does not say that it is not known', about);
	else if (request.trouble !== undefined && change.before !== change.after && !/again/i.test(message))
		complain('an error says that nothing was done, and it was', about);
}

/** The items of members who are not in the list. */
function judgeUnlisted(scene: Scene, items: readonly OutputItem[]): void {
	const { expected, complain } = scene;
	const { unlisted, first } = expected;
	const name = ({ id, phoneNumber, jid, lid }: Member) => {
		const { numbers } = idsOfMember({
			id,
			admin: null,
			...(phoneNumber !== undefined && { phoneNumber }),
			...(jid !== undefined && { jid }),
			...(lid !== undefined && { lid }),
		});
		return numbers[0] ?? id;
	};
	const errors = items.filter(({ error }) => error !== undefined);
	if (errors.length > 1) complain('several error items for removals of one group', shown(errors));
	const message = errors[0]?.error?.message ?? '';
	let place = -1;
	for (const item of items) {
		if (JSON.stringify(item.pairedItem) !== JSON.stringify({ item: first }))
			complain('an unlisted member is not paired with the first item', shown([item]));
		if (item.error !== undefined) continue;
		const at = unlisted.findIndex(({ member }) => name(member) === item.json.participant);
		if (at < 0) complain('an unlisted member who is listed, or none', shown([item]));
		else if (at <= place) complain('unlisted members are not in the order of the list', shown([item]));
		else place = at;
	}
	for (const { member, choices, perhapsListed } of unlisted) {
		const item = items.find(({ json }) => json.participant === name(member));
		const arrival = scene.sent.find(
			({ request, change }) => request.action === 'remove' && change.sent === member.id,
		);
		const about = `${JSON.stringify(member)}: ${item === undefined ? message : shown([item])}; allowed ${JSON.stringify(choices)}`;
		if (item === undefined) {
			if (errors.length > 0 && choices.some(({ action }) => action === 'remove')) {
				if (!message.includes(name(member)))
					complain('the error about removals does not name the member', about);
			} else if (!perhapsListed) complain('an unlisted member is not in the output', about);
			continue;
		}
		if (fitsChoice(item, choices)) {
			if (arrival !== undefined) complain('kept, and it was sent', about);
			continue;
		}
		if (item.json.action !== 'remove' || !choices.some(({ action }) => action === 'remove')) {
			complain(
				`an unlisted member: unexpected ${item.json.action} ${item.json.outcome} ${item.json.reason ?? ''}`,
				about,
			);
			continue;
		}
		if (item.json.sentAs !== member.id) complain('sentAs is not the id of the member', about);
		if (item.json.outcome === 'planned') continue;
		if (arrival === undefined) complain('an unlisted member: said so without a request', about);
		else judgeClaim(scene, item, arrival, about);
	}
}

/** How many are added, and who is postponed. */
function additions(
	plan: SyncPlan,
	expectations: readonly Expected[],
	requests: readonly Received[],
	rows: readonly OutputItem[][],
	log: readonly Logged[],
	complain: Scene['complain'],
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

/** The numbers of the hint against those of the output. */
function hints(
	plan: SyncPlan,
	run: NodeRun,
	rows: readonly OutputItem[][],
	unlisted: readonly OutputItem[],
	complain: Scene['complain'],
): void {
	const text = run.hints.join(' | ');
	const people = (wanted: (json: OutputItem['json']) => boolean): number =>
		new Set(
			[...rows.flat(), ...unlisted]
				.filter(({ json, error }) => error === undefined && wanted(json))
				.map(({ json }) => {
					const { numbers, lids } = idsOf(String(json.sentAs ?? json.participant));
					return `${json.groupJid} ${[...numbers.map((one) => (plan.exact || json.action === 'remove' ? one : canonical(one))), ...lids].join()}`;
				}),
		).size;
	const number = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
	const checks: Array<[string, number, number]> = [
		['added', number(/(\d+) added/), people(({ action, outcome }) => action === 'add' && outcome === 'done')],
		[
			'removed',
			number(/(\d+) removed/),
			people(({ action, outcome }) => action === 'remove' && outcome === 'done'),
		],
		['postponed', number(/(\d+) postponed/), people(({ outcome }) => outcome === 'postponed')],
		[
			'would be added',
			number(/(\d+) would be added/),
			people(({ action, outcome }) => action === 'add' && outcome === 'planned'),
		],
	];
	// What an error item holds is counted and not shown.
	const failed = [...rows.flat(), ...unlisted].some(({ error }) => error !== undefined);
	for (const [name, said, is] of checks)
		if (failed ? said < is : said !== is)
			complain(`the hint counts ${name} otherwise`, `${said} said, ${is} in the output: ${text}`);
}

function aboutRunError(
	plan: SyncPlan,
	run: NodeRun,
	log: readonly Logged[],
	expectations: readonly Expected[],
	complain: Scene['complain'],
): void {
	const message = run.error?.message ?? '';
	const changes = log.filter((one) => one.kind === 'change');
	const failedAt = log.findIndex((one) => one.kind === 'change' && one.change.trouble !== undefined);
	const failed = log[failedAt];
	if (failedAt >= 0 && log.slice(failedAt + 1).some(({ kind }) => kind === 'change'))
		complain('the run went on after a failed request', message);
	const none = expectations.every(({ stops, mayStop }) => stops.length + mayStop.length === 0);
	const stop = log.some((one) => one.kind === 'read' && one.trouble !== undefined);
	if (changes.length === 0 && none && !stop && plan.options.failOnRejected !== true)
		complain('the run ended without a reason', message);
	if (failed?.kind !== 'change') return;
	const { trouble } = failed.change;
	const after = log
		.slice(failedAt + 1)
		.find((one) => one.kind === 'read' && one.groupJid === failed.groupJid);
	if (trouble?.certain === 'no' && after === undefined && trouble.stops === undefined)
		complain('the run ended without reading the group', `${trouble.name}: ${message}`);
	const [, n, of, people] = (
		/(\d+) of (\d+) requests? (?:\((\d+) participants?\) )?/.exec(message) ?? []
	).map(Number);
	const before = changes.filter(({ change }) => change.trouble === undefined);
	const unknown = Number(/not known what became of (\d+) participant/.exec(message)?.[1] ?? 0);
	const again = (groupJid: string) =>
		log
			.slice(failedAt + 1)
			.find((one) => one.kind === 'read' && one.groupJid === groupJid && one.members !== undefined);
	const open = changes.flatMap(({ change, groupJid }) =>
		change.action === 'remove' && again(groupJid) !== undefined ? [] : change.changes,
	);
	if (unknown > open.length)
		complain('the error calls unknown what the second reading tells', `${message}; at most ${open.length}`);
	if (n !== undefined && (n > changes.length || (of ?? 0) < changes.length))
		complain('the error counts requests otherwise', `${message}; ${before.length} before`);
	const applied = before
		.flatMap(({ change }) => change.changes)
		.filter((one) => one.before !== one.after).length;
	if (
		people !== undefined &&
		people + unknown < applied &&
		before.every(({ change }) => change.distortion === undefined)
	)
		complain('the error counts participants otherwise', `${message}; ${applied} changed`);
}
