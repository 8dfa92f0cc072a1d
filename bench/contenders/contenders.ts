import type { INodeTypeDescription } from 'n8n-workflow';
import type { Access } from '../gateway-host';
import type { Job } from '../jobs/job';
import {
	bareMinimum,
	expressionsIn,
	httpRequest,
	nothing,
	oneByOne,
	parametersOf,
	type NodeUnderMeasure,
} from './nodes';
import { fetchInSequence } from './plain';

/** Somebody who does the job. */
interface Contender {
	label: string;
	/** What is said of it beside the figures. */
	about: string;
	/** What of its result can't be held against the job; nothing unless it says so. */
	checks?: { answers?: false; groups?: false; outputs?: 'asInput' };
	/** Whether it pauses between batches as people usually have it set; that is added to what was measured without. */
	isPaced?: true;
	/** Rounds that fail are told of and left out; with all others they end the benchmark. */
	mayFail?: true;
}

/** Runs on n8n's engine. */
interface OnEngine extends Contender {
	/** The node; nothing where it is this project's own, which n8n's loader has loaded. */
	node?: (job: Job, own: INodeTypeDescription) => NodeUnderMeasure;
}

/** Runs without n8n. */
interface Plain extends Contender {
	plain: (job: Job, access: Access) => Promise<unknown[]>;
}

/** The interval with which batching is on; at 0 ms n8n ignores it. */
const SHORTEST_INTERVAL = 1;

/** Everybody who is compared, by the name used in `cases.ts`. */
export const contenders = {
	thisNode: {
		label: 'this node',
		about: "the built package, loaded by n8n's loader, with **Interval Between Requests** at 0",
		isPaced: true,
	},
	expressions: {
		label: 'the smallest node',
		about:
			"it has n8n work out, for every item, the parameters that hold expressions, sends the fewest requests through n8n's helper, in sequence, and gives as many (empty) items",
		node: (job, own) => bareMinimum(job, own, expressionsIn(job)),
		checks: { answers: false },
	},
	readsAll: {
		label: 'reading all parameters',
		about: 'the same, but with every parameter read for every item, as nodes usually do',
		node: (job, own) => bareMinimum(job, own, parametersOf(job)),
		checks: { answers: false },
	},
	nothing: {
		label: 'a node that does nothing',
		about: 'it passes its items on',
		node: nothing,
		checks: { answers: false, groups: false, outputs: 'asInput' },
	},
	limit: {
		label: 'the limit',
		about:
			'the fewest requests with plain `fetch`, in sequence and over connections that stay open, without n8n',
		plain: fetchInSequence,
	},
	httpRequest: {
		label: 'HTTP Request',
		about: "n8n's own node, one request per item as people set it today; it sends them all at once",
		mayFail: true,
		node: (job) => httpRequest(job),
	},
	httpRequestBatched: {
		label: 'HTTP Request, batching',
		about:
			'the same with its batching on: 50 items per batch, and 1 ms between the starts of two batches, since 0 turns it off. It does not wait for replies',
		isPaced: true,
		mayFail: true,
		node: (job) => httpRequest(job, { batchSize: 50, batchInterval: SHORTEST_INTERVAL }),
	},
	oneByOne: {
		label: 'one request per item',
		about:
			'the smallest programmatic node: for each item it sends a request and waits for the reply, as other nodes for gateways do',
		node: oneByOne,
	},
} satisfies Record<string, OnEngine | Plain>;

export type ContenderName = keyof typeof contenders;

/** A contender, with all that it may have. */
export function contenderOf(name: ContenderName): OnEngine | Plain {
	return contenders[name];
}
