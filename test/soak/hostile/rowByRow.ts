import type { Pair } from './align';
import type { Network } from './network';
import type { Action } from '../plan';
import { badPhone, sentFor, unlimited, type PlannedRun, type SheetRow } from './plan';

/**
 * How the groups differ from those that one request for each row, in order, gives; but for groups that can be full, in
 * which who gets the last places may differ.
 *
 * @param start the network before the run; it is changed
 * @param pairs the rows' participants, and what arrived for them
 */
export function differences(plan: PlannedRun, start: Network, pairs: readonly Pair[]): string[] {
	new RowByRow(start, plan, pairs).make();
	const is = plan.scene.network;
	const groups = start.groups.filter(({ capacity }) => capacity >= unlimited);
	return groups.flatMap(({ groupJid, standings }) => {
		const people = new Set([...standings.keys(), ...(is.group(groupJid)?.standings.keys() ?? [])]);
		return [...people].flatMap((one) => {
			const [now, asked] = [is.standing(groupJid, one), start.standing(groupJid, one)];
			return now === asked ? [] : [`not as row by row. ${groupJid} ${one} is ${now}, and would be ${asked}`];
		});
	});
}

/**
 * Makes one request for each row. Where an account takes its own right by one, what is refused as a whole after it
 * depends on how rows are cut into requests, and the contract leaves that open. So there the cuts are those that the
 * node made: who shares the request goes through with it, and of the same row nobody who came in a later one does. An
 * addition or a promotion may have come before it, where the contract does not have the account looked up.
 */
class RowByRow {
	/** By item and place, the request that a row's participant came in. */
	private readonly requests: ReadonlyMap<string, number | undefined>;
	/** By instance and group, the request by which the instance's account took its own right. */
	private readonly losses = new Map<string, number | undefined>();

	private readonly rows: readonly SheetRow[];
	private readonly exact: boolean;
	/** The groups for which the contract has no account looked up, though changes move. */
	private readonly unwatched: ReadonlySet<string>;

	constructor(
		private readonly network: Network,
		{ rows, options }: PlannedRun,
		pairs: readonly Pair[],
	) {
		this.rows = rows;
		this.exact = options.exactNumbers === true;
		const groups = network.groups.map(({ groupJid }) => groupJid);
		this.unwatched = new Set(
			groups.filter((jid) => options.combineItems === true && !takesRightsEarlier(rowsOf(rows, jid))),
		);
		this.requests = new Map(
			pairs.flatMap(({ entry, arrival }) =>
				entry === undefined ? [] : [[`${entry.item} ${entry.place}`, arrival?.number]],
			),
		);
	}

	make(): void {
		this.rows.forEach((row, item) => {
			if (row.phones.includes(badPhone)) return;
			const could = this.network.mayChange(row.instance, row.group);
			row.phones.forEach((phone, place) =>
				this.change(row, sentFor(phone, this.exact), this.requests.get(`${item} ${place}`), could),
			);
		});
	}

	/** Makes the change of one participant of a row, if its request goes through; `could`: whether the row's does. */
	private change(row: SheetRow, sent: string, request: number | undefined, could: boolean): void {
		const { instance, group: groupJid, action } = row;
		const group = this.network.group(groupJid);
		const can = this.network.mayChange(instance, groupJid);
		const loss = this.losses.get(`${instance} ${groupJid}`);
		const known = request !== undefined && loss !== undefined;
		const moves = gives[action] && this.unwatched.has(groupJid);
		const goesThrough = could
			? can || !known || request <= loss
			: can || (known && (request === loss || (moves && request < loss)));
		if (group === undefined || !goesThrough) return;
		this.network.changeOne(group, action, sent);
		if (can && !this.network.mayChange(instance, groupJid))
			this.losses.set(`${instance} ${groupJid}`, request);
	}
}

/** Changes by which no account can lose its right. */
const gives: Record<Action, boolean> = { remove: false, add: true, promote: true, demote: false };
const steps: Action[] = ['remove', 'add', 'promote', 'demote'];

function rowsOf(rows: readonly SheetRow[], groupJid: string): SheetRow[] {
	return rows.filter(({ group, phones }) => group === groupJid && !phones.includes(badPhone));
}

/** One name for all numbers that the contract takes for one person's in the order of changes. */
function personOf(phone: string): string {
	const [digits = ''] = sentFor(phone, false).split('@');
	return digits.replace(/^(55\d\d)\d(\d{8})$/, '$1$2').replace(/^(5[24])\d(\d{10})$/, '$1$2');
}

/**
 * Whether a removal or demotion would come before the change of an earlier row, in rounds as the contract has them: only
 * then does it have the instance's account looked up.
 *
 * @param rows those of one group
 */
function takesRightsEarlier(rows: readonly SheetRow[]): boolean {
	const stepOf = new Map<string, number>();
	let last = 0;
	return rows.some(({ action, phones }) =>
		phones.map(personOf).some((person) => {
			const from = stepOf.get(person) ?? 0;
			const wait = (steps.indexOf(action) + steps.length - (from % steps.length)) % steps.length;
			const step = from + wait;
			stepOf.set(person, step);
			const isEarlier = step < last;
			last = Math.max(last, step);
			return isEarlier && !gives[action];
		}),
	);
}
