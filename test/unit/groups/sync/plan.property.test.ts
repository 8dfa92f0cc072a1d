import fc from 'fast-check';
import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import type { Member } from '../../../../nodes/MessagingGateway/groups/people';
import { actionOf, plan } from '../../../../nodes/MessagingGateway/groups/sync/plan';
import type { Row } from '../../../../nodes/MessagingGateway/groups/sync/rules';
import { identities, members, planOf, rules } from './example';
import { live, world } from './worlds';
import { runsOf, sizeOf } from '../../../thorough';
import { person } from '../../support';

describe('whatever the world is like', () => {
	it('nobody is removed who truly has to stay, and nobody is added as two people', () => {
		let [removals, additions] = [0, 0];
		fc.assert(
			// Biased worlds are small ones, in which there is little to remove.
			fc.property(fc.noBias(world), (it) => {
				const lived = live(it);
				removals += lived.removals;
				additions += lived.additions;
				expect(lived.harms).toEqual([]);
			}),
			runsOf(10_000, 400),
		);
		expect([removals > 50, additions > 50]).toEqual([true, true]);
	});
});

const people = ['ana', 'bo', 'cleo', 'gil', 'gilShort', 'lid1', 'lid2'];
const list = fc
	.array(fc.tuple(fc.constantFrom('', '-'), fc.constantFrom('me', ...people)), { maxLength: 8 })
	.map((all) => all.map((one) => one.join('')).join(' '));
const group = fc
	.array(fc.constantFrom('ana', 'bo*', 'cleo', 'gil', 'gilShort', 'lid1', 'lid2=bo', 'lid1=ana*', 'dan**'), {
		maxLength: 6,
	})
	.map((all) => ['me*', ...all].join(' '));
const settings = fc.record({
	unlisted: fc.constantFrom('keep' as const, 'remove' as const),
	removeAdmins: fc.boolean(),
	badRow: fc.boolean(),
	protected: fc.constantFrom('', 'ana', 'lid1', 'gilShort').map(identities),
});

describe('always', () => {
	it('nobody is removed twice', () => {
		fc.assert(
			fc.property(list, group, settings, (text, who, some) => {
				const sent = planOf(text, who, some).decisions.flatMap((one) =>
					actionOf(one) === 'remove' ? [one.participant.sentAs] : [],
				);

				expect(new Set(sent).size).toBe(sent.length);
			}),
			runsOf(500),
		);
	});

	it('every row is in exactly one decision', () => {
		fc.assert(
			fc.property(list, group, settings, (text, who, some) => {
				const items = planOf(text, who, some).decisions.flatMap(({ rows }) => rows.map(({ item }) => item));

				expect(items.sort((one, other) => one - other)).toEqual(
					text
						.split(' ')
						.filter(Boolean)
						.map((_, i) => i),
				);
			}),
			runsOf(500),
		);
	});

	it('every member is listed, decided about or kept', () => {
		fc.assert(
			fc.property(list, group, settings, (text, who, some) => {
				const made = planOf(text, who, { ...some, badRow: false });
				const listed = new Set(
					made.decisions.filter(({ rows }) => rows.length > 0).flatMap((one) => one.members),
				);
				const unlistedGo = made.decisions.filter(
					(one) => one.rows.length === 0 && actionOf(one) === 'remove',
				);

				const gone = new Set(unlistedGo.flatMap((one) => one.members));
				// By the digits as given, which may be theirs or not.
				const open = made.decisions.filter((one) => one.shouldBeMember || one.members.length === 0);
				const named = open.flatMap(({ rows }) => rows.map(({ participant }) => participant.identity));
				const doubtful = [...new Set([...made.self, ...made.members.find(named)])].filter(
					(member) => !listed.has(member) && !gone.has(member),
				);
				const stay = made.unlistedKept + made.unmatched + doubtful.length;

				expect(listed.size + gone.size + stay).toBe(made.members.all.length);
			}),
			runsOf(500),
		);
	});
});

describe('the work grows as the lists do', () => {
	/** How often the IDs of a member, or the person of a row, are looked at. */
	function looksFor(amount: number): number {
		let looks = 0;
		const number = (i: number) => `55319${90_000_000 + i}`;
		const counted = members('me**').concat(
			Array.from({ length: amount }, (_, i): Member => ({
				id: `${i}@lid`,
				get ids() {
					looks++;
					return [identityFor(`${i}@lid`), identityFor(number(i))];
				},
				role: 'member',
				rows: [],
			})),
		);
		const all = Array.from({ length: amount }, (_, i): Row => ({
			item: i,
			get participant() {
				looks++;
				return person(number(i * 2));
			},
			shouldBeMember: i % 3 > 0,
		}));
		plan(all, counted, rules({ unlisted: 'remove' }));
		return looks;
	}

	it('and no faster', () => {
		const few = looksFor(sizeOf(500));

		expect(few).toBeGreaterThan(sizeOf(1_000));
		expect(looksFor(sizeOf(5_000))).toBeLessThan(few * 11);
	});
});
