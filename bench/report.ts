import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { ROUNDS, sections, type Case, type Section } from './cases';
import { contenderOf, contenders, type ContenderName } from './contenders/contenders';
import { readManifest } from './manifest';
import type { Result } from './measure';
import { drawGrowth, drawRows } from './plot';
import { partNames } from './profile';
import { PLANNED_SIZES } from './plans';
import { figuresOf, type Results } from './results';
import { ratioOf, spreadOf, sum } from './statistics';
import { targetRows } from './targets';
import { markdownTable, numberOf, rangeOf } from './text';

/** Between 20 requests of 50 rows, in seconds. */
const PAUSES = 19;

const DOCS = join(__dirname, '../docs');

/** Writes `docs/benchmarks.md` and its images. */
export async function writeReport(results: Results): Promise<void> {
	writeFileSync(join(DOCS, 'images/rows.svg'), drawRows(results));
	writeFileSync(join(DOCS, 'images/growth.svg'), drawGrowth(results));
	const file = join(DOCS, 'benchmarks.md');
	const text = [
		head(results),
		costsPart(results),
		targetsPart(results),
		partiesPart(),
		imagesPart(),
		...sectionParts(results),
		profilePart(results),
		packagePart(results),
	];
	const options = await resolveConfig(file);
	writeFileSync(file, await format(text.join('\n\n'), { ...options, filepath: file }));
}

function head({ load }: Results): string {
	const engine = readManifest(require.resolve('n8n-core/package.json')).version;
	const nodes = readManifest(join(__dirname, 'package.json')).dependencies['n8n-nodes-base'];
	return `# Benchmarks

Written by \`npm run bench\`; don't edit it by hand. To repeat it, on a machine that has nothing else to do:

\`\`\`sh
npm ci && npm run bench
\`\`\`

It takes 10 to 30 minutes. The first time it also installs what is compared with (about 900 MB, in \`bench/node_modules\`).

These figures are of one run on one machine: ${cpus().length} cores, Node ${process.versions.node} on ${process.platform}, the engine of n8n 2.x (n8n-core ${engine}) and n8n-nodes-base ${nodes}.
When the run began, the machine's load was ${numberOf(load)}${load > 1 ? ': other programs were at work too, so the figures are less sharp, and too high for those who compute more than they wait' : ''}.
Times are ratios to the limit, the same job with as little as possible around it; each is the median of ${ROUNDS} rounds (where it says so, of fewer), with the smallest and the largest in brackets.
A ratio is taken between two contenders' runs of the same round; they take turns, after a warm-up of each (up to ten rounds, begun within two seconds).

Connections are the most that were open at once. Each contender has a process of its own in each case, and so has the gateway (the one of the tests), so that CPU time and memory are the contender's alone. The gateway answers after 0 or 20 ms.
After every round it is checked that the gateway's groups are as asked, and that as many results came out as have to, each the right one. A wrong result ends the benchmark; only rounds of HTTP Request may fail, which the tables then say, and such rounds don't count.`;
}

/** What a person wants to know before anything else. */
function costsPart(results: Results): string {
	const ways = (['thisNode', 'httpRequestBatched', 'httpRequest', 'oneByOne'] as const).map((name) => {
		const { wall, cpu, requests, connections, peakMemory } = figuresOf(results, 'rows', 'HTTP, 20 ms', name);
		const { label, isPaced } = contenderOf(name);
		const seconds = spreadOf(wall).median / 1000 + (isPaced ? PAUSES : 0);
		return [
			label,
			numberOf(requests),
			numberOf(connections),
			`${numberOf(spreadOf(cpu).median / 1000)} s`,
			`${numberOf(peakMemory / 1e6)} MB`,
			`${numberOf(seconds)} s${isPaced ? '' : ', without a pause'}`,
		];
	});
	const headings = ['', 'requests', 'connections at once', 'CPU time', 'memory', 'time'];
	return `## What 1,000 rows cost

One group, a gateway that answers after 20 ms, and the usual pause of one second between two requests (or batches of 50). Many requests at once are what gets accounts banned.

${markdownTable(headings, ways)}`;
}

