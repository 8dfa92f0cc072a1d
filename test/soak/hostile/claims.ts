import type { OutputItem } from '../../engine/engine';
import type { NodeRun } from '../../engine/support';
import { badPhone, sentFor, type PlannedRun, type SheetRow } from './plan';

/** What a run says of one participant; `in part`: its error item says only how many of its participants were applied. */
export type Claim =
	'applied' | 'rejected' | 'null' | 'planned' | 'not known' | 'not carried out' | 'not sent' | 'in part';

/** A participant of a row, and what was said of it. */
export interface Entry {
	item: number;
	row: SheetRow;
	/** As it is to be sent. */
	sent: string;
	claim: Claim;
	/** In the run's words. */
	said: string;
}

type Said = Pick<Entry, 'claim' | 'said'>;

const nothingSaid: Said = { claim: 'in part', said: 'nothing, the run ended' };

/** What an error item says of its participants. What it does not call unknown was certainly not carried out. */
function claimOfError(message: string): Claim {
	if (
		/\d+ of the \d+ participants of this item were applied|could not be changed|couldn't be changed/.test(
			message,
		)
	)
		return 'in part';
	if (/not known/i.test(message)) return 'not known';
	return /nothing was sent/i.test(message) ? 'not sent' : 'not carried out';
}

function claimOfOutput({ applied, outcome }: OutputItem['json']): Claim {
	if (outcome === 'planned') return 'planned';
	if (applied === null) return 'null';
	return applied === true ? 'applied' : 'rejected';
}

function itemOf({ pairedItem }: OutputItem): number {
	return typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
}

/** What is said of a row's participants, in their order; nothing where the output does not fit the row. */
function saidOf(row: SheetRow, items: readonly OutputItem[], exact: boolean): Said[] | undefined {
	const [first] = items;
	if (items.length === 1 && first?.error !== undefined) {
		const { message } = first.error;
		const claim = claimOfError(message);
		return row.phones.map(() => ({ claim, said: `failed, ${claim}: ${message}` }));
	}
	const fits =
		items.length === row.phones.length &&
		items.every(
			({ json, error }, i) =>
				error === undefined &&
				json.participant === row.phones[i] &&
				json.sentAs === sentFor(row.phones[i] ?? '', exact) &&
				json.instance === row.instance &&
				json.groupJid === row.group &&
				json.action === row.action,
		);
	if (!fits) return undefined;
	return items.map(({ json }) => ({ claim: claimOfOutput(json), said: `${json.outcome}: ${json.message}` }));
}

/** Every participant of every row, in order, with what the output says of it; and where the output fits no row. */
export function readClaims(plan: PlannedRun, run: NodeRun): { entries: Entry[]; contradictions: string[] } {
	const exact = plan.options.exactNumbers === true;
	const ended = run.error !== undefined;
	const contradictions: string[] = [];
	for (const order of [run.main, run.failed].map((items) => items.map(itemOf)))
		if (order.some((item, i) => item < (order[i - 1] ?? 0)))
			contradictions.push(`items are not in input order: ${order.join(' ')}`);
	const entries = plan.rows.flatMap((row, item) => {
		const items = [...run.main, ...run.failed].filter((one) => itemOf(one) === item);
		const all = ended ? [] : saidOf(row, items, exact);
		if (all === undefined) {
			const got = items.map(({ json, error }) => error?.message ?? JSON.stringify(json));
			contradictions.push(`item ${item} is not [${row.phones.join(', ')}], but: ${got.join('; ')}`);
		}
		// A row with a number that is none fails as a whole.
		if (row.phones.includes(badPhone)) return [];
		return row.phones.map((phone, i): Entry => ({
			item,
			row,
			sent: sentFor(phone, exact),
			...(all?.[i] ?? nothingSaid),
		}));
	});
	return { entries, contradictions };
}
