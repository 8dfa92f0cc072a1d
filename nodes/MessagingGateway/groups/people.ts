import type { Identity } from './identity';

/** A person, as far as they are known. */
export interface Person {
	/** Each once. */
	readonly ids: readonly Identity[];
}

/** Whether a phone number of theirs is known. */
export function hasNumber({ ids }: Person): boolean {
	return ids.some(({ kind }) => kind === 'phone');
}

/** Whether a hidden ID of theirs is known. */
export function hasHiddenId({ ids }: Person): boolean {
	return ids.some(({ kind }) => kind === 'hidden');
}

/** Of which kinds everybody shows an ID: then who isn't found by theirs isn't there. */
export function kindsShown(all: readonly Person[]): Record<Identity['kind'], boolean> {
	return { phone: all.every(hasNumber), hidden: all.every(hasHiddenId), other: false };
}

/**
 * Whether two people who have no ID in common may still be one: nothing of the same kind is known of both, so nothing
 * tells them apart.
 */
export function mayBeSame(one: Person, other: Person): boolean {
	return !(hasNumber(one) && hasNumber(other)) && !(hasHiddenId(one) && hasHiddenId(other));
}

/** One person for each combination of kinds of IDs: whether two may be the same depends on nothing else. */
export function oneOfEachKind<P extends Person>(people: readonly P[]): P[] {
	return [...new Map(people.map((one) => [`${hasNumber(one)} ${hasHiddenId(one)}`, one])).values()];
}

/** Several people, e.g. the members of a group, who can be found by any form of any of their IDs without a search. */
export class People<P extends Person> {
	private readonly byForm: Index<P>;

	private byKey: Index<P> | undefined;

	constructor(readonly all: readonly P[]) {
		this.byForm = indexBy(all, ({ canonical }) => canonical);
	}

	/** Everybody who has one of these identities, under any form of a number; each once. */
	find(ids: readonly Identity[]): readonly P[] {
		return lookUp(this.byForm, ids, ({ canonical }) => canonical);
	}

	/** Everybody who has one of these identities as it is spelled; each once. */
	findExactly(ids: readonly Identity[]): readonly P[] {
		this.byKey ??= indexBy(this.all, ({ key }) => key);
		return lookUp(this.byKey, ids, ({ key }) => key);
	}
}

type Index<P> = ReadonlyMap<string, readonly P[]>;

function indexBy<P extends Person>(people: readonly P[], keyOf: (id: Identity) => string): Index<P> {
	const index = new Map<string, P[]>();
	for (const person of people)
		for (const id of person.ids) {
			const key = keyOf(id);
			const known = index.get(key);
			if (known === undefined) index.set(key, [person]);
			// Two IDs of one person may have one form.
			else if (known.at(-1) !== person) known.push(person);
		}
	return index;
}

function lookUp<P>(index: Index<P>, ids: readonly Identity[], keyOf: (id: Identity) => string): readonly P[] {
	const known = ids.map((id) => index.get(keyOf(id)) ?? []);
	return known.length === 1 ? (known[0] ?? []) : [...new Set(known.flat())];
}
