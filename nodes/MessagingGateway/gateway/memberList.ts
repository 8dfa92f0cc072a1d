import { readMembers, type Member } from './replies/members';
import type { Gateway } from './connection';
import type { RetryOptions } from './retry';

/**
 * The members of a group right now, each once.
 *
 * @throws GatewayFailure, also for an empty list: no group is without members
 */
export async function listMembers(
	gateway: Gateway,
	{ instance, groupJid }: { instance: string; groupJid: string },
	retryOptions: RetryOptions,
): Promise<Member[]> {
	const values = { path: { instance }, query: { groupJid } };
	return await gateway.read('listParticipants', values, retryOptions, {
		read: readMembers,
		isEmpty: (members) => members.length === 0,
	});
}
