import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { GroupSnapshot, Seed } from '../../test/gateway/gateway';

/** One call to the gateway. */
export interface Call {
	method: 'GET' | 'PUT';
	path: string;
	body?: { action: string; participants: string[] };
}

/** The same call as expressions over an item, for a node that sends one request per item. */
export interface CallPerItem {
	method: Call['method'];
	path: string;
	body?: string;
}

/** Something to get done on a gateway, in the words of every contender, and how to see that it is done. */
export interface Job {
	/** The gateway at the start. */
	seed: Seed;
	/** The input items. */
	items: IDataObject[];
	/** Parameters of this project's node, or of its trigger. */
	parameters: INodeParameters;
	/** Only for the trigger: what happens, if anything does, between the poll that remembers and the one that is measured. */
	poll?: { event: Call | undefined };
	/** Nothing where no node could do it with one request per item. */
	perItem?: CallPerItem;
	/** The fewest calls that do the job. */
	fewest(): Call[];
	/** Whom or what each item that a node has to give is about, in order. */
	outputs: string[];
	/** What of a reply answers for one row, one instance or one change. */
	answersIn(reply: unknown): unknown[];
	/** Whom or what an answer, or the item that a node made of it, is about; nothing where it does not say what it has to. */
	subjectOf(answer: unknown): unknown;
	/** Whether the gateway's groups are as they have to be afterwards. */
	isDone(groups: GroupSnapshot[]): boolean;
}
