/** Measures everything, prints each budget with its figure, and writes `docs/benchmarks.md`. Fails where one isn't met. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { installLine } from '../e2e/install';
import { LINES } from '../e2e/lines';
import { devDependencies } from '../package.json';
import { cases, columns, type CaseName, type Round } from './cases';
import { measureCase, type Rounds } from './measure';
import type { Contender } from './contenders';

/** Fewer rounds, and without the page. */
const isQuick = process.argv.includes('quick');
/** How long the rounds of each contender of a case may take together, in ms. */
const TIME = isQuick ? 1500 : 10_000;
const ROOT = join(__dirname, '..');
const PAGE = join(ROOT, 'docs/benchmarks.md');
/** What stands before it on the page is written by hand, the rest by the run. */
const MARK = '<!-- From here on written by npm run bench -->';

const names = Object.keys(cases) as CaseName[];
const fields = Object.keys(columns) as Array<keyof Round>;
const measured = new Map<CaseName, Rounds>();

const LABELS = { httpRequest: 'HTTP Request', limit: 'the limit' };

const figuresOf = (name: CaseName, field: keyof Round, who: Contender = 'thisNode') =>
	(measured.get(name)?.get(who) ?? []).map((round) => round[field]);

/** A budget, and what it came to: a busy machine only adds to a ratio, so the smallest counts; of all else it's the largest. */
function outcome(what: string, figures: number[], most: number | undefined, unit: string) {
	const figure = unit === ' ×' ? Math.min(...figures) : Math.max(...figures);
	const atMost = most === undefined ? '–' : numberOf(most) + unit;
	return { what, figure: numberOf(figure) + unit, atMost, isMet: most === undefined || figure <= most };
}

function outcomesOf() {
	const ofCases = names.flatMap((name) => {
		const { title, budgets, who } = cases[name];
		const { ratio, ...own } = budgets;
		const smallest = Math.min(...figuresOf(name, 'wall', 'smallest'));
		const ratiosOf = (one: Contender) => figuresOf(name, 'wall', one).map((figure) => figure / smallest);
		const others = (['httpRequest', 'limit'] as const).filter((one) => who.includes(one));
		return [
			outcome(`${title}: time ÷`, ratiosOf('thisNode'), ratio, ' ×'),
			...others.map((one) => outcome(`${title}, ${LABELS[one]}: time ÷`, ratiosOf(one), undefined, ' ×')),
			...fields.flatMap((field) => {
				const [[label, unit], most] = [columns[field], own[field]];
				return most ? [outcome(`${title}: ${label}`, figuresOf(name, field), most, unit)] : [];
			}),
		];
	});
	return [...ofCases, ...outcomesOfPackage()];
}

function outcomesOfPackage() {
	const printed = (command: string, args: string[]) =>
		JSON.parse(execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }));
	const [{ unpackedSize }] = printed('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']);
	const [time, memory] = printed(process.execPath, ['--expose-gc', 'bench/load.mjs']);
	return [
		outcome('The package, unpacked', [unpackedSize / 1000], 320, ' kB'),
		outcome('Loading the package in n8n: CPU time', [time], 50, ' ms'),
		outcome('Loading the package in n8n: memory', [memory], 2, ' MB'),
	];
}

function table(headings: string[], rows: string[][]): string {
	return [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A number with as many digits as say something. */
function numberOf(value: number): string {
	const maximumFractionDigits = value < 10 ? 2 : value < 100 ? 1 : 0;
	return value.toLocaleString('en-US', { maximumFractionDigits });
}

async function main(): Promise<void> {
	// HTTP Request is in it.
	installLine(LINES[2]);
	const [load = 0] = loadavg();
	for (const name of names) {
		console.log(cases[name].title);
		measured.set(name, await measureCase(name, TIME));
	}
	const outcomes = outcomesOf();
	for (const { what, figure, atMost, isMet } of outcomes)
		console.log(`${isMet ? 'met' : 'NOT MET'}: ${what}: ${figure}, at most ${atMost}`);
	if (outcomes.some(({ isMet }) => !isMet)) process.exitCode = 1;
	if (isQuick) return;
	const machine = `One run on ${cpus().length} cores, Node ${process.versions.node} on ${process.platform}, n8n-core ${devDependencies['n8n-core']}, at a load of ${numberOf(load)}.`;
	const rows = outcomes.map(({ what, figure, atMost, isMet }) => [
		what,
		isMet ? figure : `**${figure}**`,
		atMost,
	]);
	const budgets = `${table(['', 'figure', 'at most'], rows)}`;
	const [before = ''] = readFileSync(PAGE, 'utf8').split(MARK);
	const text = before + [MARK, machine, budgets].join('\n\n');
	writeFileSync(PAGE, await format(text, { ...(await resolveConfig(PAGE)), filepath: PAGE }));
}

void main();
