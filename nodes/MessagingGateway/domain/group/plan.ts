import type { Action } from './outcomes';
import type { Participant } from '../input/participants';

/** What one item asks for, checked. */
export interface GroupChange {
	item: number;
	instance: string;
	groupJid: string;
	action: Action;
	participants: Participant[];
}

/** Where a participant of a request comes from. */
export interface Origin {
	item: number;
	/** Place among the item's participants, from 0. */
	position: number;
	participant: Participant;
}

/** One call to the gateway. */
export interface PlannedRequest {
	instance: string;
	groupJid: string;
	action: Action;
	/** What is sent, each once, in the order of first mention. */
	participants: string[];
	/** Every mention of a participant, in input order. */
	origins: Origin[];
}

/** How changes may be put together. */
export interface Grouping {
	/** Whether one request may serve several items. */
	combineItems: boolean;
	/** Most participants in one request. */
	batchSize: number;
}

/**
 * Turns checked changes into the fewest requests that leave every group as one request per item, in order,
 * would leave it.
 *
 * For each instance and group, consecutive changes with the same action share a request until it is full;
 * another action starts the next one. Changes to other groups in between don't matter, since groups don't
 * affect each other.
 *
 * @returns the requests in the order in which they have to be sent
 */
export function planRequests(changes: readonly GroupChange[], grouping: Grouping): PlannedRequest[] {
	const requests: PlannedRequest[] = [];
	const open = new Map<string, OpenRequest>();
	for (const { item, instance, groupJid, action, participants } of changes) {
		const key = JSON.stringify([instance, groupJid]);
		participants.forEach((participant, position) => {
			let current = open.get(key);
			if (current === undefined || !current.takes(action, item, participant.sentAs, grouping)) {
				current = new OpenRequest({ instance, groupJid, action, participants: [], origins: [] });
				open.set(key, current);
				requests.push(current.request);
			}
			current.add({ item, position, participant });
		});
	}
	return requests;
}

/** A request that is still being filled. */
class OpenRequest {
	private readonly sent = new Set<string>();

	private lastItem: number | undefined;

	constructor(readonly request: PlannedRequest) {}

	takes(action: Action, item: number, sentAs: string, { combineItems, batchSize }: Grouping): boolean {
		if (action !== this.request.action) return false;
		if (!combineItems && item !== this.lastItem) return false;
		return this.sent.has(sentAs) || this.sent.size < batchSize;
	}

	add(origin: Origin): void {
		const { sentAs } = origin.participant;
		if (!this.sent.has(sentAs)) this.request.participants.push(sentAs);
		this.sent.add(sentAs);
		this.request.origins.push(origin);
		this.lastItem = origin.item;
	}
}
