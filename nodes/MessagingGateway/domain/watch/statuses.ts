/** What a poll remembers of one instance. */
export interface KnownStatus {
	/** As the gateway says it, or `deleted`. */
	status: string;
	/** Another status that the last polls showed, and how many in a row. */
	seen?: { status: string; polls: number };
}

/** What a poll remembers of instances, by name. */
export type StatusSnapshot = ReadonlyMap<string, KnownStatus>;

/** An instance with another status. */
export interface StatusChange {
	name: string;
	status: string;
	previousStatus: string;
}

/** What a poll came to. */
export interface StatusComparison {
	changes: StatusChange[];
	/** What to remember for the next poll. */
	snapshot: StatusSnapshot;
}

export const DELETED = 'deleted';

/**
 * Compares the statuses of instances with those of the polls before.
 *
 * @param now by name; an instance that isn't in there is deleted
 * @param confirmPolls how many polls in a row have to show a new status, the first included
 */
export function compareStatuses(
	before: StatusSnapshot,
	now: ReadonlyMap<string, string>,
	confirmPolls: number,
): StatusComparison {
	const changes: StatusChange[] = [];
	const snapshot = new Map<string, KnownStatus>();
	for (const name of new Set([...before.keys(), ...now.keys()])) {
		const status = now.get(name) ?? DELETED;
		const known = before.get(name);
		if (known === undefined || known.status === status) {
			snapshot.set(name, { status });
			continue;
		}
		const polls = known.seen?.status === status ? known.seen.polls + 1 : 1;
		if (polls < confirmPolls) snapshot.set(name, { status: known.status, seen: { status, polls } });
		else {
			changes.push({ name, status, previousStatus: known.status });
			snapshot.set(name, { status });
		}
	}
	return { changes, snapshot };
}
