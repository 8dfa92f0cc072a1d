import type { JsonRecord } from '../common/json';
import type { Person } from './people';

export const ROLES = ['member', 'admin', 'superAdmin'] as const;
export type Role = (typeof ROLES)[number];

/** A member of a group. */
export interface Member extends Person {
	/** The ID under which the gateway lists the member. */
	readonly id: string;
	/** Digits of the phone number, if the gateway shows it. */
	readonly number?: string;
	/** Hidden ID, `…@lid`, if it's known. */
	readonly lid?: string;
	/** Missing if the gateway doesn't say it. */
	readonly role?: Role | undefined;
	/** Only for contacts that the gateway has stored. */
	readonly name?: string;
	/** The reply's rows about the member, unchanged. */
	readonly rows: readonly JsonRecord[];
}

/** A member without the reply's rows. */
export type KnownMember = Pick<Member, 'id' | 'ids' | 'role'> & {
	readonly [Field in 'number' | 'lid' | 'name']?: string | undefined;
};

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
