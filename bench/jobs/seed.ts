import { defaultSeed, type Seed, type SeedInstance } from '../../test/gateway/gateway';

/** The instance that owns the groups and bots. */
export const INSTANCE = 'main';

/** The usual gateway with only this instance, changed. */
export function seedOf(change: (seed: Seed, instance: SeedInstance) => void): Seed {
	const seed = structuredClone(defaultSeed);
	const [instance] = seed.instances;
	if (instance === undefined) throw new Error('The usual gateway has no instance');
	seed.instances = [instance];
	seed.bots = [];
	change(seed, instance);
	return seed;
}
