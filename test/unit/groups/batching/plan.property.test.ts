import fc from 'fast-check';
import { ACTIONS } from '../../../../nodes/MessagingGateway/groups/outcomes';
import type { BatchOptions, OwnAccounts } from '../../../../nodes/MessagingGateway/groups/batching/plan';
import type { Change, ChangeRequest, Participant } from '../../../../nodes/MessagingGateway/groups/change';
import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import { changesOf, person, planRequests } from '../../support';
import { Groups, OWN, PEOPLE, replay, replayOneByOne, numberKey, type World } from './groupModel';
import { runsOf } from '../../../thorough';

const lidIn = (spellings: readonly string[]) => spellings.at(-1) ?? '';
const numbersIn = (spellings: readonly string[]) => spellings.slice(0, -1);

const { one: OWN_OF_ONE = [] } = OWN;
/** A request that is full could part the others from an own account, and they would be too late then. */
const withoutOthers = (ids: string[]) => {
	const own = ids.filter((id) => OWN_OF_ONE.includes(id));
	return (own.length > 0 ? own.slice(0, 1) : ids).map(person);
};

/** How people are written, and where: often all in one way and in one place, since otherwise nothing may be reordered. */
const sheets = fc
	.record({
		ids: fc.constantFrom('numbers', 'numbers', 'numbers', 'hidden', 'both'),
		instances: fc.constantFrom<string[][]>(['one'], ['one'], ['one', 'two']),
		hasOwn: fc.boolean(),
		most: fc.constantFrom(1, 1, 4),
	})
	.chain(({ ids, instances, hasOwn, most }) => {
		const all = [...PEOPLE, ...(hasOwn ? [OWN_OF_ONE] : [])];
		const spellings = all.flatMap((one) =>
			ids === 'numbers' ? numbersIn(one) : ids === 'hidden' ? [lidIn(one)] : one,
		);
		return fc.array(
			fc.record({
				instance: fc.constantFrom(...instances),
				groupJid: fc.constantFrom('1@g.us', '1@g.us', '2@g.us'),
				action: fc.constantFrom(...ACTIONS),
				participants: fc
					.array(fc.constantFrom(...spellings), { minLength: 1, maxLength: most })
					.map(withoutOthers),
			}),
			{ maxLength: 25 },
		);
	});

const changes: fc.Arbitrary<Change[]> = sheets
	// Items that are not valid leave gaps.
	.map((all) => changesOf(all.map((wish, i) => ({ ...wish, item: i * 2 }))));

const batchOptions: fc.Arbitrary<BatchOptions> = fc.record({
	combineItems: fc.constantFrom(true, true, true, false),
	batchSize: fc.integer({ min: 1, max: 6 }),
});

const worlds: fc.Arbitrary<World> = fc.boolean().chain((formsAreOne) => {
	const named = new Groups({ formsAreOne, refusing: [], members: [], admins: [] });
	const own = Object.values(OWN).map(([number = '']) => named.accountKey(number));
	const accounts = [...new Set(PEOPLE.flatMap((one) => numbersIn(one).map((id) => named.accountKey(id))))];
	return fc
		.tuple(
			fc.subarray(accounts),
			fc.subarray(accounts),
			fc.subarray(accounts),
			fc.subarray(own, { minLength: 1 }),
		)
		.map(([refusing, members, admins, ownAdmins]): World => ({
			formsAreOne,
			refusing,
			members: [...members, ...own],
			admins: [...admins.filter((one) => members.includes(one)), ...ownAdmins],
		}));
});

/** As an instance's own account is looked up: not at all, in vain, or under its number. */
const accounts: fc.Arbitrary<OwnAccounts> = fc.constantFrom(
	new Map(Object.entries(OWN).map(([instance, [number = '']]) => [instance, identityFor(number)])),
	new Map(Object.keys(OWN).map((instance) => [instance, undefined])),
	new Map(),
);

/** An account that no change is about. */
const STRANGER: OwnAccounts = new Map([['one', identityFor('1234567890')]]);

const check = (property: (changes: Change[], options: BatchOptions, requests: ChangeRequest[]) => void) =>
	fc.assert(
		fc.property(changes, batchOptions, accounts, (all, how, own) =>
			property(all, how, planRequests(all, how, own).requests),
		),
		runsOf(500),
	);

