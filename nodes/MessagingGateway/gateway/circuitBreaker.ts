import type { GatewayFailure } from './failures/gatewayFailure';

/** What nothing is sent to any more during a run, and why: nothing hammers a gateway that has said no. */
export class CircuitBreaker {
	private gateway: GatewayFailure | undefined;

	private readonly instances = new Map<string, GatewayFailure>();

	/** By instance and group. */
	private readonly groups = new Map<string, GatewayFailure>();

	private readonly keyRefusedFor = new Set<string>();

	/**
	 * @param instance the one that was called; `undefined` for a call that is about no instance
	 * @param groupJid the group that was to be changed; `undefined` for a call that changes none
	 */
	record(failure: GatewayFailure, instance: string | undefined, groupJid?: string): void {
		const { stop } = failure;
		if (stop === 'gateway') this.gateway ??= failure;
		if (instance === undefined || stop === 'nothing') return;
		if (stop === 'group') {
			if (groupJid !== undefined) this.groups.set(JSON.stringify([instance, groupJid]), failure);
			return;
		}
		if (!this.instances.has(instance)) this.instances.set(instance, failure);
		if (stop === 'key') this.keyRefusedFor.add(instance);
		// The key of one instance is refused by all others, a wrong key by every one.
		if (this.keyRefusedFor.size > 1) this.gateway ??= failure;
	}

	/** Why nothing is sent to this instance any more, or no change to its group; `undefined` if it may be called. */
	blockedBy(instance: string | undefined, groupJid?: string): GatewayFailure | undefined {
		if (instance === undefined) return this.gateway;
		return (
			this.gateway ?? this.instances.get(instance) ?? this.groups.get(JSON.stringify([instance, groupJid]))
		);
	}
}
