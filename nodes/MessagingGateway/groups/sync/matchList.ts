import { Problem } from '../../common/problem';
import type { Identity } from '../identity';
import type { Member, People } from '../people';
import type { Row } from './rules';

/** A person whom the list names, in one row or several, and who they are in the group. */
export interface ListedPerson {
	/** In input order. */
	readonly rows: [Row, ...Row[]];
	readonly shouldBeMember: boolean;
	/** The identities that the rows name. */
	readonly ids: Identity[];
	/** The members that they fit: none, one, or several that can't be told apart. */
	readonly members: readonly Member[];
	/** Others who may be this person: by a country code in front, or by nearly the same number. */
	readonly lookalikes: Member[];
	/** Whether all rows only guess the country, and a member has the number behind another country code. */
	isPerhapsLocal: boolean;
}

/** Finds the people of a list among the members. Rows of one person, or of one member, go together. */
export function findListed(rows: readonly Row[], people: People<Member>): ListedPerson[] {
	const all: ListedPerson[] = [];
	const wanted = new Map<string | Member, ListedPerson>();
	const unwanted = new Map<string | Member, ListedPerson>();
	for (const row of rows) {
		const { shouldBeMember, participant } = row;
		const known = shouldBeMember ? wanted : unwanted;
		const text = `${participant.identity.canonical} ${participant.given}`;
		// Somebody may be in thousands of rows, and fit thousands of members: they are found once.
		const again = known.get(text);
		again?.rows.push(row);
		if (again !== undefined) continue;
		const ids = [participant.identity];
		const members = people.find(ids);
		const { lookalikes, isPerhapsLocal } = findLookalikes(row, members, people);
		const [only, ...others] = members;
		const key = only !== undefined && others.length === 0 ? only : participant.identity.canonical;
		const person = known.get(key);
		person?.rows.push(row);
		person?.ids.push(...ids);
		person?.lookalikes.push(...lookalikes);
		if (person !== undefined) person.isPerhapsLocal &&= isPerhapsLocal;
		const listed = person ?? { rows: [row], shouldBeMember, ids, members, lookalikes, isPerhapsLocal };
		known.set(text, listed);
		if (person !== undefined) continue;
		known.set(key, listed);
		all.push(listed);
	}
	return all;
}

/** Finds members who may be the person of a row besides those found, and whose place a guess would cost. */
function findLookalikes(
	{ participant: { identity, bare, isGuessed }, shouldBeMember }: Row,
	found: readonly Member[],
	people: People<Member>,
) {
	const isFound = found.length > 0;
	if (isFound && !shouldBeMember) return { lookalikes: [], isPerhapsLocal: false };
	const abroad = bare === undefined ? [] : people.findAbroad(bare, found);
	const nearby = isFound ? [] : people.findNearby([identity]);
	return {
		lookalikes: [...new Set([...nearby, ...abroad])],
		isPerhapsLocal: !isFound && abroad.length > 0 && isGuessed === true,
	};
}

/** Finds items of one group that contradict each other about a person. */
export function contradictionsIn(rows: readonly Row[]): Set<number> {
	const wanted = new Set<string>();
	const unwanted = new Set<string>();
	for (const { shouldBeMember, participant } of rows)
		(shouldBeMember ? wanted : unwanted).add(participant.identity.canonical);
	const contradicting = rows.filter(({ shouldBeMember, participant }) =>
		(shouldBeMember ? unwanted : wanted).has(participant.identity.canonical),
	);
	return new Set(contradicting.map(({ item }) => item));
}

/** Problem of all items that contradict each other. */
export const CONTRADICTION = new Problem(
	"This person should be a member by one item and shouldn't by another",
	"Give the node only the newest row of each person, or make 'Should Be Member' the same in all of theirs",
);
