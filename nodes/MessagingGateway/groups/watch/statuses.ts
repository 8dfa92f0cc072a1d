import { listOf, recordOf } from '../../common/json';

/** The memory of an instance from one poll to the next. */
export interface KnownStatus {
	/** The gateway's word, or `deleted`. */
	status: string;
	/** Number of polls in a row that showed other statuses, and the status to report once there are enough of them. */
	seen?: { status: string; polls: number };
}

export const DELETED = 'deleted';

/**
 * Compares the statuses of instances with earlier polls. A new instance has no change.
 *
 * @param now by name; `undefined` for an unknown status, no entry for a deleted instance
 * @param rule `confirmPolls`: the number of polls in a row that have to show another status than the remembered one
 * @returns the chosen changes, and the snapshot for the next poll
 */
export function compareStatuses(
	before: ReadonlyMap<string, KnownStatus>,
	now: ReadonlyMap<string, string | undefined>,
	rule: { confirmPolls: number; isChosen: (status: string) => boolean },
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

/** Counts a poll. Any status but the remembered one counts, since a logged-out account alternates; the last chosen one is reported. */
function nextStatus(
	known: KnownStatus | undefined,
	status: string,
	{ confirmPolls, isChosen }: Parameters<typeof compareStatuses>[2],
): KnownStatus {
	if (known === undefined || known.status === status) return { status };
	const { seen = { status, polls: 0 } } = known;
	const last = isChosen(seen.status) && !isChosen(status) ? seen.status : status;
	const polls = seen.polls + 1;
	return polls < confirmPolls ? { status: known.status, seen: { status: last, polls } } : { status: last };
}

/** Writes a snapshot as JSON: `{statuses: [[name, status], …]}`, with `seen.status` and `seen.polls` if there are any. */
export function writeStatuses(snapshot: ReadonlyMap<string, KnownStatus>): object {
	return {
		statuses: [...snapshot].map(([name, { status, seen }]) =>
			seen === undefined ? [name, status] : [name, status, seen.status, seen.polls],
		),
	};
}

/** Reads a snapshot, without entries in another form than {@link writeStatuses}'s. */
export function readStatuses(stored: unknown): ReadonlyMap<string, KnownStatus> {
	const snapshot = new Map<string, KnownStatus>();
	for (const entry of listOf(recordOf(stored).statuses)) {
		const [name, status, seen, polls] = listOf(entry);
		const isSeen = typeof seen === 'string' && typeof polls === 'number';
		if (typeof name === 'string' && typeof status === 'string')
			snapshot.set(name, { status, ...(isSeen && { seen: { status: seen, polls } }) });
	}
	return snapshot;
}
