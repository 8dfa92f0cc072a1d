import { isRecord, listOf } from '../../common/json';
import type { Steps } from '../../common/steps';

/** What a poll remembers of one instance. */
export interface KnownStatus {
	/** As the gateway says it, or `deleted`. */
	status: string;
	/** Another status that the last polls showed, and how many in a row. */
	seen?: { status: string; polls: number };
}

/** What a poll remembers of instances, by name. */
export type StatusSnapshot = ReadonlyMap<string, KnownStatus>;

export const DELETED = 'deleted';

/**
 * Compares the statuses of instances with those of the polls before.
 *
 * @param now by name, `undefined` for one whose status the gateway doesn't say; an instance that isn't in there is deleted
 * @param confirmPolls how many polls in a row have to show a new status, the first included
 * @returns the changes, and what to remember for the next poll
 */
export function* compareStatuses(
	before: StatusSnapshot,
	now: ReadonlyMap<string, string | undefined>,
	confirmPolls: number,
): Steps<{
	changes: Array<{ name: string; status: string; previousStatus: string }>;
	snapshot: StatusSnapshot;
}> {
	const changes = [];
	const snapshot = new Map<string, KnownStatus>();
	for (const name of new Set([...before.keys(), ...now.keys()])) {
		yield;
		const status = now.has(name) ? now.get(name) : DELETED;
		const known = before.get(name);
		if (status === undefined) {
			if (known !== undefined) snapshot.set(name, known);
			continue;
		}
		if (known === undefined || known.status === status) {
			snapshot.set(name, { status });
			continue;
		}
		const polls = (known.seen?.status === status ? known.seen.polls : 0) + 1;
		if (polls < confirmPolls) snapshot.set(name, { status: known.status, seen: { status, polls } });
		else {
			changes.push({ name, status, previousStatus: known.status });
			snapshot.set(name, { status });
		}
	}
	return { changes, snapshot };
}

/** A snapshot as JSON: `{statuses: [[name, status], …]}`; of a status not confirmed yet `[name, status, other status, polls]`. */
export function writeStatuses(snapshot: StatusSnapshot): object {
	return {
		statuses: [...snapshot].map(([name, { status, seen }]) =>
			seen === undefined ? [name, status] : [name, status, seen.status, seen.polls],
		),
	};
}

/** @returns `undefined` for what {@link writeStatuses} didn't give */
export function readStatuses(stored: unknown): StatusSnapshot | undefined {
	if (!isRecord(stored) || !Array.isArray(stored.statuses)) return undefined;
	const snapshot = new Map<string, KnownStatus>();
	for (const entry of listOf(stored.statuses)) {
		const [name, status, seen, polls] = listOf(entry);
		if (typeof name !== 'string' || typeof status !== 'string') return undefined;
		const isSeen = typeof seen === 'string' && typeof polls === 'number';
		snapshot.set(name, { status, ...(isSeen && { seen: { status: seen, polls } }) });
	}
	return snapshot;
}
