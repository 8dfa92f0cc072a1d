import { Problem } from '../../common/problem';
import { canonicalIdentityOf, identityOf } from '../identity';
import type { People } from '../people';
import type { Member } from '../../gateway/replies/members';
import { quote } from '../../common/text';
import type { Row } from './rules';

/** Somebody whom the list names, in one row or several, and who they are in the group. */
export interface ListedPerson<R extends Row> {
	/** In input order. */
	readonly rows: [R, ...R[]];
	readonly shouldBeMember: boolean;
	/** As the first row has them sent. */
	readonly sentAs: string;
	/** The identities that the rows name. */
	readonly ids: Set<string>;
	/** The members that they fit: none, one, or several that can't be told apart. */
	readonly members: readonly Member[];
	/** Where numbers count as they are spelled: members under another form of theirs, who may be this person or not. */
	readonly otherForms: Member[];
}

/** The identity that a row names; what is no person's ID stands for itself and fits nobody. */
function identityIn({ participant: { sentAs } }: Row): string {
	return identityOf(sentAs) ?? sentAs;
}

/** What is the same for all rows that name one person, as far as the list alone can tell. */
function nameOf(id: string, exact: boolean): string {
	return exact ? id : canonicalIdentityOf(id);
}

/**
 * Finds the people of a list among the members of the group. Rows that name the same person or fit the same one member
 * are one person; but those who should be members and those who should not are kept apart.
 *
 * @param exact whether numbers count as they are spelled
 * @returns in the order of the first row of each
 */
export function findListed<R extends Row>(
	rows: readonly R[],
	members: People<Member>,
	exact: boolean,
): Array<ListedPerson<R>> {
	const all: Array<ListedPerson<R>> = [];
	const wanted = new Map<string | Member, ListedPerson<R>>();
	const unwanted = new Map<string | Member, ListedPerson<R>>();
	for (const row of rows) {
		const known = row.shouldBeMember ? wanted : unwanted;
		const id = identityIn(row);
		const found = personIn(members, row, id, exact);
		const [only, ...others] = found.members;
		const key = only !== undefined && others.length === 0 ? only : nameOf(id, exact);
		const person = known.get(key) ?? found;
		if (person === found) all.push(found);
		else mergeInto(person, found);
		known.set(key, person);
	}
	return all;
}

function personIn<R extends Row>(
	people: People<Member>,
	row: R,
	id: string,
	exact: boolean,
): ListedPerson<R> {
	const inAnyForm = people.find([id]);
	const members = exact ? people.findExactly([id]) : inAnyForm;
	const sure = new Set(members);
	return {
		rows: [row],
		shouldBeMember: row.shouldBeMember,
		sentAs: row.participant.sentAs,
		ids: new Set([id]),
		members,
		otherForms: inAnyForm.filter((member) => !sure.has(member)),
	};
}

function mergeInto<R extends Row>(person: ListedPerson<R>, other: ListedPerson<R>): void {
	person.rows.push(...other.rows);
	person.otherForms.push(...other.otherForms);
	for (const id of other.ids) person.ids.add(id);
}

/**
 * Finds the items of one group that contradict each other: one person should be a member by one and not by another.
 *
 * @param exact whether numbers count as they are spelled
 * @returns what is wrong with each of those items, by its index
 */
export function contradictionsIn(rows: readonly Row[], exact: boolean): Map<number, Problem> {
	const saidOf = new Map<string, Set<boolean>>();
	for (const row of rows) {
		const name = nameOf(identityIn(row), exact);
		saidOf.set(name, (saidOf.get(name) ?? new Set()).add(row.shouldBeMember));
	}
	const problems = new Map<number, Problem>();
	for (const row of rows)
		if (!problems.has(row.item) && saidOf.get(nameOf(identityIn(row), exact))?.size === 2)
			problems.set(row.item, contradiction(row));
	return problems;
}

function contradiction({ participant: { given }, shouldBeMember }: Row): Problem {
	const [here, there] = shouldBeMember ? ['should', "shouldn't"] : ["shouldn't", 'should'];
	return new Problem(
		`${quote(given)} ${here} be a member by this item and ${there} by another`,
		"Make 'Should Be Member' the same in all items that name this person, or keep only one of them",
	);
}
