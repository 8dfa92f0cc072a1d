import { applyChange, createGroup, hideIds, idIn, letIn, type Change, type Group } from './group';
import { toJid } from './jid';
import type { Connection, MessageFate, PersonOutcome, Seed, SeedInstance } from './seed';

/** A group as it is now; members and admins are JIDs in alphabetical order. */
export interface GroupSnapshot {
	instance: string;
	groupJid: string;
	subject: string;
	members: string[];
	admins: string[];
	settings: Group['settings'];
	info: Group['info'];
	inviteCode: string;
}

/** A message that was sent: an invitation, or one to a group. */
export interface SentMessage {
	instance: string;
	/** The JID of who got it. */
	to: string;
	groupJid: string;
	text: string;
	/** It mentions all members. */
	mentionsEveryone?: boolean;
}

/** A message as the gateway keeps it. */
export interface StoredMessage {
	to: string;
	text: string;
	/** In ms since 1970. */
	sentAt: number;
	/** What the network said of it. */
	updates: string[];
}

/** The network did not do as it was asked: it refused with these words, or never said a word. */
export type Unanswered = { refused: string } | { silent: true };

/**
 * What happens on the network without the gateway: people and connections come and go.
 * Numbers or JIDs name people. An instance, group or member that is not there throws.
 */
export interface NetworkEvents {
	join(instance: string, groupJid: string, person: string): void;
	leave(instance: string, groupJid: string, person: string): void;
	promote(instance: string, groupJid: string, person: string): void;
	/** Somebody gives the group another name, or a description. */
	rename(instance: string, groupJid: string, subject: string): void;
	describe(instance: string, groupJid: string, text: string): void;
	demote(instance: string, groupJid: string, person: string): void;
	/** From now on the group knows its members by hidden ids. */
	hideIds(instance: string, groupJid: string): void;
	/** The connection as it is from now on, and as it is listed. */
	setConnection(instance: string, connection: Connection): void;
	/** The instance is no more. */
	deleteInstance(instance: string): void;
}

/** The messaging network behind the gateway: who is in which group, and who is connected. */
export interface Network extends NetworkEvents {
	connection(instance: SeedInstance): Connection;
	/** Starts a connection. @returns how many QR codes there were so far: none at first, one more each time */
	connect(instance: SeedInstance): number;
	/** A row per participant in the order asked, or why there are none. */
	change(instance: SeedInstance, change: Change): Unanswered | { rows: unknown[] };
	/** Makes a group of the account and all who can be added. @param participants JIDs */
	create(instance: SeedInstance, subject: string, participants: string[]): Unanswered | { group: Group };
	/** Takes the account out of a group. The library says nothing of a group that it isn't in. */
	leaveGroup(instance: SeedInstance, groupJid: string): Unanswered | undefined;
	/** A group that the account may make this call about. */
	group(instance: SeedInstance, groupJid: string, call: GroupCall): Unanswered | { group: Group };
	/** Whether the account may write in a group. */
	mayWrite(instance: SeedInstance, group: Group): boolean;
	/** All groups that the account is in. */
	groups(instance: SeedInstance, call: string): Unanswered | { groups: Group[] };
	/** The JID under which the network has a person; undefined where it hasn't. */
	find(jid: string): string | undefined;
	/** What becomes of messages to somebody. */
	fate(jid: string): MessageFate;
	/** Sends a message. @returns whether that person is on the network, under this very JID */
	send(message: SentMessage): boolean;
	messages: readonly SentMessage[];
	/** The messages that the gateway has kept, newest first. */
	stored(instance: SeedInstance): StoredMessage[];
	snapshot(): GroupSnapshot[];
}

const closed = { refused: 'Error: Connection Closed' };
const unreachable: Readonly<Partial<Record<Connection, (call: string) => Unanswered>>> = {
	never: (call) => ({ refused: `TypeError: Cannot read properties of undefined (reading '${call}')` }),
	connecting: () => closed,
	close: () => closed,
	waiting: () => ({ silent: true }),
};

/** The state of each connection, as generation 1 lists it and as `connectionState` says it. */
export const stateOf = {
	open: 'open',
	close: 'close',
	never: 'close',
	connecting: 'connecting',
	waiting: 'connecting',
} as const satisfies Record<Connection, SeedInstance['status']>;

