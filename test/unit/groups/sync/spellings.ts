import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import { plan, plannedIn } from '../../../../nodes/MessagingGateway/groups/sync/plan';
import { check } from '../../../../nodes/MessagingGateway/groups/sync/safetyChecks';
import { person as participantOf, readMembers } from '../../support';
import { rules } from './example';

/**
 * Groups of people of many countries, whose numbers a list spells in another way than the gateway does. It is known who
 * truly is who; nothing here knows how the node compares numbers.
 */

/** Country codes, with an example of a mobile number: the first digits stay, the others are drawn. */
const COUNTRIES: ReadonlyArray<readonly [code: string, mobile: string, fixed: number]> = [
	['55', '11987654321', 3],
	['52', '5512345678', 2],
	['54', '91123456789', 3],
	['225', '0712345678', 2],
	['229', '0197123456', 4],
	['62', '81234567890', 2],
	['49', '15123456789', 3],
	['43', '6641234567', 3],
	['44', '7400123456', 2],
	['34', '612345678', 1],
	['351', '912345678', 2],
	['39', '3123456789', 1],
	['33', '612345678', 1],
	['91', '8123456789', 1],
	['234', '8021234567', 3],
	['254', '712123456', 1],
	['27', '711234567', 2],
	['1', '2015550123', 6],
	['57', '3211234567', 2],
	['60', '123456789', 2],
	['84', '912345678', 2],
	['971', '501234567', 2],
];

/** Another way to write a number, from its country code and the rest. */
const SPELLINGS: ReadonlyArray<(code: string, rest: string) => string> = [
	// As an older plan had it, which grew by a digit or two in front.
	(code, rest) => code + (rest.length > 8 ? rest.slice(1) : rest),
	(code, rest) => code + (rest.length > 9 ? rest.slice(2) : rest),
	(code, rest) => `${code}0${rest}`,
	(code, rest) => code + code + rest,
	// Brazil without the ninth digit, Argentina without its 9, Mexico with its 1.
	(code, rest) =>
		code + (code === '55' ? rest.slice(0, 2) + rest.slice(3) : code === '54' ? rest.slice(1) : rest),
	(code, rest) => code + (code === '52' ? `1${rest}` : rest),
];

/** What somebody truly is to the list. */
type Role = 'wanted' | 'unwanted' | 'protected' | 'stranger' | 'self';

interface TruePerson {
	role: Role;
	number: string;
	/** As the list spells it, and the gateway. */
	listed: string;
	row: { id: string; [field: string]: string | null };
	isMember: boolean;
}

/** Draws numbers that are the same for the same seed (mulberry32). */
function randomOf(seed: number): (below: number) => number {
	let state = seed >>> 0;
	return (below) => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) % below;
	};
}

type Random = ReturnType<typeof randomOf>;

/** Of 500 such digits one could be a long mobile number of these countries: those nobody can tell from one. */
const LIKE_A_NUMBER = /^(?:43|62|870|882)/;

function hiddenId(random: Random): string {
	const digits = Array.from({ length: 14 + random(2) }, (_, i) =>
		i === 0 ? 1 + random(9) : random(10),
	).join('');
	return LIKE_A_NUMBER.test(digits) ? hiddenId(random) : digits;
}

function rowOf(random: Random, number: string, isHidden: boolean): TruePerson['row'] {
	const [jid, lid] = [`${number}@s.whatsapp.net`, hiddenId(random)];
	const forms = isHidden
		? [
				{ id: `${lid}@s.whatsapp.net` },
				{ id: `${lid}@lid`, phoneNumber: `${lid}@s.whatsapp.net` },
				{ id: lid },
			]
		: [{ id: jid }, { id: `${lid}@lid`, phoneNumber: jid }, { id: jid, lid: `${lid}@lid` }];
	return { id: '', admin: null, ...forms[random(3)] };
}