describe('whatever the changes are', () => {
	it('each is made by exactly one request', () => {
		check((all, _how, requests) => {
			const made = requests.flatMap((request) => request.changes).map((change) => all.indexOf(change));

			expect(made.sort((a, b) => a - b)).toEqual(all.map((_, place) => place));
		});
	});

	it('a request makes changes of its own instance, group and action only, and none that it does not send', () => {
		check((_all, _how, requests) => {
			for (const { instance, groupJid, action, participants, changes: made } of requests) {
				for (const change of made) expect(change).toMatchObject({ instance, groupJid, action });
				const numbers = made.map(({ participant }) => numberKey(participant.sentAs));
				expect([...new Set(numbers)]).toEqual(participants.map(({ sentAs }) => numberKey(sentAs)));
				expect(made.map(({ participant }) => participant)).toEqual(expect.arrayContaining(participants));
			}
		});
	});

	it('a change is sent as asked, or as another with the same digits', () => {
		const digitsIn = ({ sentAs }: Participant) => sentAs.replace(/@.*/, '');
		check((_all, _how, requests) => {
			for (const { participants, changes: made } of requests) {
				const sent = participants.map(digitsIn);
				for (const { participant } of made) expect(sent).toContain(digitsIn(participant));
			}
		});
	});

	it('no request is empty or larger than allowed', () => {
		check((_all, { batchSize }, requests) => {
			for (const { participants } of requests) {
				expect(participants.length).toBeGreaterThanOrEqual(1);
				expect(participants.length).toBeLessThanOrEqual(batchSize);
			}
		});
	});

	it('no request serves several items where they are not combined, and all is in order', () => {
		check((all, { batchSize }) => {
			const { requests } = planRequests(all, { combineItems: false, batchSize });

			for (const { changes: made } of requests) expect(new Set(made.map(({ item }) => item)).size).toBe(1);
			const items = requests.map(({ changes: [first] }) => first?.item ?? 0);
			expect(items).toEqual([...items].sort((a, b) => a - b));
		});
	});

	it("each group's requests are together where items are combined, in order of first mention", () => {
		check((all, { combineItems }, requests) => {
			const mentioned = [...new Set(all.map(({ groupJid }) => groupJid))];
			const sent = requests.map(({ groupJid }) => groupJid);
			if (combineItems)
				expect(sent).toEqual([...sent].sort((a, b) => mentioned.indexOf(a) - mentioned.indexOf(b)));
		});
	});

	it('combining never takes more requests', () => {
		check((all, { batchSize }, requests) => {
			const { requests: single } = planRequests(all, { combineItems: false, batchSize });

			expect(requests.length).toBeLessThanOrEqual(single.length);
		});
	});
});

describe('against one request for each item, in order', () => {
	it('groups and results are the same, as long as no request fails as a whole', () => {
		fc.assert(
			fc.property(changes, batchOptions, accounts, worlds, (all, how, own, world) => {
				const expected = replayOneByOne(world, all, how.batchSize);
				fc.pre(!expected.said.includes('failed'));

				expect(replay(world, all, planRequests(all, how, own).requests)).toEqual(expected);
			}),
			runsOf(500),
		);
	});

	it('nothing fails that would not have failed', () => {
		fc.assert(
			fc.property(changes, batchOptions, accounts, worlds, (all, how, own, world) => {
				const expected = replayOneByOne(world, all, how.batchSize);
				const { said } = replay(world, all, planRequests(all, how, own).requests);

				for (const [place, one] of said.entries())
					if (one === 'failed') expect(expected.said[place]).toBe('failed');
			}),
			runsOf(500),
		);
	});
});

describe('in changes to one group through one instance', () => {
	const oneGroup = fc.array(
		fc.record({
			instance: fc.constant('one'),
			groupJid: fc.constant('1@g.us'),
			action: fc.constantFrom(...ACTIONS),
			participants: fc.constantFrom(...PEOPLE.flatMap(numbersIn)).map((one) => [person(one)]),
		}),
		{ maxLength: 25 },
	);
	const ofOneGroup = oneGroup.map((all) => changesOf(all.map((wish, item) => ({ ...wish, item }))));

	it('groups are the same also where own accounts come and go, once they are known', () => {
		fc.assert(
			fc.property(
				fc.tuple(ofOneGroup, fc.infiniteStream(fc.constantFrom(false, false, false, true))),
				fc.integer({ min: 1, max: 6 }),
				worlds,
				([all, areOwn], batchSize, world) => {
					const [own = ''] = OWN.one ?? [];
					const mixed = all.map((change) =>
						areOwn.next().value ? { ...change, participant: person(own) } : change,
					);
					const options = { combineItems: true, batchSize };
					fc.pre(planRequests(mixed, options).needsOwnAccount.length > 0);
					const { requests } = planRequests(mixed, options, new Map([['one', identityFor(own)]]));

					expect(replay(world, mixed, requests)).toEqual(replayOneByOne(world, mixed, batchSize));
				},
			),
			runsOf(500),
		);
	});
	it('the own account is asked for only where a removal or demotion comes before an earlier change', () => {
		fc.assert(
			fc.property(ofOneGroup, fc.integer({ min: 1, max: 6 }), (all, batchSize) => {
				const options = { combineItems: true, batchSize };
				const { needsOwnAccount } = planRequests(all, options);
				const sent = planRequests(all, options, STRANGER).requests.flatMap(({ action, changes: made }) =>
					made.map((change) => ({ place: all.indexOf(change), action })),
				);
				const isEarly = sent.some(
					({ action, place }, i) =>
						['remove', 'demote'].includes(action) &&
						sent.slice(i).some((later) => later.place < place && later.action !== action),
				);

				if (isEarly) expect(needsOwnAccount).toEqual(['one']);
				if (needsOwnAccount.length === 0) expect(isEarly).toBe(false);
			}),
			runsOf(500),
		);
	});

	it('random lists of 40 changes to nine people take at most a third of the requests', () => {
		const people = Array.from({ length: 9 }, (_, i) => [person(String(4_915_200_000_000 + i))]);
		const lists = fc.sample(
			fc.array(fc.record({ action: fc.constantFrom(...ACTIONS), participants: fc.constantFrom(...people) }), {
				minLength: 40,
				maxLength: 40,
				size: 'max',
			}),
			100,
		);
		const requests = lists.map((list) => {
			const wishes = list.map((wish, item) => ({ ...wish, item, instance: 'one', groupJid: '1@g.us' }));
			const options = { combineItems: true, batchSize: 50 };
			return planRequests(changesOf(wishes), options, STRANGER).requests.length;
		});

		expect(requests.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual((40 * 100) / 3);
	});
});
