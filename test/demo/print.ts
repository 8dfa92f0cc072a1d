import type { RunResult } from '../engine/engine';
import type { Call, Gateway } from '../gateway/gateway';
import { CUSTOMERS } from '../gateway/seed';
import { table } from './table';

/** The instance that the demo works with. */
export const INSTANCE = 'main';

/** Each member of the demo's group, and their role. */
export function membersOf(gateway: Gateway): Map<string, string> {
	const { members = [], admins = [] } = gateway.group(INSTANCE, CUSTOMERS) ?? {};
	return new Map(members.map((jid) => [jid, admins.includes(jid) ? 'admin' : 'member']));
}

/** The workflow as somebody has it who turned Dry Run off in a node, and the pauses of that node. */
export function notDry<Workflow extends { nodes: Array<{ name: string; parameters: object }> }>(
	workflow: Workflow,
	node: string,
): Workflow {
	const changed = (one: Workflow['nodes'][number]) =>
		one.name === node
			? { ...one, parameters: { ...one.parameters, dryRun: false, options: { batchInterval: 0 } } }
			: one;
	return { ...workflow, nodes: workflow.nodes.map(changed) };
}

/** Everybody who was or is in the group. */
export function membersTable(before: Map<string, string>, after: Map<string, string>): string {
	const everybody = [...new Set([...before.keys(), ...after.keys()])].sort();
	return table(
		['member', 'before', 'after'],
		everybody.map((jid) => [jid, before.get(jid) ?? '', after.get(jid) ?? '']),
	);
}

/** What the gateway was asked. */
export function callsTable(calls: readonly Call[]): string {
	return table(
		['method', 'path', 'change', 'status'],
		calls.map(({ method, path, body, status }) => [method, path, changeIn(body), text(status)]),
	);
}

/** What a node gave. */
export function outputOf(result: RunResult, node: string) {
	return (result.outputs[node]?.[0] ?? []).map(({ json }) => json);
}

/** `add 2`: the action and the number of participants of a group change. */
function changeIn(body: unknown): string {
	if (typeof body !== 'object' || body === null || !('action' in body) || !('participants' in body))
		return '';
	return `${text(body.action)} ${Array.isArray(body.participants) ? body.participants.length : 0}`;
}

/** Whether a run went well; says why if it didn't. */
export function succeeded({ status, error }: RunResult): boolean {
	if (status !== 'success') print(`  ${error?.message ?? status}\n  ${error?.description ?? ''}`);
	return status === 'success';
}

export function text(value: unknown): string {
	return value === undefined || value === null ? '' : String(value);
}

export function print(line: string): void {
	process.stdout.write(`${line}\n`);
}
