import { createHash } from 'node:crypto';
import { toJid, toLid } from './jid';
import type { PersonOutcome, Seed, SeedGroup, SeedInstance } from './seed';
import type { Action, Change } from './validation';

/** A group as it is now; members and admins are JIDs in alphabetical order. */
export interface GroupSnapshot {
	instance: string;
	groupJid: string;
	subject: string;
	members: string[];
	admins: string[];
}

/** The network's answer to a change: refused as a whole, silent, or one row per participant in the order asked. */
export type Outcome = { refused: string } | { silent: true } | { rows: unknown[] };

/** The messaging network behind the gateway: who is in which group. */
export interface Network {
	change(instance: SeedInstance, change: Change): Outcome;
	groups(instance: SeedInstance): GroupSnapshot[];
	snapshot(): GroupSnapshot[];
}

/** When every invitation that the network sends runs out: 1 January 2030, Unix seconds. */
export const inviteExpiration = '1893456000';

interface Group {
	seed: SeedGroup;
	members: Set<string>;
	admins: Set<string>;
	/** The JID under which this group knows a participant. */
	known(jid: string): string;
}

const codes: Readonly<Record<string, string>> = {
	notOnNetwork: '404',
	inviteOnly: '403',
	recentlyLeft: '408',
	blocked: '401',
};

const changes: Readonly<Record<Exclude<Action, 'add'>, (group: Group, member: string) => void>> = {
	remove: ({ members, admins }, member) => {
		members.delete(member);
		admins.delete(member);
	},
	promote: ({ admins }, member) => void admins.add(member),
	demote: ({ admins }, member) => void admins.delete(member),
};

const notConnected: Readonly<Record<string, string>> = {
	never: "TypeError: Cannot read properties of undefined (reading 'groupParticipantsUpdate')",
	connecting: 'Error: Connection Closed',
};

/** The connection as it is: as the seed says, or as follows from the listed status. */
export function connectionOf({ connection, status }: SeedInstance): 'open' | 'connecting' | 'never' {
	return connection ?? (status === 'close' ? 'never' : status);
}

function createGroup(seed: SeedGroup): Group {
	const known = seed.lid === true ? toLid : (jid: string): string => jid;
	const all = (participants: string[]): Set<string> => new Set(participants.map((one) => known(toJid(one))));
	return { seed, known, members: all(seed.members), admins: all(seed.admins) };
}

function whyRefused(instance: SeedInstance, group: Group | undefined): string | undefined {
	const broken = notConnected[connectionOf(instance)];
	if (broken !== undefined) return broken;
	if (group === undefined) return 'Error: item-not-found';
	if (group.seed.refuses !== undefined) return `Error: ${group.seed.refuses}`;
	const account = group.known(toJid(instance.owner ?? ''));
	if (!group.members.has(account)) return 'Error: item-not-found';
	return group.admins.has(account) ? undefined : 'Error: forbidden';
}

function add({ seed, members }: Group, member: string, outcome: PersonOutcome | undefined): string {
	if (members.has(member)) return '409';
	if (outcome !== undefined) return codes[outcome] ?? outcome;
	if (members.size >= (seed.maxMembers ?? Infinity)) return '419';
	if (seed.approval === true) return '421';
	members.add(member);
	return '200';
}

function row(status: string, jid: string, phone: string): unknown {
	const attrs = {
		jid,
		...(phone === jid ? {} : { phone_number: phone }),
		...(status === '200' ? {} : { error: status }),
	};
	if (status !== '403') return { status, jid, content: { tag: 'participant', attrs } };
	const code = createHash('sha256').update(jid).digest('base64url').slice(0, 16);
	const content = [{ tag: 'add_request', attrs: { code, expiration: inviteExpiration } }];
	return { status, jid, content: { tag: 'participant', attrs, content } };
}

function applyChange(
	group: Group,
	{ action, participants }: Change,
	people: Map<string, PersonOutcome>,
): unknown[] {
	// Two entries of a request that name one person get one answer, as in the `normalisation` recordings.
	const decided = new Map<string, string>();
	const decide = (jid: string, member: string): string => {
		if (action === 'add') return add(group, member, people.get(jid));
		if (!group.members.has(member)) return '404';
		changes[action](group, member);
		return '200';
	};
	return participants.map((jid) => {
		const member = group.known(jid);
		const status = decided.get(member) ?? decide(jid, member);
		decided.set(member, status);
		return row(status, member, jid);
	});
}

/** A network with the groups and people of the seed. Its state is its own: the seed stays as it is. */
export function createNetwork(seed: Seed): Network {
	const people = new Map(Object.entries(seed.people).map(([person, outcome]) => [toJid(person), outcome]));
	const groups = new Map(
		seed.instances.map((instance) => [
			instance.instanceName,
			new Map(instance.groups.map((group) => [group.jid, createGroup(group)])),
		]),
	);
	const show = (instance: string): GroupSnapshot[] =>
		[...(groups.get(instance) ?? [])].map(([groupJid, group]) => ({
			instance,
			groupJid,
			subject: group.seed.subject,
			members: [...group.members].sort(),
			admins: [...group.admins].sort(),
		}));
	return {
		change(instance, change) {
			const group = groups.get(instance.instanceName)?.get(change.groupJid);
			const refused = whyRefused(instance, group);
			if (refused !== undefined || group === undefined) return { refused: refused ?? '' };
			return group.seed.silent === true ? { silent: true } : { rows: applyChange(group, change, people) };
		},
		groups: ({ instanceName }) => show(instanceName),
		snapshot: () => [...groups.keys()].flatMap(show),
	};
}
