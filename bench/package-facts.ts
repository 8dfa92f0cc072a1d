import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { n8n } from '../package.json';
import { HTTP_REQUEST } from './contenders';

const ROOT = resolve(__dirname, '..');
const OWN = [...n8n.nodes, ...n8n.credentials].map((file) => join(ROOT, file));

/** Runs in a process of its own, without TypeScript. The arguments are what to load first, and what to time. */
const TIME_TO_LOAD = `
	const [first, ...files] = process.argv.slice(1);
	require(first);
	const started = performance.now();
	files.forEach((file) => require(file));
	console.log(performance.now() - started);
`;

/** Times to load files once n8n-workflow is loaded, in ms, each in a new process. */
export type LoadTimes = Record<'own' | 'httpRequest', number[]>;

/** Loads this package's files and the one of HTTP Request in turn. */
export function timeLoads(rounds: number): LoadTimes {
	const times: LoadTimes = { own: [], httpRequest: [] };
	for (let round = 0; round < rounds; round++) {
		times.own.push(load(ROOT, OWN));
		times.httpRequest.push(load(__dirname, [HTTP_REQUEST]));
	}
	return times;
}

function load(folder: string, files: string[]): number {
	const workflow = require.resolve('n8n-workflow', { paths: [folder] });
	return Number(execFileSync(process.execPath, ['-e', TIME_TO_LOAD, workflow, ...files], { cwd: folder }));
}

/** The size of the unpacked package as npm says it, in bytes. */
export function packageSize(): number {
	const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
	const [{ unpackedSize }] = JSON.parse(
		execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }),
	);
	return unpackedSize;
}
