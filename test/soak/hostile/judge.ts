import type { NodeRun } from '../../engine/support';
import { certainlySame, readClaims, type Entry } from './claims';
import { told, type Received } from '../network/gateway';
import { arrivalsOf, fits, isMisled, isSo, leavesDoubt, type Arrival } from './arrivals';
import type { Network } from '../network/network';
import { badPhone, sentFor, unlimited, type PlannedRun } from './plan';
import { wrongTimes } from '../requests';
import { aboutEnd, aboutHint, aboutItems } from './numbers';

/**
 * Holds what a run says against what arrived at the gateway and what came of it.
 *
 * @param start the network before the run
 * @returns what can't be so
 */
export function judge(
	plan: PlannedRun,
	run: NodeRun,
	received: readonly Received[],
	start: Network,
): string[] {
	const { entries, contradictions } = readClaims(plan, run);
	const { network } = plan.scene;
	const { options } = plan;
	const counted = withoutRepeats(received, Number(options.maxRetries));
	const arrivals = arrivalsOf(counted);
	const nameOfEntry = ({ row, sent }: Entry) => `${row.group} ${network.meant(sent)}`;
	const nameOf = ({ request, change }: Arrival) => `${request.groupJid} ${network.meant(change.sent)}`;
	const [first, last] = [new Map<Entry, Arrival>(), new Map<Entry, Arrival>()];
	for (const name of new Set([...entries.map(nameOfEntry), ...arrivals.map(nameOf)])) {
		const rows = entries.filter((entry) => nameOfEntry(entry) === name);
		const came = arrivals.filter((arrival) => nameOf(arrival) === name);
		const found = layInOrder(rows, came, first).map(
			({ request }) => `sent again, not in the rows' order, or for no row. ${told(request)}`,
		);
		layInOrder([...rows].reverse(), [...came].reverse(), last);
		if (run.error === undefined) found.push(...wrongWords(rows, came, network));
		contradictions.push(...found.map((one) => `${one} (${name})`));
	}
	contradictions.push(
		...ownAccountMoved(entries, [first, last], network),
		...aboutRequests(plan, counted, entries),
	);
	if (run.error !== undefined) {
		if (plan.onError !== 'stopWorkflow') contradictions.push('the run ended');
		return [...contradictions, ...aboutEnd(run.error.message, entries, counted)];
	}
	contradictions.push(...aboutItems(entries, arrivals, first), ...aboutHint(run, entries, arrivals));
	const isWhole = received.every(({ trouble }) => trouble === undefined || trouble.name === 'forbidden');
	return isWhole && options.dryRun !== true
		? [...contradictions, ...differences(plan, start)]
		: contradictions;
}

/** Lays what came for a person in a group beside the rows, in their order, each as soon as one fits; gives what doesn't. */
function layInOrder(
	entries: readonly Entry[],
	arrivals: readonly Arrival[],
	made: Map<Entry, Arrival>,
): Arrival[] {
	const used: Entry[] = [];
	let next = 0;
	return arrivals.filter((arrival) => {
		const at = entries.findIndex((entry, i) => {
			// What an item names twice is sent once.
			const again = used.some(({ item, sent }) => item === entry.item && certainlySame(sent, entry.sent));
			return i >= next && !again && fits(entry, arrival);
		});
		const entry = entries[at];
		if (entry === undefined) return true;
		made.set(entry, arrival);
		used.push(entry);
		next = at + 1;
		return false;
	});
}

/**
 * What is wrong with what is said of a person in a group: each row's words have to be right about one of the requests
 * that may have made its change, and each request has to be told of rightly by one of those rows.
 */
function wrongWords(entries: readonly Entry[], arrivals: readonly Arrival[], network: Network): string[] {
	const found: string[] = [];
	for (const entry of entries) {
		const mine = arrivals.filter((arrival) => fits(entry, arrival));
		if (fault(entry, undefined, network) === undefined) continue;
		if (mine.some((arrival) => fault(entry, arrival, network) === undefined)) continue;
		const came = mine.map(({ request }) => told(request)).join('; ');
		const why = fault(entry, mine.at(-1), network);
		found.push(`${why}. Item ${entry.item}, ${entry.sent}: "${entry.said}"; ${came}`);
	}
	for (const arrival of arrivals) {
		const mine = entries.filter((entry) => fits(entry, arrival));
		const why = mine.map((entry) => fault(entry, arrival, network));
		const words = mine.map(({ said }) => `"${said}"`).join('; ');
		if (mine.length > 0 && !why.includes(undefined))
			found.push(`${why[0]}. ${told(arrival.request)}; ${words}`);
	}
	return found;
}

