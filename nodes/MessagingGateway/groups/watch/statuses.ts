import { listOf, recordOf } from '../../common/json';

export const DELETED = 'deleted';

/** The gateway's words for an instance that isn't open: a logged-out account alternates between them. */
const NOT_OPEN = ['close', 'connecting'];

/**
 * Compares the statuses of instances with those of the last poll. A new instance has no change.
 *
 * @param before the remembered status of each instance: the gateway's word, or `deleted`
 * @param now by name; `undefined` for an unknown status, no entry for a deleted instance
 * @returns the chosen changes, and the snapshot for the next poll
 */
export function compareStatuses(
	before: ReadonlyMap<string, string>,
	now: ReadonlyMap<string, string | undefined>,
	isChosen: (status: string) => boolean,
) {
	const changes: Array<{ name: string; status: string; previousStatus: string }> = [];
	const snapshot = new Map<string, string>();
	for (const name of new Set([...before.keys(), ...now.keys()])) {
		const previousStatus = before.get(name);
		const status = (now.has(name) ? now.get(name) : DELETED) ?? previousStatus;
		if (status === undefined) continue;
		const wasTold = previousStatus !== undefined && isChosen(previousStatus);
		const isSame = wasTold && [status, previousStatus].every((each) => NOT_OPEN.includes(each));
		snapshot.set(name, isSame ? previousStatus : status);
		const isNew = previousStatus !== undefined && status !== previousStatus && !isSame;
		if (isNew && isChosen(status)) changes.push({ name, status, previousStatus });
	}
	return { changes, snapshot };
}

/** Writes a snapshot as JSON: `{statuses: [[name, status], …]}`. */
export function writeStatuses(snapshot: ReadonlyMap<string, string>): object {
	return { statuses: [...snapshot] };
}

/** Reads a snapshot, without entries in another form than {@link writeStatuses}'s. */
export function readStatuses(stored: unknown): ReadonlyMap<string, string> {
	const entries = listOf(recordOf(stored).statuses).flatMap((entry): Array<[string, string]> => {
		const [name, status] = listOf(entry);
		return typeof name === 'string' && typeof status === 'string' ? [[name, status]] : [];
	});
	return new Map(entries);
}
