import type { SectionName } from './cases';
import type { ContenderName } from './contenders/contenders';
import { figuresOf, type Results } from './results';
import { ratioOf, spreadOf, type Spread } from './statistics';
import { numberOf, rangeOf } from './text';

/** Something that the node is meant to reach. */
interface Target {
	what: string;
	figure(results: Results): Spread;
	/** What the figure is at most. */
	most: number;
	unit: string;
	/** What the rest is, where it is not reached. */
	rest?: (results: Results) => string;
}

/** A row of the table of targets. */
export interface TargetRow {
	what: string;
	target: string;
	figure: string;
	reached: boolean;
	rest: string;
}

const wall =
	(section: SectionName, label: string, contender: ContenderName, base: ContenderName) =>
	(results: Results): Spread =>
		ratioOf(
			figuresOf(results, section, label, contender).wall,
			figuresOf(results, section, label, base).wall,
		);

const ofLimit = (section: SectionName, label: string) => wall(section, label, 'thisNode', 'limit');

/** How near a node can come that checks, plans and explains nothing. */
const beyondSmallest = (section: SectionName, label: string) => (results: Results) => {
	const smallest = wall(section, label, 'expressions', 'limit')(results);
	const beyond = wall(section, label, 'thisNode', 'expressions')(results);
	return `the smallest node takes ${times(smallest)} the limit; this node takes ${times(beyond)} the smallest node. See [where the CPU time goes](#where-the-cpu-time-of-this-node-goes).`;
};

const timePerRow = (results: Results, rows: number): number[] =>
	figuresOf(results, 'growth', `${numberOf(rows)} rows`, 'thisNode').wall.map((ms) => ms / rows);

/** In kB, at 100,000 rows. */
const memoryPerRow = (results: Results, contender: ContenderName): number =>
	figuresOf(results, 'growth', '100,000 rows', contender).peakMemory / 100_000 / 1000;

