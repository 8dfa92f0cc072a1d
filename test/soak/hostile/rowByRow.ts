import type { Pair } from './align';
import type { Network } from './network';
import { badPhone, sentFor, unlimited, type PlannedRun, type SheetRow } from './plan';

/**
 * How the groups differ from those that one request for each row, in order, gives; but for groups that can be full, in
 * which who gets the last places may differ.
 *
 * @param start the network before the run; it is changed
 * @param pairs the rows' participants, and what arrived for them
 */
export function differences(plan: PlannedRun, start: Network, pairs: readonly Pair[]): string[] {
	new RowByRow(start, plan.options.exactNumbers === true, pairs).make(plan.rows);
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
 * node made: who shares the request goes through with it, and of the same row nobody who came in a later one does.
 */
class RowByRow {
	/** By item and place, the request that a row's participant came in. */
	private readonly requests: ReadonlyMap<string, number | undefined>;
	/** By instance and group, the request by which the instance's account took its own right. */
	private readonly losses = new Map<string, number | undefined>();

	constructor(
		private readonly network: Network,
		private readonly exact: boolean,
		pairs: readonly Pair[],
	) {
		this.requests = new Map(
			pairs.flatMap(({ entry, arrival }) =>
				entry === undefined ? [] : [[`${entry.item} ${entry.place}`, arrival?.number]],
			),
		);
	}

	make(rows: readonly SheetRow[]): void {
		rows.forEach((row, item) => {
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
		const goesThrough = can || (could ? !known || request <= loss : known && request === loss);
		if (group === undefined || !goesThrough) return;
		this.network.changeOne(group, action, sent);
		if (can && !this.network.mayChange(instance, groupJid))
			this.losses.set(`${instance} ${groupJid}`, request);
	}
}
