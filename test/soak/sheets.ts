import type { Random } from './random';
import type { NetworkGroup, Person, Standing } from './network/network';

/** The places in a group that is never full. */
const unlimited = 1000;

/** A participant that no node can take. */
export const badPhone = '5.51E+12';

export const owners = new Map([
	['left', '5511900000001'],
	['right', '4915100000002'],
]);
const refusals = ['401', '403', '404', '408', '417', '419', '421', '500'];

/** Accounts with these numbers, and one for each refusal. */
export function peopleWith(all: readonly string[]): Person[] {
	return [
		...all.map((number, i) => ({ number, lid: String(101_000_000_000_001 + i) })),
		...refusals.map((refusal, i) => ({
			number: `4915300000${refusal}`,
			lid: String(102_000_000_000_001 + i),
			refusal,
		})),
	];
}

/**
 * A group of some of the people.
 *
 * @param shares of the people who are members, of those who are admins, and of the groups that are nearly full
 */
export function planGroup(
	random: Random,
	people: readonly Person[],
	n: number,
	shares: { members: number; admins: number; full: number },
): NetworkGroup {
	const standings = new Map<string, Standing>();
	const creator = random.of(people).number;
	for (const { number } of people)
		if (random.chance(shares.members))
			standings.set(number, random.chance(shares.admins) ? 'admin' : 'member');
	for (const own of owners.values()) if (random.chance(0.97)) standings.set(own, 'admin');
	standings.set(creator, 'admin');
	return {
		groupJid: `12036300000000000${n}@g.us`,
		hidden: random.chance(0.4),
		showsNumbers: random.chance(0.6),
		capacity: random.chance(shares.full) ? standings.size + random.from(0, 2) : unlimited,
		standings,
		creator,
	};
}

/** A number as people write it. */
export function spelled(phone: string, random: Random): string {
	return random.of([phone, phone, `+${phone}`, `00${phone}`, `${phone.slice(0, 4)} ${phone.slice(4)}`]);
}
