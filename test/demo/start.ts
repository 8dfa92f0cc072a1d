import { parseArgs } from 'node:util';
import equalWorkflow from '../../examples/keep-a-group-equal-to-a-sheet.json';
import { startEngine, type Engine, type GatewayCredentials, type RunResult } from '../engine/engine';
import { parseGeneration, startGateway, type Gateway, type Generation } from '../gateway/gateway';
import { chosen } from '../chosen';
import { CUSTOMERS } from '../gateway/seed';
import listWorkflow from './list-instances.json';

const SYNC = 'Sync participants';

/** The sheet of the demo. */
const SHEET = ['+55 11 99000-0100', '+55 21 99000-0003', '+44 7700 900004', '+55 11 99000-0403'];

/** Says what to do next. */
const NEXT = `Next: npm run n8n opens a real n8n with the node, the examples and a gateway to play with.
Or, in an n8n of your own: Settings > Community nodes > Install, n8n-nodes-messaging-gateway,
then import examples/keep-a-group-equal-to-a-sheet.json.`;

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
		console.log(`Embedded gateway at ${gateway.url}, generation: ${generation}`);
		const listed = await listInstances(engine, { baseUrl: gateway.url, apiKey: gateway.apiKey });
		return listed && (await keepEqual(engine, gateway));
	} finally {
		await gateway.close();
	}
}

async function listInstances(engine: Engine, credentials: GatewayCredentials): Promise<boolean> {
	console.log('\nWorkflow "List instances"');
	const result = await engine.run(listWorkflow, { credentials });
	printOutput(result, 'List instances', ['instanceName', 'status', 'owner', 'profileName', 'apikey']);
	return succeeded(result);
}

/**
 * Shows a group made equal to a sheet: the plan, and three nights. In the second one, whoever has no row goes.
 *
 * @returns whether all came out as expected
 */
async function keepEqual(engine: Engine, gateway: Gateway): Promise<boolean> {
	const members = () => gateway.group('main', CUSTOMERS)?.members ?? [];
	console.log('\nWorkflow "Keep a group equal to a sheet": the sheet');
	console.table(SHEET);
	const before = members();
	const plan = await sync(engine, gateway, 'The plan (dry run)', true);
	const first = await sync(engine, gateway, 'The first night', false, plan.staticData);
	const second = await sync(engine, gateway, 'The second night', false, first.staticData, 1);
	const after = members();
	console.log('\nThe group before and after');
	console.table({ before: before.join(' '), after: after.join(' ') });
	const third = await sync(engine, gateway, 'The third night', false, second.staticData, 2);
	return (
		[plan, first, second, third].every(({ isSuccess }) => isSuccess) &&
		plan.changes === 0 &&
		first.changes > 0 &&
		second.changes > 0 &&
		third.changes === 0 &&
		members().join() === after.join()
	);
}

/** One run of the example as n8n makes it in production: who was refused is remembered in the static data. */
async function sync(
	engine: Engine,
	gateway: Gateway,
	title: string,
	isDry: boolean,
	staticData: RunResult['staticData'] = {},
	night = 0,
) {
	console.log(`\n${title}`);
	const callsBefore = gateway.calls.length;
	const workflow = chosen(equalWorkflow);
	const nodes = workflow.nodes.map((node) =>
		node.name === SYNC && !isDry
			? { ...node, parameters: { ...node.parameters, dryRun: false, options: { batchInterval: 0 } } }
			: node,
	);
	const result = await engine.run(
		{ ...workflow, nodes },
		{
			credentials: { baseUrl: gateway.url, apiKey: gateway.apiKey },
			items: { 'Read rows': SHEET.map((phone) => ({ phone })) },
			mode: 'trigger',
			staticData,
			ahead: night * 86_400_000,
		},
	);
	printOutput(result, SYNC, ['participant', 'action', 'outcome', 'message']);
	for (const { message } of result.hints[SYNC] ?? []) console.log(`  => ${message}`);
	const calls = gateway.calls.slice(callsBefore);
	console.log('Calls to the gateway');
	console.table(calls.map(({ method, path, status }) => ({ method, path, status })));
	const changes = calls.filter(({ method, status }) => method !== 'GET' && status === 201).length;
	return { isSuccess: succeeded(result), staticData: result.staticData, changes };
}

/** Prints fields of what a node gave. */
function printOutput({ outputs }: RunResult, node: string, fields: string[]): void {
	console.table(
		(outputs[node]?.[0] ?? []).map(({ json }) => json),
		fields,
	);
}

/** Whether a run went well; says why if it didn't. */
function succeeded({ status, error }: RunResult): boolean {
	if (status !== 'success') console.log(`  ${error?.message ?? status}\n  ${error?.description ?? ''}`);
	return status === 'success';
}

main().then(
	(asExpected) => {
		console.log(asExpected ? `\nEverything came out as expected.\n\n${NEXT}` : '\nNot as expected.');
		process.exitCode = asExpected ? 0 : 1;
	},
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	},
);
