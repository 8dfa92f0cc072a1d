import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { devDependencies } from '../package.json';
import { fields, type Outcome, type Results } from './budgets';
import { cases, type Case } from './cases';
import { contenders } from './contenders';
import type { Round, Rounds } from './measure';
import { dependencies } from './package.json';
import { ratios, spreadOf } from './statistics';

const FILE = join(__dirname, '../docs/benchmarks.md');

/** What stands before it on the page is written by hand, the rest by the run. */
const MARK = '<!-- From here on written by npm run bench -->';

/** Columns of the tables of contenders: a median with its range, and the most of any round. */
const RANGES = ['wall', 'cpu', 'hold'] as const;
const PEAKS = ['requests', 'connections', 'memory'] as const;

/** Writes what was measured into `docs/benchmarks.md`. @param load the machine's when the run began */
export async function writePage(results: Results, outcomes: Outcome[], load: number): Promise<void> {
	const [before = ''] = readFileSync(FILE, 'utf8').split(MARK);
	const measured = [machine(load), budgetTable(outcomes), ...cases.map((one) => caseTable(one, results))];
	const text = before + [MARK, ...measured].join('\n\n');
	writeFileSync(FILE, await format(text, { ...(await resolveConfig(FILE)), filepath: FILE }));
}

/** A number with as many digits as say something; a dash if there is nothing to compare with. */
export function numberOf(value: number): string {
	if (Number.isNaN(value)) return '–';
	const maximumFractionDigits = value < 0.1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;
	return value.toLocaleString('en-US', { maximumFractionDigits });
}

function machine(load: number): string {
	return `These figures are of one run on one machine: ${cpus().length} cores, Node ${process.versions.node} on ${process.platform}, n8n-core ${devDependencies['n8n-core']}, n8n-nodes-base ${dependencies['n8n-nodes-base']}. Its load was ${numberOf(load)} when the run began.`;
}

function budgetTable(outcomes: Outcome[]): string {
	const rows = outcomes.map(({ what, counted, min, median, max, atMost, unit, isMet }) => [
		what,
		numberOf(counted),
		[min, median, max].map(numberOf).join(' – '),
		`${atMost}${unit}`,
		isMet ? 'met' : '**not met**',
	]);
	return `## Budgets\n\n${table(['', 'figure', 'min – median – max', 'at most', ''], rows)}`;
}

function caseTable({ name, title }: Case, results: Results): string {
	const rounds: Rounds = results.cases.get(name) ?? new Map();
	const limit = (rounds.get('limit') ?? []).map(({ wall }) => wall);
	const rows = [...rounds].map(([contender, all]) => {
		const figures = (field: keyof Round) => all.map((round) => round[field]);
		return [
			contenders[contender].label,
			numberOf(spreadOf(ratios(figures('wall'), limit)).min),
			...RANGES.map((field) => `${rangeOf(figures(field))}${fields[field].unit}`),
			...PEAKS.map((field) => `${numberOf(Math.max(...figures(field)))}${fields[field].unit}`),
		];
	});
	const headings = [...RANGES, ...PEAKS].map((field) => fields[field].label);
	return `## ${title}\n\n${table(['', 'time ÷ the limit', ...headings], rows)}`;
}

function table(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	return [headings, headings.map(() => '---'), ...rows].map(line).join('\n');
}

function rangeOf(values: readonly number[]): string {
	const { min, median, max } = spreadOf(values);
	return min === max ? numberOf(median) : `${numberOf(median)} (${numberOf(min)}–${numberOf(max)})`;
}
