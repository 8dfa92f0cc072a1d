/** `npm run bench`: measures everything, and writes `docs/benchmarks.md`. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { sections, type Case, type Section } from './cases';
import { startChild } from './child';
import type { GatewayFunctions } from './gateway-host';
import { measureCase, type Result } from './measure';
import { packageFacts } from './package-facts';
import { writeReport } from './report';

/** Installs what is compared with and drawn with, where that was not done yet. */
function installPrivatePackages(): void {
	if (existsSync(join(__dirname, 'node_modules'))) return;
	console.log('Installing the packages to compare with (about 900 MB) …');
	execFileSync('npm', ['ci'], { cwd: __dirname, stdio: 'inherit' });
}

async function measureAll(): Promise<Map<Case, Result>> {
	const gateway = startChild<GatewayFunctions>('gateway-host.ts');
	const results = new Map<Case, Result>();
	try {
		const all: Section[] = Object.values(sections);
		for (const { title, cases } of all)
			for (const one of cases) {
				const started = performance.now();
				results.set(one, await measureCase(gateway, one));
				const seconds = Math.round((performance.now() - started) / 1000);
				console.log(`${title}: ${one.label}, ${seconds} s`);
			}
	} finally {
		await gateway.end();
	}
	return results;
}

async function main(): Promise<void> {
	const [load = 0] = loadavg();
	installPrivatePackages();
	const facts = packageFacts();
	const cases = await measureAll();
	await writeReport({ cases, facts, load });
	console.log('See docs/benchmarks.md');
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
