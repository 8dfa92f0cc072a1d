import { parseArgs } from 'node:util';
import sheetWorkflow from '../../examples/update-a-group-from-a-sheet.json';
import listWorkflow from '../../examples/list-instances.json';
import { startEngine, type Engine, type GatewayCredentials, type RunResult } from '../engine/engine';
import { parseGeneration, startGateway, type Gateway, type Generation } from '../gateway/gateway';
import { table } from './table';
import { CUSTOMERS } from '../gateway/seed';

const INSTANCE = 'main';

/** What has to come out for each row of the sheet example. */
const EXPECTED = ['done', 'unchanged', 'done', 'inviteRequired', 'notFound', 'done', 'done', 'done'];

async function main(): Promise<boolean> {
	const { values } = parseArgs({ options: { generation: { type: 'string', default: 'published' } } });
	const engine = await startEngine(2);
	try {
		const { GATEWAY_URL: baseUrl, GATEWAY_API_KEY: apiKey } = process.env;
		if (baseUrl && apiKey) return await listInstances(engine, { baseUrl, apiKey });
		return await onEmbeddedGateway(engine, parseGeneration(values.generation));
	} finally {
		await engine.stop();
	}
}

async function onEmbeddedGateway(engine: Engine, generation: Generation): Promise<boolean> {
	const gateway = await startGateway({ generation });
	try {
		print(`Embedded gateway at ${gateway.url}, generation: ${generation}`);
		const listed = await listInstances(engine, { baseUrl: gateway.url, apiKey: gateway.apiKey });
		const updated = await updateFromSheet(engine, gateway);
		print('\nCalls to the gateway');
		print(
			table(
				['method', 'path', 'change', 'status'],
				gateway.calls.map(({ method, path, body, status }) => [method, path, changeIn(body), text(status)]),
			),
		);
		return listed && updated;
	} finally {
		await gateway.close();
	}
}

async function listInstances(engine: Engine, credentials: GatewayCredentials): Promise<boolean> {
	print('\nWorkflow "List instances"');
	const result = await engine.run(listWorkflow, { credentials });
	const instances = outputOf(result, 'List instances');
	print(
		table(
			['name', 'status', 'owner', 'profile', 'key'],
			instances.map((json) =>
				['instanceName', 'status', 'owner', 'profileName', 'apikey'].map((field) => text(json[field])),
			),
		),
	);
	return succeeded(result);
}

async function updateFromSheet(engine: Engine, gateway: Gateway): Promise<boolean> {
	print('\nWorkflow "Update a group from a sheet"');
	const before = membersOf(gateway);
	const result = await engine.run(sheetWorkflow, {
		credentials: { baseUrl: gateway.url, apiKey: gateway.apiKey },
	});
	const rows = sheetWorkflow.pinData['Read rows'].map(({ json }) => json);
	const results = outputOf(result, 'Update participants');
	print(
		table(
			['row', 'phone', 'action', 'outcome', 'applied', 'message'],
			rows.map(({ phone, action }, i) => {
				const { outcome, applied, message } = results[i] ?? {};
				return [String(i + 1), phone, action, text(outcome), text(applied), text(message)];
			}),
		),
	);
	for (const { message } of result.hints['Update participants'] ?? []) print(`  => ${message}`);

	const after = membersOf(gateway);
	print(`\nGroup "${gateway.group(INSTANCE, CUSTOMERS)?.subject ?? ''}" before and after`);
	const everybody = [...new Set([...before.keys(), ...after.keys()])].sort();
	print(
		table(
			['member', 'before', 'after'],
			everybody.map((jid) => [jid, before.get(jid) ?? '', after.get(jid) ?? '']),
		),
	);
	const asExpected = EXPECTED.every((outcome, i) => results[i]?.outcome === outcome);
	if (!asExpected) print(`Expected: ${EXPECTED.join(', ')}`);
	return succeeded(result) && asExpected && results.length === rows.length;
}

/** Each member's role. */
function membersOf(gateway: Gateway): Map<string, string> {
	const { members = [], admins = [] } = gateway.group(INSTANCE, CUSTOMERS) ?? {};
	return new Map(members.map((jid) => [jid, admins.includes(jid) ? 'admin' : 'member']));
}

function outputOf(result: RunResult, node: string) {
	return (result.outputs[node]?.[0] ?? []).map(({ json }) => json);
}

/** `add 2`: the action and the number of participants of a group change. */
function changeIn(body: unknown): string {
	if (typeof body !== 'object' || body === null || !('action' in body) || !('participants' in body))
		return '';
	return `${text(body.action)} ${Array.isArray(body.participants) ? body.participants.length : 0}`;
}

function succeeded({ status, error }: RunResult): boolean {
	if (status !== 'success') print(`  ${error?.message ?? status}\n  ${error?.description ?? ''}`);
	return status === 'success';
}

function text(value: unknown): string {
	return value === undefined || value === null ? '' : String(value);
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

main().then(
	(asExpected) => {
		print(asExpected ? '\nEverything came out as expected.' : '\nSomething did not come out as expected.');
		process.exitCode = asExpected ? 0 : 1;
	},
	(error: unknown) => {
		print(error instanceof Error ? error.message : String(error));
		process.exitCode = 1;
	},
);
