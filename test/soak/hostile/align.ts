import { certainlySame, type Entry } from './claims';
import type { Received } from './gateway';
import type { Change } from './network';

/** A participant of a request that arrived. */
export interface Arrival {
	/** Counts the requests of the run, from 0. */
	number: number;
	request: Received;
	change: Change;
}

/** A row's participant and the one that arrived for it; or one of them alone. */
export type Pair = { entry: Entry; arrival?: Arrival } | { entry?: undefined; arrival: Arrival };

interface Way {
	cost: number;
	pair?: Pair;
	rest?: Way;
}

const uncalledFor = 10;

/**
 * Lays the rows about one person beside what arrived for that person, both in order: each row is one that arrived, or
 * the last one before that made the same change where no other change came after it, or was not sent. Takes the way
 * that costs least. What an item names twice is sent once, so both are the same one.
 *
 * @param costOfOne what it costs that a row is a certain arrival, or none: 0 where what is said of it is so
 */
export function align(
	all: readonly Entry[],
	arrivals: readonly Arrival[],
	costOfOne: (entry: Entry, arrival?: Arrival) => number,
): Pair[] {
	const named = sameInItem(all);
	const entries = [...named.keys()];
	const cost = (entry: Entry, arrival?: Arrival) =>
		(named.get(entry) ?? []).reduce((sum, one) => sum + costOfOne(one, arrival), 0);
	// Filled from the end: the best way from each row and arrival on.
	const ways = new Map<string, Way>();
	const from = (i: number, j: number): Way => ways.get(`${i} ${j}`) ?? { cost: 0 };
	for (let i = entries.length; i >= 0; i -= 1)
		for (let j = arrivals.length; j >= 0; j -= 1) {
			const [entry, arrival] = [entries[i], arrivals[j]];
			const choices: Way[] = [];
			const choose = (pair: Pair, price: number, rest: Way) =>
				void choices.push({ cost: price + rest.cost, pair, rest });
			if (entry !== undefined) {
				if (arrival !== undefined && fits(entry, arrival))
					choose({ entry, arrival }, cost(entry, arrival), from(i + 1, j + 1));
				const last = lastInARow(entry, arrivals.slice(0, j));
				if (last !== undefined) choose({ entry, arrival: last }, cost(entry, last), from(i + 1, j));
				choose({ entry }, cost(entry), from(i + 1, j));
			}
			if (arrival !== undefined) choose({ arrival }, uncalledFor, from(i, j + 1));
			if (choices.length > 0)
				ways.set(
					`${i} ${j}`,
					choices.reduce((least, way) => (way.cost < least.cost ? way : least)),
				);
		}
	const pairs: Pair[] = [];
	for (let way: Way | undefined = from(0, 0); way?.pair !== undefined; way = way.rest) pairs.push(way.pair);
	return pairs.flatMap((pair): Pair[] =>
		pair.entry === undefined ? [pair] : (named.get(pair.entry) ?? []).map((entry) => ({ ...pair, entry })),
	);
}

/** All that an item says of one number, by the first mention. */
function sameInItem(entries: readonly Entry[]): Map<Entry, Entry[]> {
	const named = new Map<Entry, Entry[]>();
	for (const entry of entries) {
		const first = [...named.keys()].find(
			({ item, sent }) => item === entry.item && certainlySame(sent, entry.sent),
		);
		named.set(first ?? entry, [...(named.get(first ?? entry) ?? []), entry]);
	}
	return named;
}

/** The last one that a row can be, with nothing but the same change of the person after it. */
function lastInARow(entry: Entry, arrivals: readonly Arrival[]): Arrival | undefined {
	for (const arrival of [...arrivals].reverse()) {
		const { instance, action } = arrival.request;
		if (instance !== entry.row.instance || action !== entry.row.action) return undefined;
		if (fits(entry, arrival)) return arrival;
	}
	return undefined;
}

/** Whether a row can be what arrived: the same change, by the same instance, to what is said to be sent or may be. */
export function fits({ row, sent, sentAs }: Entry, { request, change }: Arrival): boolean {
	return (
		row.instance === request.instance &&
		row.group === request.groupJid &&
		row.action === request.action &&
		(sentAs === undefined ? certainlySame(sent, change.sent) : sentAs === change.sent)
	);
}