/** What is wrong with what is said of a row's participant, if this is what arrived for it. */
function fault({ claim, row }: Entry, arrival: Arrival | undefined, network: Network): string | undefined {
	const alone = row.phones.length === 1;
	if (arrival === undefined) {
		const fine = ['not sent', 'not carried out', 'in part', 'planned'].includes(claim);
		return fine || (claim === 'not known' && !alone) ? undefined : 'said so without a request';
	}
	const { request, change } = arrival;
	const { trouble } = request;
	const replied = trouble === undefined;
	if (isMisled(arrival)) return undefined;
	switch (claim) {
		case 'in part':
			return undefined;
		case 'planned':
			return 'said to be planned, and it was sent';
		case 'not sent':
			return 'said that nothing was sent, and it was';
		case 'applied':
			return replied && isSo(arrival) ? undefined : 'said to be applied, and it is not so';
		case 'rejected':
			// A 404 about another number than the one sent: the contract says "not found".
			if (replied && change.code === '404' && change.asked !== change.meant) return undefined;
			return replied && !isSo(arrival) ? undefined : 'said not to be applied, and it may be so';
		case 'null':
			// A 2xx without a list counts as accepted.
			if (!replied && (trouble.status ?? 0) < 300) return undefined;
			return leavesDoubt(arrival, network) ? undefined : 'said not to be known (null), and the reply tells';
		case 'not known':
			// Of an item in several requests, one that is not known makes the item not known.
			return trouble?.certain === 'yes' && alone ? 'said not to be known, and the reply tells' : undefined;
		case 'not carried out':
			if (change.before !== change.after) return 'said not to be carried out, and it was';
			return trouble?.certain === 'no' ? 'said not to be carried out, and the reply can not tell' : undefined;
	}
}

/**
 * What moved across a removal or demotion of the account that makes it.
 *
 * @param ways the requests of the rows: where it can't be told which of several a row's is, the first and the last ones
 */
function ownAccountMoved(
	entries: readonly Entry[],
	ways: ReadonlyArray<ReadonlyMap<Entry, Arrival>>,
	network: Network,
): string[] {
	const takes = ({ row }: Entry) => ['remove', 'demote'].includes(row.action);
	const isOwn = ({ row, sent }: Entry) => network.meant(sent) === network.owners.get(row.instance);
	const comesBefore = (one: Entry, other: Entry) =>
		ways.every((made) => (made.get(one)?.number ?? Infinity) < (made.get(other)?.number ?? -1));
	return entries
		.filter((entry) => isOwn(entry) && takes(entry))
		.flatMap((own) =>
			entries
				.filter(({ row }) => row.group === own.row.group && row.instance === own.row.instance)
				.filter((entry) =>
					entry.item < own.item
						? comesBefore(own, entry)
						: entry.item > own.item && takes(entry) && comesBefore(entry, own),
				)
				.map(({ item }) => `moved across a change of the own account. Items ${item} and ${own.item}`),
		);
}

/** The requests that count: one that was refused and may be sent again, and was, is there once. */
function withoutRepeats(received: readonly Received[], maxRetries: number): Received[] {
	const text = (request: Received | undefined) =>
		[request?.instance, request?.groupJid, request?.action, request?.changes.map(({ sent }) => sent)].join();
	return received.filter(
		(one, i) => maxRetries === 0 || one.trouble?.name !== '429' || text(one) !== text(received[i + 1]),
	);
}

/** What is wrong with requests by themselves: their size and time, and whom they are shared by. */
function aboutRequests(
	{ options }: PlannedRun,
	requests: readonly Received[],
	entries: readonly Entry[],
): string[] {
	const found = wrongTimes(
		requests.map((one) => ({ ...one, isPaced: true })),
		Number(options.batchInterval),
	);
	if (options.dryRun === true && requests.length > 0) found.push('a dry run sent a request');
	requests.forEach((request, number) => {
		const { changes } = request;
		if (changes.length > Number(options.batchSize)) found.push(`${changes.length} participants in a request`);
		const isOf = (item: number) =>
			changes.every((change) =>
				entries.some((entry) => entry.item === item && fits(entry, { number, request, change })),
			);
		if (options.combineItems !== true && !entries.some(({ item }) => isOf(item)))
			found.push(`items that are not to be combined share a request. ${told(request)}`);
	});
	return found;
}

/**
 * How the groups differ from those that one request for each row, in order, gives; but for groups that can be full, in
 * which who gets the last places may differ. Where an account takes its own right, what comes after it depends on how
 * rows are cut into requests; so there only those are looked at whom no later row names.
 *
 * @param start the network before the run; it is changed
 */
function differences({ rows, options, scene }: PlannedRun, start: Network): string[] {
	const lost = new Set<string>();
	/** Groups that have refused an instance get no more from it, also if it may change them again. */
	const refused = new Set<string>();
	const open = new Set<string>();
	for (const { instance, group, action, phones } of rows) {
		if (phones.includes(badPhone)) continue;
		for (const phone of phones) {
			const sent = sentFor(phone, options.exactNumbers === true);
			if (lost.has(group)) open.add(`${group} ${start.meant(sent)}`);
			const by = `${instance} ${group}`;
			const may = start.mayChange(instance, group) && !refused.has(by);
			if (!may) refused.add(by);
			if (may) start.change(group, action, sent);
			if (may && !start.mayChange(instance, group)) lost.add(group);
		}
	}
	return start.groups.flatMap(({ groupJid, standings, capacity }) => {
		const now = scene.network.group(groupJid)?.standings ?? new Map<string, never>();
		const all = capacity < unlimited ? [] : [...new Set([...standings.keys(), ...now.keys()])];
		return all.flatMap((one) => {
			const [is, asked] = [now.get(one) ?? 'out', standings.get(one) ?? 'out'];
			const fine = is === asked || open.has(`${groupJid} ${one}`);
			return fine ? [] : [`not as row by row. ${groupJid} ${one} is ${is}, and would be ${asked}`];
		});
	});
}
