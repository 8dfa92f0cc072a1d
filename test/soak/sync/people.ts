import { rewritten } from '../network/network';

/** A member as a list of members shows it. */
export interface Member {
	id: string;
	admin: 'admin' | 'superadmin' | null;
	phoneNumber?: string;
	jid?: string;
	lid?: string;
}

/** Under what somebody is known: phone numbers as digits, and hidden ids. */
export interface Ids {
	numbers: string[];
	lids: string[];
}

/** One form for all equivalent forms of a number. */
export function canonical(digits: string): string {
	const short = rewritten(digits);
	if (short !== digits) return short;
	return digits.replace(/^(55\d\d)9([6-9]\d{7})$/, '$1$2');
}

/** The ids in a participant as a sheet names it, or in a field of a member. */
export function idsOf(...texts: Array<string | undefined>): Ids {
	const ids: Ids = { numbers: [], lids: [] };
	for (const text of texts) {
		if (text === undefined || text === '') continue;
		const [, id = '', kind] = /^([^@:]*)(?::\d+)?(@.*)?$/.exec(text.trim()) ?? [];
		if (kind === '@lid') ids.lids.push(id);
		else ids.numbers.push(id.replace(/^00/, '').replace(/\D/g, ''));
	}
	return ids;
}

export function idsOfMember({ id, phoneNumber, jid, lid }: Member): Ids {
	return idsOf(id, phoneNumber, jid, lid);
}

type Compare = (one: Ids, other: Ids) => boolean;

const sameBy = (form: (number: string) => string): Compare => {
	const meet = (some: string[], others: string[]) => some.some((id) => others.includes(id));
	return (one, other) => meet(one.numbers.map(form), other.numbers.map(form)) || meet(one.lids, other.lids);
};
/** Whether two are one person, by any form of a number or by a hidden id. */
export const same = sameBy(canonical);
/** As `same`, but a number counts as it is. */
export const sameExactly = sameBy((number) => number);
