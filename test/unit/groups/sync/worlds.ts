import fc from 'fast-check';
import { identityFor, type Identity } from '../../../../nodes/MessagingGateway/groups/identity';
import { contradictionsIn } from '../../../../nodes/MessagingGateway/groups/sync/matchList';
import { plan, plannedIn, type Decision } from '../../../../nodes/MessagingGateway/groups/sync/plan';
import type { Row } from '../../../../nodes/MessagingGateway/groups/sync/rules';
import { check } from '../../../../nodes/MessagingGateway/groups/sync/safetyChecks';
import { person as participantOf, readMembers } from '../../support';
import { rules } from './example';

/**
 * A model of its own of people who truly are somebody, while lists, settings and gateways name each of them by some of
 * their IDs. It knows nothing of how the node compares IDs.
 */

/** Each true person's number in two forms (the same where a country has one), and a hidden ID. */
const NUMBERS = [
	['5531999990001', '553199990001'],
	['5215512340002', '525512340002'],
	['5491112340003', '541112340003'],
	['4915112340004', '4915112340004'],
	['5511999990005', '551199990005'],
	['5531999990006', '553199990006'],
] as const;

const ID_KINDS = ['long', 'short', 'hidden'] as const;
type IdKind = (typeof ID_KINDS)[number];

const hiddenIdOf = (person: number) => `1000000000000${person}@lid`;
const plainId = (person: number, kind: IdKind) =>
	kind === 'hidden' ? hiddenIdOf(person) : (NUMBERS[person]?.[kind === 'long' ? 0 : 1] ?? '');
const jidOf = (person: number, kind: IdKind) =>
	kind === 'hidden' ? hiddenIdOf(person) : `${plainId(person, kind)}@s.whatsapp.net`;

/** How a gateway lists somebody: the kinds of IDs of each row, its own ID first. */
const LISTINGS: ReadonlyArray<ReadonlyArray<readonly IdKind[]>> = [
	[],
	[],
	[['long']],
	[['short']],
	[['hidden']],
	[['hidden', 'long']],
	[['hidden', 'short']],
	[['long', 'hidden']],
	// By mistake under both forms of a number, or twice.
	[['long'], ['short']],
	[
		['hidden', 'short'],
		['hidden', 'short'],
	],
];

const kind = fc.constantFrom(...ID_KINDS, 'long' as const, 'short' as const);
/** A value in so many percent of all cases. */
const in100 = <T>(percent: number, arbitrary: fc.Arbitrary<T>) =>
	fc.oneof({ weight: 100 - percent, arbitrary: fc.constant(undefined) }, { weight: percent, arbitrary });

const person = fc.record({
	listing: fc.constantFrom(...LISTINGS),
	admin: fc.constantFrom(null, null, null, 'admin', 'superadmin'),
	/** The gateway doesn't tell the role. */
	hidesRole: in100(10, fc.constant(true)),
	wanted: fc.boolean(),
	/** Few contradict each other: such a list removes nobody. */
	rows: fc.array(
		fc.record({ kind, asJid: fc.boolean(), isContrary: in100(3, fc.constant(true)), place: fc.nat(99) }),
		{ maxLength: 3 },
	),
	protectedAs: in100(7, kind),
});

/** A world: true people, the first of whom is the instance's own account, and the settings of the node. */
export const world = fc.record({
	people: fc.array(person, { minLength: NUMBERS.length, maxLength: NUMBERS.length }),
	ownAs: in100(80, kind),
	unlisted: fc.constantFrom<'keep' | 'remove'>('keep', 'remove'),
	removeAdmins: fc.boolean(),
	badRow: in100(20, fc.constant(true)).map(Boolean),
});
export type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

/** A row that knows whom it truly means. */
interface TrueRow extends Row {
	readonly person: number;
	readonly kind: IdKind;
}

/** What a plan would do to somebody that it must never do: empty where all is well. */
export interface Outcome {
	readonly harms: string[];
	/** Removals of people whom the list names both ways under IDs that nobody can connect. */
	readonly contradictoryLists: number;
	readonly removals: number;
	readonly additions: number;
	readonly stopped: boolean;
}

/** Plans a world as the node does, and holds what would be sent against the truth. */
export function live(it: World): Outcome {
	const all = rowsOf(it);
	const refused = contradictionsIn(all);
	const rows = all.filter(({ item }) => !refused.has(item));
	const withheld = all.filter(({ item }) => refused.has(item));
	const own = it.ownAs === undefined ? [] : identitiesOf(0, it.ownAs);
	const ofWorld = rules({
		...it,
		own,
		protected: it.people.flatMap(({ protectedAs }, i) =>
			protectedAs === undefined ? [] : identitiesOf(i, protectedAs),
		),
		withheld: withheld.map(({ participant }) => participant.identity),
	});
	const made = plan(rows, readMembers({ participants: participantsOf(it) }) ?? [], ofWorld);
	const { stop } = check(made, ofWorld);
	const sent = stop === undefined ? plannedIn(made) : [];
	const removals = sent.filter(({ action }) => action === 'remove');
	const additions = sent.filter(({ action }) => action === 'add');
	const found = removals.map((removal) => harmOf(removal, it, rows, withheld));
	return {
		harms: [
			...found.filter((one) => one !== undefined && one !== BOTH_WAYS),
			...doubles(additions, it),
		] as string[],
		contradictoryLists: found.filter((one) => one === BOTH_WAYS).length,
		removals: removals.length,
		additions: additions.length,
		stopped: stop !== undefined,
	};
}

