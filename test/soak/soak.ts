/** What Sync says of random lists and groups, whose requests go wrong in random ways, against what became of the groups. */
import { parseArgs } from 'node:util';
import { soakSync } from './sync/soak';

const usage = `npm run test:soak -- [options]

  --seed    a whole number: the same worlds as before (new ones otherwise)
  --worlds  how many worlds, each with two runs; 700 unless told otherwise
  --world   only this world of the seed, told in full
`;

async function run(): Promise<void> {
	const { values } = parseArgs({
		options: {
			seed: { type: 'string', default: String(Date.now() % 1_000_000) },
			worlds: { type: 'string', default: '700' },
			world: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return console.log(usage);
	const numberOf = (value: string) => {
		if (!/^\d+$/.test(value)) throw new Error(`"${value}" is not a whole number.`);
		return Number(value);
	};
	const seed = numberOf(values.seed);
	console.log(`seed ${seed}`);
	const only = values.world === undefined ? undefined : numberOf(values.world);
	if (!(await soakSync(seed, numberOf(values.worlds), only))) process.exitCode = 1;
}

run().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
