import type { GroupSnapshot } from '../../gateway/gateway';

/** One form for a person: digits, without what only some forms of a number have; of a hidden ID, the number behind it. */
export function personIn(id: string): string {
	const [, user = '', domain] = /^([^@:]*)(?::\d+)?(@.*)?$/.exec(id.trim()) ?? [];
	const digits = user.replace(/\D/g, '').replace(/^00/, '');
	const number = domain === '@lid' ? [...digits.slice(1)].reverse().join('') : digits;
	return number.replace(/^(55\d\d)9([6-9]\d{7})$/, '$1$2').replace(/^(5[24])\d(\d{10})$/, '$1$2');
}

/** The people in a group. */
export function peopleIn(group: Pick<GroupSnapshot, 'members'> | undefined): Set<string> {
	return new Set((group?.members ?? []).map(personIn));
}
