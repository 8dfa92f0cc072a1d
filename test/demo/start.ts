import { parseArgs } from 'node:util';
import sheetWorkflow from '../../examples/update-a-group-from-a-sheet.json';
import listWorkflow from '../../examples/list-instances.json';
import { startEngine, type Engine, type GatewayCredentials } from '../engine/engine';
import { parseGeneration, startGateway, type Gateway, type Generation } from '../gateway/gateway';
import {
	callsTable,
	INSTANCE,
	membersOf,
	membersTable,
	notDry,
	outputOf,
	print,
	succeeded,
	text,
} from './print';
import { keepEqual } from './sync';
import { table } from './table';
import { chosen } from '../chosen';
import { CUSTOMERS } from '../gateway/seed';

/** The sheet of the demo, and what has to come out for each row. */
const SHEET = [
	['+55 11 99000-0100', 'add', 'done'],
	['+55 21 99000-0003', 'add', 'unchanged'],
	['+44 7700 900004', 'promote', 'done'],
	['+55 11 99000-0403', 'add', 'inviteRequired'],
	['+55 11 99000-0404', 'add', 'notFound'],
	['+55 11 99000-0002', 'remove', 'done'],
].map(([phone = '', action = '', outcome = '']) => ({ phone, action, outcome }));

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
		print(`Embedded gateway at ${gateway.url}, generation: ${generation}`);
		const listed = await listInstances(engine, { baseUrl: gateway.url, apiKey: gateway.apiKey });
		const updated = await updateFromSheet(engine, gateway);
		print('\nCalls to the gateway');
		print(callsTable(gateway.calls));
		const equal = await keepEqual(engine, generation);
		return listed && updated && equal;
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
	const result = await engine.run(notDry(chosen(sheetWorkflow), 'Update participants'), {
		credentials: { baseUrl: gateway.url, apiKey: gateway.apiKey },
		items: { 'Read rows': SHEET.map(({ phone, action }) => ({ phone, action })) },
	});
	const results = outputOf(result, 'Update participants');
	print(
		table(
			['row', 'phone', 'action', 'outcome', 'applied', 'message'],
			SHEET.map(({ phone, action }, i) => {
				const { outcome, applied, message } = results[i] ?? {};
				return [String(i + 1), phone, action, text(outcome), text(applied), text(message)];
			}),
		),
	);
	for (const { message } of result.hints['Update participants'] ?? []) print(`  => ${message}`);

	print(`\nGroup "${gateway.group(INSTANCE, CUSTOMERS)?.subject ?? ''}" before and after`);
	print(membersTable(before, membersOf(gateway)));
	const asExpected = SHEET.every(({ outcome }, i) => results[i]?.outcome === outcome);
	if (!asExpected) print(`Expected: ${SHEET.map(({ outcome }) => outcome).join(', ')}`);
	return succeeded(result) && asExpected && results.length === SHEET.length;
}

main().then(
	(asExpected) => {
		print(
			asExpected ? `\nEverything came out as expected.\n\n${NEXT}` : '\nNot everything came out as expected.',
		);
		process.exitCode = asExpected ? 0 : 1;
	},
	(error: unknown) => {
		print(error instanceof Error ? error.message : String(error));
		process.exitCode = 1;
	},
);
