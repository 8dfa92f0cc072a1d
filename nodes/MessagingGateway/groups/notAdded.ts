import { sayPeople } from '../common/text';
import type { Participant } from './change';
import { kindsShown, People, type Person } from './people';

const THERE = 'A group of this name is there already';

const ALREADY_THERE = `${THERE}.`;

/** Finds people who aren't among members; `undefined` where that isn't shown. */
function missingIn(
	people: readonly Participant[],
	members: readonly Person[] | undefined,
): Participant[] | undefined {
	if (members === undefined) return undefined;
	const found = new People(members);
	const missing = people.filter(({ identity }) => found.find([identity]).length === 0);
	return missing.length > 0 && !kindsShown(members).phone ? undefined : missing;
}

/** Says who isn't in a group that is there. */
export function sayWhoIsIn(people: readonly Participant[], members: readonly Person[] | undefined) {
	const missing = missingIn(people, members);
	if (missing === undefined)
		return { message: `${THERE}. Who of its people is in it isn't shown: see Get Participants.` };
	if (missing.length === 0) return { message: ALREADY_THERE };
	const isOne = missing.length === 1;
	return {
		message: `${THERE}; ${missing.length} of its ${sayPeople(people.length)} ${isOne ? "isn't" : "aren't"} in it: use Sync.`,
		notAdded: missing.map(({ given }) => given),
	};
}

/** Compares who was to be in a new group with who is: gateways leave people out without a word. */
export function sayWhoIsMissing(people: readonly Participant[], members: readonly Person[] | undefined) {
	const missing = missingIn(people, members);
	if (missing === undefined)
		return { message: `The group was created. Who couldn't be added isn't shown: see Get Participants.` };
	if (missing.length === 0) return {};
	return {
		message: `The group was created; ${missing.length} of ${sayPeople(people.length)} couldn't be added: invite them.`,
		notAdded: missing.map(({ given }) => given),
	};
}
