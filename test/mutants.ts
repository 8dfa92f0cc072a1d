/**
 * Breaks single lines of the product, and tells which of them no test misses: `npm run mutants -- 40 2811 sync/` tries forty by
 * a seed, in files whose path fits. Run it once a version, in a clean checkout. Each that lives is proved by a test, or its line is deleted.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Random } from './engine/soak/random';

const ROOT = join(__dirname, '..');
/** The longest run of tests. A break that never ends is looked at by hand. */
const LONGEST = '6m';
const [count = '40', seed = '1', only = ''] = process.argv.slice(2);

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

/** Test files that noticed a break, by the folder of the broken file: they are run first for the next one there. */
const noticing = new Map<string, Set<string>>();

/** Runs tests up to the first that fails. @returns its name @throws if it isn't known whether one fails */
function firstFailure(folder: string, ...args: string[]): string | undefined {
	const env = { ...process.env, FIRST_FAILURE: '1' };
	// It ends workers and hosts, too: one in an endless loop would never notice that its parent is gone.
	const jest = [
		'npx',
		'jest',
		'--bail',
		'--maxWorkers=2',
		'--testSequencer=./test/quickestFirst.js',
		...args,
	];
	const all = ['-s', 'KILL', LONGEST, ...jest];
	const { status, stderr } = spawnSync('timeout', all, { cwd: ROOT, env, encoding: 'utf8', maxBuffer: 1e9 });
	if (status === 0) return undefined;
	const [, file] = /^FAIL \w+ (\S+)/m.exec(stderr) ?? [];
	const [, name] = /^ +● (.+)/m.exec(stderr) ?? [];
	const isTold = file !== undefined && name !== undefined && /^Tests: +\d+ failed/m.test(stderr);
	if (!isTold) throw new Error(`No test failed, but the run did: ${stderr.slice(-500)}`);
	noticing.set(folder, (noticing.get(folder) ?? new Set()).add(file));
	return `${file}: ${name}`;
}

/** Runs a command that isn't a test. @returns what it printed, if it failed */
function complaintOf(command: string, ...args: string[]): string | undefined {
	const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
	return status === 0 ? undefined : `${stdout}${stderr}`;
}

/**
 * Finds what notices a break: unit tests that import the file (no others run it), the compiler, n8n's engine; nothing for one
 * that lives. Without a file, all of them. @throws if something else than a test fails
 */
function noticedBy(file?: string): string | undefined {
	const folder = dirname(file ?? '');
	const related = file === undefined ? [] : ['--findRelatedTests', file];
	const unit = firstFailure(folder, '--selectProjects=unit', '--passWithNoTests', ...related);
	if (unit !== undefined) return `units (${unit})`;
	const wrong = complaintOf('npm', 'run', '--silent', 'types');
	if (wrong !== undefined && !wrong.includes('error TS')) throw new Error(wrong);
	if (wrong !== undefined) return `types (${wrong.split('\n')[0]})`;
	const unbuilt = complaintOf('npm', 'run', '--silent', 'build');
	if (unbuilt !== undefined) throw new Error(unbuilt);
	const first = [...(noticing.get(folder) ?? [])].filter((test) => test.startsWith('test/engine'));
	const near = first.length > 0 && firstFailure(folder, '--selectProjects=engine', ...first);
	const others = first.flatMap((test) => ['--testPathIgnorePatterns', test]);
	const engine = near || firstFailure(folder, '--selectProjects=engine', ...others);
	return engine === undefined ? undefined : `engine (${engine})`;
}

const places = ['nodes', 'credentials']
	.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true }).map((file) => `${folder}/${String(file)}`),
	)
	.filter((file) => file.endsWith('.ts') && new RegExp(only).test(file))
	.sort()
	.flatMap((file) => {
		const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
		return lines.flatMap((line, at) =>
			WITHOUT_CODE.test(line)
				? []
				: BREAKS.filter(([pattern]) => pattern.test(line)).map((change) => ({ file, at, line, change })),
		);
	});
const unbroken = noticedBy();
if (unbroken !== undefined) throw new Error(`The tests fail without a break: ${unbroken}`);
const tally = new Map<string, number>();
for (const { file, at, line, change } of new Random(Number(seed)).shuffled(places).slice(0, Number(count))) {
	const path = join(ROOT, file);
	const whole = readFileSync(path, 'utf8');
	const lines = whole.split('\n');
	lines[at] = line.replace(...change);
	writeFileSync(path, lines.join('\n'));
	let by = '';
	try {
		by = noticedBy(file) ?? 'nothing';
	} catch (error) {
		by = `error (${String(error)})`;
	} finally {
		writeFileSync(path, whole);
	}
	const [kind = ''] = by.split(' ');
	tally.set(kind, (tally.get(kind) ?? 0) + 1);
	console.log(`${by}: ${file}:${at + 1} ${line.trim()} → ${(lines[at] ?? '').trim()}`);
}
console.log([...tally].map(([by, amount]) => `${amount} by ${by}`).join(', '));
