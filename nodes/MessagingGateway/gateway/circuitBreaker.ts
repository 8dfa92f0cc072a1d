import type { GatewayFailure } from './failures/gatewayFailure';

/** What nothing is sent to any more during a run, and why: nothing hammers a gateway that has said no. */
export class CircuitBreaker {
	/** By instance and group, by instance, and that of the whole gateway by neither. */
	private readonly reasons = new Map<string, GatewayFailure>();

	private readonly keyRefusedFor = new Set<string>();

	/**
	 * @param instance the one that was called; `undefined` for a call that is about no instance
	 * @param groupJid the group that was to be changed; `undefined` for a call that changes none
	 */
	record(failure: GatewayFailure, instance: string | undefined, groupJid?: string): void {
		const { stop } = failure.policy;
		const note = (...about: string[]) => {
			const key = JSON.stringify(about);
			if (!this.reasons.has(key)) this.reasons.set(key, failure);
		};
		if (stop === 'gateway') note();
		if (instance === undefined || stop === 'nothing') return;
		if (stop !== 'group') note(instance);
		else if (groupJid !== undefined) note(instance, groupJid);
		if (stop === 'key') this.keyRefusedFor.add(instance);
		// The key of one instance is refused by all others, a wrong key by every one.
		if (this.keyRefusedFor.size > 1) note();
	}

	/** Why nothing is sent to this instance any more, or no change to its group; `undefined` if it may be called. */
	blockedBy(instance: string | undefined, groupJid?: string): GatewayFailure | undefined {
		const reasonFor = (...about: unknown[]) => this.reasons.get(JSON.stringify(about));
		return reasonFor() ?? reasonFor(instance) ?? reasonFor(instance, groupJid);
	}
}
