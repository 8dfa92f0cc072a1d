import equalWorkflow from '../../examples/keep-a-group-equal-to-a-sheet.json';
import type { Engine, RunResult } from '../engine/engine';
import { startGateway, type Gateway, type Generation } from '../gateway/gateway';
import { callsTable, membersOf, membersTable, notDry, outputOf, print, succeeded, text } from './print';
import { table } from './table';
import { chosen } from '../chosen';

const SYNC = 'Sync participants';

/** The sheet of the demo. */
const SHEET = ['+55 11 99000-0100', '+55 21 99000-0003', '+44 7700 900004', '+55 11 99000-0403'];

/** What one run of Sync came to. */
interface SyncRun {
	result: RunResult;
	/** The calls that change a group. */
	changes: number;
}

/**
 * Shows a group made equal to a sheet: the plan, the run, and the same run again, which changes nothing.
 *
 * @returns whether all came out as expected
 */
export async function keepEqual(engine: Engine, generation: Generation): Promise<boolean> {
	const gateway = await startGateway({ generation });
	try {
		print('\nWorkflow "Keep a group equal to a sheet": the sheet');
		print(
			table(
				['row', 'phone'],
				SHEET.map((phone, i) => [String(i + 1), phone]),
			),
		);
		const before = membersOf(gateway);
		const plan = await sync(engine, gateway, 'The plan (dry run)', true);
		const first = await sync(engine, gateway, 'The run', false, plan.result.staticData);
		const after = membersOf(gateway);
		print('\nThe group before and after');
		print(membersTable(before, after));
		const second = await sync(
			engine,
			gateway,
			'The same again, the next morning',
			false,
			first.result.staticData,
		);
		print('\nCalls to the gateway');
		print(callsTable(gateway.calls));
		const unchanged = JSON.stringify([...membersOf(gateway)]) === JSON.stringify([...after]);
		return (
			[plan, first, second].every(({ result }) => succeeded(result)) &&
			plan.changes === 0 &&
			first.changes > 0 &&
			second.changes === 0 &&
			unchanged
		);
	} finally {
		await gateway.close();
	}
}

/** One run of the example as n8n makes it in production: who was refused is remembered in the static data. */
async function sync(
	engine: Engine,
	gateway: Gateway,
	title: string,
	isDry: boolean,
	staticData: RunResult['staticData'] = {},
): Promise<SyncRun> {
	print(`\n${title}`);
	const callsBefore = gateway.calls.length;
	const workflow = chosen(equalWorkflow);
	const result = await engine.run(isDry ? workflow : notDry(workflow, SYNC), {
		credentials: { baseUrl: gateway.url, apiKey: gateway.apiKey },
		items: { 'Read rows': SHEET.map((phone) => ({ phone })) },
		mode: 'trigger',
		staticData,
	});
	print(
		table(
			['participant', 'action', 'outcome', 'message'],
			outputOf(result, SYNC).map((json) =>
				['participant', 'action', 'outcome', 'message'].map((field) => text(json[field])),
			),
		),
	);
	for (const { message } of result.hints[SYNC] ?? []) print(`  => ${message}`);
	const changes = gateway.calls
		.slice(callsBefore)
		.filter(({ method, status }) => method !== 'GET' && status === 201);
	return { result, changes: changes.length };
}
