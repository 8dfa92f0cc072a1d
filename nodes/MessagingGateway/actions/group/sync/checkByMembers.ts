import { groupBy } from '../../../common/maps';
import type { Participant } from '../../../groups/change';
import { callingCodeOf } from '../../../groups/identity';
import { People, type Member } from '../../../groups/people';
import { countryProblem, isWrittenId, needsOwnAccount } from '../../../input/phoneNumber';
import type { BadItem } from '../../../run/items';
import type { Run } from '../../../run/operation';
import { findOwnAccounts } from '../numbers';
import { peopleOf, unclearIn, type SyncGroup, type SyncOptions } from './readSync';

/**
 * Checks what only the members tell: an ID that somebody wrote, which they may show, and numbers where nobody knows the own
 * account, for which the members' country stands in. A bad item holds back the removals of the group.
 *
 * @returns the group without its bad items; `undefined` if none is left
 */
export async function checkByMembers(
	run: Run,
	group: SyncGroup,
	members: readonly Member[],
	options: SyncOptions,
): Promise<{ group: SyncGroup | undefined; bad: BadItem[] }> {
	const people = new People(members);
	if (peopleOf(group.items).some(needsOwnAccount)) await findOwnAccounts(run, [group.instance], options);
	const problemOf = (person: Participant, own: string | undefined) => {
		const isShown = isWrittenId(person) && people.find([person.identity]).length > 0;
		return isShown ? undefined : (person.doubt ?? countryProblem(person, own));
	};
	const membersCode = codeOfMost(members);
	for (const one of group.items) one.membersCode = membersCode;
	const bad = await unclearIn(run, group.items, problemOf);
	if (bad.length === 0) return { group, bad };
	const isBad = new Set(bad.map(({ item }) => item));
	const [first, ...others] = group.items.filter(({ item }) => !isBad.has(item));
	if (first === undefined) return { group: undefined, bad };
	const items: SyncGroup['items'] = [first, ...others];
	const rows = items.flatMap(({ asked }) => asked);
	const rules = { ...group.rules, badRow: true };
	return { group: { ...group, items, rows, rules }, bad };
}

/** Gives the country code of more than half of the members' numbers. */
function codeOfMost(members: readonly Member[]): string | undefined {
	const codes = members.flatMap(({ number }) => (number === undefined ? [] : callingCodeOf(number)));
	const most = [...groupBy(codes, (code) => code).values()].find((same) => same.length * 2 > codes.length);
	return most?.[0];
}