const BOTH_WAYS = 'named both ways';

function identitiesOf(who: number, as: IdKind): Identity[] {
	return [identityFor(plainId(who, as))];
}

function rowsOf({ people }: World): TrueRow[] {
	return people
		.flatMap(({ rows, wanted }, i) =>
			rows.map((row) => ({ ...row, person: i, wanted: wanted !== (row.isContrary === true) })),
		)
		.sort((one, other) => one.place - other.place)
		.map((row, item) => {
			const sentAs = row.asJid ? jidOf(row.person, row.kind) : plainId(row.person, row.kind);
			return {
				item,
				participant: participantOf(sentAs),
				shouldBeMember: row.wanted,
				person: row.person,
				kind: row.kind,
			};
		});
}

function participantsOf({ people }: World) {
	return people.flatMap(({ listing, admin, hidesRole }, i) =>
		listing.map(([own = 'long', other]) => ({
			id: jidOf(i, own),
			...(hidesRole !== true && { admin }),
			...(other === 'hidden' && { lid: jidOf(i, other) }),
			...(other !== undefined && other !== 'hidden' && { phoneNumber: jidOf(i, other) }),
		})),
	);
}

/** Whether a listing shows somebody as two members. */
function areTwo(who: number, listing: World['people'][number]['listing']): boolean {
	return new Set(listing.map(([own = 'long']) => jidOf(who, own))).size > 1;
}

/** Who truly has this ID. */
function personWith(id: string): number {
	return NUMBERS.findIndex((_, i) => ID_KINDS.some((as) => [jidOf(i, as), plainId(i, as)].includes(id)));
}

function harmOf(
	{ rows: named, participant: { sentAs: id } }: Decision,
	it: World,
	rows: readonly TrueRow[],
	withheld: readonly TrueRow[],
): string | undefined {
	const who = personWith(id);
	const truth = it.people[who];
	if (truth === undefined) return `removes ${id}, who is nobody`;
	// Unless the account is an admin, it can't remove anybody.
	if (who === 0 && it.ownAs !== undefined && truth.admin !== null) return 'removes the own account';
	if (it.badRow) return 'removes somebody though an item is not valid';
	if (withheld.some((row) => row.person === who))
		return 'removes somebody about whom rows contradict each other';
	if (truth.protectedAs !== undefined) return 'removes somebody protected';
	if (truth.admin === 'superadmin') return 'removes the superadmin';
	if (truth.admin === 'admin' && !it.removeAdmins) return 'removes an admin';
	const shown = new Set(truth.listing.flat());
	const showsNumber = shown.has('long') || shown.has('short');
	const about = rows.filter((row) => row.person === who);
	if (named.length === 0) {
		if (it.unlisted === 'keep') return 'removes an unlisted member though they are kept';
		if (!showsNumber) return 'removes an unlisted member without a number';
		return about.length > 0 ? 'removes somebody whom the list names as unlisted' : undefined;
	}
	if (!about.some(({ shouldBeMember }) => !shouldBeMember))
		return 'removes somebody whom no row wants to leave';
	if (areTwo(who, truth.listing)) return 'removes one of two who fit';
	const wantedAs = about.filter(({ shouldBeMember }) => shouldBeMember).map((row) => row.kind);
	// A number is known under each of its forms.
	const isShown = (as: IdKind) => (as === 'hidden' ? shown.has(as) : showsNumber);
	if (wantedAs.some(isShown)) return 'removes somebody wanted, by an ID that is shown';
	return wantedAs.length > 0 ? BOTH_WAYS : undefined;
}

/** People who are added twice, though their IDs can be connected. */
function doubles(additions: readonly Decision[], it: World): string[] {
	const seen = new Set<string>();
	return additions.flatMap(({ participant: { sentAs } }) => {
		const who = personWith(sentAs);
		const isHidden = sentAs.endsWith('@lid');
		const key = `${who} ${isHidden}`;
		const shown = new Set(it.people[who]?.listing.flat());
		const isFound = isHidden ? shown.has('hidden') : shown.has('long') || shown.has('short');
		const harms = [seen.has(key) && 'adds somebody twice', isFound && 'adds a member who is shown'];
		seen.add(key);
		return harms.filter((one) => one !== false);
	});
}
