import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the network says to an invitation of one person; a code of its own as text (`"417"`) is also possible. */
export type PersonOutcome = 'notOnNetwork' | 'inviteOnly' | 'recentlyLeft' | 'blocked' | `${number}`;

/**
 * What the network does with a message to somebody. `refused`: error 463, though the gateway says that it was sent.
 * `unanswered`: no word of it, or one that came before the message was stored.
 */
export type MessageFate = 'delivered' | 'read' | 'refused' | 'unanswered';

/** A message that was sent before the start, with its fate. */
export interface SeedMessage {
	instance: string;
	/** A JID. */
	to: string;
	text: string;
	fate: MessageFate;
}

/** A group as it is at the start. Members and admins are numbers or JIDs, as in a request. */
export interface SeedGroup {
	jid: string;
	subject: string;
	members: string[];
	admins: string[];
	/** An add beyond this many members is answered with 419. */
	maxMembers?: number;
	/** An admin has to let people in: 421. */
	approval?: boolean;
	/** The group knows its members by hidden ids (`@lid`). */
	lid?: boolean;
	/** The network has no numbers for the hidden ids. Members that are listed as `…@lid` have none in any group. */
	withoutNumbers?: boolean;
	/** Who made it: the `superadmin`, who can't be demoted. */
	creator?: string;
	/** Fields of the list of groups that take the place of the usual ones. */
	extra?: Record<string, unknown>;
	/** Every call about it is refused with this text, such as `rate-overlimit`. */
	refuses?: string;
	/** The network never says a word about this group. */
	silent?: boolean;
}

/**
 * A connection as it is. `close`: logged out. `never`: there was none yet. `waiting`: for somebody to scan its QR code,
 * with a network that says nothing until then.
 */
export type Connection = 'open' | 'close' | 'never' | 'connecting' | 'waiting';

/** Somebody whom an instance has stored. */
export interface Contact {
	name: string;
	imgUrl?: string;
}

/** An instance, under the published names of its fields. */
export interface SeedInstance {
	instanceName: string;
	instanceId: string;
	apikey: string;
	/** As listed. */
	status: 'open' | 'close' | 'connecting';
	/** The connection as it is, where the listed status is stale. Otherwise it follows from the status. */
	connection?: Connection;
	/** How many QR codes there were for it. */
	qrCodes?: number;
	/** Its setting to ignore groups is on. */
	ignoresGroups?: boolean;
	/** By JID. */
	contacts?: Record<string, Contact>;
	owner?: string;
	profileName?: string;
	profilePictureUrl?: string | null;
	profileStatus?: string;
	/** The kind of instance; left out, generation 1 and the published interface do not name one. */
	integration?: string;
	number?: string;
	/** Fields of generation 2 that take the place of the usual ones. */
	extra?: Record<string, unknown>;
	groups: SeedGroup[];
}

/** A bot, and the name of the instance that it belongs to. */
export interface SeedBot {
	instance: string;
	record: { id: string } & Record<string, unknown>;
}

/** Everything that a gateway knows at the start. */
export interface Seed {
	/** The global key. */
	apiKey: string;
	instances: SeedInstance[];
	bots: SeedBot[];
	/** By number or JID, people that cannot simply be added. */
	people: Record<string, PersonOutcome>;
	/** By number or JID, what becomes of messages to people; those to others are delivered. */
	fates?: Record<string, MessageFate>;
	/** Oldest first. */
	messages?: SeedMessage[];
	/** Off: the gateway keeps no messages. */
	storesMessages?: boolean;
	/** By number or JID, the JID under which the network has people who are there under another form. */
	knownAs?: Record<string, string>;
	/** How long this gateway waits for a silent network, instead of the time of its generation. */
	silenceMs?: number;
}

/** The seed of a gateway that was given none. Copy it before changing it: `structuredClone(defaultSeed)`. */
export const defaultSeed: Seed = JSON.parse(readFileSync(join(__dirname, 'seed.json'), 'utf8'));

/**
 * A seed for all that has to be told apart: the instance `keeper` with the four kinds of groups, and one instance in
 * each state of the connection (`loggedOut`, `fresh`, `waiting`) and with groups ignored (`ignoring`).
 */
export const kindsSeed: Seed = JSON.parse(readFileSync(join(__dirname, 'kinds.json'), 'utf8'));

/** Of that seed, the groups of `keeper`: by what they show of their members. */
export const KINDS = {
	numbers: '120363000000000101@g.us',
	hidden: '120363000000000102@g.us',
	hiddenWithoutNumbers: '120363000000000103@g.us',
	mixed: '120363000000000104@g.us',
} as const;

/** Of the default seed: the group "Customers" of the instance `main`, and the bot that answers there. */
export const CUSTOMERS = '120363000000000001@g.us';
export const BOT = 'cmtestbot0000000000000001';
