/** What Sync does and says in random groups, whose requests go wrong by chance, held against the gateway's groups. */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { startEngine, type Engine } from '../engine/engine';
import { runNode, syncParameters } from '../engine/support';
import { startGateway } from '../gateway/gateway';
import { judge } from './judge';
import { Random } from './random';
import { makeTrouble, worldOf, type World } from './world';

const usage = `npm run test:soak -- [options]

  --seed    a whole number: the same worlds as before (new ones otherwise)
  --worlds  how many worlds, each with two runs; 700 unless told otherwise
  --world   only this world of the seed, told in full
`;
/** No world begins later than this, in ms since the start. */
const DEADLINE = 300_000;
const ENGINES = 2;

const parametersOf = ({ unlisted, options }: World) =>
	syncParameters({
		group: '={{ $json.group }}',
		participants: '={{ $json.phones }}',
		shouldBeMember: '={{ $json.should }}',
		unlisted,
		options,
	});

/** Runs Sync in a world, and once more when all is calm. @returns what was wrong, and the outcomes */
async function tryWorld(engine: Engine, seed: number, number: number, isTold: boolean) {
	const random = new Random(seed, number);
	const world = worldOf(random);
	const gateway = await startGateway({ generation: world.generation, seed: world.seed });
	const outcomes: string[] = [];
	const found: string[] = [];
	const run = async (name: string) => {
		const before = gateway.snapshot();
		const result = await runNode(engine, gateway, parametersOf(world), world.rows, {
			onError: world.onError,
		});
		await gateway.handled();
		const items = [...result.main, ...result.failed];
		outcomes.push(...items.map(({ json, error }) => (error ? 'failed' : `${json.action} ${json.outcome}`)));
		found.push(...judge(world, result, gateway, before).map((one) => `world ${number}, ${name}: ${one}`));
		if (isTold)
			console.dir({ name, before, after: gateway.snapshot(), items, error: result.error }, { depth: 6 });
		return result;
	};
	if (isTold) console.dir(world, { depth: 6 });
	makeTrouble(gateway, world, random);
	const first = await run('first run');
	gateway.clearFaults();
	const changes = () => gateway.calls.filter(({ path }) => path.includes('/updateParticipant/')).length;
	const sent = changes();
	await run('second run');
	const isSettled =
		first.error === undefined && [...first.main, ...first.failed].every(({ json }) => json.applied === true);
	const isShown = gateway.snapshot().every(({ members }) => members.every((one) => !one.endsWith('@lid')));
	if (isSettled && isShown && changes() > sent)
		found.push(`world ${number}, second run: sent a change. ${changes()}`);
	await gateway.close();
	return { found, outcomes };
}

async function main(): Promise<boolean> {
	const { values } = parseArgs({
		options: {
			seed: { type: 'string', default: String(Date.now() % 1_000_000) },
			worlds: { type: 'string', default: '700' },
			world: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return console.log(usage) === undefined;
	const numberOf = (value: string) => {
		if (!/^\d+$/.test(value)) throw new Error(`"${value}" is not a whole number.`);
		return Number(value);
	};
	const seed = numberOf(values.seed);
	const only = values.world === undefined ? undefined : numberOf(values.world);
	const worlds =
		only === undefined ? Array.from({ length: numberOf(values.worlds) }, (_, i) => i + 1) : [only];
	const goal = worlds.length;
	const counts = new Map<string, number>();
	const found: string[] = [];
	const work = async (): Promise<void> => {
		const engine = await startEngine(2);
		engine.skipsPauses = true;
		while (performance.now() < DEADLINE) {
			const world = worlds.shift();
			if (world === undefined) break;
			const tried = await tryWorld(engine, seed, world, only !== undefined);
			found.push(...tried.found);
			for (const outcome of tried.outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
		}
		await engine.stop();
	};
	await Promise.all(Array.from({ length: only === undefined ? ENGINES : 1 }, work));
	const listed = [...counts].sort(([, a], [, b]) => b - a).map(([outcome, amount]) => `${outcome} ${amount}`);
	console.log(`seed ${seed}, worlds ${goal - worlds.length} of ${goal}\noutcomes: ${listed.join(', ')}`);
	for (const one of found) console.log(one);
	console.log(`contradictions: ${found.length}`);
	return found.length === 0 && worlds.length === 0;
}

main().then(
	(isRight) => (process.exitCode = isRight ? 0 : 1),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	},
);
