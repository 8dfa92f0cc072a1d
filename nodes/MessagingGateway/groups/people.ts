import type { Identity } from './identity';

/** A person with their known IDs. */
export interface Person {
	/** Each ID once. */
	readonly ids: readonly Identity[];
}

/** Whether a person's phone number is known. */
export function hasNumber({ ids }: Person): boolean {
	return ids.some(({ kind }) => kind === 'phone');
}

/** Whether a person's hidden ID is known. */
export function hasHiddenId({ ids }: Person): boolean {
	return ids.some(({ kind }) => kind === 'hidden');
}

/** Tells which kinds of ID every member has. A person not found by such an ID isn't a member. */
export function kindsShown(all: readonly Person[]): Record<Identity['kind'], boolean> {
	return { phone: all.every(hasNumber), hidden: all.every(hasHiddenId), other: false };
}

/** Whether two people who share no ID may be the same person: there is no kind of ID that both have. */
export function mayBeSame(person: Person, other: Person): boolean {
	return !(hasNumber(person) && hasNumber(other)) && !(hasHiddenId(person) && hasHiddenId(other));
}

/** Picks a person for each combination of kinds of ID. {@link mayBeSame} depends on nothing else. */
export function oneOfEachKind<P extends Person>(people: readonly P[]): P[] {
	return [
		...new Map(people.map((person) => [`${hasNumber(person)} ${hasHiddenId(person)}`, person])).values(),
	];
}

/** People, e.g. the members of a group, indexed by their IDs. */
export class People<P extends Person> {
	/** Finds everybody with one of these IDs, in any form of a number, each once. */
	readonly find: (ids: readonly Identity[]) => readonly P[];

	private byKey: typeof this.find | undefined;

	constructor(readonly all: readonly P[]) {
		this.find = finderBy(all, ({ canonical }) => canonical);
	}

	/** Finds everybody with exactly one of these IDs, each once. */
	findExactly(ids: readonly Identity[]): readonly P[] {
		this.byKey ??= finderBy(this.all, ({ key }) => key);
		return this.byKey(ids);
	}
}

function finderBy<P extends Person>(people: readonly P[], keyOf: (id: Identity) => string) {
	const index = new Map<string, P[]>();
	for (const person of people)
		for (const id of person.ids) {
			const key = keyOf(id);
			const known = index.get(key);
			if (known === undefined) index.set(key, [person]);
			// Two IDs of one person may have the same key.
			else if (known.at(-1) !== person) known.push(person);
		}
	return (ids: readonly Identity[]): readonly P[] => {
		const found = ids.map((id) => index.get(keyOf(id)) ?? []);
		return found.length === 1 ? (found[0] ?? []) : [...new Set(found.flat())];
	};
}
