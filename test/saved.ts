import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowJson } from './engine/engine';

const SAVED = join(__dirname, 'fixtures/saved');

/** An example of an earlier version, without pauses and notes, and what came of it then, with the gateway's usual seed. */
export interface Saved {
	workflow: WorkflowJson & { name: string; pinData: Record<string, Array<{ json: Item }>> };
	/** By node, the json of the items on each of its outputs. */
	gave: Record<string, Item[][]>;
	/** Who was in the group afterwards, and the messages that were sent. */
	after: { members?: string[]; admins?: string[]; messages: unknown[] };
}

type Item = Record<string, unknown>;

/** All of them, each with the version that saved it and its name. */
export const saved = readdirSync(SAVED).flatMap((file) =>
	(JSON.parse(readFileSync(join(SAVED, file), 'utf8')) as Saved[]).map((one): [string, string, Saved] => [
		file.replace('.json', ''),
		one.workflow.name,
		one,
	]),
);

/** Takes the output fields away that the version didn't have. */
export function withoutAdded(version: string, json: Item): Item {
	const added = ['isNew', 'until', ...(version === '1.2.0' ? [] : ['memory'])];
	return Object.fromEntries(Object.entries(json).filter(([field]) => !added.includes(field)));
}

/** Expects of a saved workflow without undated rows what it gave then, node by node, and the group as it was then. */
export function asThen({ gave, after }: Saved): { now: unknown; after: Saved['after'] } {
	const now = Object.entries(gave).map(([node, all]) => [
		node,
		all.map((items) => items.filter(({ error }) => error !== UNDATED).map(asNow)),
	]);
	return { now, after };
}

/** An item of then as it is now: what differs stands in the CHANGELOG. Messages are for people, and have other words. */
function asNow(item: Item): unknown {
	const message = expect.any(String);
	if ('error' in item) return expect.objectContaining({ error: message, message });
	// These numbers can be written in another form, of which "not found" says nothing.
	const doubts = item.code === '404' && { applied: null };
	const { memory, groupName = 'Customers (4 members)' } = item;
	const now = {
		...{ ...item, message, groupName, ...doubts },
		...(typeof memory === 'string' && { memory: expect.stringMatching(withAnyDate(memory)) }),
		// Since 1.3, operations without participants say what came of them, too.
		...(item.outcome === undefined && { outcome: 'done', applied: true }),
	};
	if (item.action !== 'invite') return now;
	const others = Object.entries(now).filter(([field]) => !OF_THE_ADDITION.includes(field));
	return memory === undefined ? now : Object.fromEntries(others);
}

/** Output fields of the node before, which stood beside a new outcome until 1.3. */
const OF_THE_ADDITION = ['code', 'inviteCode', 'inviteExpiresAt', 'jid', 'groupName'];

/** Matches a memory with the same facts: each run writes its own date and, since 1.3, whose memory it is. */
function withAnyDate(memory: string): RegExp {
	const waited = memory.replace(/refused (\w+)/, 'refused $1( x\\d+)?');
	const facts = waited.replace(/; for .*/, '').replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\dZ/g, '[^ ;]+');
	return new RegExp(`^${facts}; for [0-9a-f]{8}$`);
}

/** What a row without a date gave. */
const UNDATED = "'Should Be Member' is empty [item 4]";

/** The workflow without rows that have no date: since 1.3 such a row holds back the removals of its group. */
export function withoutUndated(workflow: Saved['workflow']): Saved['workflow'] {
	const pinned = Object.entries(workflow.pinData).map(([node, items]) => [
		node,
		items.filter(({ json }) => json.paidUntil !== ''),
	]);
	return { ...workflow, pinData: Object.fromEntries(pinned) };
}
