import type { Change, OwnAccounts, PlannedRequest } from './plan';
import { apart, inBatches, inOrder, runsOf, sharedRuns } from './requests';
import { inRounds } from './rounds';
import { kindIn, kindOf, personIn, personOf } from './sentIds';

/** The requests of one group. */
export interface GroupDraft {
	/** The instance whose own account has to be known for them, if it matters. */
	undecided?: string;
	decide: (own: OwnAccounts) => PlannedRequest[];
}

/**
 * Plans the changes to one group: in rounds, as {@link inRounds} puts them. Nothing is reordered where that takes fewer
 * requests, nor where it may change what becomes of the group: two IDs of different kinds can be one person, and of two
 * instances one may have rights that the other lacks.
 *
 * Nothing moves across a change of the instance's own account, which can lose its rights by it, so the account has to be
 * known where a removal or demotion would come earlier than asked for.
 *
 * @param changes to one group, in the order asked for
 */
export function draftGroup(changes: readonly Change[], batchSize: number): GroupDraft {
	const kind = common(changes, ({ sentAs }) => kindOf(sentAs));
	const instance = common(changes, (change) => change.instance);
	if (kind === undefined || instance === undefined) return { decide: () => inOrder(changes, batchSize) };
	const { requests, takesRightsEarlier } = fewest(changes, batchSize);
	if (!takesRightsEarlier) return { decide: () => requests };
	return {
		undecided: instance,
		decide: (accounts) => {
			const known = (accounts.get(instance) ?? []).filter((id) => kindIn(id) === kind);
			const own = new Set(known.map(personIn));
			if (own.size === 0) return inOrder(changes, batchSize);
			const about = changes.filter(({ sentAs }) => own.has(personOf(sentAs)));
			return about.length === 0 ? requests : around(about, changes, batchSize);
		},
	};
}

/** The value that all of a list have; nothing if they differ. */
function common<T, V>(all: readonly T[], valueOf: (one: T) => V): V | undefined {
	const [first] = all;
	const value = first && valueOf(first);
	return all.every((one) => valueOf(one) === value) ? value : undefined;
}

interface Ordered {
	requests: PlannedRequest[];
	takesRightsEarlier: boolean;
}

/** In rounds, unless it takes fewer requests to leave all in order. */
function fewest(changes: readonly Change[], batchSize: number): Ordered {
	const { steps, isInOrder, takesRightsEarlier } = inRounds(changes);
	const requests = steps.flatMap((step) => inBatches(step, batchSize));
	if (isInOrder) return { requests, takesRightsEarlier };
	const runs = sharedRuns(changes);
	// Each of them takes at least one.
	if (runs.length >= requests.length) return { requests, takesRightsEarlier };
	const ordered = runs.flatMap((run) => inBatches(run, batchSize));
	return ordered.length < requests.length
		? { requests: ordered, takesRightsEarlier: false }
		: { requests, takesRightsEarlier };
}

/** The items that are about the own account are sent by themselves, and what comes before and after them in rounds. */
function around(about: readonly Change[], changes: readonly Change[], batchSize: number): PlannedRequest[] {
	const items = new Set(about.map(({ item }) => item));
	const isAbout = ({ item }: Change) => items.has(item);
	return runsOf(changes, (one, next) => isAbout(one) === isAbout(next)).flatMap((run) =>
		run.some(isAbout) ? apart(run, batchSize) : fewest(run, batchSize).requests,
	);
}
