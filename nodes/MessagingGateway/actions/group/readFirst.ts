import { asUnsent } from '../../gateway/failures/gatewayFailure';
import type { GroupWithMembers } from '../../gateway/replies/groups';
import type { RequestOptions } from '../../gateway/sender';
import { isUnmade, type GroupRef } from '../../groups/change';
import { highestRole, People, type Role } from '../../groups/people';
import type { Run } from '../../run/operation';
import { findOwnAccounts } from './numbers';

/** Reads a group before a change. @returns `null` if nothing is known of it @throws why nothing is sent */
export async function readFirst({ client }: Pick<Run, 'client'>, group: GroupRef, options: RequestOptions) {
	if (isUnmade(group)) return null;
	return await client.groupBefore(group, options).catch((problem: unknown) => {
		throw asUnsent(problem, "the group couldn't be read");
	});
}

/** Finds the account's role in a group; `undefined` if nobody knows it. */
export async function ownRole(
	run: Run,
	{ instance }: GroupRef,
	{ members = [] }: GroupWithMembers,
	options: RequestOptions,
): Promise<Role | undefined> {
	await findOwnAccounts(run, [instance], options);
	const { own } = run.account(instance);
	return own && highestRole(new People(members).find([own]));
}
