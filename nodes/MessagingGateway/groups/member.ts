import type { JsonRecord } from '../common/json';
import type { Person } from './people';

export const ROLES = ['member', 'admin', 'superAdmin'] as const;
export type Role = (typeof ROLES)[number];

/** A member of a group. */
export interface Member extends Person {
	/** Their own ID as the gateway lists it. */
	readonly id: string;
	/** Digits of the phone number, where the gateway shows it. */
	readonly number?: string;
	/** Hidden ID, `…@lid`, where it is known. */
	readonly lid?: string;
	/** Left out if the gateway doesn't tell it. */
	readonly role?: Role | undefined;
	/** Given for contacts that the gateway has stored. */
	readonly name?: string;
	/** What the reply has of them, as it came: one row, or several that name the same member. */
	readonly rows: readonly JsonRecord[];
}

/** A member as far as they are known, without what the reply has of them. */
export type KnownMember = Pick<Member, 'id' | 'ids' | 'role'> & {
	readonly [Field in 'number' | 'lid' | 'name']?: string | undefined;
};

/** The fields of a member that Get Participants and the trigger give; `participant` is `null` without a number. */
export function simplifyMember({ id, number, lid, role, name }: Omit<KnownMember, 'ids'>) {
	return {
		participant: number ?? null,
		jid: id,
		...(lid !== undefined && { lid }),
		...(role !== undefined && { role }),
		...(name !== undefined && { name }),
	};
}
