import fc from 'fast-check';
import { ACTIONS, type Action } from '../../../nodes/MessagingGateway/domain/group/outcomes';
import {
	planRequests,
	type Change,
	type Grouping,
	type PlannedRequest,
} from '../../../nodes/MessagingGateway/domain/group/plan';
import { itemsOf, person } from '../support';

const changes: fc.Arbitrary<Change[]> = fc
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
	.map((all) => itemsOf(all.map((wish, i) => ({ ...wish, item: i * 2 }))).flatMap((item) => item.changes));

const grouping: fc.Arbitrary<Grouping> = fc.record({
	combineItems: fc.boolean(),
	batchSize: fc.integer({ min: 1, max: 6 }),
});

const check = (property: (changes: Change[], grouping: Grouping) => void) =>
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

/** One request per change, in order. */
const sequenceOf = (all: Change[]): Step[] =>
	all.map((change) => ({ ...change, participants: [change.sentAs] }));

describe('whatever the changes are', () => {
	it('each is made by exactly one request', () => {
		check((all, how) => {
			const made = planRequests(all, how).flatMap((request) => request.changes);

			expect(made.sort((a, b) => a.place - b.place)).toEqual(all);
		});
	});

	it('a request makes changes of its own instance, group and action only', () => {
		check((all, how) => {
			for (const { instance, groupJid, action, changes: made } of planRequests(all, how))
				for (const change of made) expect(change).toMatchObject({ instance, groupJid, action });
		});
	});

	it('the changes of each group are in input order', () => {
		check((all, how) => {
			const byGroup = new Map<string, number[]>();
			for (const { groupJid, changes: made } of planRequests(all, how))
				byGroup.set(groupJid, [...(byGroup.get(groupJid) ?? []), ...made.map(({ place }) => place)]);
			for (const places of byGroup.values()) expect(places).toEqual([...places].sort((a, b) => a - b));
		});
	});

	it('a request sends just whom its changes name, each once, in the order of first mention', () => {
		check((all, how) => {
			for (const { participants, changes: made } of planRequests(all, how))
				expect(participants).toEqual([...new Set(made.map(({ sentAs }) => sentAs))]);
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
			for (const { changes: made } of planRequests(all, { combineItems: false, batchSize }))
				expect(new Set(made.map(({ item }) => item)).size).toBe(1);
		});
	});

	it('every group ends up as one request per item, in order, would leave it', () => {
		check((all, how) => {
			expect(replay(planRequests(all, how))).toEqual(replay(sequenceOf(all)));
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
				sentAs: String(i),
			}));

			expect(planRequests(run, { combineItems: true, batchSize })).toHaveLength(
				Math.ceil(run.length / batchSize),
			);
		});
	});
});
