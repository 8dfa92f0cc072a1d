import { createHash } from 'node:crypto';
import { toJid, toLid } from './jid';
import type { PersonOutcome, SeedGroup } from './seed';

/** A change of members as the gateway hands it to the network: participants are JIDs. */
export interface Change {
	groupJid: string;
	action: 'add' | 'remove' | 'promote' | 'demote';
	participants: string[];
}

/** When every invitation that the network sends runs out: 1 January 2030, Unix seconds. */
export const inviteExpiration = '1893456000';

/** A group as the network keeps it. */
export interface Group {
	seed: SeedGroup;
	/** It knows its members by hidden ids (`…@lid`). */
	hidden: boolean;
	/** By the id that the group knows a member by: the JID with the number, undefined where the network has none. */
	members: Map<string, string | undefined>;
	/** Ids of members. */
	admins: Set<string>;
	/** The id of who made it, where that is said: a `superadmin`, who can't be demoted. */
	creator: string | undefined;
	/** Only admins send messages (`announce`), or edit the group (`restrict`). */
	settings: { announce: boolean; restrict: boolean };
	/** What can be changed of it besides. `expiration`: of messages, in seconds; 0: they stay. */
	info: { subject: string; desc?: string; picture?: string; expiration: number };
	/** Of the public link. */
	inviteCode: string;
}

const codes: Readonly<Record<string, string>> = {
	notOnNetwork: '404',
	inviteOnly: '403',
	recentlyLeft: '408',
	blocked: '401',
};

/** Each change of one member: the code that it is answered with. */
const changes: Readonly<Record<Exclude<Change['action'], 'add'>, (group: Group, member: string) => string>> =
	{
		remove: ({ members, admins, creator }, member) => {
			if (member === creator) return '405';
			members.delete(member);
			admins.delete(member);
			return '200';
		},
		promote: ({ admins }, member) => {
			admins.add(member);
			return '200';
		},
		demote: ({ admins, creator }, member) => {
			if (member === creator) return '406';
			admins.delete(member);
			return '200';
		},
	};

function withNumber(jid: string): string | undefined {
	return jid.endsWith('@lid') ? undefined : jid;
}

/** A group as the seed has it. */
export function createGroup(seed: SeedGroup): Group {
	const hidden = seed.lid === true;
	const id = (participant: string): string => idIn({ hidden }, toJid(participant));
	return {
		seed,
		hidden,
		members: new Map(seed.members.map((one) => [id(one), withNumber(toJid(one))])),
		admins: new Set(seed.admins.map(id)),
		creator: seed.creator === undefined ? undefined : id(seed.creator),
		settings: { announce: seed.extra?.announce === true, restrict: seed.extra?.restrict === true },
		info: {
			subject: seed.subject,
			...(typeof seed.extra?.desc === 'string' && { desc: seed.extra.desc }),
			expiration: 0,
		},
		inviteCode: inviteCodeAfter(seed.jid),
	};
}

function inviteCodeAfter(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

const settings: Readonly<Record<string, Partial<Group['settings']>>> = {
	announcement: { announce: true },
	not_announcement: { announce: false },
	locked: { restrict: true },
	unlocked: { restrict: false },
};

/** Changes a setting. */
export function applySetting(group: Group, action: unknown): void {
	Object.assign(group.settings, settings[String(action)]);
}

/** Gives the group a link of its own once more; the one before leads nowhere. */
export function renewInviteCode(group: Group): void {
	group.inviteCode = inviteCodeAfter(group.inviteCode);
}

/** The id under which a group knows a participant. */
export function idIn({ hidden }: Pick<Group, 'hidden'>, jid: string): string {
	return hidden ? toLid(jid) : jid;
}

/** Lets somebody in, as a plain member. */
export function letIn(group: Group, jid: string): void {
	group.members.set(idIn(group, jid), withNumber(jid));
}

/** From now on the group knows everybody by hidden ids. */
export function hideIds(group: Group): void {
	group.hidden = true;
	group.members = new Map([...group.members].map(([id, number]) => [toLid(id), number]));
	group.admins = new Set([...group.admins].map(toLid));
	group.creator = group.creator === undefined ? undefined : toLid(group.creator);
}

function add(group: Group, jid: string, outcome: PersonOutcome | undefined): string {
	const { members, seed } = group;
	if (members.has(idIn(group, jid))) return '409';
	if (outcome !== undefined) return codes[outcome] ?? outcome;
	if (members.size >= (seed.maxMembers ?? Infinity)) return '419';
	if (seed.approval === true) return '421';
	letIn(group, jid);
	return '200';
}

function row({ seed }: Group, status: string, id: string, jid: string): unknown {
	const attrs = {
		jid: id,
		...(id === jid || seed.withoutNumbers === true ? {} : { phone_number: jid }),
		...(status === '200' ? {} : { error: status }),
	};
	if (status !== '403') return { status, jid: id, content: { tag: 'participant', attrs } };
	const code = createHash('sha256').update(id).digest('base64url').slice(0, 16);
	const content = [{ tag: 'add_request', attrs: { code, expiration: inviteExpiration } }];
	return { status, jid: id, content: { tag: 'participant', attrs, content } };
}

/**
 * Makes a change, and gives the rows that the network answers with, in the order asked.
 * @param people by JID, who can't simply be added.
 */
export function applyChange(
	group: Group,
	{ action, participants }: Change,
	people: ReadonlyMap<string, PersonOutcome>,
): unknown[] {
	// Two entries of a request that name one person get one answer, as in the `normalisation` recordings.
	const decided = new Map<string, string>();
	const decide = (jid: string, member: string): string => {
		if (action === 'add') return add(group, jid, people.get(jid));
		return group.members.has(member) ? changes[action](group, member) : '404';
	};
	return participants.map((jid) => {
		const member = idIn(group, jid);
		const status = decided.get(member) ?? decide(jid, member);
		decided.set(member, status);
		// Whom the network does not find has no hidden id either, as in the `mixed-lid-group` recordings.
		return row(group, status, status === '404' ? jid : member, jid);
	});
}
