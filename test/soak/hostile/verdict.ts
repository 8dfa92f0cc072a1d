import type { NodeRun } from '../../engine/support';
import { align, fits, type Arrival, type Pair } from './align';
import { readClaims, type Entry } from './claims';
import type { Received } from './gateway';
import { asAsked, rewritten, type Network } from './network';
import { misleading } from './rows';
import type { PlannedRun } from './plan';
import { sentencesAboutItem, sentencesAboutRun, stopsBroken, withoutRepeats } from './sentences';

export interface Verdict {
	contradictions: string[];
	/** How many participants got which outcome. */
	outcomes: Map<string, number>;
	/** What is said as the contract has it, and yet is not so. */
	letter: string[];
	/** The rows' participants, and what arrived for them. */
	pairs: Pair[];
}

/** Holds what a run says against what arrived at the gateway and what came of it. */
export function judge(plan: PlannedRun, run: NodeRun, received: readonly Received[]): Verdict {
	const { entries, contradictions } = readClaims(plan, run);
	const ended = run.error !== undefined;
	if (ended && plan.onError !== 'stopWorkflow') contradictions.push(`the run ended: ${run.error?.message}`);
	const outcomes = new Map<string, number>();
	for (const { said } of entries) {
		const [outcome = ''] = said.split(':');
		outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
	}

	const { network } = plan.scene;
	const counted = withoutRepeats(received);
	const arrivals = counted.flatMap((request, number) =>
		request.changes.map((change): Arrival => ({ number, request, change })),
	);
	const person = (group: string, sent: string) => `${group} ${network.meant(sent)}`;
	const said = grouped(entries, ({ row, sent }) => person(row.group, sent));
	const done = grouped(arrivals, ({ request, change }) => person(request.groupJid, change.sent));
	const letter: string[] = [];
	let inOrder = true;
	const pairs = [...new Set([...said.keys(), ...done.keys()])].flatMap((one) => {
		const cost = (entry: Entry, arrival?: Arrival) => {
			if (wrong(entry, arrival, network) === undefined) return arrival === undefined ? 0.01 : 0;
			// What the contract lets be wrong is what is wrong, where there is a choice.
			return misleads(arrival) ? 0.5 : 1;
		};
		const laid = ended
			? (done.get(one) ?? []).map((arrival): Pair => ({ arrival }))
			: align(said.get(one) ?? [], done.get(one) ?? [], cost);
		for (const { entry, arrival } of laid) {
			const fault =
				entry !== undefined
					? wrong(entry, arrival, network)
					: (said.get(one) ?? []).some((row) => fits(row, arrival))
						? ended
							? undefined
							: 'sent again, or not in the order of the rows'
						: 'sent, and no row asks for it';
			inOrder &&= entry !== undefined || fault === undefined;
			const text = `${fault}${entry === undefined ? '' : causeOf(arrival)}. ${one}; ${told(entry, arrival)}`;
			if (fault !== undefined) (misleads(arrival) ? letter : contradictions).push(text);
			else if (entry?.claim === 'rejected' && arrival !== undefined && isSo(arrival))
				letter.push(
					`said not to be applied, and it is so${causeOf(arrival)}. ${one}; ${told(entry, arrival)}`,
				);
		}
		return laid;
	});
	// Where requests came in another order, nobody can say which rows they were for.
	if (!inOrder) pairs.length = 0;
	for (const [item, all] of grouped(pairs, ({ entry }) => String(entry?.item))) {
		const fault = all.some(({ arrival }) => misleads(arrival)) ? undefined : sentencesAboutItem(all);
		if (fault !== undefined) contradictions.push(`${fault}. Item ${item}: "${all[0]?.entry?.said}"`);
	}
	contradictions.push(
		...sentencesAboutRun(run, entries, counted),
		...stopsBroken(received, Number(plan.options.maxRetries)),
	);
	return { contradictions, outcomes, letter, pairs };
}

function grouped<T>(all: readonly T[], name: (one: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of all) {
		const group = groups.get(name(one));
		if (group === undefined) groups.set(name(one), [one]);
		else group.push(one);
	}
	return groups;
}

/** Whether the group was as asked after the request. */
export function isSo({ request, change }: Arrival): boolean {
	return asAsked[request.action].includes(change.after);
}

/** Whether the contract lets the reply's rows be taken for those of others. */
function misleads(arrival: Arrival | undefined): boolean {
	return arrival?.request.distortion === misleading;
}

