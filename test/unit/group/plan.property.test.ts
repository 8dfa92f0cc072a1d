import fc from 'fast-check';
import { ACTIONS, type Action } from '../../../nodes/MessagingGateway/domain/group/outcomes';
import {
	planRequests,
	type GroupChange,
	type Grouping,
	type PlannedRequest,
} from '../../../nodes/MessagingGateway/domain/group/plan';
import { person } from '../support';

const changes: fc.Arbitrary<GroupChange[]> = fc
	.array(
		fc.record({
			instance: fc.constantFrom('one', 'two'),
			groupJid: fc.constantFrom('1@g.us', '2@g.us', '3@g.us'),
			action: fc.constantFrom(...ACTIONS),
			participants: fc.array(fc.constantFrom(...'ABCDEFGH').map(person), { minLength: 1, maxLength: 7 }),
		}),
		{ maxLength: 25 },
	)
	// Items that are not valid leave gaps.
	.map((all) => all.map((change, i) => ({ ...change, item: i * 2 })));

const grouping: fc.Arbitrary<Grouping> = fc.record({
	combineItems: fc.boolean(),
	batchSize: fc.integer({ min: 1, max: 6 }),
});

const check = (property: (changes: GroupChange[], grouping: Grouping) => void) =>
	fc.assert(fc.property(changes, grouping, property), { numRuns: 300 });

/** A group: its members, and those of them who are admins. */
interface Group {
	members: Set<string>;
	admins: Set<string>;
}

function apply({ members, admins }: Group, action: Action, participant: string): void {
	if (action === 'add') members.add(participant);
	if (action === 'remove') members.delete(participant);
	if (action === 'promote' && members.has(participant)) admins.add(participant);
	if (action === 'demote' || action === 'remove') admins.delete(participant);
}

type Step = Pick<PlannedRequest, 'groupJid' | 'action' | 'participants'>;

/** Who is in each group and an admin of it at the end. */
function replay(steps: Step[]): Record<string, [members: string[], admins: string[]]> {
	const groups = new Map<string, Group>();
	for (const { groupJid, action, participants } of steps) {
		const group = groups.get(groupJid) ?? { members: new Set('ABCD'), admins: new Set('AB') };
		groups.set(groupJid, group);
		for (const participant of participants) apply(group, action, participant);
	}
	return Object.fromEntries(
		[...groups].map(([id, { members, admins }]) => [id, [[...members].sort(), [...admins].sort()]]),
	);
}

function sequenceOf(all: GroupChange[]): Step[] {
	return all.map((change) => ({ ...change, participants: change.participants.map(({ sentAs }) => sentAs) }));
}

describe('whatever the changes are', () => {
	it('every participant of every item comes from exactly one place', () => {
		check((all, how) => {
			const mentions = planRequests(all, how).flatMap(({ origins }) =>
				origins.map(({ item, position }) => `${item}.${position}`),
			);
			const expected = all.flatMap(({ item, participants }) => participants.map((_, i) => `${item}.${i}`));

			expect([...mentions].sort()).toEqual(expected.sort());
		});
	});

	it('places name what the item gave, for its own instance, group and action', () => {
		check((all, how) => {
			for (const { instance, groupJid, action, origins } of planRequests(all, how))
				for (const { item, position, participant } of origins) {
					const source = all.find((one) => one.item === item);

					expect(source).toMatchObject({ instance, groupJid, action });
					expect(source?.participants[position]).toBe(participant);
				}
		});
	});

	it('the places of each instance and group are in input order', () => {
		check((all, how) => {
			const byGroup = new Map<string, Array<[number, number]>>();
			for (const { instance, groupJid, origins } of planRequests(all, how)) {
				const key = `${instance}/${groupJid}`;
				const places = origins.map(({ item, position }): [number, number] => [item, position]);
				byGroup.set(key, [...(byGroup.get(key) ?? []), ...places]);
			}
			for (const places of byGroup.values())
				expect(places).toEqual([...places].sort(([a, i], [b, j]) => a - b || i - j));
		});
	});

	it('a request sends just what its places name, each once, in the order of first mention', () => {
		check((all, how) => {
			for (const { participants, origins } of planRequests(all, how))
				expect(participants).toEqual([...new Set(origins.map(({ participant }) => participant.sentAs))]);
		});
	});

	it('no request is empty or larger than allowed', () => {
		check((all, how) => {
			for (const { participants } of planRequests(all, how)) {
				expect(participants.length).toBeGreaterThanOrEqual(1);
				expect(participants.length).toBeLessThanOrEqual(how.batchSize);
			}
		});
	});

	it('no request serves several items where they are not combined', () => {
		check((all, { batchSize }) => {
			for (const { origins } of planRequests(all, { combineItems: false, batchSize }))
				expect(new Set(origins.map(({ item }) => item)).size).toBe(1);
		});
	});

	it('every group ends up as one request per item, in order, would leave it', () => {
		check((all, how) => {
			for (const instance of ['one', 'two']) {
				const mine = all.filter((change) => change.instance === instance);

				expect(replay(planRequests(mine, how))).toEqual(replay(sequenceOf(mine)));
			}
		});
	});

	it('two instances that change different groups do not disturb each other', () => {
		check((all, how) => {
			const apart = all.map((change) => ({ ...change, groupJid: `${change.instance}-${change.groupJid}` }));

			expect(replay(planRequests(apart, how))).toEqual(replay(sequenceOf(apart)));
		});
	});

	it('combining never takes more requests', () => {
		check((all, { batchSize }) => {
			const combined = planRequests(all, { combineItems: true, batchSize });
			const single = planRequests(all, { combineItems: false, batchSize });

			expect(combined.length).toBeLessThanOrEqual(single.length);
		});
	});

	it('a run of one action takes as few requests as its participants need', () => {
		check((all, { batchSize }) => {
			const run = all.map((change, i) => ({
				...change,
				instance: 'one',
				groupJid: '1@g.us',
				action: 'add' as const,
				participants: change.participants.map((_, j) => person(`${i}.${j}`)),
			}));
			const people = run.flatMap(({ participants }) => participants).length;

			expect(planRequests(run, { combineItems: true, batchSize })).toHaveLength(
				Math.ceil(people / batchSize),
			);
		});
	});
});
