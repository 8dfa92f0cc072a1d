import { findOrMake } from '../common/maps';
import { MINUTE, SECOND } from '../common/time';
import type { GatewayFailure } from './failures/gatewayFailure';

/** Number of requests in a row ending unknown that stops an instance. */
const MOST_UNKNOWN = 2;

const ENDED_UNKNOWN = 'Two requests in a row ended without a known result, so nothing more is sent';

/** Length of a stop without an end in later rounds of the execution, in ms: a gateway restarts in seconds. */
const LONGEST_IN_LATER_ROUNDS = 5 * MINUTE;

/** The end of changes, additions or invites, until a time. A sentence is the reason of what is postponed. */
export class Stop<R = GatewayFailure> {
	private reason: R | undefined;

	private begunAt = 0;

	private until = 0;

	/** Begins the stop, unless a longer one is active. @param ms its length; without one it has no end */
	begin(reasonUntil: (end: number) => R, ms = Infinity): void {
		const now = Date.now();
		if (now + ms <= this.until) return;
		this.begunAt = now;
		this.until = now + ms;
		this.reason = reasonUntil(this.until);
	}

	/** Gives an end to a stop that has none. */
	limit(): void {
		if (this.until === Infinity) this.until = this.begunAt + LONGEST_IN_LATER_ROUNDS;
	}

	/** Gives its reason, unless it's over. */
	get active(): R | undefined {
		return this.until > Date.now() ? this.reason : undefined;
	}
}

/** Gives the time for which a failure stops, in ms; `undefined`: without an end. Zero is no time to wait. */
function lengthOf({ policy: { stop, stopsFor }, call: { retryAfter } }: GatewayFailure): number | undefined {
	return stop === 'gateway' && stopsFor && retryAfter ? retryAfter * SECOND : stopsFor;
}

/** The stops of a run, and their reasons: nothing hammers a gateway that has said no. */
export class CircuitBreaker {
	/** Reasons by instance and group, by instance, and that of the whole gateway by neither. */
	private readonly reasons = new Map<string, Stop>();

	private readonly keyRefusedFor = new Set<string>();

	private readonly unknownInARow = new Map<string, number>();

	/** Instances that the run changes. Their stops for all runs hold for this one. */
	private readonly changed = new Set<string>();

	/** @param gateway gives the stops of the gateway and of its accounts for all runs */
	constructor(private readonly gateway: () => { stop: Stop; account(instance: string): { stop: Stop } }) {}

	/** Limits the stops of the rounds before, as another round of the execution begins. */
	startRound(): void {
		for (const stop of this.reasons.values()) stop.limit();
	}

	/** Has the stops of an instance hold for this run, too, since it changes the instance. */
	joinStops(instance: string): void {
		this.changed.add(instance);
	}

	/** Stops all runs that change something, as long as a failure says. @returns whether this one, too */
	private stopAll(failure: GatewayFailure, instance: string, isOfChange: boolean): boolean {
		const length = lengthOf(failure);
		const isInstance = failure.policy.stop === 'instance';
		const isChanged = this.changed.has(instance);
		// A 429 that a read met says nothing of other runs.
		if (length === undefined || !(isInstance || (isOfChange && isChanged))) return false;
		const { stop } = isInstance ? this.gateway().account(instance) : this.gateway();
		stop.begin((end) => failure.remembered(end), length);
		return isChanged;
	}

	/** Stops what a failure stops: for its time, or for this run. @param groupJid the group to be changed */
	stop(failure: GatewayFailure, instance: string | undefined, groupJid?: string, isOfChange = false): void {
		if (instance !== undefined && this.stopAll(failure, instance, isOfChange)) return;
		const { stop } = failure.policy;
		if (stop === 'gateway') this.note(failure);
		if (instance === undefined || stop === 'nothing') return;
		if (stop !== 'group') this.note(failure, instance);
		else if (groupJid !== undefined) this.note(failure, instance, groupJid);
		if (stop === 'key') this.keyRefusedFor.add(instance);
		// The key of one instance is refused by all others, a wrong key by every one.
		if (this.keyRefusedFor.size > 1) this.note(failure);
	}

	/** Counts a request that changed something. @param unknown the failure that leaves its result unknown */
	countChange(instance: string, unknown: GatewayFailure | undefined): void {
		const inARow = unknown === undefined ? 0 : (this.unknownInARow.get(instance) ?? 0) + 1;
		this.unknownInARow.set(instance, inARow);
		if (unknown !== undefined && inARow >= MOST_UNKNOWN) this.note(unknown.withNote(ENDED_UNKNOWN), instance);
	}

	/** Gives the failure that stopped this instance, or changes of its group, unless it may be called. */
	blockedBy(instance: string | undefined, groupJid?: string): GatewayFailure | undefined {
		const reasonFor = (...about: unknown[]) => this.reasons.get(JSON.stringify(about))?.active;
		return this.lastingStop(instance) ?? reasonFor() ?? reasonFor(instance) ?? reasonFor(instance, groupJid);
	}

	/** Gives what stops all runs that change something through an account; reads of others go on. */
	private lastingStop(instance: string | undefined): GatewayFailure | undefined {
		if (this.changed.size === 0) return undefined;
		const gateway = this.gateway();
		const isChanged = instance !== undefined && this.changed.has(instance);
		return gateway.stop.active ?? (isChanged ? gateway.account(instance).stop.active : undefined);
	}

	private note(failure: GatewayFailure, ...about: string[]): void {
		const key = JSON.stringify(about);
		const stop = findOrMake(this.reasons, key, () => new Stop());
		stop.begin((end) => failure.remembered(end), lengthOf(failure));
	}
}
