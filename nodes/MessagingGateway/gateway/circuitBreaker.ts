import type { GatewayFailure } from './failures/gatewayFailure';

/** What nothing is sent to any more during a run, and why: nothing hammers a gateway that has said no. */
export class Stops {
	private gateway: GatewayFailure | undefined;

	private readonly instances = new Map<string, GatewayFailure>();

	private readonly keyRefusedFor = new Set<string>();

	/**
	 * Notes a failure.
	 *
	 * @param instance the instance that was called; nothing for a call that is about no instance
	 */
	note(failure: GatewayFailure, instance: string | undefined): void {
		const { stop } = failure;
		if (stop === 'gateway') this.gateway ??= failure;
		if (instance === undefined || stop === 'nothing') return;
		if (!this.instances.has(instance)) this.instances.set(instance, failure);
		if (stop === 'key') this.keyRefusedFor.add(instance);
		// The key of one instance is refused by all others, a wrong key by every one.
		if (this.keyRefusedFor.size > 1) this.gateway ??= failure;
	}

	/** Why nothing is sent to this instance any more; nothing if it may be called. */
	reasonFor(instance: string | undefined): GatewayFailure | undefined {
		return this.gateway ?? (instance === undefined ? undefined : this.instances.get(instance));
	}
}
