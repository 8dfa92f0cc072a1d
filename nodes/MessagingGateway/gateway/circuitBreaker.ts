import type { GatewayFailure } from './failures/gatewayFailure';

/** What nothing is sent to any more during a run, and why: nothing hammers a gateway that has said no. */
export class CircuitBreaker {
	private gateway: GatewayFailure | undefined;

	private readonly instances = new Map<string, GatewayFailure>();

	private readonly keyRefusedFor = new Set<string>();

	/** @param instance the one that was called; `undefined` for a call that is about no instance */
	record(failure: GatewayFailure, instance: string | undefined): void {
		const { stop } = failure;
		if (stop === 'gateway') this.gateway ??= failure;
		if (instance === undefined || stop === 'nothing') return;
		if (!this.instances.has(instance)) this.instances.set(instance, failure);
		if (stop === 'key') this.keyRefusedFor.add(instance);
		// The key of one instance is refused by all others, a wrong key by every one.
		if (this.keyRefusedFor.size > 1) this.gateway ??= failure;
	}

	/** Why nothing is sent to this instance any more; `undefined` if it may be called. */
	blockedBy(instance: string | undefined): GatewayFailure | undefined {
		return this.gateway ?? (instance === undefined ? undefined : this.instances.get(instance));
	}
}
