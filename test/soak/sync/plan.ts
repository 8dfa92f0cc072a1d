import { badPhone, owners, peopleWith, planGroup, spelled } from '../sheets';
import { Network, type NetworkGroup } from '../network/network';
import type { Plan } from '../drive';
import type { Random } from '../random';
import type { Style, SyncScene } from './gateway';

/** A row of somebody's sheet. Any field can be what no node takes. */
export interface SyncRow {
	instance: string;
	group: string;
	phones: string[];
	should: unknown;
	unlisted: string;
	removeAdmins: boolean;
	protect: string;
	percent: number;
	dry: boolean;
}

export interface SyncPlan extends Plan<SyncScene> {
	rows: SyncRow[];
	exact: boolean;
	maxAdditions: number;
}

const usual = [
	...Array.from({ length: 12 }, (_, i) => `49152000000${String(i).padStart(2, '0')}`),
	...['4520123456', '5511990000002', '553199990002', '5531988887777', '525512345678', '5215587654321'],
	...['541112345678', '5491187654321'],
];
/** Accounts whose numbers are equivalent to another one's. */
const twins = ['5531999990002', '553188887777', '5215512345678'];
/** In sheets only: forms of somebody's number, and nobody's. */
const alsoWritten = [
	...['551190000002', '5511900000001', '551160000001', '5491112345678', '4915209999999', '5531977776666'],
];

const mixes: Style[][] = [
	['number'],
	['hidden id and number'],
	['hidden id'],
	['number', 'hidden id and number', 'hidden id'],
	['number', 'number and hidden id'],
	['hidden id and number', 'hidden id and number', 'hidden id'],
	['number', 'number', 'number', 'hidden id'],
	['hidden id and jid', 'hidden id'],
	['hidden id and jid', 'number and hidden id'],
];

