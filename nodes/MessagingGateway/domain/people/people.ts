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
	private readonly byForm = new Map<string, P[]>();

	private readonly byId = new Map<string, P[]>();

	constructor(readonly all: readonly P[]) {
		for (const person of all) {
			for (const id of new Set(person.ids)) addTo(this.byId, id, person);
			for (const form of new Set(person.ids.map(canonicalIdentityOf))) addTo(this.byForm, form, person);
		}
	}

	/** Everybody who has one of these identities, under any form of a number; each once. */
	find(ids: readonly string[]): P[] {
		return [...new Set(ids.flatMap((id) => this.byForm.get(canonicalIdentityOf(id)) ?? []))];
	}

	/** Everybody who has one of these identities as it is spelled; each once. */
	findExactly(ids: readonly string[]): P[] {
		return [...new Set(ids.flatMap((id) => this.byId.get(id) ?? []))];
	}
}

function addTo<P>(index: Map<string, P[]>, key: string, person: P): void {
	const found = index.get(key);
	if (found) found.push(person);
	else index.set(key, [person]);
}
