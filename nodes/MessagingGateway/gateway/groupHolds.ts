/** The groups that a run holds, or waits for. */
interface Hold {
	groups: ReadonlySet<string>;
	/** Resolves when it lets go of them. */
	ended: Promise<void>;
}

/** All in this process, in order of arrival. */
const HOLDS = new Set<Hold>();

/**
 * Holds groups for a run: another one that wants any of them waits for all of its own. Who came first goes first, so no
 * two can wait for each other.
 *
 * @param groups texts that tell groups apart
 * @returns when the run has them, and what lets go of them, also while it waits
 */
export function holdGroups(
	groups: readonly string[],
	holds = HOLDS,
): { ready: Promise<unknown>; release: () => void } {
	const before = [...holds].filter((hold) => groups.some((group) => hold.groups.has(group)));
	let end = () => {};
	const hold = { groups: new Set(groups), ended: new Promise<void>((resolve) => (end = resolve)) };
	holds.add(hold);
	const release = () => {
		holds.delete(hold);
		end();
	};
	return { ready: Promise.all(before.map(({ ended }) => ended)), release };
}