function personIn(random: Random, role: Role, isOdd: boolean, taken: Set<string>): TruePerson {
	const [code = '', mobile = '', fixed = 0] = COUNTRIES[random(COUNTRIES.length)] ?? [];
	const rest = mobile.slice(0, fixed) + Array.from(mobile.slice(fixed), () => random(10)).join('');
	const number = code + rest;
	if (taken.has(number)) return personIn(random, role, isOdd, taken);
	taken.add(number);
	const way = isOdd ? random(SPELLINGS.length + 1) : SPELLINGS.length + 1;
	const other = SPELLINGS[way]?.(code, rest) ?? number;
	// Either the list or the gateway has the other spelling.
	const isOfGateway = random(3) === 0;
	return {
		role,
		number,
		listed: isOfGateway ? number : other,
		row: rowOf(random, isOfGateway ? other : number, way === SPELLINGS.length),
		isMember: role === 'stranger' || role === 'self' || random(20) > 0,
	};
}

/** A drawn group, and the list of who should be in it. */
export interface Drawn {
	/** Those in the group, as a gateway lists them. */
	participants: object[];
	rows: Array<{ listed: string; shouldBeMember: boolean }>;
	protected: string[];
	/** Who truly has this own ID. */
	whoIs: (id: string) => TruePerson | undefined;
	strangers: number;
}

/** The account of the instance in every drawn group. */
const SELF: TruePerson = {
	role: 'self',
	number: '5511990000001',
	listed: '5511990000001',
	row: { id: '5511990000001@s.whatsapp.net', admin: 'superadmin' },
	isMember: true,
};

/** Draws 20 to 300 people. @param odd how many of them are spelled in another way */
export function draw(seed: number, odd: number): Drawn {
	const random = randomOf(seed);
	const taken = new Set([SELF.number]);
	const size = 20 + random(281);
	const roleAt = (i: number): Role => {
		if (i <= 3) return 'protected';
		const drawn = random(100);
		return drawn < 5 ? 'stranger' : drawn < 10 ? 'unwanted' : 'wanted';
	};
	const oddOnes = new Set(Array.from({ length: odd }, () => 1 + random(size - 1)));
	const people = Array.from({ length: size }, (_, i) =>
		i === 0 ? SELF : personIn(random, roleAt(i), oddOnes.has(i), taken),
	);
	const present = people.filter(({ isMember }) => isMember);
	const byId = new Map(present.map((one) => [one.row.id, one]));
	const areIn = (...roles: Role[]) => people.filter(({ role }) => roles.includes(role));
	return {
		participants: present.map(({ row }) => row),
		rows: areIn('wanted', 'unwanted').map(({ listed, role }) => ({
			listed,
			shouldBeMember: role === 'wanted',
		})),
		protected: areIn('protected').map(({ listed }) => listed),
		whoIs: (id) => byId.get(id),
		strangers: present.filter(({ role }) => role === 'stranger').length,
	};
}

/** Says what is wrong with the removal of somebody who has this own ID; empty where they may go. */
export function harmOf({ whoIs }: Drawn, id: string): string[] {
	const who = whoIs(id);
	const mayGo = who?.role === 'stranger' || who?.role === 'unwanted';
	return mayGo ? [] : [`removes ${who?.role} ${who?.number}, in the list as ${who?.listed}`];
}

/** Plans a drawn group with removals. @returns removals of people who should stay, and strangers who stay for a doubt */
export function live(seed: number, odd: number) {
	const drawn = draw(seed, odd);
	const rows = drawn.rows.map(({ listed, shouldBeMember }, item) => ({
		item,
		participant: participantOf(listed),
		shouldBeMember,
	}));
	const ofGroup = rules({
		own: [identityFor(SELF.number)],
		protected: drawn.protected.map(identityFor),
		unlisted: 'remove',
	});
	const made = plan(rows, readMembers({ participants: drawn.participants }) ?? [], ofGroup);
	const isStopped = check(made, ofGroup).stop !== undefined;
	const removals = isStopped ? [] : plannedIn(made).filter(({ action }) => action === 'remove');
	const keptForNothing = made.decisions.filter(
		({ rows: named, outcome, members: [member] }) =>
			named.length === 0 && outcome === 'kept' && drawn.whoIs(member?.id ?? '')?.role === 'stranger',
	);
	return {
		harms: removals.flatMap(({ members: [member] }) => harmOf(drawn, member?.id ?? '')),
		removed: removals.length,
		strangers: drawn.strangers,
		keptForNothing: keptForNothing.map(({ reason }) => reason),
		isStopped,
	};
}
