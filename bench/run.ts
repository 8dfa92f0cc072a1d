/** Measures everything, prints each budget with its figure, and writes `docs/benchmarks.md`. Fails where one isn't met. */
import { loadavg } from 'node:os';
import { outcomesOf, type Results } from './budgets';
import { cases } from './cases';
import { measureCase } from './measure';
import { packageSize, timeLoads } from './package-facts';
import { numberOf, writePage } from './page';
import { timePlans } from './plan';

/** Fewer rounds, without one contender, and without the page. */
const isQuick = process.argv.includes('quick');
/** How long the rounds of each contender of a case may take together, in ms. */
const TIME = isQuick ? 2000 : 10_000;
/** Of what needs no contenders. */
const ROUNDS = isQuick ? 7 : 15;

async function measureAll(): Promise<Results> {
	const results: Results = {
		cases: new Map(),
		plans: timePlans(ROUNDS),
		loads: timeLoads(ROUNDS),
		packageSize: packageSize(),
	};
	for (const one of cases) {
		console.log(one.title);
		// A round of one request per item can take half a minute.
		const who = isQuick ? one.who.filter((name) => name !== 'oneByOne') : one.who;
		results.cases.set(one.name, await measureCase(one, who, TIME));
	}
	return results;
}

async function main(): Promise<void> {
	const [load = 0] = loadavg();
	const results = await measureAll();
	const outcomes = outcomesOf(results);
	for (const { what, counted, atMost, unit, isMet } of outcomes)
		console.log(`${isMet ? 'met' : 'NOT MET'}: ${what}: ${numberOf(counted)}, at most ${atMost}${unit}`);
	if (!isQuick) await writePage(results, outcomes, load);
	if (outcomes.some(({ isMet }) => !isMet)) process.exitCode = 1;
}

void main();