function targetsPart(results: Results): string {
	const rows = targetRows(results);
	const left = rows.filter(({ rest }) => rest !== '').map(({ what, rest }) => `- ${what}: ${rest}`);
	return [
		'## Targets',
		'With **Interval Between Requests** at 0.',
		markdownTable(
			['', 'target', 'measured', ''],
			rows.map(({ what, target, figure, reached }) => [
				what,
				target,
				figure,
				reached ? 'reached' : 'not reached',
			]),
		),
		...(left.length > 0 ? ['What the rest is, where a target is not reached:', left.join('\n')] : []),
	].join('\n\n');
}

function partiesPart(): string {
	const lines = Object.values(contenders).map(({ label, about }) => `- **${label}**: ${about}.`);
	return `## Who is compared\n\n${lines.join('\n')}`;
}

function imagesPart(): string {
	return `![1,000 rows into one group: time as a multiple of the limit, by contender and latency](images/rows.svg)

![Time per row from 100 to 100,000 rows, as a multiple of that at 1,000](images/growth.svg)`;
}

function sectionParts({ cases }: Results): string[] {
	const all: Section[] = Object.values(sections);
	return all.map((section) => {
		const rows = section.cases.flatMap((one) => caseRows(one, cases.get(one) ?? new Map()));
		const headings = [
			'',
			'contender',
			'time',
			'CPU time',
			'longest hold',
			'requests',
			'connections',
			'peak memory',
		];
		return `## ${section.title}\n\n${section.text}\n\n${markdownTable(headings, rows)}`;
	});
}

function caseRows({ label }: Case, result: Result): string[][] {
	const limit = result.get('limit');
	return [...result].map(
		([contender, { wall, cpu, hold, requests, connections, peakMemory, failures }], i) => [
			i === 0 ? label : '',
			labelOf(contender, wall.length, failures),
			rangeOf(ratioOf(wall, limit?.wall ?? [])),
			rangeOf(ratioOf(cpu, limit?.cpu ?? [])),
			`${rangeOf(spreadOf(hold))} ms`,
			numberOf(requests),
			numberOf(connections),
			`${numberOf(peakMemory / 1e6)} MB`,
		],
	);
}

function labelOf(contender: ContenderName, rounds: number, failures: string[]): string {
	const { label } = contenderOf(contender);
	const notes = [
		...(rounds < ROUNDS ? [`${rounds} rounds`] : []),
		...(failures.length > 0 ? [`${failures.length} failed: ${failures[0]}`] : []),
	];
	return notes.length > 0 ? `${label} (${notes.join(', ')})` : label;
}

function profilePart({ profiles }: Results): string {
	const all = [...profiles].map(([{ label }, rounds]) => {
		const total = sum(rounds.flatMap((times) => Object.values(times)));
		const shareOf = (part: string) => sum(rounds.map((times) => times[part] ?? 0)) / total;
		return { label, shareOf };
	});
	const rows = partNames.map((part) => [
		part,
		...all.map(({ shareOf }) => `${numberOf(100 * shareOf(part))} %`),
	]);
	return `## Where the CPU time of this node goes

By Node's CPU profiler (the one of \`node --cpu-prof\`), HTTP, 0 ms, over ${ROUNDS} rounds. A sample counts for the first part of which a function is on the stack.

${markdownTable(['', ...all.map(({ label }) => label)], rows)}`;
}

function packagePart({ facts, plans }: Results): string {
	const rows = [
		...PLANNED_SIZES.map((size) => [
			`Sync's plan and its check, ${numberOf(size)} rows and members of whom 100 differ`,
			`${rangeOf(plans.get(size) ?? spreadOf([]))} ms`,
		]),
		[
			'What the trigger stores of 1,024 members, each with a number and a hidden ID',
			`${numberOf(facts.snapshot / 1000)} kB`,
		],
		["Loading the package's own files, once n8n-workflow is loaded", `${rangeOf(facts.load)} ms`],
		["The same for the file of n8n's HTTP Request node", `${rangeOf(facts.loadHttpRequest)} ms`],
		['Packed', `${numberOf(facts.packed / 1000)} kB`],
		['Unpacked', `${numberOf(facts.unpacked / 1000)} kB in ${facts.files} files`],
	];
	return `## Plans, and the package\n\nEach load in a new process.\n\n${markdownTable(['', ''], rows)}`;
}
