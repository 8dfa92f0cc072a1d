import fc from 'fast-check';
import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import type { Member } from '../../../../nodes/MessagingGateway/groups/member';
import { plan, type Decision } from '../../../../nodes/MessagingGateway/groups/sync/plan';
import type { Row } from '../../../../nodes/MessagingGateway/groups/sync/rules';
import { identities, members, planOf, rules } from './example';
import { live, world } from './worlds';
import { runsOf } from '../../../thorough';
import { person } from '../../support';

describe('whatever the world is like', () => {
	it('nobody is removed who truly has to stay, and nobody is added as two people', () => {
		fc.assert(
			fc.property(world, (it) => {
				expect(live(it).harms).toEqual([]);
			}),
			runsOf(1_000),
		);
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
	exactNumbers: fc.boolean(),
	badRow: fc.boolean(),
	protected: fc.constantFrom('', 'ana', 'lid1', 'gilShort').map(identities),
});

type Settings = typeof settings extends fc.Arbitrary<infer S> ? S : never;

const has = ({ ids }: Pick<Member, 'ids'>, key: string) => ids.some((id) => id.key === key);
const named = (member: Member, names: string) => identities(names).some(({ key }) => has(member, key));

/** What has to hold of everybody who is removed. */
const REMOVED: Record<
	string,
	(removal: Pick<Decision, 'rows'> & { member: Member }, some: Settings, list: string) => void
> = {
	'the own account': ({ member }) => expect(named(member, 'me')).toBe(false),
	'an admin, unless that is asked': ({ member }, { removeAdmins }) => {
		if (!removeAdmins) expect(member.role).toBe('member');
	},
	'the superadmin': ({ member }) => expect(member.role).not.toBe('superAdmin'),
	'somebody protected, under whatever form': ({ member }, some) => {
		expect(some.protected.some(({ key }) => has(member, key))).toBe(false);
		if (has({ ids: some.protected }, 'phone:553199990006')) expect(named(member, 'gil gilShort')).toBe(false);
	},
	'somebody without a number for being unlisted': ({ member, rows }) => {
		if (rows.length === 0) expect(member.number).toBeDefined();
	},
	'anybody for being unlisted where they are kept, or where an item is not valid': ({ rows }, some) => {
		if (some.unlisted === 'keep' || some.badRow) expect(rows).not.toEqual([]);
	},
	'one of two whom a row fits': ({ member }, some, text) => {
		const forms = planOf(text, 'me* gil gilShort', { ...some, exactNumbers: false }).decisions;
		if (named(member, 'gil gilShort') && !some.exactNumbers)
			expect(forms.filter(({ action, rows }) => action === 'remove' && rows.length > 0)).toEqual([]);
	},
	'another form of a number that is wanted': ({ member }, _, text) => {
		const wanted = text.split(' ').filter((one) => /^gil(Short)?$/.test(one));
		const isContradiction = text.includes('-gil') || text.includes('-lid1');
		if (wanted.length > 0 && !isContradiction) expect(named(member, 'gil gilShort')).toBe(false);
	},
};

describe('never removed', () => {
	it.each(Object.entries(REMOVED))('is %s', (_, holds) => {
		let seen = 0;
		fc.assert(
			fc.property(list, group, settings, (text, who, some) => {
				for (const {
					action,
					outcome,
					members: [member],
					rows,
				} of planOf(text, who, some).decisions)
					if (action === 'remove' && outcome === 'planned' && member !== undefined) {
						seen++;
						holds({ rows, member }, some, text);
					}
			}),
			runsOf(500),
		);
		expect(seen).toBeGreaterThan(0);
	});

	it('is a member twice', () => {
		fc.assert(
			fc.property(list, group, settings, (text, who, some) => {
				const sent = planOf(text, who, some).decisions.flatMap((one) =>
					one.action === 'remove' ? [one.sentAs] : [],
				);

				expect(new Set(sent).size).toBe(sent.length);
			}),
			runsOf(500),
		);
	});
});

describe('always', () => {
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
					({ rows, action }) => rows.length === 0 && action === 'remove',
				);

				const gone = new Set(unlistedGo.flatMap((one) => one.members));
				const named = made.decisions.flatMap(({ rows }) =>
					rows.map(({ participant }) => participant.identity),
				);
				// Under another form of a number as it's spelled, which may be theirs or not.
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
	function looksFor(amount: number, exactNumbers: boolean): number {
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
		plan(all, counted, rules({ unlisted: 'remove', exactNumbers }));
		return looks;
	}

	it.each([false, true])('and no faster (exact numbers: %p)', (exactNumbers) => {
		const few = looksFor(500, exactNumbers);

		expect(few).toBeGreaterThan(1_000);
		expect(looksFor(5_000, exactNumbers)).toBeLessThan(few * 11);
	});
});
