import fc from 'fast-check';
import { live } from './spellings';
import { runsOf } from '../../../thorough';

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
// Near a seed is no smaller group.
const runs = { ...runsOf(5_000, 30), endOnFailure: true };

it('nobody who should stay is removed, however a list spells them', () => {
	let removed = 0;
	fc.assert(
		fc.property(seeds, fc.nat(5), (seed, odd) => {
			const lived = live(seed, odd);
			removed += lived.removed;
			expect(lived.harms).toEqual([]);
		}),
		runs,
	);
	expect(removed).toBeGreaterThan(runs.numRuns);
});

it('strangers are removed all the same where every number is spelled as the gateway has it', () => {
	let [strangers, kept] = [0, 0];
	fc.assert(
		fc.property(seeds, (seed) => {
			const lived = live(seed, 0);
			strangers += lived.strangers;
			kept += lived.keptForNothing.length;
		}),
		runs,
	);
	expect(strangers).toBeGreaterThan(runs.numRuns);
	expect(kept / strangers).toBeLessThan(0.001);
});
