import type { Action } from '../plan';
import type { Random } from '../random';
import type { Scene } from './gateway';
import { Network, type NetworkGroup, type Person, type Standing } from './network';

/** A row of somebody's sheet; a number in it may be no number at all. */
export interface SheetRow {
	instance: string;
	group: string;
	action: Action;
	phones: string[];
}

/** A run of the node: its rows, its options, and what it meets. */
export interface PlannedRun {
	rows: SheetRow[];
	options: Record<string, number | boolean>;
	onError: 'continueRegularOutput' | 'continueErrorOutput' | 'stopWorkflow';
	scene: Scene;
}

/** The places in a group that is never full. */
export const unlimited = 1000;

/** A participant that no node can take. */
export const badPhone = '5.51E+12';

const owners = new Map([
	['left', '5511900000001'],
	['right', '4915100000002'],
]);
const refusals = ['401', '403', '404', '408', '417', '419', '421', '500'];
// Registered as they are: with a rewriting gateway nobody reaches 5531988887777, 5215587654321 and 5491187654321 plainly.
const numbers = [
	...owners.values(),
	'4915200000001',
	'4915200000002',
	'4915200000003',
	'5511990000002',
	'49152001',
	'553199990002',
	'525512345678',
	'541112345678',
	'5531988887777',
	'5215587654321',
	'5491187654321',
];
const people: Person[] = [
	...numbers.map((number, i) => ({ number, lid: String(101_000_000_000_001 + i) })),
	...refusals.map((refusal, i) => ({
		number: `4915300000${refusal}`,
		lid: String(102_000_000_000_001 + i),
		refusal,
	})),
];
/** What sheets say; some of it is nobody's number, or a form that a gateway has to rewrite. */
const plain = [
	...people.map(({ number }) => number),
	'5531999990002',
	'5215512345678',
	'5491112345678',
	'5521999990004',
	'4915209999999',
	'5531977776666',
];
const actions: Array<{ action: Action; weight: number }> = [
	{ action: 'add', weight: 40 },
	{ action: 'remove', weight: 30 },
	{ action: 'promote', weight: 15 },
	{ action: 'demote', weight: 15 },
];

function planGroup(random: Random, n: number): NetworkGroup {
	const standings = new Map<string, Standing>();
	const creator = random.of(numbers);
	for (const { number } of people)
		if (random.chance(0.4)) standings.set(number, random.chance(0.3) ? 'admin' : 'member');
	for (const own of owners.values()) if (random.chance(0.97)) standings.set(own, 'admin');
	standings.set(creator, 'admin');
	return {
		groupJid: `12036300000000000${n}@g.us`,
		hidden: random.chance(0.4),
		showsNumbers: random.chance(0.6),
		capacity: random.chance(0.1) ? standings.size + random.from(0, 2) : unlimited,
		standings,
		creator,
	};
}

/** A run of random rows: few people and groups, so that rows often are about the same ones. */
export function planRun(random: Random, chances: Random): PlannedRun {
	const groups = Array.from({ length: random.from(1, 4) }, (_, i) => planGroup(random, i + 1));
	const network = new Network(people, groups, owners, random.chance(0.75));
	const [exact, hiddenIds, jids] = [random.chance(0.1), random.chance(0.25), random.chance(0.3)];
	const both = random.chance(0.5);
	const few = random.chance(0.5) ? plain : Array.from({ length: 5 }, () => random.of(plain));
	const spell = (): string => {
		if (random.chance(0.003)) return badPhone;
		if (hiddenIds && random.chance(0.2)) return `${random.of(people).lid}@lid`;
		const phone = random.of(few);
		if (jids && random.chance(0.2) && phone.length > 9) return `${phone}@s.whatsapp.net`;
		return random.of([phone, phone, `+${phone}`, `00${phone}`, `${phone.slice(0, 4)} ${phone.slice(4)}`]);
	};
	const row = (): SheetRow => ({
		instance: both ? random.of([...owners.keys()]) : 'left',
		group: random.of(groups).groupJid,
		action: random.weighted(actions).action,
		phones: Array.from({ length: random.chance(0.6) ? 1 : random.from(2, 5) }, spell),
	});
	const calm = random.chance(0.25);
	return {
		rows: Array.from({ length: random.from(5, 50) }, row),
		options: {
			timeout: 1000,
			maxRetries: random.chance(0.1) ? 1 : 0,
			batchInterval: 0,
			batchSize: random.of([1, 2, 3, 4, 50]),
			combineItems: random.chance(0.75),
			failOnRejected: random.chance(0.1),
			exactNumbers: exact,
			...(random.chance(0.02) && { dryRun: true }),
		},
		onError: random.chance(0.75)
			? 'continueRegularOutput'
			: random.of(['continueErrorOutput', 'stopWorkflow']),
		scene: {
			network,
			random: chances,
			troubleShare: calm ? 0 : random.of([0.1, 0.3, 0.7]),
			distortionShare: random.of([0, 0.5, 0.9]),
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
