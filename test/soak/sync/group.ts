import type { OutputItem } from '../../engine/engine';
import type { NodeRun } from '../../engine/support';
import type { Received } from '../hostile/gateway';
import type { Change } from '../hostile/network';
import { misleading } from '../hostile/rows';
import type { Choice, Expected, Named } from './expected';
import type { Logged } from './gateway';
import { canonical, idsOf, idsOfMember, same, sameExactly, type Ids, type Member } from './people';
import type { SyncPlan } from './plan';
import { mayDoubt } from './requests';
import { shown, type Complain } from './told';
import { judgeUnlisted } from './unlisted';

type Read = Extract<Logged, { kind: 'read' }>;

export type Sent = { request: Received; change: Change };

/** What is known of a group once the run is over. */
export interface Scene {
	plan: SyncPlan;
	run: NodeRun;
	expected: Expected;
	/** The second reading, where there was one. */
	again: Read | undefined;
	sent: Sent[];
	/** Why the instance was stopped. */
	stopped: string | undefined;
	complain: Complain;
}

export function fitsChoice({ json }: OutputItem, choices: readonly Choice[]): boolean {
	return choices.some(
		(one) =>
			one.outcome !== undefined &&
			json.action === one.action &&
			json.outcome === one.outcome &&
			json.applied === one.applied &&
			// Why somebody is kept who may have to stay can be more than one thing.
			(one.reason === undefined || one.applied === null || json.reason === one.reason),
	);
}

export function judgeGroup(
	scene: Scene,
	rows: readonly OutputItem[][],
	unlisted: readonly OutputItem[],
): void {
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
		...named.map(({ ids, choices, goes }) => ({ ids, choices, goes })),
		...expected.unlisted.map(({ member, choices }) => ({ ids: idsOfMember(member), choices, goes: member })),
	];
	const seen = new Set<string>();
	for (const { request, change } of sent) {
		const [id = ''] = change.sent.split('@');
		const key = `${request.action} ${request.action === 'add' && !plan.exact ? canonical(id) : id}`;
		if (seen.has(key)) complain('the same change twice', `${request.action} ${change.sent}`);
		seen.add(key);
		const fits = allowed.some(({ ids, choices, goes }) =>
			choices.some(({ action }) =>
				action === 'add'
					? request.action === 'add' && same(ids, idsOf(change.sent))
					: action === 'remove' && request.action === 'remove' && goes?.id === change.sent,
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
	const id = choice.action === 'remove' ? one.goes?.id : undefined;
	const arrival = find(scene, one, id);
	if (id !== undefined && item.json.sentAs !== id) complain('sentAs is not the id of the member', about());
	if (arrival === undefined) return complain('said so without a request', about());
	if (choice.action === 'add' && plan.exact && !String(item.json.sentAs).includes('@'))
		complain('not sent exactly', about());
	judgeClaim(scene, item, arrival, about());
}

function sentTo(scene: Scene, one: Named): string {
	const arrival = find(scene, one, one.goes?.id);
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
export function judgeClaim(scene: Scene, item: OutputItem, sent: Sent, about: string): void {
	const { json } = item;
	const { request, change } = sent;
	const { complain } = scene;
	const { trouble, distortion } = request;
	const add = request.action === 'add';
	const ids = idsOf(change.sent);
	const exactly = scene.plan.scene.network.standing(scene.expected.groupJid, change.asked) !== 'out';
	// A full ID stands for one account.
	const refused = !['', '200', '409'].includes(change.code);
	const alike = !change.sent.includes('@') && (!refused || json.applied === true);
	const so = add ? exactly || (alike && isIn(scene, ids)) : !exactly;
	const misled = distortion === misleading || contradictory(scene, change);
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
	const byReading = /read again/i.test(String(json.message)) && json.applied !== null;
	if (byReading && !add && listed === undefined)
		complain('told by a second reading that does not tell', about);
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

/** Whether rows ask for both of somebody, by ids that no list connects. */
function contradictory({ plan, expected }: Scene, { asked }: Change): boolean {
	const person: Ids = { numbers: [asked], lids: [plan.scene.network.person(asked)?.lid ?? ''] };
	return new Set(expected.named.filter(({ ids }) => same(ids, person)).map(({ should }) => should)).size > 1;
}

/** Whether the second reading shows that it is as asked; nothing where it does not tell. */
function shows(
	{ again, plan, expected }: Scene,
	{ json }: OutputItem,
	{ request, change }: Sent,
): boolean | undefined {
	const members = again?.members;
	const { action, changes } = request;
	const { sent } = change;
	if (members === undefined || members.length === 0 || changes.length === 0) return undefined;
	if (action === 'remove') return showsGone(expected.members, members, sent);
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

/** "No longer listed", unless it may be the same person who is listed now without a number or in another form of it. */
function showsGone(before: readonly Member[], after: readonly Member[], sent: string): boolean | undefined {
	const removed = before.find(({ id }) => id === sent);
	const ids = removed === undefined ? idsOf(sent) : idsOfMember(removed);
	if (after.some((member) => sameExactly(ids, idsOfMember(member)))) return false;
	const perhaps = after.some((member) => {
		const now = idsOfMember(member);
		const isNew = !before.some(({ id }) => id === member.id);
		const another = now.lids.length > 0 && ids.lids.length > 0;
		return isNew && !another && (now.numbers.length === 0 || same(now, ids));
	});
	return perhaps ? undefined : true;
}

function judgeError(scene: Scene, one: Named, message: string, about: string): void {
	const { expected, complain, plan } = scene;
	const mine = expected.named.filter(({ item }) => item === one.item);
	const alone = mine.length === 1;
	const arrivals = mine.map((each) => find(scene, each, each.goes?.id));
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