/** Why a call is refused: the account is not in the group, or not an admin of it where it must be. */
interface Refusals {
	notIn: string;
	notAdmin?: string;
}

/** By what the gateway calls, which its own errors name. */
const words = {
	groupMetadata: { notIn: 'Error: forbidden' },
	groupInviteCode: { notIn: 'Error: forbidden', notAdmin: 'Error: not-authorized' },
	groupRevokeInvite: { notIn: 'Error: forbidden', notAdmin: 'Error: forbidden' },
	groupSettingUpdate: { notIn: 'Error: forbidden', notAdmin: 'Error: forbidden' },
	groupUpdateSubject: { notIn: 'Error: forbidden', notAdmin: 'Error: forbidden' },
	groupUpdateDescription: { notIn: 'Error: forbidden', notAdmin: 'Error: forbidden' },
	updateProfilePicture: { notIn: 'Error: forbidden', notAdmin: 'Error: not-authorized' },
	groupToggleEphemeral: { notIn: 'Error: forbidden', notAdmin: 'Error: forbidden' },
	groupFetch: { notIn: 'Error: forbidden' },
	groupParticipantsUpdate: { notIn: 'Error: item-not-found', notAdmin: 'Error: forbidden' },
} as const satisfies Record<string, Refusals>;

export type GroupCall = keyof typeof words;

const updatesOf: Readonly<Record<MessageFate, readonly string[]>> = {
	delivered: ['DELIVERY_ACK'],
	read: ['DELIVERY_ACK', 'READ'],
	refused: ['ERROR'],
	unanswered: [],
};

function snapshotOf(
	instance: string,
	{ seed, members, admins, settings, info, inviteCode }: Group,
): GroupSnapshot {
	return {
		instance,
		groupJid: seed.jid,
		subject: info.subject,
		members: [...members.keys()].sort(),
		admins: [...admins].sort(),
		settings: { ...settings },
		info: { ...info },
		inviteCode,
	};
}

