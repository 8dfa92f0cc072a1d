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

function instanceNamed({ backend }: Target, wanted: unknown): SeedInstance | undefined {
	return backend.seed.instances.find(({ instanceName }) => instanceName === wanted);
}

/**
 * Goes on with the instance that the path names. It must exist, which is checked before the key: a wrong key does not
 * hide that a name is unknown. The key is the global one or the instance's own.
 */
export function withInstance(target: Target, goOn: (instance: SeedInstance) => Reply): Reply {
	const { backend, request, parameter } = target;
	const name = parameter(':instance');
	const instance = instanceNamed(target, name);
	if (instance === undefined) return refusal(404, [`The "${name}" instance does not exist`]);
	if (request.key !== backend.seed.apiKey && request.key !== instance.apikey)
		return refusal(401, 'Unauthorized');
	return goOn(instance);
}

/**
 * The same on a route where a query can take the place of the path once the key was checked, as the
 * `instanceName-override` recordings show; those of groups show that it can't there.
 */
export function withNamedInstance(target: Target, goOn: (instance: SeedInstance) => Reply): Reply {
	return withInstance(target, (instance) => {
		const override = target.rules.queryOverridesPath ? target.request.query('instanceName') : undefined;
		const meant = override === undefined ? instance : instanceNamed(target, override);
		return meant === undefined ? refusal(500, "Cannot read properties of null (reading 'id')") : goOn(meant);
	});
}
