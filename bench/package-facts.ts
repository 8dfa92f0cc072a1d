import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { readManifest } from './manifest';
import { snapshotSize } from './plans';
import { spreadOf, type Spread } from './statistics';

/** What is known of the package without running it. */
export interface PackageFacts {
	/** Time to load its own files once n8n-workflow is loaded, in ms. */
	load: Spread;
	/** The same for the file of n8n's HTTP Request node. */
	loadHttpRequest: Spread;
	/** In bytes. */
	packed: number;
	unpacked: number;
	files: number;
	/** What the trigger stores of 1,024 members. */
	snapshot: number;
}

const ROOT = resolve(__dirname, '..');
const LOADS = 11;

/** Runs in a process of its own, without TypeScript. The arguments are what to load first, and what to time. */
const timeToLoad = `
	const [first, ...files] = process.argv.slice(1);
	require(first);
	const started = performance.now();
	files.forEach((file) => require(file));
	console.log(performance.now() - started);
`;

/** Loads both packages again and again, in turn, and asks npm for the size. */
export function packageFacts(): PackageFacts {
	const { n8n } = readManifest(join(ROOT, 'package.json'));
	const own = [...n8n.nodes, ...n8n.credentials].map((file) => join(ROOT, file));
	const httpRequest = [
		require.resolve('./node_modules/n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js'),
	];
	const loads: number[] = [];
	const loadsOfHttpRequest: number[] = [];
	// The first of each only warms the file cache.
	for (let round = 0; round <= LOADS; round++) {
		loads.push(load(ROOT, own));
		loadsOfHttpRequest.push(load(__dirname, httpRequest));
	}
	const [packed] = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts']));
	return {
		load: spreadOf(loads.slice(1)),
		loadHttpRequest: spreadOf(loadsOfHttpRequest.slice(1)),
		packed: packed.size,
		unpacked: packed.unpackedSize,
		files: packed.entryCount,
		snapshot: snapshotSize(1024),
	};
}

function load(folder: string, files: string[]): number {
	const workflow = require.resolve('n8n-workflow', { paths: [folder] });
	const text = execFileSync(process.execPath, ['-e', timeToLoad, workflow, ...files], {
		encoding: 'utf8',
		cwd: folder,
	});
	return Number(text);
}

function npm(args: string[]): string {
	return execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