/** A network with the groups and people of the seed, whose instances it changes. */
export function createNetwork(seed: Seed): Network {
	const people: ReadonlyMap<string, PersonOutcome> = new Map(
		Object.entries(seed.people).map(([person, outcome]) => [toJid(person), outcome]),
	);
	const knownAs: ReadonlyMap<string, string> = new Map(
		Object.entries(seed.knownAs ?? {}).map(([person, jid]) => [toJid(person), jid]),
	);
	const messages: SentMessage[] = [];
	const fates: ReadonlyMap<string, MessageFate> = new Map(
		Object.entries(seed.fates ?? {}).map(([person, fate]) => [toJid(person), fate]),
	);
	const stored: Array<StoredMessage & { instance: string }> = [];
	const store = (
		{ instance, to, text }: Pick<SentMessage, 'instance' | 'to' | 'text'>,
		fate: MessageFate,
	) => {
		if (seed.storesMessages !== false)
			stored.unshift({ instance, to, text, sentAt: Date.now(), updates: [...updatesOf[fate]] });
	};
	for (const message of seed.messages ?? []) store(message, message.fate);
	const groups = new Map(
		seed.instances.map(({ instanceName, groups: own }) => [
			instanceName,
			new Map(own.map((group) => [group.jid, createGroup(group)])),
		]),
	);

	/** The connection as it is: as was said, or as follows from the listed status. */
	const connection = ({ connection: said, status }: SeedInstance): Connection =>
		said ?? (status === 'close' ? 'never' : status);

	const accountIn = (instance: SeedInstance, group: Group): string =>
		idIn(group, toJid(instance.owner ?? ''));

	const find = (instance: SeedInstance, groupJid: string, call: GroupCall): Unanswered | { group: Group } => {
		const { notIn, notAdmin }: Refusals = words[call];
		const unanswered = unreachable[connection(instance)]?.(call);
		if (unanswered !== undefined) return unanswered;
		const group = groups.get(instance.instanceName)?.get(groupJid);
		if (group === undefined) return { refused: 'Error: item-not-found' };
		if (group.seed.refuses !== undefined) return { refused: `Error: ${group.seed.refuses}` };
		const account = accountIn(instance, group);
		if (!group.members.has(account)) return { refused: notIn };
		if (notAdmin !== undefined && !group.admins.has(account)) return { refused: notAdmin };
		return group.seed.silent === true ? { silent: true } : { group };
	};

	const instanceNamed = (name: string): SeedInstance => {
		const found = seed.instances.find(({ instanceName }) => instanceName === name);
		if (found === undefined) throw new Error(`There is no instance "${name}".`);
		return found;
	};
	const groupOf = (instance: string, groupJid: string): Group => {
		const found = groups.get(instance)?.get(groupJid);
		if (found === undefined) throw new Error(`There is no group ${groupJid} in "${instance}".`);
		return found;
	};
	const memberOf = (instance: string, groupJid: string, person: string): { group: Group; id: string } => {
		const group = groupOf(instance, groupJid);
		const id = idIn(group, toJid(person));
		if (!group.members.has(id)) throw new Error(`${person} is not a member of ${groupJid}.`);
		return { group, id };
	};

	return {
		connection,
		connect(instance) {
			const count = instance.qrCodes ?? 0;
			instance.qrCodes = count + 1;
			instance.connection = 'waiting';
			return count;
		},
		change(instance, change) {
			const found = find(instance, change.groupJid, 'groupParticipantsUpdate');
			return 'group' in found ? { rows: applyChange(found.group, change, people) } : found;
		},
		create(instance, subject, participants) {
			const unanswered = unreachable[connection(instance)]?.('groupCreate');
			if (unanswered !== undefined) return unanswered;
			const own = groups.get(instance.instanceName);
			const account = toJid(instance.owner ?? '');
			const jid = `12036399${String(1 + (own?.size ?? 0)).padStart(10, '0')}@g.us`;
			const group = createGroup({ jid, subject, members: [account], admins: [account], creator: account });
			applyChange(group, { groupJid: jid, action: 'add', participants }, people);
			own?.set(jid, group);
			return { group };
		},
		leaveGroup(instance, groupJid) {
			const group = groups.get(instance.instanceName)?.get(groupJid);
			const unanswered = unreachable[connection(instance)]?.('groupLeave');
			if (unanswered !== undefined || group === undefined) return unanswered;
			if (group.seed.silent === true) return { silent: true };
			if (group.seed.refuses !== undefined) return { refused: `Error: ${group.seed.refuses}` };
			const account = accountIn(instance, group);
			group.members.delete(account);
			group.admins.delete(account);
			return undefined;
		},
		group: find,
		mayWrite: (instance, group) => !group.settings.announce || group.admins.has(accountIn(instance, group)),
		groups(instance, call) {
			const unanswered = unreachable[connection(instance)]?.(call);
			if (unanswered !== undefined) return unanswered;
			const all = [...(groups.get(instance.instanceName)?.values() ?? [])];
			return { groups: all.filter((group) => group.members.has(accountIn(instance, group))) };
		},
		find: (jid) => (people.get(jid) === 'notOnNetwork' ? undefined : (knownAs.get(jid) ?? jid)),
		fate: (jid) => fates.get(jid) ?? 'delivered',
		send(message) {
			if (this.find(message.to) !== message.to) return false;
			messages.push(message);
			store(message, this.fate(message.to));
			return true;
		},
		messages,
		stored: ({ instanceName }) => stored.filter(({ instance }) => instance === instanceName),
		snapshot: () =>
			[...groups].flatMap(([name, own]) => [...own.values()].map((group) => snapshotOf(name, group))),

		join: (instance, groupJid, person) => letIn(groupOf(instance, groupJid), toJid(person)),
		leave(instance, groupJid, person) {
			const { group, id } = memberOf(instance, groupJid, person);
			group.members.delete(id);
			group.admins.delete(id);
		},
		describe(instance, groupJid, text) {
			groupOf(instance, groupJid).info.desc = text;
		},
		rename(instance, groupJid, subject) {
			groupOf(instance, groupJid).info.subject = subject;
		},
		promote(instance, groupJid, person) {
			const { group, id } = memberOf(instance, groupJid, person);
			group.admins.add(id);
		},
		demote(instance, groupJid, person) {
			const { group, id } = memberOf(instance, groupJid, person);
			group.admins.delete(id);
		},
		hideIds: (instance, groupJid) => hideIds(groupOf(instance, groupJid)),
		setConnection(name, next) {
			const instance = instanceNamed(name);
			instance.connection = next;
			instance.status = stateOf[next];
		},
		deleteInstance(name) {
			seed.instances.splice(seed.instances.indexOf(instanceNamed(name)), 1);
			groups.delete(name);
		},
	};
}
