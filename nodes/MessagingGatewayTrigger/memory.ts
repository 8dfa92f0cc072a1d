import type { IPollFunctions } from 'n8n-workflow';
import { parseJson, recordOf } from '../MessagingGateway/common/json';

const SNAPSHOT_VERSION = 1;

/** Tolerance in ms for polls that start a little early, since schedules aren't exact. */
const TOLERANCE = 30_000;

/** Polls by workflow and node, in this process. They may be lost, unlike the snapshot, which n8n keeps. */
const POLLS = new Map<
	string,
	{
		/** The contexts that have polled: the scheduler of n8n 2.x makes one for each poll. */
		contexts: WeakSet<IPollFunctions>;
		/** The subject of the last read, and its beginning in ms by the process's clock. */
		lastRead?: { about: string; at: number } | undefined;
		/** Number of reads so far, and the number of the newest read whose reply counted. */
		begun: number;
		counted: number;
	}
>();

/** Opens the memory of a trigger. A snapshot of another subject than `watched` doesn't count. */
export function openMemory(context: IPollFunctions, watched: string) {
	const { id, credentials } = context.getNode();
	const about = JSON.stringify([credentials?.messagingGatewayApi?.id ?? null, watched]);
	const data = context.getWorkflowStaticData('node');
	const trigger = JSON.stringify([context.getWorkflow().id, id]);
	const polls = POLLS.get(trigger) ?? { contexts: new WeakSet(), begun: 0, counted: 0 };
	POLLS.set(trigger, polls);
	const mode = context.getActivationMode();
	const isSwitchedOn = ['activate', 'init', 'leadershipChange'].includes(mode);
	/** Whether this is the first poll after the workflow was published or n8n started. */
	const isFirst = isSwitchedOn && !polls.contexts.has(context);
	polls.contexts.add(context);
	// A published workflow starts on changes from now on. A restart of n8n must not lose changes.
	if (isFirst && mode === 'activate') {
		if ('snapshot' in data) delete data.snapshot;
		polls.lastRead = undefined;
	}
	let last: { text: unknown; stored: unknown } | undefined;
	return {
		isFirst,
		/** Reads the remembered value; `undefined` if there is none, or none of this subject. */
		read: (): unknown => {
			// Another poll may have written since.
			if (last === undefined || last.text !== data.snapshot)
				last = { text: data.snapshot, stored: parseJson(data.snapshot) };
			const stored = recordOf(last.stored);
			return stored.version === SNAPSHOT_VERSION && stored.about === about ? stored.value : undefined;
		},
		/** Remembers a value. Leaves an unchanged text alone, so that n8n saves nothing. */
		write: (value: object) => {
			const snapshot = JSON.stringify({ version: SNAPSHOT_VERSION, about, value });
			if (data.snapshot !== snapshot) data.snapshot = snapshot;
		},
		/** Whether the last read began less than `interval` ms ago. */
		wasReadWithin: (interval: number) =>
			polls.lastRead?.about === about && performance.now() - polls.lastRead.at < interval - TOLERANCE,
		/** Notes the beginning of a read. @returns whether the reply counts: not after that of a later read */
		beginRead: () => {
			const turn = ++polls.begun;
			polls.lastRead = { about, at: performance.now() };
			return () => {
				const counts = turn > polls.counted;
				if (counts) polls.counted = turn;
				return counts;
			};
		},
	};
}
