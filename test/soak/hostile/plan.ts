import type { Random } from '../random';
import type { Plan } from '../drive';
import type { Scene } from '../network/gateway';
import { Network, type Action, type NetworkGroup, type Person, type Standing } from '../network/network';

/** A row of somebody's sheet; a number in it may be no number at all. */
export interface SheetRow {
	instance: string;
	group: string;
	action: Action;
	phones: string[];
}

/** A run of the node: its rows, its options, and what it meets. */
export interface PlannedRun extends Plan<Scene> {
	rows: SheetRow[];
}

/** The places in a group that is never full. */
export const unlimited = 1000;

/** A participant that no node can take. */
export const badPhone = '5.51E+12';

export const owners = new Map([
	['left', '5511900000001'],
	['right', '4915100000002'],
]);
const refusals = ['401', '403', '404', '408', '417', '419', '421', '500'];
// Registered as they are: with a rewriting gateway nobody reaches 5531988887777, 5215587654321 and 5491187654321 plainly.
const numbers = [
	...[...owners.values(), '4915200000001', '4915200000002', '4915200000003', '5511990000002', '49152001'],
	...['553199990002', '525512345678', '541112345678', '5531988887777', '5215587654321', '5491187654321'],
];

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

const people = peopleWith(numbers);
/** What sheets say; some of it is nobody's number, or a form that a gateway has to rewrite. */
const plain = [
	...people.map(({ number }) => number),
	...['5531999990002', '5215512345678', '5491112345678', '5521999990004', '4915209999999', '5531977776666'],
];
export const actions: Array<{ action: Action; weight: number }> = [
	{ action: 'add', weight: 40 },
	{ action: 'remove', weight: 30 },
	{ action: 'promote', weight: 15 },
	{ action: 'demote', weight: 15 },
];

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

/** A run of random rows: few people and groups, so that rows often are about the same ones. */
export function planRun(random: Random, chances: Random): PlannedRun {
	const groups = Array.from({ length: random.from(1, 4) }, (_, i) =>
		planGroup(random, people, i + 1, { members: 0.4, admins: 0.3, full: 0.1 }),
	);
	const network = new Network(people, groups, owners, random.chance(0.75));
	const [hiddenIds, jids, both, calm] = [0.25, 0.3, 0.5, 0.25].map((share) => random.chance(share));
	const few = random.chance(0.5) ? plain : Array.from({ length: 5 }, () => random.of(plain));
	const spell = (): string => {
		if (random.chance(0.003)) return badPhone;
		if (hiddenIds && random.chance(0.2)) return `${random.of(people).lid}@lid`;
		const phone = random.of(few);
		if (jids && random.chance(0.2) && phone.length > 9) return `${phone}@s.whatsapp.net`;
		return spelled(phone, random);
	};
	const row = (): SheetRow => ({
		instance: both ? random.of([...owners.keys()]) : 'left',
		group: random.of(groups).groupJid,
		action: random.weighted(actions).action,
		phones: Array.from({ length: random.chance(0.6) ? 1 : random.from(2, 5) }, spell),
	});
	const troubleShare = calm ? 0 : random.of([0.1, 0.3, 0.7]);
	return {
		rows: Array.from({ length: random.from(5, 50) }, row),
		options: {
			timeout: 1000,
			maxRetries: random.chance(0.1) ? 1 : 0,
			batchInterval: random.chance(0.05) ? 20 : 0,
			batchSize: random.of([1, 2, 3, 4, 50]),
			combineItems: random.chance(0.75),
			failOnRejected: random.chance(0.1),
			exactNumbers: random.chance(0.1),
			...(random.chance(0.02) && { dryRun: true }),
		},
		onError: random.chance(0.75)
			? 'continueRegularOutput'
			: random.of(['continueErrorOutput', 'stopWorkflow']),
		scene: {
			network,
			random: chances,
			troubleShare,
			listTroubleShare: troubleShare / 4,
			distortionShare: random.of([0, 0.5, 0.9]),
			ownerless: new Set(random.chance(0.15) ? [random.of([...owners.keys()])] : []),
			generation: random.of([1, 2]),
		},
	};
}

/** What the node is to send for a participant of a sheet. */
export function sentFor(phone: string, exact: boolean): string {
	if (phone.includes('@')) return phone;
	const digits = phone.replace(/^00/, '').replace(/\D/g, '');
	return exact || digits.length < 10 ? `${digits}@s.whatsapp.net` : digits;
}
