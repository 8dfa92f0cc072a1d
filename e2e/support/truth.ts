import { toJid, type Gateway } from '../../test/gateway/gateway';
import { isRecord } from '../../nodes/MessagingGateway/common/json';

/** What a gateway was asked for in a group, and who is in it: the truth that runs are compared with. */
export class Truth {
	constructor(
		private readonly gateway: Gateway,
		private readonly instance: string,
		private readonly group: string,
	) {}

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
