/**
 * Breaks single lines of the product, and tells which of them no test misses: `npm run mutants -- 40 2811` tries forty by a
 * seed. Run it once a version, in a clean checkout. Each that lives is proved by a test, or its line is deleted.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from './engine/soak/random';

const ROOT = join(__dirname, '..');
const [count = 40, seed = 1] = process.argv.slice(2).map(Number);

/** What is broken, by a pattern of it. */
const BREAKS: ReadonlyArray<[RegExp, string]> = [
	[/ === /, ' !== '],
	[/ !== /, ' === '],
	[/ && /, ' || '],
	[/ \|\| /, ' && '],
	[/ \?\? /, ' && '],
	[/ >= /, ' > '],
	[/ <= /, ' < '],
	[/ > (?=\w)/, ' >= '],
	[/ < (?=\w)/, ' <= '],
	[/\btrue\b/, 'false'],
	[/\bfalse\b/, 'true'],
	[/\.some\(/, '.every('],
	[/\.every\(/, '.some('],
	[/\(!(?=[\w(])/, '('],
	[/ \+ 1\b/, ' - 1'],
	[/^(\t+)(?:await )?[\w.]+\(.*\);$/, '$1;'],
	[/^(\t+)(?:if \(.*\) )(?:return|continue|break);$/, '$1;'],
	[/\b(?:minValue|MOST_\w+ =|LONGEST_\w+ =|FEWEST_\w+ =) ?:? ?\d+/, '$&0'],
];

/** Comments, imports and types have nothing that runs. */
const WITHOUT_CODE = /^\s*(?:\*|\/[/*]|import |export type|export interface|interface |type )/;

/** Whether a command succeeds. */
function passes(command: string, ...args: string[]): boolean {
	try {
		execFileSync(command, args, { cwd: ROOT, stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
}

/** Finds what notices a break: the compiler, the unit tests, n8n's engine; nothing for one that lives. */
function noticedBy(): string | undefined {
	if (!passes('npm', 'run', '--silent', 'types')) return 'types';
	if (!passes('npx', 'jest', '--selectProjects=unit', '--bail')) return 'units';
	const isBuilt = passes('npm', 'run', '--silent', 'build');
	return isBuilt && passes('npx', 'jest', '--selectProjects=engine', '--bail') ? undefined : 'engine';
}

const places = ['nodes', 'credentials']
	.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true }).map((file) => `${folder}/${String(file)}`),
	)
	.filter((file) => file.endsWith('.ts'))
	.sort()
	.flatMap((file) => {
		const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
		return lines.flatMap((line, at) =>
			WITHOUT_CODE.test(line)
				? []
				: BREAKS.filter(([pattern]) => pattern.test(line)).map((change) => ({ file, at, line, change })),
		);
	});
if (noticedBy() !== undefined) throw new Error('The tests fail without a break');
const random = new Random(seed);
const tally = new Map<string, number>();
for (let i = 0; i < count; i++) {
	const { file, at, line, change } = random.of(places);
	const path = join(ROOT, file);
	const whole = readFileSync(path, 'utf8');
	const lines = whole.split('\n');
	lines[at] = line.replace(...change);
	writeFileSync(path, lines.join('\n'));
	try {
		const by = noticedBy() ?? 'nothing';
		tally.set(by, (tally.get(by) ?? 0) + 1);
		console.log(`${by}: ${file}:${at + 1} ${line.trim()} → ${(lines[at] ?? '').trim()}`);
	} finally {
		writeFileSync(path, whole);
	}
}
console.log([...tally].map(([by, amount]) => `${amount} by ${by}`).join(', '));
