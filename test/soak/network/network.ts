/** A change of Sync. */
export type Action = 'add' | 'remove';

/** How somebody stands to a group. */
export type Standing = 'out' | 'member' | 'admin';

/** An account on the network. */
export interface Person {
	/** The digits that the account is registered under. */
	number: string;
	lid: string;
	/** The code that every addition of this person is refused with. */
	refusal?: string;
}

export interface NetworkGroup {
	groupJid: string;
	/** Its members are shown by hidden ids. */
	hidden: boolean;
	/** Rows about hidden ids name the phone number too. */
	showsNumbers: boolean;
	capacity: number;
	/** By number; who is not here is out. */
	standings: Map<string, Standing>;
	/** The number of the one whom nobody can remove or demote. */
	creator: string;
}

/** What a request did to one of its participants. */
export interface Change {
	/** As the request names the participant. */
	sent: string;
	/** The number, or hidden id of nobody, that the sender means; see `meant`. */
	meant: string;
	/** The number, or hidden id of nobody, that the network was asked about. */
	asked: string;
	/** Empty where the network never saw it. */
	code: string;
	/** How the one who is meant stood to the group before and after it. */
	before: Standing;
	after: Standing;
}

/** How somebody stands to the group once it was carried out. */
const after = { add: 'member', remove: 'out' } as const;

/** What gateways make of a plain number before the network sees it. */
export function rewritten(digits: string): string {
	if (/^5[24]\d{11}$/.test(digits)) return digits.slice(0, 2) + digits.slice(3);
	const brazil = /^(55(\d\d))\d([7-9]\d{7})$/.exec(digits);
	return brazil !== null && Number(brazil[2]) >= 31 ? `${brazil[1]}${brazil[3]}` : digits;
}

/** The groups and people behind a gateway: the truth that a run's words are held against. */
export class Network {
	constructor(
		readonly people: readonly Person[],
		readonly groups: readonly NetworkGroup[],
		/** By instance, the number of its own account. */
		readonly owners: ReadonlyMap<string, string>,
		/** Whether the gateway rewrites plain numbers. */
		readonly rewrites: boolean,
	) {}

	copy(): Network {
		return new Network(this.people, structuredClone(this.groups), this.owners, this.rewrites);
	}

	group(groupJid: string): NetworkGroup | undefined {
		return this.groups.find((group) => group.groupJid === groupJid);
	}

	person(number: string): Person | undefined {
		return this.people.find((person) => person.number === number);
	}

	/** The number that a participant stands for on the network once the gateway has had it; an id of nobody as it is. */
	asked(sent: string): string {
		if (!sent.includes('@')) return this.rewrites ? rewritten(sent) : sent;
		const [id = ''] = sent.split('@');
		if (!sent.endsWith('@lid')) return id;
		return this.people.find(({ lid }) => lid === id)?.number ?? id;
	}

	/** Whom the sender means: the account of exactly that number, or else the one that the gateway makes of it. */
	meant(sent: string): string {
		return sent.includes('@') || this.person(sent) === undefined ? this.asked(sent) : sent;
	}

	standing(groupJid: string, number: string): Standing {
		return this.group(groupJid)?.standings.get(number) ?? 'out';
	}

	/** Whether an instance has the right to change a group. */
	mayChange(instance: string, groupJid: string): boolean {
		return this.standing(groupJid, this.owners.get(instance) ?? '') === 'admin';
	}

	/** What a participant of a request that the network never sees is like before and after it. */
	unchanged(groupJid: string, sent: string): Change {
		const [meant, asked] = [this.meant(sent), this.asked(sent)];
		const standing = this.standing(groupJid, meant);
		return { sent, meant, asked, code: '', before: standing, after: standing };
	}

	/** Makes the change of one participant of a request that the network has let through. */
	change(groupJid: string, action: Action, sent: string): Change {
		const change = this.unchanged(groupJid, sent);
		const group = this.group(groupJid);
		if (group === undefined) return change;
		const code = this.codeFor(group, action, change.asked);
		if (code === '200') group.standings.set(change.asked, after[action]);
		return { ...change, code, after: this.standing(groupJid, change.meant) };
	}

	private codeFor(group: NetworkGroup, action: Action, number: string): string {
		const is = group.standings.get(number) ?? 'out';
		if (action === 'add') {
			if (is !== 'out') return '409';
			const person = this.person(number);
			if (person === undefined) return '404';
			const members = [...group.standings.values()].filter((standing) => standing !== 'out').length;
			return person.refusal ?? (members >= group.capacity ? '419' : '200');
		}
		if (is === 'out') return '404';
		return number === group.creator ? '406' : '200';
	}
}
