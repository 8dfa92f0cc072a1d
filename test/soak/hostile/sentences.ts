import type { NodeRun } from '../../engine/support';
import { fits, type Pair } from './align';
import type { Entry } from './claims';
import type { Received } from './gateway';
import { asAsked } from './network';

/** The requests that count: one that was refused and sent again as it was is there once. */
export function withoutRepeats(received: readonly Received[]): Received[] {
	return received.filter((one, i) => {
		const next = received[i + 1];
		return !(one.trouble?.name === '429' && next !== undefined && same(one, next));
	});
}

function same(one: Received, other: Received): boolean {
	const text = ({ instance, groupJid, action, changes }: Received) =>
		JSON.stringify([instance, groupJid, action, changes.map(({ sent }) => sent)]);
	return text(one) === text(other);
}

function numberIn(text: string, pattern: RegExp): number | undefined {
	const found = pattern.exec(text)?.[1];
	return found === undefined ? undefined : Number(found);
}

/** What is wrong with the numbers in an error item's message: nothing, or how they are wrong. */
export function sentencesAboutItem(pairs: readonly Pair[]): string | undefined {
	const entry = pairs[0]?.entry;
	if (entry?.claim !== 'in part' || !entry.said.startsWith('failed')) return undefined;
	const applied = numberIn(entry.said, /(\d+) of the \d+ participants of this item were applied/) ?? 0;
	const of = numberIn(entry.said, /of the (\d+) participants of this item/) ?? entry.row.phones.length;
	const unknown = numberIn(entry.said, /not known what became of (\d+) participant/) ?? 0;
	const openRequest = /not known whether/.test(entry.said);
	const others = numberIn(entry.said, /\(and (\d+) other participants?\) could/);
	const rejected = /could(n't| not) be changed/.test(entry.said) ? 1 + (others ?? 0) : 0;

	const standings = pairs.map(({ arrival }) => ({
		so: arrival !== undefined && asAsked[arrival.request.action].includes(arrival.change.after),
		certain: arrival?.request.trouble === undefined && arrival?.change.asked === arrival?.change.meant,
		done: arrival?.request.trouble === undefined && arrival?.change.code === '200',
	}));
	const so = standings.filter((one) => one.so).length;
	const done = standings.filter((one) => one.done).length;
	const notSo = standings.filter((one) => !one.so || !one.certain).length;
	if (of !== entry.row.phones.length) return `an item of ${entry.row.phones.length} participants`;
	if (applied > so) return `${applied} participants said to be applied, ${so} are so`;
	if (rejected > notSo) return `${rejected} participants said not to be changed, ${notSo} are not so`;
	// Those in a request that failed by itself are not counted as done.
	if (!openRequest && done > applied + unknown)
		return `${done} participants done, ${applied} said to be applied`;
	return undefined;
}

/** What is wrong with the error that ended a run, and with what was sent after it. */
export function sentencesAboutRun(
	{ error }: NodeRun,
	entries: readonly Entry[],
	received: readonly Received[],
): string[] {
	if (error === undefined) return [];
	const faults: string[] = [];
	const continueOnFail = received.findIndex(
		({ trouble }, i) => (trouble?.status ?? 0) >= 400 && i < received.length - 1,
	);
	if (continueOnFail >= 0)
		faults.push(`the run went on after request ${continueOnFail}, which was refused. ${error.message}`);
	const last = received.at(-1);
	const before = last?.trouble === undefined ? received : received.slice(0, -1);
	const all = before.flatMap((request, number) =>
		request.changes.map((change) => ({ number, request, change })),
	);
	const those = all.filter(({ request, change }) => asAsked[request.action].includes(change.after));
	const so = entries.filter((entry) => those.some((arrival) => fits(entry, arrival))).length;
	const done = all.filter(
		({ request, change }) => request.trouble === undefined && change.code === '200',
	).length;
	const requests = numberIn(error.message, /(\d+) of \d+ requests?/) ?? 0;
	const of = numberIn(error.message, /\d+ of (\d+) requests?/) ?? received.length;
	const applied = numberIn(error.message, /requests? \((\d+) participants?\)/) ?? 0;
	const unknown = numberIn(error.message, /not known what became of (\d+) participant/) ?? 0;
	if (requests > before.length || of < received.length)
		faults.push(`${before.length} requests were sent before the last one. ${error.message}`);
	if (applied > so) faults.push(`${applied} participants said to be applied, ${so} are so. ${error.message}`);
	if (done > applied + unknown)
		faults.push(`${done} participants done before, ${applied} said to be applied. ${error.message}`);
	return faults;
}

/** Requests that were sent where the gateway had said no. */
export function stopsBroken(received: readonly Received[], maxRetries: number): string[] {
	const broken: string[] = [];
	const refusedKeys = new Set<string>();
	/** Why, by instance; `''` for the gateway. */
	const stopped = new Map<string, string>();
	received.forEach((request, i) => {
		const { instance, trouble } = request;
		const before = received.slice(Math.max(0, i - maxRetries), i);
		const repeats =
			before.length > 0 && before.every((one) => one.trouble?.name === '429' && same(one, request));
		if (repeats && stopped.get('') === '429') stopped.delete('');
		const why = stopped.get('') ?? stopped.get(instance);
		if (why !== undefined) broken.push(`sent although ${why} had stopped it. Request ${i} of ${instance}`);
		if (trouble?.name === '401') refusedKeys.add(instance);
		if (trouble?.stops !== undefined)
			stopped.set(trouble.stops === 'gateway' || refusedKeys.size > 1 ? '' : instance, trouble.name);
	});
	return broken;
}