const targets: Target[] = [
	{
		what: '1,000 rows at 0 ms, only `participants` an expression, compared with the limit',
		figure: ofLimit('rows', 'HTTP, 0 ms'),
		most: 2.5,
		unit: '×',
		rest: beyondSmallest('rows', 'HTTP, 0 ms'),
	},
	{
		what: 'The same, compared with a node that reads every parameter of every item',
		figure: wall('rows', 'HTTP, 0 ms', 'thisNode', 'readsAll'),
		most: 1,
		unit: '×',
	},
	{
		what: 'The same, CPU time compared with HTTP Request for each row',
		figure: (results) =>
			ratioOf(
				figuresOf(results, 'rows', 'HTTP, 0 ms', 'thisNode').cpu,
				figuresOf(results, 'rows', 'HTTP, 0 ms', 'httpRequest').cpu,
			),
		most: 0.1,
		unit: '×',
		rest: () =>
			"most of it is n8n's engine and its helper for requests: see [where the CPU time goes](#where-the-cpu-time-of-this-node-goes).",
	},
	{
		what: '1,000 rows that add and remove in turn, 20 ms, compared with the limit of 20 requests',
		figure: ofLimit('inTurn', 'in turn'),
		most: 1.3,
		unit: '×',
	},
	{
		what: '1,000 rows at 20 ms, compared with the limit',
		figure: ofLimit('rows', 'HTTP, 20 ms'),
		most: 1.15,
		unit: '×',
		rest: beyondSmallest('rows', 'HTTP, 20 ms'),
	},
	{
		what: 'The same over TLS',
		figure: ofLimit('rows', 'TLS, 20 ms'),
		most: 1.2,
		unit: '×',
		rest: beyondSmallest('rows', 'TLS, 20 ms'),
	},
	{
		what: "Longest hold of n8n's thread, 10,000 rows",
		figure: (results) => spreadOf(figuresOf(results, 'growth', '10,000 rows', 'thisNode').hold),
		most: 50,
		unit: ' ms',
	},
	{
		what: 'Peak memory per row at 100,000 rows, with input and output items',
		figure: (results) => spreadOf([memoryPerRow(results, 'thisNode')]),
		most: 2,
		unit: ' kB',
		rest: (results) =>
			`the smallest node takes ${numberOf(memoryPerRow(results, 'expressions'))} kB, with empty items as output, and a node that does nothing ${numberOf(memoryPerRow(results, 'nothing'))} kB. Much of a peak is garbage that Node has not collected yet, so it differs from run to run.`,
	},
	{
		what: 'Time per row at 100,000 rows, compared with 1,000',
		figure: (results) => {
			const few = spreadOf(timePerRow(results, 1000)).median;
			return spreadOf(timePerRow(results, 100_000).map((time) => time / few));
		},
		most: 1.1,
		unit: '×',
	},
	{
		what: 'Listing 10,000 instances, compared with a fetch and a parse',
		figure: ofLimit('listing', '10,000 instances'),
		most: 1.8,
		unit: '×',
		rest: beyondSmallest('listing', '10,000 instances'),
	},
	{
		what: "Sync, 1,000 rows and 1,000 members, nothing to do, compared with a fetch and a parse of the list plus n8n's reading of the rows",
		figure: wall('members', 'Sync, 1,000 rows', 'thisNode', 'expressions'),
		most: 1.5,
		unit: '×',
	},
	{
		what: "Sync's plan, 5,000 rows and 5,000 members of whom 100 differ",
		figure: ({ plans }) => plans.get(5000) ?? spreadOf([]),
		most: 100,
		unit: ' ms',
	},
	{
		what: 'The same for 20,000, time per row compared with 5,000',
		figure: ({ plans }) => {
			const few = plans.get(5000)?.median ?? NaN;
			const { median, min, max } = plans.get(20_000) ?? spreadOf([]);
			const [ofMedian = NaN, ofMin = NaN, ofMax = NaN] = [median, min, max].map((ms) => ms / 4 / few);
			return { median: ofMedian, min: ofMin, max: ofMax };
		},
		most: 1.2,
		unit: '×',
		rest: () => 'what grows is the collection of garbage, which differs from run to run.',
	},
	{
		what: 'A poll of a group of 1,024, compared with a fetch and a parse',
		figure: ofLimit('members', 'a poll of 1,024 members, as before'),
		most: 2,
		unit: '×',
		rest: () => "nearly all of it is n8n's helper for requests, which opens a connection for each.",
	},
	{
		what: 'What the trigger stores of 1,024 members',
		figure: ({ facts }) => spreadOf([facts.snapshot / 1000]),
		most: 80,
		unit: ' kB',
	},
	{
		what: "Loading the package's own files, once n8n-workflow is loaded",
		figure: ({ facts }) => facts.load,
		most: 20,
		unit: ' ms',
		rest: ({ facts }) => `n8n's HTTP Request node takes ${rangeOf(facts.loadHttpRequest)} ms.`,
	},
	{
		what: 'Size of the unpacked package',
		figure: ({ facts }) => spreadOf([facts.unpacked / 1000]),
		most: 260,
		unit: ' kB',
		rest: ({ facts }) =>
			`all code is in one file, without comments but neither shortened nor squeezed, so that it can be read; packed it is ${numberOf(facts.packed / 1000)} kB.`,
	},
];

function times(spread: Spread): string {
	return `${rangeOf(spread)} ×`;
}

/** What became of each target. */
export function targetRows(results: Results): TargetRow[] {
	return targets.map(({ what, figure, most, unit, rest }) => {
		const spread = figure(results);
		const reached = spread.median <= most;
		return {
			what,
			target: `at most ${most}${unit}`,
			figure: `${rangeOf(spread)}${unit}`,
			reached,
			rest: reached ? '' : (rest?.(results) ?? ''),
		};
	});
}
