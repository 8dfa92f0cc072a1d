import type { Action, Applied } from '../../../../nodes/MessagingGateway/groups/outcomes';
import type { Change, ChangeRequest, GroupRef } from '../../../../nodes/MessagingGateway/groups/change';

/** Somebody with every way to write them: first a plain number, and last their hidden ID. */
type Spellings = readonly string[];

/** Few people, of all kinds of numbers; gateways rewrite some of them. */
export const PEOPLE: readonly Spellings[] = [
	['4915200000001', '4915200000001@s.whatsapp.net', '100000000000001@lid'],
	['5511999990002', '551199990002', '5511999990002@s.whatsapp.net', '100000000000002@lid'],
	['5531999990003', '553199990003', '5531999990003@s.whatsapp.net', '100000000000003@lid'],
	['5215512345678', '525512345678', '5215512345678@s.whatsapp.net', '100000000000004@lid'],
	['4915200000005', '4915200000005:12@s.whatsapp.net', '100000000000005@lid'],
	['5491112345678', '5481112345678', '541112345678', '5491112345678@s.whatsapp.net', '100000000000006@lid'],
];
/** The accounts of the instances `one` and `two`. */
export const OWN: Readonly<Record<string, Spellings>> = {
	one: ['5521999990001', '552199990001@s.whatsapp.net', '100000000000008@lid'],
	two: ['4915200000002', '4915200000002@s.whatsapp.net', '100000000000009@lid'],
};

/** A network and who is in each group, as far as a test sees to it. */
export interface World {
	/** Whether two forms of a number are one account; otherwise each is its own. */
	formsAreOne: boolean;
	/** Accounts that can't be added, as {@link Groups} names them. */
	refusing: readonly string[];
	/** Accounts that are in every group at the start, and those of them who are admins. */
	members: readonly string[];
	admins: readonly string[];
}

/** What a test has to know of a change: whether its request was accepted, and whether all is as asked. */
export type Said = 'failed' | Applied;

const REWRITES = [/^(5[24])\d(\d{10})$/, /^(55(?:3[1-9]|[4-9]\d))\d([7-9]\d{7})$/];
const ONE_ACCOUNT = [...REWRITES, /^(55\d\d)9(\d{8})$/];
const shorten = (digits: string, patterns: readonly RegExp[]) =>
	patterns.reduce((short, pattern) => short.replace(pattern, '$1$2'), digits);

/** One name for spellings that all gateways take for the same number: those of which only one is sent. */
export function numberKey(sentAs: string): string {
	const digits = sentAs.replace('@s.whatsapp.net', '');
	return /^\d+$/.test(digits) && shorten(digits, REWRITES) === digits ? digits : sentAs;
}

/** Groups on a network behind a gateway: carries requests out as a gateway does. */
export class Groups {
	private readonly groups = new Map<string, { members: Set<string>; admins: Set<string> }>();

	constructor(private readonly world: World) {}

	/** The account that somebody is on the network. */
	accountKey(sentAs: string): string {
		const spelled = [...PEOPLE, ...Object.values(OWN)].find((all) => all.includes(sentAs));
		const [id = '', host] = (sentAs.endsWith('@lid') ? (spelled?.[0] ?? sentAs) : sentAs).split('@');
		const digits = id.replace(/:.*/, '');
		const asked = host === undefined ? shorten(digits, REWRITES) : digits;
		return this.world.formsAreOne ? shorten(asked, ONE_ACCOUNT) : asked;
	}

	/**
	 * Carries one request out.
	 *
	 * @returns what is said of each participant, by what was sent
	 */
	apply(
		{ instance, groupJid, action }: GroupRef & { action: Action },
		participants: readonly string[],
	): Map<string, Said> {
		const group = this.groups.get(groupJid) ?? {
			members: new Set(this.world.members),
			admins: new Set(this.world.admins),
		};
		this.groups.set(groupJid, group);
		const own = this.accountKey(OWN[instance]?.[0] ?? '');
		if (!group.members.has(own) || !group.admins.has(own))
			return new Map(participants.map((one) => [one, 'failed']));
		const decided = new Map<string, boolean>();
		return new Map(
			participants.map((one): [string, Said] => {
				const account = this.accountKey(one);
				const isAsAsked = decided.get(account) ?? this.change(group, action, account);
				decided.set(account, isAsAsked);
				return [one, isAsAsked];
			}),
		);
	}

	/** Who is in each group and an admin of it. */
	state(): Record<string, { members: string[]; admins: string[] }> {
		return Object.fromEntries(
			[...this.groups].map(([id, { members, admins }]) => [
				id,
				{ members: [...members].sort(), admins: [...admins].sort() },
			]),
		);
	}

	private change(
		{ members, admins }: { members: Set<string>; admins: Set<string> },
		action: Action,
		account: string,
	): boolean {
		if (action === 'add') {
			if (!this.world.refusing.includes(account)) members.add(account);
			return members.has(account);
		}
		const isMember = members.has(account);
		if (action === 'remove') members.delete(account);
		if (action === 'promote' && isMember) admins.add(account);
		if (action === 'demote' || action === 'remove') admins.delete(account);
		return isMember || action === 'remove';
	}
}

/** What came of a list of changes. */
export interface Replay {
	state: ReturnType<Groups['state']>;
	/** Of each change, in the order asked for; `undefined` of one that no request made. */
	said: Array<Said | undefined>;
}

/** What comes of the requests that are planned for changes. */
export function replay(world: World, changes: readonly Change[], requests: readonly ChangeRequest[]): Replay {
	const groups = new Groups(world);
	const said = new Map<Change, Said>();
	for (const request of requests) {
		const sent = request.participants.map(({ sentAs }) => sentAs);
		const answers = new Map(
			[...groups.apply(request, sent)].map(([sentAs, one]) => [numberKey(sentAs), one]),
		);
		for (const change of request.changes)
			said.set(change, answers.get(numberKey(change.participant.sentAs)) ?? null);
	}
	return { state: groups.state(), said: changes.map((change) => said.get(change)) };
}

/** What comes of one request for each item, in order, with at most so many participants. */
export function replayOneByOne(world: World, changes: readonly Change[], batchSize: number): Replay {
	const groups = new Groups(world);
	const said = new Map<Change, Said>();
	for (const item of new Set(changes.map((change) => change.item))) {
		const ofItem = changes.filter((change) => change.item === item);
		const [first] = ofItem;
		if (first === undefined) continue;
		const participants = [...new Set(ofItem.map(({ participant }) => participant.sentAs))];
		for (let i = 0; i < participants.length; i += batchSize) {
			const batch = participants.slice(i, i + batchSize);
			const answers = groups.apply(first, batch);
			for (const change of ofItem) {
				const { sentAs } = change.participant;
				if (batch.includes(sentAs)) said.set(change, answers.get(sentAs) ?? null);
			}
		}
	}
	return { state: groups.state(), said: changes.map((change) => said.get(change)) };
}
