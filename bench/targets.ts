import type { SectionName } from './cases';
import type { ContenderName } from './contenders/contenders';
import { figuresOf, type Results } from './results';
import { ratioOf, spreadOf, type Spread } from './statistics';
import { numberOf, rangeOf } from './text';

/** Something that the node is meant to reach. */
interface Target {
	what: string;
	figure(results: Results): Spread;
	/** What the figure is at most, or at least. */
	most?: number;
	least?: number;
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

/** What of the time is n8n's: how many times the limit its own part takes, and this node that part. */
const shareOfN8n = (section: SectionName, label: string) => (results: Results) => {
	const ofN8n = wall(section, label, 'engineOnly', 'limit')(results);
	const beyond = wall(section, label, 'thisNode', 'engineOnly')(results);
	return `n8n's own part alone takes ${times(ofN8n)} the limit; this node takes ${times(beyond)} n8n's own part. See [where the CPU time goes](#where-the-cpu-time-of-this-node-goes).`;
};

const timePerRow = (results: Results, rows: number): number[] =>
	figuresOf(results, 'growth', `${rows.toLocaleString('en-US')} rows`, 'thisNode').wall.map(
		(ms) => ms / rows,
	);

/** In kB, at 100,000 rows. */
const memoryPerRow = (results: Results, contender: ContenderName): number =>
	figuresOf(results, 'growth', '100,000 rows', contender).peakMemory / 100_000 / 1000;

const targets: Target[] = [
	{
		what: '1,000 rows at 20 ms, compared with the limit',
		figure: wall('rows1000', 'HTTP, 20 ms', 'thisNode', 'limit'),
		most: 1.3,
		unit: '×',
		rest: shareOfN8n('rows1000', 'HTTP, 20 ms'),
	},
	{
		what: '1,000 rows at 20 ms, how many times less than HTTP Request',
		figure: wall('rows1000', 'HTTP, 20 ms', 'httpRequest', 'thisNode'),
		least: 3,
		unit: '×',
		rest: (results) => {
			const { connections } = figuresOf(results, 'rows1000', 'HTTP, 20 ms', 'httpRequest');
			const ofLimit = wall('rows1000', 'HTTP, 20 ms', 'httpRequest', 'limit')(results);
			return (
				`HTTP Request opens ${numberOf(connections)} connections at once, and so waits for 20 ms only once. ` +
				`It takes ${times(ofLimit)} the limit itself: 20 requests in sequence can't take less time than that.`
			);
		},
	},
	{
		what: '1,000 rows at 0 ms, compared with the limit',
		figure: wall('rows1000', 'HTTP, 0 ms', 'thisNode', 'limit'),
		most: 3,
		unit: '×',
		rest: shareOfN8n('rows1000', 'HTTP, 0 ms'),
	},
	{
		what: 'Time per row at 100,000 rows, compared with 1,000',
		figure: (results) => {
			const few = spreadOf(timePerRow(results, 1000)).median;
			return spreadOf(timePerRow(results, 100_000).map((time) => time / few));
		},
		most: 1.2,
		unit: '×',
	},
	{
		what: 'Peak memory per row at 100,000 rows, with input and output items',
		figure: (results) => spreadOf([memoryPerRow(results, 'thisNode')]),
		most: 3,
		unit: ' kB',
		rest: (results) =>
			`n8n's own part takes ${numberOf(memoryPerRow(results, 'engineOnly'))} kB, with empty items as output, and a node that does nothing ${numberOf(memoryPerRow(results, 'nothing'))} kB. Much of a peak is garbage that Node has not collected yet, so it differs from run to run.`,
	},
	{
		what: 'Listing 10,000 instances, compared with a fetch and a parse',
		figure: wall('listing', '10,000 instances', 'thisNode', 'limit'),
		most: 3,
		unit: '×',
		rest: shareOfN8n('listing', '10,000 instances'),
	},
	{
		what: "Loading the package's own files, once n8n-workflow is loaded",
		figure: ({ facts }) => facts.load,
		most: 30,
		unit: ' ms',
	},
	{
		what: 'Size of the unpacked package',
		figure: ({ facts }) => spreadOf([facts.unpacked / 1000]),
		most: 200,
		unit: ' kB',
	},
];

function times(spread: Spread): string {
	return `${rangeOf(spread)} ×`;
}

/** What became of each target. */
export function targetRows(results: Results): TargetRow[] {
	return targets.map(({ what, figure, most, least, unit, rest }) => {
		const spread = figure(results);
		const reached = spread.median <= (most ?? Infinity) && spread.median >= (least ?? 0);
		return {
			what,
			target: most === undefined ? `at least ${least}${unit}` : `at most ${most}${unit}`,
			figure: `${rangeOf(spread)}${unit}`,
			reached,
			rest: reached ? '' : (rest?.(results) ?? ''),
		};
	});
}