function causeOf(arrival: Arrival | undefined): string {
	if (arrival === undefined) return '';
	const { trouble, distortion } = arrival.request;
	return ` (${trouble?.name ?? distortion ?? `code ${arrival.change.code}`})`;
}

/** What is wrong with what is said of a row's participant, given what arrived for it: nothing, or how it is wrong. */
function wrong(entry: Entry, arrival: Arrival | undefined, network: Network): string | undefined {
	const alone = entry.row.phones.length === 1;
	if (arrival === undefined) {
		const fine = ['not sent', 'not carried out', 'in part', 'planned'].includes(entry.claim);
		return fine || (entry.claim === 'not known' && !alone) ? undefined : 'said so without a request';
	}
	const { request, change } = arrival;
	const { trouble } = request;
	switch (entry.claim) {
		case 'in part':
			return undefined;
		case 'planned':
			return 'said to be planned, and it was sent';
		case 'not sent':
			return 'said that nothing was sent, and it was';
		case 'applied':
			if (trouble !== undefined) return 'said to be applied, out of a failed request';
			return isSo(arrival) ? undefined : 'said to be applied, and it is not so';
		case 'rejected':
			if (trouble !== undefined) return 'said not to be applied, out of a failed request';
			// A 404 about another number than the one sent: the contract says "not found".
			if (change.code === '404' && change.asked !== change.meant) return undefined;
			return isSo(arrival) ? 'said not to be applied, and it is so' : undefined;
		case 'null':
			// A 2xx without a list counts as accepted.
			if (trouble !== undefined && (trouble.status ?? 0) < 300) return undefined;
			return leavesDoubt(arrival, network) ? undefined : 'said not to be known (null), and the reply tells';
		case 'not known':
			// Of an item in several requests, one that is not known makes the item not known.
			return trouble?.certain === 'yes' && alone ? 'said not to be known, and the reply tells' : undefined;
		case 'not carried out':
			if (change.before !== change.after) return 'said not to be carried out, and it was';
			return trouble?.certain === 'no' ? 'said not to be carried out, and the reply can not tell' : undefined;
	}
}

/** Whether a reply leaves it open what became of a participant. */
function leavesDoubt({ request, change }: Arrival, network: Network): boolean {
	const { action, changes, distortion, groupJid } = request;
	const { sent, asked } = change;
	if (distortion !== undefined) return true;
	const plain = !sent.includes('@');
	// Several may be sent for one number. Which of its rows is whose can't be told.
	const alsoAsked = changes.filter((one) => one.asked === asked);
	const notFound = alsoAsked.some(({ code }) => code === '404');
	if (action === 'remove' && notFound && plain && (asked !== sent || rewritten(sent) !== sent)) return true;
	// All rows with these digits can be about the full JID, and the plain number be one that was rewritten.
	if (plain && alsoAsked.some((one) => one !== change && one.sent.split('@')[0] === sent)) return true;
	const group = network.group(groupJid);
	const anyHiddenId = changes.some((one) => one.sent.endsWith('@lid'));
	if (group === undefined || anyHiddenId) return true;
	const unnamed = changes.filter((one) => network.person(one.asked) !== undefined);
	const alike = new Set(unnamed.map((one) => one.code)).size === 1;
	// Two rows with one hidden id are about one person, so that there are fewer people than participants.
	const doubled = new Set(unnamed.map((one) => one.asked)).size < unnamed.length;
	return group.hidden && !group.showsNumbers && (!alike || (doubled && unnamed.includes(change)));
}

function told(entry: Entry | undefined, arrival: Arrival | undefined): string {
	const parts: string[] = [];
	if (entry !== undefined) {
		const { item, row, sent, said } = entry;
		parts.push(`item ${item}, ${row.instance}: ${row.action} ${sent}, "${said}"`);
	}
	if (arrival !== undefined) {
		const { number, request, change } = arrival;
		const { trouble, distortion, applied } = request;
		const all = request.changes.map(({ sent, code }) => `${sent} ${code}`.trim()).join(', ');
		const failed = trouble === undefined ? '' : `, ${trouble.name}, ${applied ? 'applied' : 'not applied'}`;
		parts.push(
			`request ${number}, ${request.instance}: ${request.action} [${all}]${failed}` +
				`${distortion === undefined ? '' : `, ${distortion}`}, ${change.before} → ${change.after}`,
		);
	}
	return parts.join('; ');
}
