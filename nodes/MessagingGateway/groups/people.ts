import { canonicalIdentityOf, isPhone } from './identity';

/** Somebody, as far as they are known. */
export interface Person {
	/** Their identities, as `identityOf` gives them, each once. */
	readonly ids: readonly string[];
}

/** Whether a phone number of theirs is known. */
export function hasNumber({ ids }: Person): boolean {
	return ids.some(isPhone);
}

/** Whether a hidden ID of theirs is known. */
export function hasHiddenId({ ids }: Person): boolean {
	return ids.some((id) => !isPhone(id));
}

/**
 * Whether two who have no ID in common may still be one person: nothing of the same kind is known of both, so nothing
 * tells them apart.
 */
export function mayBeSame(one: Person, other: Person): boolean {
	return !(hasNumber(one) && hasNumber(other)) && !(hasHiddenId(one) && hasHiddenId(other));
}

/** Several people, e.g. the members of a group, who can be found by any form of any of their IDs without a search. */
export class People<P extends Person> {
	private readonly byForm: Index<P>;

	private byId: Index<P> | undefined;

	constructor(readonly all: readonly P[]) {
		this.byForm = indexBy(all, canonicalIdentityOf);
	}

	/** Everybody who has one of these identities, under any form of a number; each once. */
	find(ids: readonly string[]): readonly P[] {
		return lookUp(this.byForm, ids.map(canonicalIdentityOf));
	}

	/** Everybody who has one of these identities as it is spelled; each once. */
	findExactly(ids: readonly string[]): readonly P[] {
		this.byId ??= indexBy(this.all, (id) => id);
		return lookUp(this.byId, ids);
	}
}

type Index<P> = ReadonlyMap<string, readonly P[]>;

function indexBy<P extends Person>(people: readonly P[], keyOf: (id: string) => string): Index<P> {
	const index = new Map<string, P[]>();
	for (const person of people)
		for (const id of person.ids) {
			const key = keyOf(id);
			const found = index.get(key);
			if (found === undefined) index.set(key, [person]);
			// Two IDs of one person may have one form.
			else if (found.at(-1) !== person) found.push(person);
		}
	return index;
}

function lookUp<P>(index: Index<P>, keys: readonly string[]): readonly P[] {
	const [key, ...others] = keys;
	const found = key === undefined ? [] : (index.get(key) ?? []);
	if (others.length === 0) return found;
	return [...new Set(keys.flatMap((one) => index.get(one) ?? []))];
}
