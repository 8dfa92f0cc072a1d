import { DAY } from '../../common/time';
import { sentenceOf, type AnyAction } from '../outcomes';
import { dateIn, FACT_NAMES, REFUSALS, toMinute, type Facts } from './fact';

/** The part of a store about a person: facts, and when it noted them last, in ms since 1970; 0: never. */
export interface Remembered {
	readonly facts: Facts;
	readonly metAt: number;
}

/** Reads e.g. `member 2026-11-01T05:00Z; met 2026-11-01T05:03Z`. What can't be read counts as nothing. */
export function readRemembered(text: string, now: number): Remembered {
	let facts: Facts = {};
	let metAt = 0;
	for (const part of text.split('; ')) {
		const words = part.split(' ');
		const [name, outcome, number] = words;
		const at = Date.parse(words.at(-1) ?? '');
		if (Number.isNaN(at) || at > now + DAY) continue;
		metAt = Math.max(metAt, at);
		const known = FACT_NAMES.find((fact) => fact === name);
		const refusal = REFUSALS.find((one) => one === outcome);
		if (known === undefined || (known === 'refused') !== (refusal !== undefined)) continue;
		const isOfNumber = refusal !== undefined && words.length > 3 && number !== undefined;
		facts = {
			...facts,
			[known]: { at, ...(refusal && { outcome: refusal }), ...(isOfNumber && { number }) },
		};
	}
	return { facts, metAt };
}

/** Makes a function that writes what a store has of a person. Most dates are the same: written once. */
export function rememberedWriter(): (person: Remembered) => string {
	const known = new Map<number, string>();
	const dateText = (at: number) => {
		const text = known.get(at) ?? `${new Date(at).toISOString().slice(0, 16)}Z`;
		known.set(at, text);
		return text;
	};
	return ({ facts, metAt }) => {
		let text = '';
		for (const name of FACT_NAMES) {
			const fact = facts[name];
			if (fact === undefined) continue;
			const { outcome, number } = 'outcome' in fact ? fact : {};
			text += `${[name, outcome, number, dateText(fact.at)].filter(Boolean).join(' ')}; `;
		}
		return dateIn(facts) >= toMinute(metAt) ? text.slice(0, -2) : `${text}met ${dateText(metAt)}`;
	};
}

/** Says what was refused when, and when the next try is. @param until ms since 1970 */
export function waitingText(
	{ refused }: Facts,
	action: AnyAction,
	{ until, now }: { until: number; now: number },
): string {
	const next = `Next try: ${timeOf(until, now)}.`;
	if (refused === undefined) return `Postponed. ${next}`;
	const { at, outcome } = refused;
	const said = outcome === 'unconfirmed' ? "Its result wasn't known." : sentenceOf(outcome, action);
	return `On ${dayOf(at)}: ${said} ${next}`;
}

/** Writes a future date as its day, with the time if it's today: a run before that comes too early. */
export function timeOf(ms: number, now: number): string {
	const day = dayOf(ms);
	return day === dayOf(now) ? `${day} ${new Date(ms).toISOString().slice(11, 16)} UTC` : day;
}

/** Gives the day in UTC. */
export function dayOf(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}
