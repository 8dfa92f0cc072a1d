import { listOf, recordOf } from '../../common/json';

/** What a poll remembers of one instance. */
export interface KnownStatus {
	/** As the gateway says it, or `deleted`. */
	status: string;
	/** The polls in a row that showed other statuses, and the status to tell once the row is long enough. */
	seen?: { status: string; polls: number };
}

/** What a poll remembers of instances, by name. */
export type StatusSnapshot = ReadonlyMap<string, KnownStatus>;

/** The rule by which a status counts. */
interface StatusRule {
	/** How many polls in a row have to show another status than the remembered one. */
	confirmPolls: number;
	/** Whether a status is to be told. */
	isChosen: (status: string) => boolean;
}

export const DELETED = 'deleted';

/**
 * Compares the statuses of instances with those of the polls before. An instance that isn't remembered yet has no change.
 *
 * @param now by name; `undefined` for a status that the gateway doesn't say, no entry for a deleted instance
 * @returns the chosen changes, and what to remember for the next poll
 */
export function compareStatuses(
	before: StatusSnapshot,
	now: ReadonlyMap<string, string | undefined>,
	rule: StatusRule,
) {
	const changes: Array<{ name: string; status: string; previousStatus: string }> = [];
	const snapshot = new Map<string, KnownStatus>();
	for (const name of new Set([...before.keys(), ...now.keys()])) {
		const known = before.get(name);
		const status = now.has(name) ? now.get(name) : DELETED;
		const next = status === undefined ? known : nextStatus(known, status, rule);
		if (next === undefined) continue;
		snapshot.set(name, next);
		if (known !== undefined && known.status !== next.status && rule.isChosen(next.status))
			changes.push({ name, status: next.status, previousStatus: known.status });
	}
	return { changes, snapshot };
}

/**
 * Counts a poll. An account that was logged out goes back and forth between two statuses, so any other status than the
 * remembered one goes on with the row, and the last chosen one of the row is told.
 */
function nextStatus(
	known: KnownStatus | undefined,
	status: string,
	{ confirmPolls, isChosen }: StatusRule,
): KnownStatus {
	if (known === undefined || known.status === status) return { status };
	const { seen = { status, polls: 0 } } = known;
	const last = isChosen(seen.status) && !isChosen(status) ? seen.status : status;
	const polls = seen.polls + 1;
	return polls < confirmPolls ? { status: known.status, seen: { status: last, polls } } : { status: last };
}

/** Writes a snapshot as JSON: `{statuses: [[name, status], …]}`, with `seen.status` and `seen.polls` if there are any. */
export function writeStatuses(snapshot: StatusSnapshot): object {
	return {
		statuses: [...snapshot].map(([name, { status, seen }]) =>
			seen === undefined ? [name, status] : [name, status, seen.status, seen.polls],
		),
	};
}

/** Reads a snapshot, without what {@link writeStatuses} didn't give. */
export function readStatuses(stored: unknown): StatusSnapshot {
	const snapshot = new Map<string, KnownStatus>();
	for (const entry of listOf(recordOf(stored).statuses)) {
		const [name, status, seen, polls] = listOf(entry);
		const isSeen = typeof seen === 'string' && typeof polls === 'number';
		if (typeof name === 'string' && typeof status === 'string')
			snapshot.set(name, { status, ...(isSeen && { seen: { status: seen, polls } }) });
	}
	return snapshot;
}
