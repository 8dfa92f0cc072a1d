import { asUnsent } from '../../gateway/failures/gatewayFailure';
import type { GroupWithMembers } from '../../gateway/replies/groups';
import type { RequestOptions } from '../../gateway/sender';
import { groupKey, isUnmade, type GroupRef } from '../../groups/change';
import { highestRole, People, type Role } from '../../groups/people';
import type { Run } from '../../run/operation';
import { findOwnAccounts } from './numbers';

/**
 * Reads a group before anything is sent to it. Gives `null` where nothing is known of it: that is no reason not to send.
 *
 * @throws why nothing is sent
 */
export type ReadFirst = (group: GroupRef, options: RequestOptions) => Promise<GroupWithMembers | null>;

/** Makes a reader of groups for one run, in which a group that can't be read is asked for once. */
export function firstReader({ client }: Run): ReadFirst {
	const unread = new Map<string, unknown>();
	return async (group, options) => {
		if (isUnmade(group)) return null;
		const key = groupKey(group);
		if (unread.has(key)) throw unread.get(key) as Error;
		try {
			return await client.groupBefore(group, options);
		} catch (problem) {
			const reason = asUnsent(problem, "the group couldn't be read");
			unread.set(key, reason);
			throw reason;
		}
	};
}

/** Finds the account's role in a group; `undefined` if nobody knows it. */
export async function ownRole(
	run: Run,
	{ instance }: GroupRef,
	{ members = [] }: GroupWithMembers,
	options: RequestOptions,
): Promise<Role | undefined> {
	await findOwnAccounts(run, [instance], options);
	const { own } = run.client.session.account(instance);
	return own && highestRole(new People(members).find([own]));
}
