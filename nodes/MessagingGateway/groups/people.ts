import type { JsonRecord } from '../common/json';
import { callingCodeOf, endingOf, identityFor, type Identity } from './identity';

export interface Person {
	/** Each ID once. */
	readonly ids: readonly Identity[];
}

/** From the lowest. */
export const ROLES = ['member', 'admin', 'superAdmin'] as const;
export type Role = (typeof ROLES)[number];

export interface Member extends Person {
	/** The ID under which the gateway lists the member. */
	readonly id: string;
	/** Digits of the phone number, if the gateway shows it. */
	readonly number?: string | undefined;
	/** Hidden ID, `…@lid`, if it's known. */
	readonly lid?: string | undefined;
	/** Missing if the gateway doesn't say it. */
	readonly role?: Role | undefined;
	/** Only for contacts that the gateway has stored. */
	readonly name?: string | undefined;
	/** The reply's rows about the member, unchanged. */
	readonly rows: readonly JsonRecord[];
}

/** Returns the highest known role of a person who may be listed several times. */
export function highestRole(listed: ReadonlyArray<Pick<Member, 'role'>>): Role | undefined {
	return [...ROLES].reverse().find((role) => listed.some((member) => member.role === role));
}

export type KnownMember = Omit<Member, 'rows'>;

/** Makes the output fields of Get Participants and the trigger. */
export function simplifyMember({ id, number, lid, role, name }: Omit<KnownMember, 'ids'>) {
	return {
		participant: number ?? null,
		jid: id,
		...(lid !== undefined && { lid }),
		...(role !== undefined && { role }),
		...(name !== undefined && { name }),
	};
}

export function hasNumber({ ids }: Person): boolean {
	return ids.some(({ kind }) => kind === 'phone');
}

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

/** Digits that each number has besides its country code. */
const FEWEST_NATIONAL = 5;

/** People, e.g. the members of a group, indexed by their IDs. */
export class People<P extends Person> {
	/** Finds everybody with one of these IDs, in any form of a number, each once. */
	readonly find: (ids: readonly Identity[]) => readonly P[];

	private byEnding: typeof this.find | undefined;

	private byLastDigits: typeof this.find | undefined;

	constructor(readonly all: readonly P[]) {
		this.find = finderBy(all, ({ canonical }) => canonical);
	}

	/** Finds everybody with the country code and ending of these numbers. Two hidden IDs tell people apart. */
	findNearby(ids: readonly Identity[]): readonly P[] {
		this.byEnding ??= finderBy(this.all, endingOf);
		const found = this.byEnding(ids);
		return hasHiddenId({ ids }) ? found.filter((person) => !hasHiddenId(person)) : found;
	}

	/** Finds others whose number is these digits, behind a country code or none. @param bare five at least */
	findAbroad(bare: string, found: readonly P[]): readonly P[] {
		this.byLastDigits ??= finderBy(this.all, ({ digits }) => digits.slice(-FEWEST_NATIONAL));
		const isBare = ({ digits, canonical }: Identity) => {
			const code = callingCodeOf(digits) ?? '';
			// Some countries keep the 0 in front.
			return ['', code, `${code}0`].some((begin) => identityFor(begin + bare).canonical === canonical);
		};
		const alike = this.byLastDigits([identityFor(bare)]);
		return alike.filter((person) => !found.includes(person) && person.ids.some(isBare));
	}
}

function finderBy<P extends Person>(people: readonly P[], keyOf: (id: Identity) => string | undefined) {
	const index = new Map<string | undefined, P[]>();
	for (const person of people)
		for (const id of person.ids) {
			const key = keyOf(id);
			const known = index.get(key);
			if (known === undefined) index.set(key, [person]);
			else if (known.at(-1) !== person) known.push(person);
		}
	index.delete(undefined);
	return (ids: readonly Identity[]): readonly P[] => {
		const [id, ...others] = ids;
		// Most rows name one: a list may have 150,000.
		if (id === undefined || others.length === 0) return (id && index.get(keyOf(id))) ?? [];
		return [...new Set(ids.flatMap((one) => index.get(keyOf(one)) ?? []))];
	};
}
