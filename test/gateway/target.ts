import type { Generation, Rules } from './generations';
import type { Network } from './network';
import { refusal, type Reply } from './reply';
import type { GatewayRequest } from './request';
import type { Seed, SeedInstance } from './seed';

/** What the handlers work with. */
export interface Backend {
	seed: Seed;
	generation: Generation;
	network: Network;
	/** The gateway's own address. */
	url: string;
}

/** A request that has a route. */
export interface Target {
	backend: Backend;
	rules: Rules;
	request: GatewayRequest;
	/** The decoded segment of the path in that place of the route, such as `:instance`. */
	parameter(name: string): string;
}

/**
 * Goes on with the instance that the path names. It must exist, which is checked before the key: a wrong key does not
 * hide that a name is unknown. The key is the global one or the instance's own.
 */
export function withInstance(target: Target, goOn: (instance: SeedInstance) => Reply): Reply {
	const { backend, request, parameter } = target;
	const name = parameter(':instance');
	const instance = backend.seed.instances.find(({ instanceName }) => instanceName === name);
	if (instance === undefined) return refusal(404, [`The "${name}" instance does not exist`]);
	if (request.key !== backend.seed.apiKey && request.key !== instance.apikey)
		return refusal(401, 'Unauthorized');
	return goOn(instance);
}
