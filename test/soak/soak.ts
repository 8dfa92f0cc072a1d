/** What the node says of random changes that go wrong in random ways, against what became of the groups. */
import { parseArgs } from 'node:util';
import { soakHostile } from './hostile/soak';
import { soakRandom } from './faulty/soak';
import { soakSync } from './sync/soak';

const usage = `npm run test:soak -- [options]

  --seed    a whole number: the same rows and faults as before (a new one otherwise)
  --faults  how many faults; 10000 unless told otherwise
  --hostile against the hostile gateway, which knows nothing of how the node is made
  --sync    Sync Participants against the hostile gateway
  --worlds  for --sync: how many worlds, each with two runs; 700 unless told otherwise
  --run     only this run (for --sync, this world) of the seed; told in full with --hostile and --sync
`;

async function run(): Promise<void> {
	const { values } = parseArgs({
		options: {
			seed: { type: 'string', default: String(Date.now() % 1_000_000) },
			faults: { type: 'string', default: '10000' },
			hostile: { type: 'boolean', default: false },
			sync: { type: 'boolean', default: false },
			worlds: { type: 'string', default: '700' },
			run: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return console.log(usage);
	for (const value of [values.seed, values.faults, values.worlds, values.run ?? '1'])
		if (!/^\d+$/.test(value)) throw new Error(`"${value}" is not a whole number.`);
	const [seed, faults, worlds] = [Number(values.seed), Number(values.faults), Number(values.worlds)];
	const only = values.run === undefined ? undefined : Number(values.run);
	console.log(`seed ${seed}`);
	const soak = values.hostile ? soakHostile : soakRandom;
	const passed = values.sync ? await soakSync(seed, worlds, only) : await soak(seed, faults, only);
	if (!passed) process.exitCode = 1;
}

run().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
