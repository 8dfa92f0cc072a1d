import type { NodeSettings } from '../support';
import {
	kindsSeed,
	type Call,
	type FaultKind,
	type Gateway,
	type Generation,
	type Seed,
	type SeedGroup,
} from '../../gateway/gateway';
import { toJid, toLid } from '../../gateway/jid';
import { personIn } from './people';
import type { Random } from './random';

/** A row of a person's list. */
export interface Row {
	group: string;
	phones: string[];
	should: boolean;
}

/** A group, the list for it, and how Sync is run. */
export interface World {
	generation: Generation;
	seed: Seed;
	rows: Row[];
	unlisted: 'keep' | 'remove';
	options: Record<string, number | boolean | string>;
	onError: NonNullable<NodeSettings['onError']>;
	/** How often a call goes wrong. */
	trouble: number;
}

export const OWNER = '5511990000001';
/** A participant that no node takes. */
export const BAD = '5.51E+12';
const NUMBERS = [
	...Array.from({ length: 12 }, (_, i) => `49152000000${String(i).padStart(2, '0')}`),
	...['4520123456', '5511990000002', '553199990002', '5531988887777', '525512345678', '541112345678'],
];
/** The same people, as sheets may have them. */
const OTHER_FORMS: Readonly<Record<string, string>> = {
	'5511990000002': '551190000002',
	'553199990002': '5531999990002',
	'525512345678': '5215512345678',
	'541112345678': '5491112345678',
};
const REFUSING = { '4915300000401': 'blocked', '4915300000403': 'inviteOnly' } as const;
const ALSO_REFUSING = { '4915300000404': 'notOnNetwork', '4915300000408': 'recentlyLeft' } as const;
const PEOPLE = [...NUMBERS, ...Object.keys(REFUSING), ...Object.keys(ALSO_REFUSING)];

const ON_CHANGE: FaultKind[] = [
	...([
		'reset-before',
		'reset-after',
		'truncated-body',
		'html',
		'empty',
		'wrong-shape',
		'empty-list',
		'sent-again',
	] as const),
	...(['401', '403', '429', '500', '502', '503', '504', 'rate-overlimit', 'forbidden', '200-error'] as const),
	...(['closed-1006', 'connection-closed', 'timed-out', 'stream-errored', 'internal-server-error'] as const),
];
const ON_READ: FaultKind[] = [
	...([
		'reset-before',
		'truncated-body',
		'html',
		'empty',
		'wrong-shape',
		'empty-list',
		'401',
		'429',
	] as const),
	...(['500', '502', 'forbidden', 'closed-1006', 'timed-out', 'rate-overlimit', 'just-started'] as const),
];

function groupOf(random: Random, n: number): SeedGroup {
	const share = random.of([0.15, 0.4, 0.7]);
	const members = [OWNER, ...PEOPLE.filter(() => random.chance(share))];
	const creator = random.of(members);
	const admins = members.filter((one) => one === creator || random.chance(0.15));
	return {
		jid: `12036300000000000${n}@g.us`,
		subject: `Group ${n}`,
		members,
		admins: [...new Set([...admins, ...(random.chance(0.95) ? [OWNER] : [])])],
		creator,
		lid: random.chance(0.4),
		withoutNumbers: random.chance(0.3),
		approval: random.chance(0.05),
		...(random.chance(0.1) && { maxMembers: members.length + random.from(0, 2) }),
	};
}

/** A number as people write it. */
function spelled(random: Random, number: string, isHidden = false): string {
	const form = random.chance(0.3) ? (OTHER_FORMS[number] ?? number) : number;
	if (isHidden && random.chance(0.1)) return toLid(toJid(number));
	return random.of([
		form,
		`+${form}`,
		`00${form}`,
		`+${form.slice(0, 4)} ${form.slice(4)}`,
		`${toJid(form)}`,
	]);
}

/** Rows for a group, each person in one of them: often nearly the group, so that a run is more than its stops. */
function rowsOf(random: Random, { jid, members, lid }: SeedGroup): Row[] {
	const share = random.of([0.1, 0.8, 0.9, 1]);
	const listed = [...members.slice(1).filter(() => random.chance(share)), OWNER].filter(
		(one) => one !== OWNER || random.chance(0.3),
	);
	const named = new Map(
		[...listed, ...random.shuffled(PEOPLE).slice(0, random.from(1, 6))].map((one) => [personIn(one), one]),
	);
	const wanted = random.of([0, 0.5, 0.9, 1, 1]);
	return random
		.shuffled([...named.values()])
		.map((one) => ({
			group: jid,
			phones: [spelled(random, one, lid), ...(random.chance(0.02) ? [BAD] : [])],
			should: random.chance(wanted),
		}));
}

/** A world, the same for the same numbers. */
export function worldOf(random: Random): World {
	const [keeper] = structuredClone(kindsSeed.instances);
	if (keeper === undefined) throw new Error('The seed has no instance');
	const groups = Array.from({ length: random.of([1, 1, 1, 2, 3]) }, (_, i) => groupOf(random, i + 1));
	const guarded = random.shuffled(PEOPLE).slice(0, random.from(1, 3));
	return {
		generation: random.of(['1.8', '2.2', '2.3', 'whatsmiau']),
		seed: {
			...kindsSeed,
			silenceMs: 20,
			people: { ...REFUSING, ...ALSO_REFUSING },
			instances: [{ ...keeper, owner: toJid(OWNER), groups }],
		},
		rows: groups.flatMap((group) => rowsOf(random, group)),
		unlisted: random.of(['keep', 'remove', 'remove']),
		options: {
			timeout: 60_000,
			maxRetries: random.of([0, 1]),
			batchInterval: 0,
			batchSize: random.of([1, 2, 3, 10, 50]),
			maxAdditions: random.of([50, 50, 1, 3, 5]),
			maxRemovalPercent: random.of([100, 100, 20, 50, 0]),
			removeAdmins: random.chance(0.25),
			dryRun: random.chance(0.06),
			...(random.chance(0.4) && { protected: guarded.map((one) => spelled(random, one)).join(', ') }),
		},
		onError: random.of(['continueRegularOutput', 'continueRegularOutput', 'stopWorkflow']),
		trouble: random.of([0, 0, 0.15, 0.4]),
	};
}

/** Has calls go wrong, each by chance. */
export function makeTrouble(gateway: Gateway, { trouble }: World, random: Random): void {
	if (trouble === 0) return;
	const some = (route: string) => (call: Call) =>
		call.path.includes(`/${route}`) && random.chance(trouble / 3);
	for (let i = 0; i < 3; i++) {
		gateway.fault({ kind: random.of(ON_CHANGE), on: some('updateParticipant/') });
		gateway.fault({ kind: random.of(ON_READ), on: some('participants/') });
		gateway.fault({ kind: random.of(ON_READ), on: some('fetchInstances') });
	}
}
