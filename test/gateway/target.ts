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
 * hide that a name is unknown. The key is the global one or the instance's own. Only then can a query take the
 * place of the path, as the `instanceName-override` recordings show.
 */
export function withInstance(target: Target, goOn: (instance: SeedInstance) => Reply): Reply {
	const { backend, rules, request, parameter } = target;
	const named = (wanted: unknown): SeedInstance | undefined =>
		backend.seed.instances.find(({ instanceName }) => instanceName === wanted);
	const name = parameter(':instance');
	const instance = named(name);
	if (instance === undefined) return refusal(404, [`The "${name}" instance does not exist`]);
	if (request.key !== backend.seed.apiKey && request.key !== instance.apikey)
		return refusal(401, 'Unauthorized');
	const override = rules.queryOverridesPath ? request.query('instanceName') : undefined;
	const meant = override === undefined ? instance : named(override);
	return meant === undefined ? refusal(500, "Cannot read properties of null (reading 'id')") : goOn(meant);
}
