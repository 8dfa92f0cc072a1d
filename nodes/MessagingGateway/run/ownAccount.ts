import type { OwnAccounts } from '../groups/batching/plan';
import { identityOf } from '../groups/identity';
import { ownerOf, readInstances } from '../gateway/replies/instances';
import type { RetryOptions } from '../gateway/retry';
import type { Run } from './operation';

/** The identities of each instance's own account, looked up one after the other. */
export async function ownAccountsOf(
	run: Run,
	instances: readonly string[],
	retryOptions: RetryOptions,
): Promise<OwnAccounts> {
	const own = new Map<string, string[]>();
	for (const instance of instances) own.set(instance, await ownIdsOf(run, instance, retryOptions));
	return own;
}

/** The identities of an instance's own account; none if it can't be known, which stops nothing. */
export async function ownIdsOf(
	{ gateway }: Run,
	instance: string,
	retryOptions: RetryOptions,
): Promise<string[]> {
	const values = { query: { instanceName: instance } };
	try {
		const all = await gateway.read('listInstances', values, retryOptions, { read: readInstances });
		const own = all.find(({ name }) => name === instance);
		const id = identityOf(own && ownerOf(own));
		return id === undefined ? [] : [id];
	} catch {
		return [];
	}
}
