import { defaultSeed, type GroupSnapshot, type Seed, type SeedInstance } from '../../test/gateway/gateway';

/** The instance that owns the groups. */
export const INSTANCE = 'main';
/** The phone number that it is connected to. */
export const OWNER = '5511990000001';
/** The group. */
export const GROUP = '120363000000000000@g.us';

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

/** A gateway with the one group. @param members who is in it besides the own account */
export function seedOfGroup(members: readonly string[]): Seed {
	return seedOf((_seed, instance) => {
		instance.owner = `${OWNER}@s.whatsapp.net`;
		instance.groups = [{ jid: GROUP, subject: 'Group', members: [OWNER, ...members], admins: [OWNER] }];
	});
}

/** Whether exactly these are in the one group besides the own account. */
export function hasMembers(groups: GroupSnapshot[], members: readonly string[]): boolean {
	const expected = [OWNER, ...members].map((phone) => `${phone}@s.whatsapp.net`);
	return groups.length === 1 && groups[0]?.members.join() === expected.sort().join();
}

/** The phone number of somebody. */
export function phoneOf(person: number): string {
	return String(447_700_900_000 + person);
}
