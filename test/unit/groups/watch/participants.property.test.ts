import fc from 'fast-check';
import type { Identity } from '../../../../nodes/MessagingGateway/groups/identity';
import {
	compareMembers,
	readSnapshot,
	writeSnapshot,
} from '../../../../nodes/MessagingGateway/groups/watch/participants';
import { byBoth, byHiddenId, byNumber, membersOf, type Row } from './people';
import { World, type Shown } from './world';
import { runsOf } from '../../../thorough';

/** People by the last digit of their number and hidden ID; those from 8 on have a number with two forms. */
const PEOPLE = Array.from({ length: 16 }, (_, i) => i);
const shortForm = (i: number) => (i < 8 ? `4915200000${100 + i}` : `553199990${100 + i}`);
const longForm = (i: number) => (i < 8 ? shortForm(i) : `5531999990${100 + i}`);
const hiddenIdOf = (i: number) => `${7_000 + i}`;

interface Turn {
	/** Who turns up, or is gone. */
	moves: number[];
	/** Who becomes an admin, or no longer is one. */
	ranks: number[];
	shown: Shown;
	/** Whether the gateway says numbers with the ninth digit of Brazil. */
	isLong: boolean;
	/** Whether it lists the members the other way around. */
	isReversed: boolean;
}

const some = fc.uniqueArray(fc.constantFrom(...PEOPLE), { maxLength: 6 });
const turns: fc.Arbitrary<Turn[]> = fc.array(
	fc.record({
		moves: some,
		ranks: some,
		shown: fc.constantFrom<Shown>('number', 'hiddenId', 'both'),
		isLong: fc.boolean(),
		isReversed: fc.boolean(),
	}),
	{ minLength: 2, maxLength: 12 },
);

function play(world: World, { moves, ranks }: Turn): void {
	for (const person of moves.map(String)) if (!world.members.delete(person)) world.members.set(person, false);
	for (const person of ranks.map(String)) {
		const isAdmin = world.members.get(person);
		if (isAdmin !== undefined) world.members.set(person, !isAdmin);
	}
}

function listed(world: World, { shown, isLong, isReversed }: Turn): Row[] {
	const rows = [...world.members].map(([person, isAdmin]) => {
		const i = Number(person);
		const number = isLong ? longForm(i) : shortForm(i);
		const admin = isAdmin ? 'admin' : null;
		if (shown === 'number') return byNumber(number, { admin });
		return shown === 'both' ? byBoth(hiddenIdOf(i), number, { admin }) : byHiddenId(hiddenIdOf(i), { admin });
	});
	return isReversed ? rows.reverse() : rows;
}

const personOf = (ids: readonly Identity[]) => {
	const digits = ids.map((id) => id.digits);
	return PEOPLE.find((i) => [shortForm(i), longForm(i), hiddenIdOf(i)].some((id) => digits.includes(id)));
};

test('every change that can be told apart is told exactly once, and none is invented', () => {
	fc.assert(
		fc.property(turns, ([first, ...others]) => {
			if (first === undefined) return;
			const world = new World();
			PEOPLE.slice(0, 12).forEach((i) => world.members.set(String(i), false));
			play(world, first);
			world.remember(first.shown);
			let snapshot: unknown = writeSnapshot({
				members: membersOf(listed(world, first)),
				seemedEmptied: false,
			});
			for (const turn of others) {
				play(world, turn);
				const before = readSnapshot(JSON.parse(JSON.stringify(snapshot)));
				if (before === undefined) throw new Error('The snapshot is not understood');
				const compared = compareMembers(before, membersOf(listed(world, turn)));
				const told = compared.changes.map(({ change, member }) => `${change} ${personOf(member.ids)}`);
				expect(told.sort()).toEqual(world.poll(turn.shown));
				snapshot = writeSnapshot(compared.snapshot);
			}
		}),
		runsOf(200),
	);
});
