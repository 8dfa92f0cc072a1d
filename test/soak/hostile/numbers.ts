import type { NodeRun } from '../../engine/support';
import { grouped } from '../counts';
import { countsIn } from '../messages';
import type { Received } from '../network/gateway';
import { arrivalsOf, fits, isDone, isMisled, isSo, type Arrival } from './arrivals';
import type { Entry } from './claims';

/**
 * What is wrong with the numbers in error items' messages.
 *
 * @param made the request that certainly is a row's, where there is one
 */
export function aboutItems(
	entries: readonly Entry[],
	arrivals: readonly Arrival[],
	made: ReadonlyMap<Entry, Arrival>,
): string[] {
	const inPart = entries.filter(({ claim }) => claim === 'in part');
	return [...grouped(inPart, ({ item }) => item)].flatMap(([item, all]) => {
		const said = all[0]?.said ?? '';
		const mine = all.map((entry) => arrivals.filter((arrival) => fits(entry, arrival)));
		if (mine.flat().some(isMisled)) return [];
		const { applied, ofItem, rejected, unknown } = countsIn(said);
		const isCertain = (one: Arrival) =>
			one.request.trouble === undefined && one.change.asked === one.change.meant;
		const so = mine.filter((some) => some.some(isSo)).length;
		const mayNotBe = (one: Arrival) => !isSo(one) || !isCertain(one);
		const notSo = mine.filter((some) => some.length === 0 || some.some(mayNotBe)).length;
		const done = all.flatMap((entry) => made.get(entry) ?? []).filter(isDone).length;
		const found = [];
		if ((ofItem ?? all.length) !== all.length) found.push(`an item of ${all.length} participants`);
		if (applied > so) found.push(`${applied} participants said to be applied, ${so} are so`);
		if (rejected > notSo) found.push(`${rejected} participants said not to be changed, ${notSo} are not so`);
		// Those in a request that failed by itself are not counted as done.
		if (!/not known whether/.test(said) && done > applied + unknown)
			found.push(`${done} participants done, ${applied} said to be applied`);
		return found.map((one) => `${one}. Item ${item}: "${said}"`);
	});
}

/** What is wrong with the error that ended a run, and with what was sent after it. */
export function aboutEnd(
	message: string,
	entries: readonly Entry[],
	received: readonly Received[],
): string[] {
	const found = [];
	const earlier = received.slice(0, -1);
	if (earlier.some(({ trouble }) => (trouble?.status ?? 0) >= 400)) found.push('the run went on');
	const before = received.at(-1)?.trouble === undefined ? received : earlier;
	const all = arrivalsOf(before);
	const so = entries.filter((entry) => all.some((one) => isSo(one) && fits(entry, one))).length;
	const done = all.filter(isDone).length;
	const { requests, ofRequests = received.length, inRequests, unknown } = countsIn(message);
	if (requests > before.length || ofRequests < received.length) found.push('counts requests otherwise');
	if (inRequests > so) found.push(`${inRequests} participants said to be applied, ${so} are so`);
	if (done > inRequests + unknown) found.push(`${done} participants done, ${inRequests} said to be applied`);
	return found.map((one) => `${one}. The run's error: ${message}`);
}

const words = { added: 'add', removed: 'remove', promoted: 'promote', demoted: 'demote' };

/** What is wrong with the numbers of the hint. Error items count what they hold, too. */
export function aboutHint(run: NodeRun, entries: readonly Entry[], arrivals: readonly Arrival[]): string[] {
	const text = run.hints.join(' | ');
	const check = (word: string, least: number, most: number) => {
		// Those of whom it isn't known, and those for whom nothing was sent, are told apart.
		const said = [...text.matchAll(new RegExp(`(\\d+) (?:${word})\\b`, 'g'))].reduce(
			(sum, [, n]) => sum + Number(n),
			0,
		);
		const isRight = said >= least && said <= most;
		return isRight ? [] : [`the hint counts ${said} ${word}, and it is ${least} to ${most}. ${text}`];
	};
	const failed = [...run.main, ...run.failed].filter(({ error }) => error !== undefined).length;
	const found = Object.entries(words).flatMap(([word, action]) => {
		const mine = entries.filter(({ row }) => row.action === action);
		const shown = mine.filter(({ json }) => json?.outcome === 'done').length;
		const hidden = mine.filter(
			(entry) => entry.json === undefined && arrivals.some((one) => fits(entry, one) && one.request.applied),
		);
		return check(word, shown, shown + hidden.length);
	});
	return [...found, ...check("failed|wasn't sent|weren't sent", failed, failed)];
}
