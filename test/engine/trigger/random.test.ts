import { kindsSeed, KINDS, type FaultKind, type Gateway, type Generation } from '../../gateway/gateway';
import { thorough } from '../../thorough';
import { Random } from '../../soak/random';
import { World, type Shown } from '../../unit/groups/watch/world';
import { describeOnEngine, withGateways } from '../support';
import { participants, Trigger } from './trigger';

const POLLS = thorough ? 1_000 : 300;
const OWNER = '5511990000001';
const PEOPLE = Array.from({ length: 30 }, (_, i) => String(4_915_200_000_000 + i));
const FAULTS: FaultKind[] = ['503', 'html', 'empty-list', 'reset-before', 'timed-out', '429', 'wrong-shape'];
/** Gateways by what they show of a group. */
const ERAS: Array<{ generation: Generation; lid: boolean; shown: Shown }> = [
	{ generation: '2.3', lid: false, shown: 'number' },
	{ generation: '2.3', lid: true, shown: 'both' },
	{ generation: '2.3.0', lid: true, shown: 'both' },
	{ generation: '2.2', lid: true, shown: 'hiddenId' },
	{ generation: '1.8', lid: false, shown: 'number' },
];

/** Who a member is, by whichever ID is shown. */
function personOf({ participant, jid }: Record<string, unknown>): string {
	const [digits = ''] = String(participant ?? jid).split('@');
	const person = [OWNER, ...PEOPLE].find((one) => [one, `1${[...one].reverse().join('')}`].includes(digits));
	if (person === undefined) throw new Error(`Nobody is ${digits}`);
	return person;
}

describeOnEngine('the trigger, in any course of events', (engine) => {
	const start = withGateways();

	it('tells every change that can be told apart exactly once, and invents none', async () => {
		const random = new Random(1);
		const world = new World();
		for (const person of [OWNER, ...PEOPLE.slice(0, 14)]) world.members.set(person, person === OWNER);

		/** The same group on another gateway, as after an update or the move to hidden IDs. */
		const startEra = async (era: (typeof ERAS)[number]): Promise<Gateway> => {
			const ofEra = structuredClone(kindsSeed);
			const group = ofEra.instances[0]?.groups[0];
			if (group === undefined) throw new Error('The seed has no group');
			group.lid = era.lid;
			group.members = [...world.members.keys()];
			group.admins = group.members.filter((person) => world.members.get(person));
			return await start({ generation: era.generation, seed: ofEra });
		};
		let era = random.of(ERAS);
		let gateway = await startEra(era);
		const trigger = new Trigger(engine(), gateway, participants());
		expect(await trigger.items()).toEqual([]);
		world.remember(era.shown);

		const change = () => {
			const person = random.of(PEOPLE);
			const isAdmin = world.members.get(person);
			const at = ['keeper', KINDS.numbers, person] as const;
			if (isAdmin === undefined) {
				gateway.network.join(...at);
				world.members.set(person, false);
			} else if (random.chance(0.5)) {
				gateway.network.leave(...at);
				world.members.delete(person);
			} else {
				gateway.network[isAdmin ? 'demote' : 'promote'](...at);
				world.members.set(person, !isAdmin);
			}
		};
		let toldSoFar = 0;
		for (let poll = 0; poll < POLLS; poll++) {
			// Now and then so many come and go that most seem gone.
			for (let left = random.chance(0.03) ? 40 : random.from(0, 3); left > 0; left--) change();
			const event = random.next();
			if (event < 0.05) {
				era = random.of(ERAS);
				gateway = await startEra(era);
				trigger.restart({ gateway, activation: random.of(['init', 'leadershipChange', 'update']) });
			} else if (event < 0.1) trigger.restart();
			else if (event < 0.12) {
				expect(await trigger.restart({ activation: 'activate' }).items()).toEqual([]);
				world.remember(era.shown);
			}
			if (random.chance(0.15)) {
				gateway.fault({ kind: random.of(FAULTS), times: 1 });
				expect((await trigger.poll()).items).toBeNull();
				gateway.clearFaults();
			}
			const items = await trigger.items();
			toldSoFar += items.length;
			expect([poll, items.map((item) => `${String(item.change)} ${personOf(item)}`).sort()]).toEqual([
				poll,
				world.poll(era.shown),
			]);
		}
		expect(toldSoFar).toBeGreaterThan(POLLS / 2);
	});
});
