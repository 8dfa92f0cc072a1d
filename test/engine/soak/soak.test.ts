import fc from 'fast-check';
import { runsOf } from '../../thorough';
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

describeOnEngine('Sync in random groups, whose requests go wrong by chance', (engine) => {
	skipPauses(engine);
	const start = withGateways();

	/** Runs Sync in a world, and once more when all is calm. @returns what was wrong */
	async function tryWorld(seed: number): Promise<string[]> {
		const random = new Random(seed);
		const world = worldOf(random);
		const gateway = await start({ generation: world.generation, seed: world.seed });
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
