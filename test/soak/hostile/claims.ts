import type { OutputItem } from '../../engine/engine';
import type { NodeRun } from '../../engine/support';
import { rewritten } from '../network/network';
import { badPhone, sentFor, type PlannedRun, type SheetRow } from './plan';

/** What a run says of a participant; `in part`: at most how many of its row's participants became what. */
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
	/** The output item, where it has one of its own. */
	json?: OutputItem['json'];
}

/** What an error item says of its participants. What it does not call unknown was certainly not carried out. */
function claimOfError(message: string): Claim {
	if (/participants of this item were applied|could(?: not|n't) be changed/.test(message)) return 'in part';
	if (/not known/i.test(message)) return 'not known';
	return /nothing was sent/i.test(message) ? 'not sent' : 'not carried out';
}

function claimOfOutput({ applied, outcome }: OutputItem['json']): Claim {
	if (outcome === 'planned') return 'planned';
	if (applied === null) return 'null';
	return applied === true ? 'applied' : 'rejected';
}

/** The input item that an output item is paired with. */
export function itemOf({ pairedItem }: OutputItem): number {
	return typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
}

/** Whether every gateway certainly takes both for the same number: the same digits, which none rewrites. */
export function certainlySame(one: string, other: string): boolean {
	if (one === other) return true;
	const [digits = ''] = one.split('@');
	const hidden = [one, other].some((sent) => sent.endsWith('@lid'));
	return !hidden && digits === other.split('@')[0] && rewritten(digits) === digits;
}

/** Every participant of every row, in order, with what the output says of it; and where the output fits no row. */
export function readClaims(
	plan: Pick<PlannedRun, 'rows' | 'options'>,
	run: NodeRun,
): { entries: Entry[]; contradictions: string[] } {
	const contradictions: string[] = [];
	for (const order of [run.main, run.failed].map((items) => items.map(itemOf)))
		if (order.some((item, i) => item < (order[i - 1] ?? 0)))
			contradictions.push(`items are not in input order: ${order.join(' ')}`);
	const all = [...run.main, ...run.failed];
	if (run.error === undefined && all.some((one) => plan.rows[itemOf(one)] === undefined))
		contradictions.push('an item that belongs to no row');
	const entries = plan.rows.flatMap((row, item) => {
		const items = all.filter((one) => itemOf(one) === item);
		const message = items[0]?.error?.message;
		// A row with a number that is none fails as a whole.
		const bad = row.phones.includes(badPhone);
		const asked = bad ? [] : row.phones.map((phone) => sentFor(phone, plan.options.exactNumbers === true));
		const none: Omit<Entry, 'sent'> = { item, row, claim: 'in part', said: 'nothing, the run ended' };
		if (run.error !== undefined) return asked.map((sent): Entry => ({ ...none, sent }));
		if (items.length === 1 && message !== undefined) {
			const claim = claimOfError(message);
			return asked.map((sent): Entry => ({ ...none, sent, claim, said: `failed, ${claim}: ${message}` }));
		}
		const fits =
			items.length === asked.length &&
			items.every(
				({ json, error }, i) =>
					error === undefined &&
					json.participant === row.phones[i] &&
					certainlySame(String(json.sentAs), asked[i] ?? '') &&
					json.instance === row.instance &&
					json.groupJid === row.group &&
					json.action === row.action,
			);
		if (!fits) {
			const got = items.map(({ json, error }) => error?.message ?? JSON.stringify(json));
			contradictions.push(
				`an item is not its row. Item ${item}, [${row.phones.join(', ')}]: ${got.join('; ')}`,
			);
		}
		return asked.map((sent, i): Entry => {
			const { json = {} } = items[i] ?? {};
			return { ...none, sent, claim: claimOfOutput(json), said: `${json.outcome}: ${json.message}`, json };
		});
	});
	return { entries, contradictions };
}
