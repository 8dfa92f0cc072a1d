import type { OutputItem } from '../../engine/engine';
import type { NodeRun } from '../../engine/support';
import { rewritten, type Network } from './network';
import { badPhone, sentFor, type PlannedRun, type SheetRow } from './plan';

/** What a run says of one participant; `in part`: its error item says only how many of its participants were applied. */
export type Claim =
	'applied' | 'rejected' | 'null' | 'planned' | 'not known' | 'not carried out' | 'not sent' | 'in part';

/** A participant of a row. */
interface Asked {
	item: number;
	row: SheetRow;
	/** Its index in the row. */
	place: number;
	/** As it is to be sent. */
	sent: string;
}

/** A participant of a row, and what was said of it. */
export interface Entry extends Asked {
	claim: Claim;
	/** In the run's words. */
	said: string;
	/** What is said to be sent for it; nothing where the run does not say. */
	sentAs?: string;
}

type Said = Pick<Entry, 'claim' | 'said' | 'sentAs'>;

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

/** Whether every gateway certainly takes both for the same number: the same digits, which none rewrites. */
export function certainlySame(one: string, other: string): boolean {
	if (one === other) return true;
	const [digits = ''] = one.split('@');
	const hidden = [one, other].some((sent) => sent.endsWith('@lid'));
	return !hidden && digits === other.split('@')[0] && rewritten(digits) === digits;
}

/**
 * What may be sent for each participant: its own form, or one of those before it that ask for the same change of the
 * same number in a row, since the contract has such a change sent once.
 */
function encodingsOf(asked: readonly Asked[], network: Network, combined: boolean): Map<Asked, Set<string>> {
	const forms = new Map<Asked, Set<string>>();
	// By person, the participants that have asked for the same change in a row.
	const runs = new Map<string, Asked[]>();
	for (const one of asked) {
		const { item, row, sent } = one;
		const person = `${row.group} ${network.meant(sent)}`;
		const before = (runs.get(person) ?? []).filter(
			(other) =>
				other.row.instance === row.instance &&
				other.row.action === row.action &&
				(combined || other.item === item),
		);
		runs.set(person, [...before, one]);
		const shared = before.map((other) => other.sent).filter((form) => certainlySame(form, sent));
		forms.set(one, new Set([sent, ...shared]));
	}
	return forms;
}

/**
 * What is said of a row's participants, in their order; nothing where the output does not fit the row.
 *
 * @param forms what may be sent for each of them
 */
function saidOf(
	row: SheetRow,
	items: readonly OutputItem[],
	forms: ReadonlyArray<ReadonlySet<unknown>>,
): Said[] | undefined {
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
				forms[i]?.has(json.sentAs) === true &&
				json.instance === row.instance &&
				json.groupJid === row.group &&
				json.action === row.action,
		);
	if (!fits) return undefined;
	return items.map(({ json }) => ({
		claim: claimOfOutput(json),
		said: `${json.outcome}: ${json.message}`,
		sentAs: String(json.sentAs),
	}));
}

/** Every participant of every row, in order, with what the output says of it; and where the output fits no row. */
export function readClaims(plan: PlannedRun, run: NodeRun): { entries: Entry[]; contradictions: string[] } {
	const exact = plan.options.exactNumbers === true;
	const ended = run.error !== undefined;
	const contradictions: string[] = [];
	for (const order of [run.main, run.failed].map((items) => items.map(itemOf)))
		if (order.some((item, i) => item < (order[i - 1] ?? 0)))
			contradictions.push(`items are not in input order: ${order.join(' ')}`);
	// A row with a number that is none fails as a whole.
	const asked = plan.rows.map((row, item): Asked[] =>
		row.phones.includes(badPhone)
			? []
			: row.phones.map((phone, place) => ({ item, row, place, sent: sentFor(phone, exact) })),
	);
	const forms = encodingsOf(asked.flat(), plan.scene.network, plan.options.combineItems === true);
	const entries = plan.rows.flatMap((row, item) => {
		const items = [...run.main, ...run.failed].filter((one) => itemOf(one) === item);
		const ofRow = asked[item] ?? [];
		const formsOfRow = ofRow.map((one) => forms.get(one) ?? new Set());
		const all = ended ? [] : saidOf(row, items, formsOfRow);
		if (all === undefined) {
			const got = items.map(({ json, error }) => error?.message ?? JSON.stringify(json));
			contradictions.push(`item ${item} is not [${row.phones.join(', ')}], but: ${got.join('; ')}`);
		}
		return ofRow.map((one, i): Entry => ({ ...one, ...(all?.[i] ?? nothingSaid) }));
	});
	return { entries, contradictions };
}
