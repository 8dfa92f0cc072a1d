import fc from 'fast-check';
import { groupBy } from '../../../../nodes/MessagingGateway/common/groupBy';
import { ACTIONS } from '../../../../nodes/MessagingGateway/groups/outcomes';
import { planRequests } from '../../../../nodes/MessagingGateway/groups/batching';
import type { Change, ChangeRequest, Participant } from '../../../../nodes/MessagingGateway/groups/change';
import { changesOf, person } from '../../support';
import { runsOf } from '../../../thorough';

/** Few people in several spellings, some of which gateways take for the same number; that all is well in a group is tried in test/engine/group/requests. */
const NUMBERS = ['4915200000001', '4915200000001@s.whatsapp.net', '5511999990002', '551199990002'];
const LIDS = ['100000000000001@lid', '100000000000002@lid'];

/** Often all in one way and in one place, since otherwise nothing may be reordered. */
const changes: fc.Arbitrary<Change[]> = fc
	.record({
		ids: fc.constantFrom(NUMBERS, NUMBERS, LIDS, [...NUMBERS, ...LIDS]),
		instances: fc.constantFrom<string[][]>(['one'], ['one', 'two']),
		most: fc.constantFrom(1, 1, 4),
	})
	.chain(({ ids, instances, most }) =>
		fc.array(
			fc.record({
				instance: fc.constantFrom(...instances),
				groupJid: fc.constantFrom('1@g.us', '1@g.us', '2@g.us'),
				action: fc.constantFrom(...ACTIONS),
				participants: fc.array(fc.constantFrom(...ids).map(person), { minLength: 1, maxLength: most }),
			}),
			{ maxLength: 25 },
		),
	)
	// Items that are not valid leave gaps.
	.map((all) => changesOf(all.map((wish, i) => ({ ...wish, item: i * 2 }))));

const batchSizes = fc.integer({ min: 1, max: 6 });

const check = (property: (all: Change[], batchSize: number, requests: ChangeRequest[]) => void) =>
	fc.assert(
		fc.property(changes, batchSizes, (all, batchSize) => {
			property(all, batchSize, planRequests(all, batchSize));
		}),
		runsOf(500),
	);

const digitsIn = ({ sentAs }: Participant) => sentAs.replace(/@.*/, '');

it('each change is made by exactly one request, in its own instance and group, as asked or with the same digits', () => {
	check((all, _batchSize, requests) => {
		const places = requests.flatMap((request) => request.changes).map((change) => all.indexOf(change));
		expect(places.sort((a, b) => a - b)).toEqual(all.map((_, place) => place));
		for (const { instance, groupJid, action, participants, changes: made } of requests) {
			for (const change of made) expect(change).toMatchObject({ instance, groupJid, action });
			expect(made.map(({ participant }) => participant)).toEqual(expect.arrayContaining(participants));
			const sent = participants.map(digitsIn);
			for (const { participant } of made) expect(sent).toContain(digitsIn(participant));
		}
	});
});

it('no request is empty, or larger than allowed', () => {
	check((_all, batchSize, requests) => {
		for (const { participants } of requests) {
			expect(participants.length).toBeGreaterThanOrEqual(1);
			expect(participants.length).toBeLessThanOrEqual(batchSize);
		}
	});
});

it('groups follow in order of first mention', () => {
	check((all, _batchSize, requests) => {
		const mentioned = [...new Set(all.map(({ groupJid }) => groupJid))];
		const order = requests.map(({ groupJid }) => mentioned.indexOf(groupJid));
		expect(order).toEqual([...order].sort((a, b) => a - b));
	});
});

it('it never takes more requests than item by item', () => {
	check((all, batchSize, requests) => {
		const items = [...groupBy(all, ({ item }) => item).values()];
		const single = items.flatMap((ofItem) => planRequests(ofItem, batchSize));
		expect(requests.length).toBeLessThanOrEqual(single.length);
	});
});
