import type { OutputItem } from '../../engine/engine';
import type { NodeRun } from '../../engine/support';
import { jidOf, type SyncPlan } from './plan';

/** What a run gave: the items of each row, and those of unlisted members. */
export interface Told {
	/** By row: an item for each participant, or one error item. */
	rows: OutputItem[][];
	unlisted: OutputItem[];
	contradictions: string[];
}

/** Takes the kind of a contradiction, and an example. */
export type Complain = (kind: string, about: string) => void;

const order = [
	'participant',
	'action',
	'outcome',
	'message',
	'applied',
	'code',
	'reason',
	'inviteCode',
	'inviteExpiresAt',
	'sentAs',
	'jid',
	'instance',
	'groupJid',
];

function itemOf({ pairedItem }: OutputItem): number {
	return typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
}

/** Reads the output: rows in input order, each as many items as participants or one error item, then unlisted members. */
export function readTold({ rows }: SyncPlan, run: NodeRun): Told {
	const [main, failed] = [[...run.main], [...run.failed]];
	const contradictions: string[] = [];
	const told = rows.map((row, item): OutputItem[] => {
		const is = (one: OutputItem | undefined) => one !== undefined && itemOf(one) === item;
		const [next, other] = [main[0], failed[0]];
		if (next?.error !== undefined && is(next)) return main.splice(0, 1);
		if (is(next) && next?.json.participant === row.phones[0]) {
			const mine = main.splice(0, row.phones.length);
			const fits = mine.every(
				(one, i) =>
					is(one) &&
					one.json.participant === row.phones[i] &&
					one.json.instance === row.instance &&
					one.json.groupJid === jidOf(row.group),
			);
			if (!fits)
				contradictions.push(`the items of a row are not its participants. Item ${item}: ${shown(mine)}`);
			return mine;
		}
		if (is(other) && other?.error !== undefined) return failed.splice(0, 1);
		contradictions.push(`a row has no item. Item ${item}; next ${shown(main.slice(0, 2))}`);
		return [];
	});
	for (const one of [...run.main, ...run.failed]) {
		const keys = Object.keys(one.json);
		const places = keys.map((key) => order.indexOf(key));
		if (one.error === undefined && places.some((place, i) => place < 0 || place < (places[i - 1] ?? 0)))
			contradictions.push(`fields are not in order. ${keys.join(' ')}`);
		if (one.error !== undefined && (keys.join() !== 'error' || one.json.error !== one.error.message))
			contradictions.push(`an error item is not {error: message}. ${JSON.stringify(one.json)}`);
	}
	return { rows: told, unlisted: [...main, ...failed], contradictions };
}

export function shown(items: readonly OutputItem[]): string {
	return items
		.map(
			({ json, error, pairedItem }) =>
				`${JSON.stringify(pairedItem)} ${error?.message ?? JSON.stringify(json)}`,
		)
		.join('; ');
}
