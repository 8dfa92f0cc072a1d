import type { Facts } from '../../../../nodes/MessagingGateway/groups/memory/facts';
import { foretell, type NextRun } from '../../../../nodes/MessagingGateway/groups/sync/nextRun';
import { finished } from '../../support';
import { members, noted, NOW, plan, planOf, rows, rules, withinLimits } from './example';

/** What is known after the run. Of Dan it's what was known before, since his request failed. */
const AFTER: Record<string, Facts> = {
	ana: { member: { at: NOW } },
	bo: { member: { at: NOW } },
	cleo: { refused: { at: NOW, outcome: 'blocked' } },
	'-eve': { out: { at: NOW } },
};

/** Of another instance, whose people take no places of this one. */
const OTHER = { instance: 'other', plan: planOf('cleo', 'me**'), rules: { dryRun: false } };

/** `most` additions and removals in a run, of which so many are left. */
type Run = { group?: string; most?: number; left?: number; memory?: 'n8n' | 'row'; dryRun?: true };

const limits = (most: number) => ({ maxAdditions: most, maxRemovals: most });

it.each<[string, string, Run, NextRun]>([
	['everybody who was added is shown', 'ana bo gil', { most: 2 }, 'hasRoom'],
	['somebody was refused', 'cleo ana gil', { most: 2 }, 'mayRepeat'],
	['n8n remembers who was refused', 'cleo gil', { memory: 'n8n' }, 'hasRoom'],
	['a row of theirs remembers who was refused', 'cleo cleo gil', { memory: 'row' }, 'hasRoom'],
	['the group may not show who was added', 'ana gil', { group: 'me** lid1' }, 'mayRepeat'],
	['somebody was removed', '-eve -dan', {}, 'hasRoom'],
	['a removal failed', '-dan -eve', { memory: 'n8n' }, 'mayRepeat'],
	['a removal failed and the additions did not', '-dan ana gil', {}, 'hasRoom'],
	['nobody may be added', 'gil', { most: 0 }, 'hasNone'],
	['nothing was sent', 'ana gil', { dryRun: true }, 'isReal'],
	['nothing was sent and nobody may be added', 'gil', { dryRun: true, most: 0 }, 'isRealWithoutRoom'],
	['earlier additions have taken all places', 'gil', { left: 0 }, 'mayRepeat'],
	['earlier removals have taken all places', '-eve', { left: 0 }, 'hasRoom'],
])('after a run in which %s, what the next one is for who is held back', (_, list, run, expected) => {
	const { group = 'me** dan eve', most = 1, left = most, memory, dryRun = false } = run;
	const all = rows(list).map((row, i) => (memory === 'row' && i === 0 ? noted(row, '') : row));
	const plans = withinLimits([plan(all, members(group), rules())], limits(left));
	const groups = [OTHER, ...plans.map((one) => ({ instance: 'main', plan: one, rules: { dryRun } }))];
	const decisions = groups.flatMap((one) => one.plan.decisions);
	const after = new Map(
		decisions.map((one) => [one, AFTER[String(one.rows[0]?.participant.given)] ?? one.facts]),
	);
	const nextRun = finished(foretell(groups, limits(most), after, memory === 'n8n'));
	const held = decisions.filter((one) => one.outcome === 'postponed');

	expect(held.map((one) => nextRun(one, groups[1] ?? OTHER))).toEqual([expected]);
});
