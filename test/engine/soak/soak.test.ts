import fc from 'fast-check';
import { runsOf } from '../../thorough';
import type { Call, Gateway } from '../../gateway/gateway';
import { describeOnEngine, runNode, skipPauses, syncParameters, withGateways } from '../support';
import { judge } from './judge';
import { Random } from './random';
import { makeTrouble, worldOf, type World } from './world';

const parametersOf = ({ unlisted, options }: World) =>
	syncParameters({
		group: '={{ $json.group }}',
		participants: '={{ $json.phones }}',
		shouldBeMember: '={{ $json.should }}',
		unlisted,
		options,
	});

/** How long a world may take until it's told what it waits for, in ms. */
const PATIENCE = 20_000;

/** Tells, again and again, what a world waits for. */
function watch(seed: number, { calls }: Gateway): NodeJS.Timeout {
	const told = (call?: Call) => `${call?.method} ${call?.path}`;
	return setInterval(() => {
		const open = calls.filter(({ finishedAt }) => finishedAt === null).map(told);
		const reason = open.length > 0 ? `replies to ${open.join(', ')}` : `n8n, after ${told(calls.at(-1))}`;
		process.stderr.write(`World ${seed} waits for ${reason} (request ${calls.length})\n`);
	}, PATIENCE);
}

describeOnEngine('Sync in random groups, whose requests go wrong by chance', (engine) => {
	skipPauses(engine);
	const start = withGateways();
	let watchdog: NodeJS.Timeout | undefined;
	afterAll(() => clearInterval(watchdog));

	/** Runs Sync in a world, and once more when all is calm. @returns what was wrong */
	async function tryWorld(seed: number): Promise<string[]> {
		const random = new Random(seed);
		const world = worldOf(random);
		const gateway = await start({ generation: world.generation, seed: world.seed });
		clearInterval(watchdog);
		watchdog = watch(seed, gateway);
		const run = async () => {
			const before = gateway.snapshot();
			const { onError, rows } = world;
			const result = await runNode(engine(), gateway, parametersOf(world), rows, { onError });
			await gateway.handled();
			return { result, found: judge(world, result, gateway, before) };
		};
		const changes = () => gateway.calls.filter(({ path }) => path.includes('/updateParticipant/')).length;
		makeTrouble(gateway, world, random);
		const first = await run();
		gateway.clearFaults();
		const sent = changes();
		const second = await run();
		const { error, main, failed } = first.result;
		const isSettled = error === undefined && [...main, ...failed].every(({ json }) => json.applied === true);
		const isShown = gateway.snapshot().every(({ members }) => members.every((one) => !one.endsWith('@lid')));
		const isRepeated = isSettled && isShown && changes() > sent;
		return [...first.found, ...second.found, ...(isRepeated ? ['the second run sent a change'] : [])];
	}

	test('does and says nothing that the groups contradict', async () => {
		await fc.assert(
			fc.asyncProperty(fc.noBias(fc.nat()), async (seed) => expect(await tryWorld(seed)).toEqual([])),
			runsOf(250, 10),
		);
	});
});
