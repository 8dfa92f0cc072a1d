import { findOrMake } from '../common/maps';
import { SECOND } from '../common/time';
import type { Identity } from '../groups/identity';
import { KnownPeople } from '../groups/memory/knownPeople';
import { Stop } from './circuitBreaker';
import { Executions } from './execution';
import { GroupLocks, Turns } from './turns';

/** Time that a gateway takes to connect again, in ms: then the state is asked once more before a change. */
const RECONNECTION = 5 * SECOND;

const MOST_GATEWAYS = 100;
const MOST_ACCOUNTS = 1000;
const MOST_WORKFLOWS = 1000;
/** Maximum number of groups that an account remembers by name. */
const MOST_GROUPS = 1000;

/** The knowledge of all runs in the process about one instance at one gateway. */
export class Account {
	readonly turns = new Turns();

	readonly stop = new Stop();

	/** The end of additions and invites alone, after an addition refused because of the account. */
	readonly additions = new Stop<string>();

	/** The end of its invites alone, after two that the network refused in a row. */
	readonly invites = new Stop<string>();

	/** Number of its invites that the network refused in a row, over all runs. */
	networkRefusals = 0;

	/** The account itself, once the gateway has said it. */
	own: Identity | undefined;

	/** The IDs of groups that were made or found for a name. */
	readonly groups = new Map<string, string>();

	noteGroup(name: string, groupJid: string): void {
		this.groups.delete(name);
		findOrMake(this.groups, name, () => groupJid, MOST_GROUPS);
	}

	/** Groups that said that they are full, and haven't taken or lost anybody since. */
	readonly full = new Set<string>();

	/** By action and group, the changes whose replies to several people name none of them. */
	readonly unnamed = new Set<string>();

	/** Set while the account may have lost its connection, with the time when it was last found so. */
	private suspected: { notOpenAt: number } | undefined;

	/** Marks the account as possibly disconnected. Its next change checks the connection first. */
	suspect(): void {
		this.suspected = { notOpenAt: this.suspected?.notOpenAt ?? -Infinity };
	}

	/** Lists the waits before the checks that the next change needs, in ms; none unless it's suspected. */
	get waitsToCheck(): number[] {
		if (this.suspected === undefined) return [];
		const elapsed = performance.now() - this.suspected.notOpenAt;
		// An answer of a moment ago counts as the first one.
		return elapsed < RECONNECTION ? [RECONNECTION - elapsed] : [0, RECONNECTION];
	}

	/** Begins a check of the live state. @returns a function to call with whether it's open */
	startCheck(): (isOpen: boolean) => void {
		const { suspected } = this;
		return (isOpen) => {
			if (!isOpen) this.suspected = { notOpenAt: performance.now() };
			// A suspicion that came up meanwhile is newer than the answer.
			else if (this.suspected === suspected) this.suspected = undefined;
		};
	}
}

/** The knowledge of all runs in the process about the gateway at one base URL. */
export class Gateway {
	readonly stop = new Stop();

	/** Whether it sends messages to numbers that aren't on the network, too (WhatsMiau). */
	writesToAnybody = false;

	/** By {@link formsKey}, the place of the form that it knew last: the one to try first. */
	readonly forms = new Map<string, number>();

	readonly executions = new Executions();

	readonly locks = new GroupLocks();

	readonly people = new KnownPeople();

	/** Nodes whose memory n8n was given to keep. */
	readonly storedFor = new Set<string>();

	/** By workflow, what its nodes remember, as n8n keeps it. */
	private readonly memories = new Map<string, Record<string, unknown>>();

	memoryOf(workflow: string): Record<string, unknown> {
		return findOrMake(this.memories, workflow, () => ({}), MOST_WORKFLOWS);
	}

	private readonly accounts = new Map<string, Account>();

	account(instance: string): Account {
		return findOrMake(this.accounts, instance, () => new Account(), MOST_ACCOUNTS);
	}
}

/** The only state that outlives a run, but for n8n's static data. */
const GATEWAYS = new Map<string, Gateway>();

/** Gives all that runs in this process know about the gateway at a base URL. */
export function gatewayAt(baseUrl: string): Gateway {
	return findOrMake(GATEWAYS, baseUrl, () => new Gateway(), MOST_GATEWAYS);
}
