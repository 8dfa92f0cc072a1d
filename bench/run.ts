/** `npm run bench`: measures everything, and writes `docs/benchmarks.md`. */
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { profiledCases, sections, type Section } from './cases';
import { startChild } from './child';
import type { GatewayFunctions } from './gateway-host';
import { measureCase, profileCase } from './measure';
import { packageFacts } from './package-facts';
import { timePlans } from './plans';
import { writeReport } from './report';
import type { Results } from './results';

async function measureAll(): Promise<Pick<Results, 'cases' | 'profiles'>> {
	const gateway = startChild<GatewayFunctions>('gateway-host.ts');
	const cases: Results['cases'] = new Map();
	const profiles: Results['profiles'] = new Map();
	try {
		const all: Section[] = Object.values(sections);
		for (const { title, cases: ofSection } of all)
			for (const one of ofSection)
				await timed(`${title}: ${one.label}`, async () => cases.set(one, await measureCase(gateway, one)));
		for (const one of profiledCases)
			await timed(`Profile: ${one.label}`, async () => profiles.set(one, await profileCase(gateway, one)));
	} finally {
		await gateway.end();
	}
	return { cases, profiles };
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
	const started = performance.now();
	await work();
	console.log(`${what}, ${Math.round((performance.now() - started) / 1000)} s`);
}

async function main(): Promise<void> {
	const [load = 0] = loadavg();
	const facts = packageFacts();
	const plans = timePlans();
	await writeReport({ ...(await measureAll()), plans, facts, load });
	console.log('See docs/benchmarks.md');
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
