import { caseOf, type CaseName } from './cases';
import { contenders, type ContenderName } from './contenders';
import type { Round, Rounds } from './measure';
import type { LoadTimes } from './package-facts';
import type { PlanTimes } from './plan';
import { ratios, spreadOf, type Spread } from './statistics';

/** Everything that was measured. */
export interface Results {
	cases: Map<CaseName, Rounds>;
	plans: PlanTimes;
	loads: LoadTimes;
	/** In bytes. */
	packageSize: number;
}

interface Budget {
	what: string;
	/** In each round. */
	figure(results: Results): number[];
	atMost: number;
	unit: string;
}

/** A budget, what it was measured to be, and which of the rounds' figures counts. */
export interface Outcome extends Budget, Spread {
	counted: number;
	isMet: boolean;
}

/** What the figures of a round are called, and their units. */
export const fields: Record<keyof Round, { label: string; unit: string }> = {
	wall: { label: 'time', unit: ' ms' },
	cpu: { label: 'CPU time', unit: ' ms' },
	hold: { label: 'longest hold', unit: ' ms' },
	requests: { label: 'requests', unit: '' },
	connections: { label: 'connections', unit: '' },
	memory: { label: 'peak memory', unit: ' MB' },
};

/** Figures of this node. Where there is a base, they are ratios to it. */
const ofCases: Array<{ name: CaseName; field: keyof Round; base?: ContenderName; atMost: number }> = [
	{ name: 'rows', field: 'cpu', base: 'smallest', atMost: 1 },
	{ name: 'rows', field: 'cpu', base: 'readsAll', atMost: 0.8 },
	{ name: 'rows', field: 'cpu', base: 'httpRequest', atMost: 0.12 },
	{ name: 'distantRows', field: 'wall', base: 'limit', atMost: 1.4 },
	{ name: 'inTurn', field: 'wall', base: 'limit', atMost: 1.5 },
	{ name: 'manyRows', field: 'cpu', base: 'limit', atMost: 4 },
	{ name: 'list', field: 'cpu', base: 'limit', atMost: 12 },
	{ name: 'sync', field: 'cpu', base: 'smallest', atMost: 1.2 },
	{ name: 'poll', field: 'cpu', base: 'limit', atMost: 4 },
	{ name: 'manyGroups', field: 'cpu', base: 'smallest', atMost: 1.2 },
	{ name: 'rows', field: 'requests', atMost: 20 },
	{ name: 'inTurn', field: 'requests', atMost: 21 },
	{ name: 'list', field: 'requests', atMost: 1 },
	{ name: 'sync', field: 'requests', atMost: 2 },
	{ name: 'poll', field: 'requests', atMost: 1 },
	{ name: 'manyGroups', field: 'requests', atMost: 1001 },
	{ name: 'distantRows', field: 'connections', atMost: 2 },
	{ name: 'distantRows', field: 'hold', atMost: 50 },
	{ name: 'manyRows', field: 'hold', atMost: 200 },
	{ name: 'list', field: 'hold', atMost: 150 },
	{ name: 'sync', field: 'hold', atMost: 50 },
	{ name: 'manyGroups', field: 'hold', atMost: 50 },
	{ name: 'manyGroups', field: 'memory', atMost: 400 },
	{ name: 'manyChanges', field: 'requests', atMost: 2001 },
	{ name: 'manyChanges', field: 'hold', atMost: 100 },
];

const figuresOf = ({ cases }: Results, name: CaseName, field: keyof Round, who: ContenderName = 'thisNode') =>
	(cases.get(name)?.get(who) ?? []).map((round) => round[field]);

const budgets: Budget[] = [
	...ofCases.map(({ name, field, base, atMost }): Budget => ({
		what: `${caseOf(name).title}: ${fields[field].label}${base ? ` ÷ ${contenders[base].label}` : ''}`,
		figure: (results) => {
			const own = figuresOf(results, name, field);
			return base ? ratios(own, figuresOf(results, name, field, base)) : own;
		},
		atMost,
		unit: base ? ' ×' : fields[field].unit,
	})),
	{
		what: '100,000 rows: CPU time per row ÷ 1,000 rows',
		figure: (results) =>
			ratios(figuresOf(results, 'manyRows', 'cpu'), figuresOf(results, 'rows', 'cpu'), 100),
		atMost: 0.8,
		unit: ' ×',
	},
	{
		what: 'Sync of 1,000 groups of 50: CPU time per row ÷ 100 groups',
		figure: (results) =>
			ratios(figuresOf(results, 'manyGroups', 'cpu'), figuresOf(results, 'groups', 'cpu'), 10),
		atMost: 1.2,
		unit: ' ×',
	},
	{
		what: '100,000 rows: peak memory per row',
		figure: (results) => figuresOf(results, 'manyRows', 'memory').map((mb) => (mb * 1000) / 100_000),
		atMost: 5,
		unit: ' kB',
	},
	{ what: "Sync's plan of 5,000 rows: time", figure: ({ plans }) => plans.few, atMost: 100, unit: ' ms' },
	{
		what: "Sync's plan of 20,000 rows: time per row ÷ 5,000 rows",
		figure: ({ plans }) => ratios(plans.many, plans.few, 4),
		atMost: 1.6,
		unit: ' ×',
	},
	{
		what: 'Loading the package: time ÷ HTTP Request',
		figure: ({ loads }) => ratios(loads.own, loads.httpRequest),
		atMost: 0.1,
		unit: ' ×',
	},
	{
		what: 'The package, unpacked',
		figure: ({ packageSize }) => [packageSize / 1000],
		atMost: 340,
		unit: ' kB',
	},
];

/** What became of each budget. */
export function outcomesOf(results: Results): Outcome[] {
	return budgets.map((budget) => {
		const spread = spreadOf(budget.figure(results));
		// A busy machine only ever adds to a time, so the smallest counts; of all else it's the largest.
		const counted = [' ms', ' ×'].includes(budget.unit) ? spread.min : spread.max;
		return { ...budget, ...spread, counted, isMet: counted <= budget.atMost };
	});
}