/** A world, a sheet and settings: few people, so that rows, members and protected people often are the same ones. */
export function planSync(random: Random, chances: Random): SyncPlan {
	const people = peopleWith([...owners.values(), ...usual, ...(random.chance(0.25) ? twins : [])]);
	const groups = Array.from({ length: random.of([1, 1, 1, 2, 3]) }, (_, i) =>
		planGroup(random, people, i + 1, {
			members: random.of([0.15, 0.4, 0.7]),
			admins: random.of([0, 0.15, 0.3]),
			full: 0.05,
		}),
	);
	const styles = new Map<string, Style>();
	for (const group of groups) {
		const mix = random.of(mixes);
		group.hidden = mix[0] !== 'number';
		for (const { number } of people) styles.set(`${group.groupJid} ${number}`, random.of(mix));
	}
	const network = new Network(people, groups, owners, random.chance(0.75));
	const plain = [...people.map(({ number }) => number), ...alsoWritten];
	const byLid = random.of([0, 0, 0.1, 0.5]);
	const byJid = random.of([0, 0, 0.2]);
	const spell = (number: string): string => {
		const person = network.person(number);
		if (person !== undefined && random.chance(byLid)) return `${person.lid}@lid`;
		if (number.length > 9 && random.chance(byJid)) return `${number}@s.whatsapp.net`;
		return spelled(number, random);
	};
	const instanceOf = new Map(groups.map(({ groupJid }) => [groupJid, random.of([...owners.keys()])]));
	const unlisted = random.of(['keep', 'remove', 'remove', 'remove']);
	const [shouldShare, badShare] = [random.of([0, 0.5, 0.9, 1]), random.of([0, 0, 0, 0.05])];
	const [several, mixedRows] = [random.chance(0.4), random.chance(0.15)];
	const removeAdmins = random.chance(0.25);
	const percent = random.of([100, 100, 20, 50, 0]);
	const dry = random.chance(0.06);
	const guarded = random.chance(0.4)
		? Array.from({ length: random.from(1, 3) }, () => spell(random.of(plain))).join(', ')
		: '';
	// Mostly each person once: contradictory sheets are another case.
	const should = new Map<string, boolean>();
	const contradicts = random.chance(0.1) ? 0.1 : 0;
	const complete = random.chance(0.5);
	const row = (number: string, group: NetworkGroup): SyncRow => {
		const before = should.get(`${group.groupJid} ${number}`);
		const wanted = before !== undefined && !random.chance(contradicts) ? before : random.chance(shouldShare);
		should.set(`${group.groupJid} ${number}`, wanted);
		const phones = [spell(number)];
		while (several && random.chance(0.3)) {
			const one = random.of(plain);
			if ((should.get(`${group.groupJid} ${one}`) ?? wanted) !== wanted) continue;
			should.set(`${group.groupJid} ${one}`, wanted);
			phones.push(spell(one));
		}
		const bad = random.chance(badShare) ? random.from(0, 6) : -1;
		if (bad === 0) phones.push(badPhone);
		return {
			instance: bad === 1 ? 'other' : (instanceOf.get(group.groupJid) ?? ''),
			group: bad === 2 ? 'true' : random.chance(0.1) ? group.groupJid.replace('@g.us', '') : group.groupJid,
			phones,
			should: bad === 3 ? random.of(['', null, 'maybe']) : wanted,
			unlisted: bad === 4 ? random.of(['', 'all']) : mixedRows ? random.of(['keep', 'remove']) : unlisted,
			removeAdmins: mixedRows ? random.chance(0.5) : removeAdmins,
			protect:
				bad === 5 ? '12' : guarded === '' || (mixedRows && random.chance(0.5)) ? '4915299999999' : guarded,
			percent: mixedRows ? random.of([100, 20, 50]) : percent,
			dry: mixedRows ? random.chance(0.03) : dry,
		};
	};
	const rows: SyncRow[] = [];
	for (const group of groups) {
		// Often a sheet that is nearly the group, so that a run is more than its stops.
		const members = [...group.standings.keys()];
		const named = complete ? members.filter(() => random.chance(0.8)) : [];
		for (let n = random.from(complete ? 0 : 1, 10); n > 0; n -= 1) named.push(random.of(plain));
		for (const number of named) rows.push(row(number, group));
	}
	if (random.chance(0.3)) rows.sort(() => random.next() - 0.5);
	if (rows.length === 0) rows.push(row(random.of(plain), random.of(groups)));
	const exact = random.chance(0.15);
	const maxAdditions = random.of([50, 50, 1, 3, 5]);
	const calm = random.chance(0.4);
	const readTroubleShare = calm ? 0 : random.of([0, 0.15, 0.4]);
	return {
		rows,
		exact,
		maxAdditions,
		options: {
			timeout: 1000,
			maxRetries: 0,
			batchInterval: random.chance(0.1) ? 40 : 0,
			batchSize: random.of([1, 2, 3, 10, 10, 50]),
			exactNumbers: exact,
			failOnRejected: random.chance(0.1),
			maxAdditions,
			...(guarded !== '' && { protected: '={{ $json.protect }}' }),
			maxRemovalPercent: '={{ $json.percent }}',
			removeAdmins: '={{ $json.removeAdmins }}',
			dryRun: '={{ $json.dry }}',
		},
		onError: random.chance(0.6)
			? 'continueRegularOutput'
			: random.of(['continueErrorOutput', 'stopWorkflow', 'stopWorkflow']),
		scene: {
			network,
			random: chances,
			troubleShare: calm ? 0 : random.of([0, 0.2, 0.5]),
			distortionShare: calm ? 0 : random.of([0, 0.4, 0.8]),
			readTroubleShare,
			listTroubleShare: readTroubleShare / 2,
			generation: random.of([1, 2]),
			style: (groupJid, number) => styles.get(`${groupJid} ${number}`) ?? 'number',
			ownerless: new Set(random.chance(0.2) ? [random.of([...owners.keys()])] : []),
		},
	};
}

/** A group as it is sent. */
export function jidOf(group: string): string {
	return group.endsWith('@g.us') ? group : `${group}@g.us`;
}
