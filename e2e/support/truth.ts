import { toJid, type Gateway } from '../../test/gateway/gateway';
import { isRecord } from '../../nodes/MessagingGateway/common/json';

/** What is so of a person and a group. */
export type Fact = 'member' | 'left' | 'removed' | 'refused' | 'invited';

/** What each word of a row's memory says. */
const FACTS: Record<string, Fact> = {
	member: 'member',
	toLeave: 'member',
	left: 'left',
	out: 'removed',
	refused: 'refused',
	invited: 'invited',
};

/** What a row remembers. @throws where it says something else */
export function rememberedBy(memory: unknown): Fact[] {
	return String(memory ?? '')
		.split('; ')
		.flatMap((part) => {
			const [word = ''] = part.split(' ');
			if (word === '' || word === 'for') return [];
			const fact = FACTS[word];
			if (fact === undefined) throw new Error(`The memory "${String(memory)}" says "${word}"`);
			return [fact];
		});
}

/** What a gateway was asked for in a group, and who is in it: the truth that rows are compared with. */
export class Truth {
	/** By JID, how much the gateway had been asked for when somebody was last seen in the group. */
	private readonly seen = new Map<string, number>();

	constructor(
		private readonly gateway: Gateway,
		private readonly instance: string,
		private readonly group: string,
	) {}

	/** Takes note of who is in the group: to be called before and after something happens to it. */
	look(): void {
		const asked = this.asked().length;
		for (const jid of this.members()) this.seen.set(jid, asked);
	}

	/** What is so of a person. */
	of(phone: string): Fact[] {
		const jid = toJid(phone);
		if (this.members().includes(jid)) return ['member'];
		const seen = this.seen.get(jid);
		const asked = this.asked()
			.slice(seen ?? 0)
			.filter((one) => one.jid === jid);
		const was = (action: string) => asked.some((one) => one.action === action);
		return [
			...(seen === undefined ? [] : ([was('remove') ? 'removed' : 'left'] as const)),
			...(was('add') ? (['refused'] as const) : []),
			...(was('invite') ? (['invited'] as const) : []),
		];
	}

	/** The JIDs of who is in the group, in the order of the alphabet. */
	members(): string[] {
		return this.gateway.group(this.instance, this.group)?.members ?? [];
	}

	/** What the gateway was asked for so far: additions, removals and invitations, one for each person. */
	asked(): Array<{ action: string; jid: string }> {
		return this.gateway.calls.flatMap(({ path, body }) => {
			const { pathname, searchParams } = new URL(path, this.gateway.url);
			const { action, groupJid, participants, numbers } = isRecord(body) ? body : {};
			const people = participants ?? numbers;
			const isChange = /^\/group\/(updateParticipant|sendInvite)\//.test(pathname);
			if (!isChange || !Array.isArray(people)) return [];
			if ((searchParams.get('groupJid') ?? groupJid) !== this.group) return [];
			return people.map((one) => ({ action: String(action ?? 'invite'), jid: toJid(String(one)) }));
		});
	}
}
