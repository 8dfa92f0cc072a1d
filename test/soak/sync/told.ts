import type { OutputItem } from '../../engine/engine';
import type { NodeRun } from '../../engine/support';
import { jidOf, type SyncPlan } from './plan';

/** Reads the output: the items of each row, as many as participants or one error item, then those of unlisted members. */
export function readTold({ rows }: SyncPlan, run: NodeRun) {
	const [main, failed] = [[...run.main], [...run.failed]];
	const contradictions: string[] = [];
	const told = rows.map((row, item): OutputItem[] => {
		const [next, other] = [main[0], failed[0]];
		const isOf = (one: OutputItem | undefined) => one !== undefined && itemOf(one) === item;
		if (isOf(next) && next?.error !== undefined) return main.splice(0, 1);
		const isNext = isOf(next) && next?.json.participant === row.phones[0];
		if (!isNext && isOf(other)) return failed.splice(0, 1);
		const mine = main.splice(0, row.phones.length);
		const isRow = ({ participant, instance, groupJid }: OutputItem['json'], i: number) =>
			participant === row.phones[i] && instance === row.instance && groupJid === jidOf(row.group);
		const isWhole = mine.length === row.phones.length;
		if (isWhole && mine.every((one, i) => isOf(one) && isRow(one.json, i))) return mine;
		contradictions.push(`the items of a row are not its participants. Item ${item}: ${shown(mine)}`);
		return [];
	});
	for (const { json, error, hasErrorBeside } of [...run.main, ...run.failed]) {
		if (error === undefined && !json.message) contradictions.push(`no message. ${JSON.stringify(json)}`);
		if (hasErrorBeside) contradictions.push(`an error item with an error beside it. ${JSON.stringify(json)}`);
	}
	return { rows: told, unlisted: [...main, ...failed], contradictions };
}

export function shown(items: readonly OutputItem[]): string {
	return items.map((one) => `${itemOf(one)} ${one.error?.message ?? JSON.stringify(one.json)}`).join('; ');
}

/** The input item that an output item is paired with. */
export function itemOf({ pairedItem }: OutputItem): number {
	return typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
}
