import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, IRun } from 'n8n-workflow';
import type { Engine, RunResult, ToolCall, WorkflowJson } from './engine';
import { AGENT_TYPE } from './scripted-agent';
import { describeEachLine, describeOnEngine, skipPauses, withGateways, NODE_TYPE } from './support';
import { chosen } from '../chosen';
import { CUSTOMERS, defaultSeed, type Seed } from '../gateway/seed';

const EXAMPLES = join(__dirname, '../../examples');
const names = readdirSync(EXAMPLES).map((file) => file.replace(/\.json$/, ''));

/** What Data Tables hold, by example. */
const TABLES: Readonly<Record<string, Record<string, object[]>>> = {
	'keep-a-group-equal-to-a-data-table': {
		Rows: ['447700900004', '5511990000001', '5511990000002', '5521990000003'].map((phone, id) => ({
			id: id + 1,
			phone,
		})),
	},
	'members-while-paid': { Rows: [{ id: 1, phone: '447700900004', paidUntil: '2999-12-31' }] },
	'report-of-the-night': { 'Changes of the night': [] },
	'what-happened-to-this-number': { 'Which number': [{ phone: '+44 7700 900100' }], 'All changes': [] },
	'take-a-run-back': {
		'What it did': [
			{ id: 1, instance: 'main', groupJid: CUSTOMERS, action: 'add', participant: '5511990000002' },
		],
	},
};

/** Rows of people whom the gateway knows: somebody new, two members, and somebody who can only be invited. */
const SHEET = ['+55 11 99000-0100', '+55 21 99000-0003', '+44 7700 900004', '+55 11 99000-0403'].map(
	(phone, i) => ({ row_number: i + 2, phone }),
);

/** An example as its file has it. */
interface Example extends WorkflowJson {
	nodes: Array<WorkflowJson['nodes'][number] & INode>;
	connections: Record<string, { main?: Array<Array<{ node: string }>> }>;
	pinData: Record<string, Array<{ json: object }>>;
}

function asImported(name: string): Example {
	return JSON.parse(readFileSync(join(EXAMPLES, `${name}.json`), 'utf8')) as Example;
}

/** An example in which instance and group have been chosen. */
function example(name: string): Example {
	return chosen(asImported(name));
}

/** The json of what a node gave on an output. */
function given({ outputs }: RunResult, node: string, output = 0) {
	return (outputs[node]?.[output] ?? []).map(({ json }) => json);
}

/** What a node gave in all its runs: it runs once for each output that leads to it, and a result has its last run only. */
function allGiven({ raw }: RunResult, node: string) {
	const { runData } = (JSON.parse(raw) as Pick<IRun, 'data'>).data.resultData;
	return (runData[node] ?? []).flatMap(({ data }) => data?.main?.[0] ?? []).map(({ json }) => json);
}

/** The values that a node wrote to a sheet or a Data Table, by row. */
function written(result: RunResult, node: string): Array<Record<string, unknown>> {
	const values = allGiven(result, node).map(
		({ columns }) => Object(columns).value as Record<string, unknown>,
	);
	return values.sort((a, b) => Number(a.row_number) - Number(b.row_number));
}

describe.each(names)('%s', (name) => {
	const { nodes, pinData, connections } = asImported(name);
	const notes = nodes.filter(({ type }) => type.endsWith('.stickyNote'));
	const text = notes.map(({ parameters }) => String(parameters.content)).join('\n');
	const isOfAnAccount = ({ type }: INode) => /\.(googleSheets|emailSend)$/.test(type);

	test("comes with the nodes disabled that need somebody's own account, unless sample rows are pinned, and its note says so", () => {
		const own = nodes.filter(isOfAnAccount);
		const disabled = nodes.filter((node) => node.disabled === true);
		expect(disabled).toEqual(own.filter((node) => !(node.name in pinData)));
		const pinned = own.filter((node) => node.name in pinData);
		const unmentioned = [...disabled, ...pinned].filter((node) => !text.includes(`**${node.name}**`));
		expect(unmentioned.map((node) => node.name)).toEqual([]);
	});

	test("has nobody's instance or group chosen, and its note says where to choose", () => {
		const own = nodes.filter(({ type }) => type.startsWith(NODE_TYPE));
		const toChoose = own.filter(({ parameters }) =>
			/"mode":"list","value":""/.test(JSON.stringify(parameters)),
		);
		const picked = own.filter(({ parameters }) =>
			/"mode":"list","value":"[^"]/.test(JSON.stringify(parameters)),
		);
		expect(picked.map((node) => node.name)).toEqual([]);
		const isTool = (node: INode) => node.type.endsWith('Tool');
		const unmentioned = toChoose.filter((node) => !isTool(node) && !text.includes(`in **${node.name}**`));
		expect(unmentioned.map((node) => node.name)).toEqual([]);
	});

	test('tells of what fails, once everything else is done', () => {
		const targets = (node: string, output: number) =>
			(connections[node]?.main?.[output] ?? []).map((to) => nodes.find((one) => one.name === to.node));
		for (const { name: node } of nodes.filter(({ onError }) => onError === 'continueErrorOutput')) {
			const [last, ...others] = targets(node, 1).sort((a, b) => height(b) - height(a));
			expect(last?.type).toMatch(/\.(stopAndError|respondToWebhook)$/);
			// n8n runs the nodes that one leads to from top to bottom.
			for (const other of [...others, ...targets(node, 0)]) expect(height(other)).toBeLessThan(height(last));
		}
	});

	test('says in the first 40 words of its note how to look first, and the rest under "Later"', () => {
		const isDry = ({ parameters }: INode) => parameters.dryRun === true;
		if (text === '' || !nodes.some(isDry)) return;
		const [, start = ''] = /^## .*\n([^]*?)\n### Later\n/.exec(text) ?? [];
		const words = start.match(/[\w'’@-]+/g) ?? [];
		expect(words.slice(0, 40).join(' ')).toMatch(/look.*Dry Run|Dry Run.*look/i);
		if ('Read rows' in pinData) expect(words.slice(0, 40).join(' ')).toMatch(/unpin/i);
		expect(words.length).toBeLessThanOrEqual(45);
	});

	test('pins no chat: it would stand for what somebody writes', () => {
		const chats = nodes.filter(({ type }) => type.endsWith('.chatTrigger'));
		expect(chats.filter(({ name: node }) => node in pinData)).toEqual([]);
	});

	test('has the newest version of the nodes', () => {
		const own = nodes.filter(({ type }) => type.startsWith(NODE_TYPE));
		expect(own.filter(({ typeVersion }) => typeVersion !== 1.1)).toEqual([]);
	});

	test('has sample numbers that nobody has', () => {
		const shown = JSON.stringify(nodes) + JSON.stringify(pinData);
		const numbers = shown.match(/\+?\d[\d -]{9,}\d(?!@g\.us)\b/g) ?? [];
		const isReal = (number: string) => !/^(0000|44 ?7700 ?900\d{3}$)/.test(number.replace('+', ''));
		expect(numbers.filter((one) => /^\+|^\d{10,13}$/.test(one)).filter(isReal)).toEqual([]);
	});

	test('writes back what rows remember from both outputs', () => {
		const remembers = ({ parameters: { operation, memory, participants } }: INode) =>
			(operation === 'syncParticipants' || operation === 'sendInvite') &&
			memory === undefined &&
			String(participants).includes('$json');
		const reachable = (node: string, seen = new Set<string>()): Set<string> => {
			for (const { node: next } of (connections[node]?.main ?? []).flat()) {
				if (seen.has(next)) continue;
				seen.add(next);
				reachable(next, seen);
			}
			return seen;
		};
		const writesOf = (from: string, output: number) =>
			(connections[from]?.main?.[output] ?? []).some((next) =>
				[next.node, ...reachable(next.node)].includes('Write results'),
			);
		for (const node of nodes.filter(remembers)) {
			if (node.name === 'Compare with the group') continue;
			expect([node.name, node.onError]).toEqual([node.name, 'continueErrorOutput']);
			expect([node.name, writesOf(node.name, 0), writesOf(node.name, 1)]).toEqual([node.name, true, true]);
		}
	});

	test('is told of when it fails, by itself, if it runs by a schedule', () => {
		const isScheduled = nodes.some(({ type }) => type.endsWith('.scheduleTrigger'));
		const isTold = nodes.some(({ type }) => type.endsWith('.errorTrigger'));
		if (isScheduled) expect(isTold).toBe(true);
	});

	test('tells of an empty sheet', () => {
		const sheets = nodes.filter(({ type, name: node }) => type.endsWith('.googleSheets') && node in pinData);
		expect(sheets.filter(({ alwaysOutputData }) => alwaysOutputData !== true)).toEqual([]);
	});

	test('has no node and no note over another', () => {
		const boxes = nodes.map(({ name: of, type, position: [x, y], parameters }) =>
			type.endsWith('.stickyNote')
				? { of, x, y, right: x + Number(parameters.width), bottom: y + Number(parameters.height) }
				: // With its name below it.
					{ of, x, y, right: x + 100, bottom: y + 140 },
		);
		const overlaps = boxes.flatMap((a, i) =>
			boxes
				.slice(i + 1)
				.filter((b) => a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom)
				.map((b) => `${a.of} / ${b.of}`),
		);
		expect(overlaps).toEqual([]);
	});
});

function height(node: INode | undefined): number {
	return node?.position[1] ?? NaN;
}

/** Runs examples against a gateway, and expects that nothing ends the run but what is told. */
function runnerOf(engine: () => Engine) {
	const gateways = withGateways();
	// The node remembers what it did by the gateway's address.
	let away = 0;
	return async (
		workflow: Example,
		items?: Record<string, object[]>,
		told?: string,
		{ seed, isAway = false }: { seed?: Seed; isAway?: boolean } = {},
	) => {
		const gateway = await gateways(seed && { seed });
		// The port of a closed gateway may be another test's by then.
		const baseUrl = isAway ? `http://127.0.1.${++away}:1` : gateway.url;
		const credentials = { baseUrl, apiKey: gateway.apiKey };
		const result = await engine().run(withOptions(workflow, { batchInterval: 0 }), {
			credentials,
			...(items && { items }),
		});
		if (told === undefined) expect(result.error).toBeUndefined();
		else expect(result.error?.message).toContain(told);
		const changes = gateway.calls.filter(({ method }) => method !== 'GET').map(({ body }) => body);
		return { gateway, result, changes, members: gateway.group('main', CUSTOMERS)?.members };
	};
}

/** Nobody has pressed a button yet. */
const NOT_APPROVED = { 'Ask for approval': [{ data: { approved: false } }] };

/** Members of the group at first. */
const MEMBERS = ['447700900004', '5511990000001', '5511990000002', '5521990000003'].map(
	(digits) => `${digits}@s.whatsapp.net`,
);

/** A member whom nobody approved to remove. */
const JOINED = '5511990000105@s.whatsapp.net';

describeEachLine('example workflows', (engine) => {
	skipPauses(engine);
	const run = runnerOf(engine);

	// The agent's needs a model, and not all groups of the seed can be read.
	test.each(names.filter((name) => !/^(ai-agent|all-members|never-)/.test(name)))(
		'%s runs as it is, also with its accounts, and changes no member',
		async (name) => {
			for (const workflow of [example(name), withAccounts(example(name))]) {
				const { result, gateway } = await run(workflow, { ...TABLES[name], ...NOT_APPROVED });
				expect(result.status).toBe('success');
				expect(gateway.group('main', CUSTOMERS)?.members).toEqual(MEMBERS);
				expect(gateway.messages).toEqual([]);
			}
		},
	);
});

describeOnEngine('what example workflows do', (engine, line) => {
	skipPauses(engine);
	const run = runnerOf(engine);

	test('"List instances" gives every instance of the gateway', async () => {
		const { result } = await run(example('list-instances'));
		expect(given(result, 'List instances').map(({ instanceName }) => instanceName)).toEqual([
			'main',
			'second one/ü',
			'closed',
			'connecting',
			'cloud',
		]);
	});

	test('"Alert when an instance closes" mails where its code is, with the reason, and not while the account is restricted', async () => {
		const workflow = withAccounts(example('alert-when-an-instance-closes'));
		const texts = async (json: object) => {
			const { result } = await run(workflow, { 'Connection lost': [{ instance: 'a b', ...json }] });
			return given(result, 'Mail the owner').map(({ text }) => text);
		};
		const page = expect.stringMatching(/\(loggedOut\)\. To connect it again.*\?instance=a%20b$/);
		expect(await texts({ disconnectionReason: 'loggedOut' })).toEqual([page]);
		expect(await texts({})).toEqual([expect.stringMatching(/account\. To connect it again/)]);
		const [restricted] = await texts({ disconnectionReason: 'restricted' });
		expect(restricted).not.toContain('http');
	});

	test.each([
		['closed', 'Show the code', expect.objectContaining({ respondWith: 'binary' })],
		[
			'main',
			'Say why there is none',
			expect.objectContaining({ responseBody: 'The instance is connected.' }),
		],
		[
			'gone',
			'Say why there is none',
			expect.objectContaining({ responseBody: expect.stringContaining('gone') }),
		],
		[
			undefined,
			'Say why there is none',
			expect.objectContaining({ responseBody: 'Add ?instance=NAME to the address.' }),
		],
	])('"Alert when an instance closes" has a page for %s: %s', async (instance, node, response) => {
		const workflow = startingAt('QR code page', example('alert-when-an-instance-closes'));
		const { result } = await run(workflow, { 'QR code page': [{ query: { instance } }] });
		expect(given(result, node)).toEqual([response]);
	});

	test('"Alert when a workflow fails" mails what n8n says of it', async () => {
		const { result } = await run(withAccounts(example('alert-when-a-workflow-fails')));
		expect(given(result, 'Mail the alert')).toEqual([
			expect.objectContaining({
				subject: "It didn't work: Keep a group equal to a sheet",
				text: expect.stringMatching(/^Rows that .*\nhttps:/),
			}),
		]);
	});

	test('"Update a group from a sheet" writes each row its result, and changes the group', async () => {
		const rows = [...SHEET, { row_number: 6, phone: '+55 11 99000-0002' }].map((row, i) => ({
			...row,
			action: ['add', 'add', 'promote', 'add', 'remove'][i],
		}));
		const workflow = withOptions(withAccounts(example('update-a-group-from-a-sheet')), { dryRun: false });
		const { gateway, result } = await run(workflow, { 'Read rows': rows });
		expect(written(result, 'Write results')).toEqual(
			['done', 'unchanged', 'done', 'inviteRequired', 'done'].map((outcome, i) => ({
				row_number: i + 2,
				outcome,
				message: expect.stringMatching(/\.$/),
			})),
		);
		expect(gateway.group('main', CUSTOMERS)).toMatchObject({
			admins: ['447700900004@s.whatsapp.net', '5511990000001@s.whatsapp.net'],
			members: MEMBERS.map((jid) => jid.replace('5511990000002', '5511990000100')),
		});
	});

	test('"Update a group from a sheet" takes up rows again that failed or were only planned, and no others', async () => {
		const rows = ['done', 'failed', '', 'unchanged', 'planned', 'inviteRequired'].map((outcome, i) => ({
			row_number: i + 2,
			phone: i === 1 ? 'ask Maria' : `+55 11 99000-010${i}`,
			action: 'add',
			outcome,
		}));
		const workflow = withOptions(withAccounts(example('update-a-group-from-a-sheet')), { dryRun: false });
		const { result } = await run(workflow, { 'Read rows': rows }, "Rows that couldn't be carried out: 1.");
		expect(written(result, 'Write results')).toEqual([
			{ row_number: 3, outcome: 'failed', message: expect.stringContaining('"ask Maria"') },
			{ row_number: 4, outcome: 'done', message: 'Added to the group.' },
			{ row_number: 6, outcome: 'done', message: 'Added to the group.' },
		]);
	});

	test('"Keep a group equal to a sheet" adds who is missing, removes who has no row, and sends an invite, once', async () => {
		const workflow = withOptions(withAccounts(example('keep-a-group-equal-to-a-sheet')), { dryRun: false });
		const first = await run(workflow, { 'Read rows': SHEET });
		const rows = Object.fromEntries(
			written(first.result, 'Write results').map((row) => [row.row_number, row]),
		);
		expect(Object.values(rows)).toEqual(
			['done', 'unchanged', 'unchanged', 'sent'].map((outcome, i) => ({
				row_number: i + 2,
				outcome,
				message: expect.stringMatching(/\.$/),
				memory: expect.stringMatching(i === 3 ? /^refused inviteRequired .*; invited / : /^member /),
			})),
		);
		expect(given(first.result, 'Sync participants').slice(4)).toEqual([
			expect.objectContaining({ participant: '5511990000001', outcome: 'kept', reason: 'self' }),
			expect.objectContaining({ participant: '5511990000002', outcome: 'done', action: 'remove' }),
		]);
		expect(first.members).toEqual([
			'447700900004@s.whatsapp.net',
			'5511990000001@s.whatsapp.net',
			'5511990000100@s.whatsapp.net',
			'5521990000003@s.whatsapp.net',
		]);

		const nextMorning = SHEET.map((row) => ({ ...row, ...rows[row.row_number] }));
		const second = await run(workflow, { 'Read rows': nextMorning });
		expect(second.gateway.messages).toEqual([]);
		expect(written(second.result, 'Write results').at(-1)).toEqual({
			row_number: 5,
			outcome: 'alreadyInvited',
			message: expect.any(String),
			memory: rows[5]?.memory,
		});
	});

	test('"Keep a group equal to a sheet" removes nobody while a row can\'t be read, writes why, and fails', async () => {
		const workflow = withOptions(withAccounts(example('keep-a-group-equal-to-a-sheet')), { dryRun: false });
		const rows = [
			{ row_number: 2, phone: '+55 21 99000-0003', outcome: 'done' },
			{ row_number: 3, phone: '', outcome: 'done', memory: 'member 2026-11-01' },
		];
		const told = "Rows that couldn't be carried out: 1. The first: ";
		const { result, changes } = await run(workflow, { 'Read rows': rows }, told);
		expect(changes).toEqual([]);
		expect(written(result, 'Write results')).toEqual([
			expect.objectContaining({ row_number: 2, outcome: 'unchanged' }),
			{ row_number: 3, outcome: 'failed', message: expect.any(String), memory: 'member 2026-11-01' },
		]);
	});

	test.each([
		'keep-a-group-equal-to-a-sheet',
		'keep-several-groups-equal-to-a-sheet',
		'invite-by-mail',
		'update-a-group-from-a-sheet',
	])('%s: an empty sheet changes nobody, writes nothing, and is told', async (name) => {
		const workflow = withOptions(withAccounts(example(name)), { dryRun: false });
		// What n8n gives for Always Output Data.
		const { result, changes } = await run(workflow, { 'Read rows': [{}] }, "couldn't be carried out: 1");
		expect(changes).toEqual([]);
		expect(written(result, 'Write results')).toEqual([]);
	});

	test('"Keep several groups equal to a sheet" takes instance and group from each row', async () => {
		const workflow = withAccounts(example('keep-several-groups-equal-to-a-sheet'));
		const { result } = await run(withOptions(workflow, { dryRun: false }));
		const groups = given(result, 'Sync participants').map(({ groupJid }) => groupJid);
		expect([...new Set(groups)]).toEqual(['120363000000000001@g.us', '120363000000000002@g.us']);
		expect(written(result, 'Write results').map(({ row_number: row }) => row)).toEqual([2, 3, 4]);
	});

	test('"Keep a group equal to a Data Table" fills a new table with who is in the group', async () => {
		const name = 'keep-a-group-equal-to-a-data-table';
		const { result } = await run(example(name), TABLES[name]);
		expect(given(result, 'List')).toEqual([
			expect.objectContaining({ operation: 'create', tableName: `Group Customers ${CUSTOMERS}` }),
		]);
		const memory = expect.stringMatching(/^member \d{4}-\d\d-\d\dT\d\d:\d\dZ$/);
		expect(written(result, 'Fill the list')).toEqual(
			['5511990000001', '5511990000002', '5521990000003', '447700900004'].map((digits) =>
				expect.objectContaining({ phone: `+${digits}`, memory }),
			),
		);
	});

	test('"Keep a group equal to a Data Table" writes to its rows, and logs what is new', async () => {
		const workflow = withOptions(example('keep-a-group-equal-to-a-data-table'), { dryRun: false });
		const known = 'member 2026-11-01T05:00Z';
		const rows = [
			{ id: 1, phone: '+44 7700 900004', memory: known },
			{ id: 2, phone: '+55 21 99000-0003', memory: null },
			{ id: 3, phone: '+55 11 99000-0100', name: 'Ana', memory: null },
			{ id: 4, phone: '+55 11 99000-0403', memory: null },
			{ id: 5, phone: '+55 11 99000-0101', memory: known },
			{ id: 6, phone: '+55 11 99000-0102', memory: 'left 2026-11-01T05:00Z; for 117589d2' },
		];
		const items = { 'First row': [{ id: 1 }], Rows: rows };
		const { result } = await run(workflow, items);
		expect(result.outputs).not.toHaveProperty('Members');
		expect(written(result, 'Write results').map(({ outcome }) => outcome)).toEqual([
			'unchanged',
			'unchanged',
			'done',
			'inviteRequired',
			'left',
			'left',
			'sent',
		]);
		expect(
			written(result, 'Add to log').map(({ name, participant, action, outcome }) => [
				...[name, participant, action, outcome],
			]),
		).toEqual([
			['Ana', '+55 11 99000-0100', 'add', 'done'],
			[undefined, '+55 11 99000-0403', 'add', 'inviteRequired'],
			[undefined, '+55 11 99000-0101', 'none', 'left'],
			[undefined, '5511990000002', 'remove', 'done'],
			[undefined, '5511990000403', 'invite', 'sent'],
		]);
	});

	test('"Keep a group equal to a Data Table" leaves what came of an addition in the row while invites are a dry run', async () => {
		const rows = [
			{ id: 1, phone: '+44 7700 900004' },
			{ id: 2, phone: '+55 11 99000-0403' },
		];
		const items = { 'First row': [{ id: 1 }], Rows: rows };
		const workflow = withNodes(example('keep-a-group-equal-to-a-data-table'), (node) =>
			node.name === 'Sync participants'
				? { ...node, parameters: { ...node.parameters, dryRun: false } }
				: node,
		);
		const { result } = await run(workflow, items);
		expect(given(result, 'Send invite').map(({ outcome }) => outcome)).toEqual(['planned']);
		const outcomes = written(result, 'Write results').map(({ outcome }) => outcome);
		expect(outcomes).toEqual(['unchanged', 'inviteRequired']);
	});

	test('"Report of the night" mails one report, and none if there is nothing', async () => {
		const workflow = withAccounts(example('report-of-the-night'));
		const change = { groupJid: CUSTOMERS, groupName: 'Customers', participant: '+1 1', message: 'So it is.' };
		const changes = [
			{ ...change, name: 'Ana', action: 'add', outcome: 'done' },
			{ ...change, action: 'remove', outcome: 'done', participant: '1' },
			{ ...change, action: 'none', outcome: 'left', groupName: null, participant: '1@lid' },
		];
		const report = async (rows: object[]) => {
			const { result } = await run(workflow, { 'Changes of the night': rows });
			return given(result, 'Mail the report').map(({ subject, text }) => ({ subject, text }));
		};
		expect(await report(changes)).toEqual([
			{
				subject: 'Groups: 1 added, 1 removed, 1 left, 3 in all',
				text: `Customers: Ana, +1 1: So it is.\nCustomers: +1: So it is.\n${CUSTOMERS}: 1@lid: So it is.`,
			},
		]);
		expect(await report([])).toEqual([]);
	});

	test('"Take a run back" removes who was added, adds who was removed, and logs that', async () => {
		const workflow = withOptions(example('take-a-run-back'), { dryRun: false });
		const change = { instance: 'main', groupJid: CUSTOMERS, outcome: 'done' };
		const { result, changes } = await run(workflow, {
			'What it did': [
				{ ...change, id: 1, action: 'add', participant: '5511990000002', name: 'Ana' },
				{ ...change, id: 2, action: 'remove', participant: '+55 11 99000-0100' },
				{ ...change, id: 3, action: 'remove', participant: '+55 21 99000-0003' },
			],
		});
		expect(written(result, 'Add to log')).toMatchObject([
			{ participant: '5511990000002', name: 'Ana', action: 'remove', outcome: 'done', groupJid: CUSTOMERS },
			{ participant: '+55 11 99000-0100', action: 'add', outcome: 'done', execution: expect.any(String) },
		]);
		expect(changes).toEqual([
			{ action: 'remove', participants: ['5511990000002'] },
			{ action: 'add', participants: ['5511990000100', '5521990000003'] },
		]);
	});

	test('"Take a run back" is red where the log has nothing for the number', async () => {
		const items = { 'Which execution': [{ execution: '231' }], 'What it did': [{}] };
		const told = 'The log has nothing that the execution "231" changed.';
		const { changes } = await run(example('take-a-run-back'), items, told);
		expect(changes).toEqual([]);
	});

	test('"All groups and members as a spreadsheet" lists the members of each group, and tells of those that can\'t be read', async () => {
		const silence = { ...defaultSeed, silenceMs: 100 };
		const told = 'Not everything could be read';
		const name = 'all-members-as-a-spreadsheet';
		const { gateway, result } = await run(example(name), undefined, told, { seed: silence });
		const members = given(result, 'Members');
		expect(members.length).toBeGreaterThan(4);
		expect(given(result, 'Columns')).toHaveLength(members.length);
		// That one is of the Cloud API, which has no groups.
		expect(gateway.calls.filter(({ path }) => path.endsWith('/cloud'))).toEqual([]);
	});

	test('"A link to the group that has room" keeps the link of the fullest that has', async () => {
		const { gateway, result } = await run(example('link-to-the-group-that-has-room'));
		expect(given(result, 'Fullest first').map(({ subject }) => subject)).toEqual(['Customers', 'Just me']);
		const url = `https://chat.whatsapp.com/${gateway.group('main', CUSTOMERS)?.inviteCode}`;
		expect(written(result, 'Keep the link')).toEqual([{ name: 'link', url }]);
		const page = startingAt('Whoever opens the link', example('link-to-the-group-that-has-room'));
		const opened = await run(page, { 'Link of now': [{ url }] });
		expect(given(opened.result, 'Lead to the group')).toEqual([
			expect.objectContaining({ redirectURL: url }),
		]);
		expect(opened.gateway.calls).toEqual([]);
	});

	test('"A link to the group that has room" is red where no group has room, and keeps the link that there is', async () => {
		const full = [{ instance: 'main', groupJid: CUSTOMERS, subject: 'Customers', size: 1024 }];
		const strangers = [
			{ instance: 'main', groupJid: '120363000000000099@g.us', subject: 'Customers', size: 3 },
		];
		for (const groups of [full, strangers, []]) {
			const items = { Groups: groups.length > 0 ? groups : [{}] };
			const { result } = await run(example('link-to-the-group-that-has-room'), items, 'No group has room');
			expect(result.outputs).not.toHaveProperty('Keep the link');
		}
	});

	test('"Never in any group" removes people of the sheet from each group that they are in, and tells of those who stay', async () => {
		const rows = [
			{ phone: '+44 7700 900004', name: 'Dani' },
			{ phone: '+55 11 99000-0002' },
			{ phone: '+55 21 99000-0003' },
		];
		const groups = [1, 2, 3, 6].map((n) => ({
			instance: 'main',
			groupJid: `12036300000000000${n}@g.us`,
			subject: `Group ${n}`,
		}));
		const items = { 'Read rows': rows, Groups: groups };
		const seed = structuredClone(defaultSeed);
		const [customers, , hidden, foreign] = [0, 1, 2, 5].map((n) => seed.instances[0]?.groups[n]);
		customers?.admins.push('5521990000003');
		Object.assign(hidden ?? {}, { withoutNumbers: true });
		foreign?.members.push('5511990000002');
		const dry = withAccounts(example('never-in-any-group'));
		const looked = await run(dry, items, undefined, { seed });
		expect(looked.changes).toEqual([]);

		const { result, members, changes } = await run(
			withOptions(dry, { dryRun: false }),
			items,
			"Groups that couldn't be cleared: 1. The first: ",
			{ seed },
		);
		expect(changes).toEqual([
			{ action: 'remove', participants: ['447700900004@s.whatsapp.net', '5511990000002@s.whatsapp.net'] },
		]);
		expect(members).toEqual(['5511990000001@s.whatsapp.net', '5521990000003@s.whatsapp.net']);
		expect(given(result, 'Mail who was found')).toEqual([
			expect.objectContaining({
				subject: 'Found in your groups: 3, perhaps in them: 3',
				text: expect.stringMatching(
					/^Group 1: Dani, \+44 7700 900004: R.*\nGroup 1: .*-0002: R.*\nGroup 1: .*-0003: Kept.*(\nGroup 3: .*: Not found.* Check the group\.){3}$/,
				),
			}),
		]);
	});

	test.each([
		[true, ['5511990000001@s.whatsapp.net', JOINED]],
		[false, [...MEMBERS, JOINED]],
	])(
		'"Over the limit, once" removes those whom the mail named, and with approved: %p nobody who joined since',
		async (approved, expected) => {
			const seed = structuredClone(defaultSeed);
			seed.instances[0]?.groups[0]?.members.push('5511990000105');
			const workflow = withAccounts(example('over-the-limit-once'));
			const planned = MEMBERS.filter((jid) => !jid.startsWith('5511990000001')).map((jid) => {
				const participant = jid.split('@')[0];
				return { action: 'remove', outcome: 'planned', participant, sentAs: jid };
			});
			const { members, changes, result } = await run(
				workflow,
				{
					'Read rows': [{ phone: '+55 11 99000-0001' }, { phone: '+55 11 99000-0100' }],
					'Sync participants': planned,
					'Ask for approval': [{ data: { approved } }],
				},
				undefined,
				{ seed },
			);
			expect([...(members ?? [])].sort()).toEqual([...expected].sort());
			expect(changes.map(Object).every(({ action }) => action === 'remove')).toBe(true);
			if (approved) expect(given(result, 'Sync once with 100 %')).toHaveLength(6);
		},
	);

	test('"Over the limit, once" asks about removals alone, with their names', async () => {
		const { result } = await run(withAccounts(example('over-the-limit-once')), {
			'Read rows': [{ phone: '+55 11 99000-0001' }, { phone: '+55 11 99000-0100' }],
			...NOT_APPROVED,
		});
		expect(given(result, 'Removals').map(({ participant }) => participant)).toEqual([
			'5511990000002',
			'5521990000003',
			'447700900004',
		]);
	});

	test('"What happened to this number?" says whether they are in the group, and shows their changes however they are written', async () => {
		const change = { action: 'add', outcome: 'done' };
		const { result, changes } = await run(example('what-happened-to-this-number'), {
			'Which number': [{ phone: '+55 11 99000-0002' }],
			'All changes': [
				{ ...change, id: 1, participant: '+5511990000002' },
				{ ...change, id: 2, participant: '+55 11 99000-0100' },
				{ ...change, id: 3, participant: '551190000002' },
			],
		});
		expect(changes).toEqual([]);
		expect(given(result, 'In the group now?')).toMatchObject([{ outcome: 'unchanged', applied: true }]);
		expect(given(result, 'Of this number').map(({ id }) => id)).toEqual([1, 3]);
	});

	test.each([false, true])(
		'"What happened to this number?" has a note of what is said of who is not found, where numbers are hidden: %p',
		async (withoutNumbers) => {
			const seed = structuredClone(defaultSeed);
			Object.assign(seed.instances[0]?.groups[0] ?? {}, { lid: withoutNumbers, withoutNumbers });
			const workflow = example('what-happened-to-this-number');
			const { result } = await run(workflow, TABLES['what-happened-to-this-number'], undefined, { seed });
			const [said] = given(result, 'In the group now?').map(({ message }) => String(message).split('.')[0]);
			expect(JSON.stringify(workflow.nodes)).toContain(`*${said}* means`);
		},
	);

	test.each([
		[true, 2],
		[false, 0],
	])(
		'"Keep a group equal to a sheet, with approval" asks, and with approved: %p sends %i changes',
		async (approved, amount) => {
			const workflow = withAccounts(example('keep-a-group-equal-to-a-sheet-with-approval'));
			const sheet = SHEET.map((row, i) => (i === 0 ? { ...row, name: 'Ana' } : row));
			const asked = await run(workflow, { 'Read rows': sheet });
			expect(given(asked.result, 'Ask for approval')).toEqual([
				expect.objectContaining({
					message: 'add +55 11 99000-0100 (Ana)\nadd +55 11 99000-0403\nremove +5511990000002',
				}),
			]);
			expect(asked.changes).toEqual([]);
			const { changes } = await run(workflow, {
				'Read rows': sheet,
				'Ask for approval': [{ data: { approved } }],
			});
			expect(changes).toHaveLength(amount);
		},
	);

	test('"Keep a group equal to a sheet, with approval" asks nobody for what would be refused, and says what to do', async () => {
		const seed = structuredClone(defaultSeed);
		seed.instances[0]?.groups[0]?.members.push('5511990000105');
		const { result } = await run(
			withAccounts(example('keep-a-group-equal-to-a-sheet-with-approval')),
			{ 'Read rows': SHEET.slice(0, 1) },
			'Nobody was asked: 4 removals are more than',
			{ seed },
		);
		expect(result.outputs).not.toHaveProperty('Ask for approval');
	});

	test('"Keep a group equal to a sheet, with approval" removes nobody who joined after the list was mailed', async () => {
		const workflow = withAccounts(example('keep-a-group-equal-to-a-sheet-with-approval'));
		const add = { action: 'add', participant: '+55 11 99000-0100', sentAs: '5511990000100' };
		const { result, changes } = await run(workflow, {
			'Read rows': SHEET,
			'What would change': [{ ...add, outcome: 'planned' }],
			'Ask for approval': [{ data: { approved: true } }],
		});
		expect(changes).toEqual([{ action: 'add', participants: [add.sentAs] }]);
		expect(given(result, 'Sync participants').at(-1)).toMatchObject({
			participant: '5511990000002',
			outcome: 'kept',
			reason: 'notApproved',
		});
	});

	const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

	/** Rows of somebody who has paid, whose days are over, have begun, and began yesterday. */
	const payers = () =>
		[
			['+55 11 99000-0100', '2999-12-31', null],
			['+55 11 99000-0002', '2020-01-31', `toLeave ${daysAgo(8)}`],
			['+55 21 99000-0003', '2020-01-31', null],
			['+44 7700 900004', '2020-01-31', `toLeave ${daysAgo(1)}`, `${daysAgo(1).slice(0, 16)}Z`],
		].map(([phone, paidUntil, memory, warnedFor = null], i) => ({
			...{ id: i + 1, phone, paidUntil, memory, warnedFor },
			email: 'a@example.com',
		}));

	/** The outcome and the first word of the memory of each row that was written. */
	const outcomesOf = (result: RunResult) =>
		written(result, 'Write results').map(({ outcome, memory }) => [outcome, String(memory).split(' ')[0]]);

	test('"Members while paid" adds who has paid, warns whose days have begun, once, and removes whose are over', async () => {
		const workflow = withOptions(withAccounts(example('members-while-paid')), { dryRun: false });
		const { result, members } = await run(workflow, { Rows: payers(), 'First row': [{ id: 1 }] });
		expect(outcomesOf(result)).toEqual([
			['done', 'member'],
			['done', 'out'],
			['postponed', 'toLeave'],
			['postponed', 'toLeave'],
		]);
		const [mail, ...others] = given(result, 'Warn by mail');
		expect(others).toEqual([]);
		const [, day = ''] = /^Please renew before (\d{4}-\d\d-\d\d)$/.exec(String(mail?.subject)) ?? [];
		expect(mail?.text).toMatch(new RegExp(`until 2020-01-31\\..* on ${day}\\.$`));
		// Remove After (Days) is 7; which day that is depends on the time zone.
		expect(Date.parse(day)).toBeGreaterThan(Date.parse(daysAgo(-5.5)));
		expect(Date.parse(day)).toBeLessThan(Date.parse(daysAgo(-7.5)));
		expect(members).toEqual([
			'447700900004@s.whatsapp.net',
			'5511990000001@s.whatsapp.net',
			'5511990000100@s.whatsapp.net',
			'5521990000003@s.whatsapp.net',
		]);
	});

	test('"Members while paid" warns the others where a mail fails, notes that, and tries again the next day', async () => {
		const row = { paidUntil: '2020-01-31', memory: `toLeave ${daysAgo(1)}`, warnedFor: null };
		const rows = [
			{ ...row, id: 1, phone: '+55 21 99000-0003', email: '', outcome: 'postponed' },
			{ ...row, id: 2, phone: '+44 7700 900004', email: 'b@example.com' },
		];
		const { result } = await run(
			withOptions(withAccounts(example('members-while-paid')), { dryRun: false }),
			{ Rows: rows, 'First row': [{ id: 1 }] },
			"couldn't be carried out: 1. The first: +55 21 99000-0003 wasn't warned: No recipients defined",
		);
		const [mail] = given(result, 'Warn by mail');
		expect(mail?.toEmail).toBe('b@example.com');
		// It's the second of their 7 days.
		expect(Date.parse(String(mail?.subject).slice(-10))).toBeLessThan(Date.parse(daysAgo(-6.5)));
		const [noted, ...others] = given(result, 'Note the warning');
		expect(others).toEqual([]);
		expect(noted).toMatchObject({
			filters: { conditions: [{ keyValue: 2 }] },
			columns: { value: { warnedFor: `${daysAgo(1).slice(0, 16)}Z` } },
		});
	});

	test('"Members while paid" warns nobody in a dry run', async () => {
		const items = { Rows: payers(), 'First row': [{ id: 1 }] };
		const { result } = await run(withAccounts(example('members-while-paid')), items);
		expect(given(result, 'Warn by mail')).toEqual([]);
	});

	test.each([
		['', 'An empty cell'],
		[null, 'An empty cell'],
		['31.01.2999', '31.01.2999'],
	])(
		'"Members while paid" removes nobody while a row has the date %j, and says so',
		async (paidUntil, said) => {
			const unclear = { id: 5, phone: '+55 11 99000-0301', paidUntil, memory: null };
			const { result, changes } = await run(
				withOptions(withAccounts(example('members-while-paid')), { dryRun: false }),
				{ Rows: [...payers(), unclear], 'First row': [{ id: 1 }] },
				"couldn't be carried out: 1",
			);
			expect(changes).toEqual([{ action: 'add', participants: ['5511990000100'] }]);
			expect(outcomesOf(result).map(([outcome]) => outcome)).toEqual([
				'failed',
				'done',
				'kept',
				'kept',
				'kept',
			]);
			const [failed] = written(result, 'Write results');
			expect(failed?.message).toContain(`${said} couldn't be read as a date`);
		},
	);

	test('"Members while paid" reads a date with spaces around it', async () => {
		const rows = [{ id: 1, phone: '+55 11 99000-0100', paidUntil: ' 2999-12-31 ', memory: null }];
		const { result } = await run(example('members-while-paid'), { Rows: rows, 'First row': [{ id: 1 }] });
		expect(outcomesOf(result)).toEqual([['planned', '']]);
	});

	test('"Report who is in the group and not in the sheet" mails one list, without the own account, and apart who may be in it', async () => {
		const seed = structuredClone(defaultSeed);
		const [customers] = seed.instances[0]?.groups ?? [];
		customers?.admins.push('5511990000002');
		customers?.members.push('5511990000105', '100000000000001@lid');
		const workflow = withAccounts(example('report-who-is-not-in-the-sheet'));
		const { result } = await run(workflow, { 'Read rows': SHEET.slice(1, 3) }, undefined, { seed });
		expect(given(result, 'Mail the list')).toEqual([
			expect.objectContaining({
				subject: "Members of the group who aren't in the sheet: 2, not certain: 1",
				text: "+5511990000002\n+5511990000105\n\nNot certain, since the group doesn't show enough of them:\n100000000000001@lid",
			}),
		]);
	});

	test('"Welcome those who joined" writes a row for each whose number is known', async () => {
		const { result } = await run(withAccounts(example('welcome-those-who-joined')));
		expect(written(result, 'Add to the sheet')).toEqual([
			{ phone: '+447700900100', name: 'Ana', joinedAt: '2027-01-31T08:00:00.000Z' },
		]);
	});

	test('"Log who joined and left" writes a row for each change', async () => {
		const { result } = await run(withAccounts(example('log-who-joined-and-left')));
		expect(written(result, 'Add to the log')).toEqual([
			expect.objectContaining({ change: 'joined', participant: '447700900100', role: 'member' }),
			expect.objectContaining({ change: 'left', participant: '447700900101', name: 'Bruno' }),
		]);
	});

	test('"Invite those who can\'t be added, by mail" mails them the link of the group, and notes it in their row', async () => {
		const rows = [
			{ ...SHEET[0], email: 'ana@example.com' },
			{ ...SHEET[3], email: 'bruno@example.com', memory: `refused inviteRequired ${daysAgo(1)}` },
			{ row_number: 6, phone: '+55 11 99000-0417', email: '' },
			{ row_number: 7, phone: '+55 11 99000-0404', email: ' ' },
		];
		const seed = structuredClone(defaultSeed);
		for (const { phone = '' } of rows.slice(2)) seed.people[phone.replace(/\D/g, '')] = 'inviteOnly';
		const { result: dry } = await run(withAccounts(example('invite-by-mail')), { 'Read rows': rows });
		expect(given(dry, 'Send the invite')).toEqual([]);
		const workflow = withOptions(withAccounts(example('invite-by-mail')), { dryRun: false });
		const told = "The first: +55 11 99000-0404 didn't get a mail: No recipients defined";
		const { result } = await run(workflow, { 'Read rows': rows }, told, { seed });
		expect(given(result, 'Send the invite')).toEqual([
			expect.objectContaining({
				toEmail: 'bruno@example.com',
				text: expect.stringMatching(/https:\/\/chat\.whatsapp\.com\/\w+$/),
			}),
		]);
		expect(written(result, 'Note the invite')).toEqual([{ row_number: 5, invitedAt: expect.any(String) }]);
	});

	test.each([
		['Every evening', true],
		['Every morning', false],
	])('"Close a group at night": after %s only admins send messages: %p', async (trigger, announce) => {
		const workflow = withNodes(example('close-a-group-at-night'), (node) => ({
			...node,
			disabled: node.type.endsWith('.scheduleTrigger') && node.name !== trigger,
		}));
		const { gateway, result, changes } = await run(workflow);
		const sendMessages = announce ? 'admins' : 'everyone';
		const node = announce ? 'Close the group' : 'Open the group';
		expect(given(result, node)).toMatchObject([{ instance: 'main', groupJid: CUSTOMERS, sendMessages }]);
		expect(gateway.group('main', CUSTOMERS)?.settings).toEqual({ announce, restrict: false });
		expect(changes).toHaveLength(1);
	});

	test('"New link after removals" makes one new link if people were removed, and none if nobody was', async () => {
		const workflow = withOptions(example('new-link-after-removals'), { dryRun: false });
		const { gateway, result } = await run(workflow, { 'Read rows': [{ phone: '+55 21 99000-0003' }] });
		const { inviteCode } = gateway.group('main', CUSTOMERS) ?? {};
		expect(given(result, 'Reset link').map((json) => json.inviteCode)).toEqual([inviteCode]);
		expect(given(result, 'Removed')).toHaveLength(2);

		const everybody = ['447700900004', '5511990000001', '5511990000002', '5521990000003'];
		const again = await run(workflow, { 'Read rows': everybody.map((phone) => ({ phone })) });
		expect(given(again.result, 'Reset link')).toEqual([]);
		expect(again.changes).toEqual([]);
	});

	// n8n 1.x has no human approval of tools. That it works as a whole, e2e/ tests in a real n8n.
	(line === 2 ? test : test.skip)(
		'"AI agent with approval" lets the model change nothing without approval, tells it results alone, and names no group of its own',
		async () => {
			const workflow = example('ai-agent-with-approval');
			const { changes, result } = await run(withScriptedAgent(workflow, []));
			const [seen] = given(result, 'Assistant');
			const behindApproval = ['toolParameters', 'hitlParameters'];
			expect(Object.fromEntries([seen?.shown].flat().map(parametersOf))).toEqual({
				Add_members: behindApproval,
				Remove_members: behindApproval,
				Promote_to_admin: behindApproval,
				Demote_from_admin: behindApproval,
			});
			expect(changes).toEqual([]);
			const wired = JSON.stringify(workflow.connections).replaceAll(
				'"Ask for approval","type"',
				'"Assistant","type"',
			);
			const unasked = { ...workflow, connections: JSON.parse(wired) as Example['connections'] };
			const args = { Participants: '+44 7700 900100' };
			const calls = ['Add_members', 'Remove_members', 'Promote_to_admin', 'Demote_from_admin'].map(
				(tool) => ({ tool, args }),
			);
			const answered = await run(withScriptedAgent(unasked, calls));
			const told = String(given(answered.result, 'Assistant').map((json) => json.told));
			expect(told.match(/"outcome":"planned"/g)).toHaveLength(4);
			expect(told).not.toContain('"Participants"');
			const texts = asImported('ai-agent-with-approval').nodes.map(({ parameters }) => parameters);
			expect(JSON.stringify(texts)).not.toContain('Customers');
		},
	);
});

describeOnEngine('example workflows on a bad day', (engine) => {
	skipPauses(engine);
	const run = runnerOf(engine);
	const real = (name: string) => withOptions(withAccounts(example(name)), { dryRun: false, maxRetries: 0 });
	const rowsNodeOf = (name: string) =>
		asImported(name).nodes.find((node) => /^(Read rows|Rows)$/.test(node.name))?.name;
	// The trigger starts that one, and its page says why there is no code.
	const asking = names.filter((name) => asks(name) && name !== 'alert-when-an-instance-closes');
	const mailed = (result: RunResult, name: string) =>
		asImported(name)
			.nodes.filter(({ type }) => type.endsWith('.emailSend'))
			.flatMap((node) => allGiven(result, node.name));

	test.each(asking)(
		'%s is red while the gateway is away, says so in each row, and mails nobody',
		async (name) => {
			const { result, changes } = await run(real(name), TABLES[name], 'connection refused', { isAway: true });
			expect(changes).toEqual([]);
			expect(mailed(result, name)).toEqual([]);
			for (const row of written(result, 'Write results'))
				expect(row).toMatchObject({
					outcome: 'failed',
					message: expect.stringContaining('connection refused'),
				});
		},
	);

	test.each(names.filter((name) => rowsNodeOf(name) !== undefined))(
		'%s is red where a row names nobody, says so in this row, and removes nobody for having no row',
		async (name) => {
			const node = rowsNodeOf(name) ?? '';
			const [first, ...others] =
				TABLES[name]?.[node] ?? asImported(name).pinData[node]?.map(({ json }) => json) ?? [];
			const bad = { ...first, phone: 'ask Maria', action: 'add', paidUntil: '2999-12-31' };
			const items = { ...TABLES[name], 'First row': [{ id: 1 }], [node]: [bad, ...others] };
			const { result, changes } = await run(real(name), items, '"ask Maria"');
			const isInList = (member: unknown) =>
				JSON.stringify(others).replaceAll(/[ +-]/g, '').includes(String(member));
			const removed = changes.map(Object).filter(({ action }) => action === 'remove');
			expect(removed.flatMap(({ participants }) => participants).filter((one) => !isInList(one))).toEqual([]);
			const [row, ...rows] = written(result, 'Write results');
			if (row)
				expect(row).toMatchObject({ outcome: 'failed', message: expect.stringContaining('"ask Maria"') });
			expect(rows.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
		},
	);
});

function asks(name: string): boolean {
	return asImported(name).nodes.some(({ type }) => type === NODE_TYPE);
}

/** The same workflow with a script in place of its agent's model. */
function withScriptedAgent(workflow: Example, calls: ToolCall[]): Example {
	return withNodes(workflow, (node) =>
		node.type.endsWith('.agent')
			? { ...node, type: AGENT_TYPE, typeVersion: 1, parameters: { calls: JSON.stringify(calls) } }
			: node,
	);
}

/** The name of a tool and its parameters' names, as a model is shown them. */
function parametersOf(shown: unknown): [name: string, parameters: string[]] {
	const { name, parameters } = Object(Reflect.get(Object(shown), 'function'));
	return [String(name), Object.keys(parameters.properties)];
}

/** The same workflow with its first trigger after another node, so that it begins there. */
function startingAt(node: string, workflow: Example): Example {
	return withNodes(workflow, (one) =>
		one.name === node
			? { ...one, type: 'any.manualTrigger' }
			: { ...one, disabled: /trigger$/i.test(one.type) },
	);
}

/** The same workflow as if somebody had set up the accounts that its disabled nodes need. */
function withAccounts(workflow: Example): Example {
	return withNodes(workflow, (node) => ({
		...node,
		disabled: false,
		parameters: { ...node.parameters, ...(node.parameters.toEmail === '' && { toEmail: 'me@example.com' }) },
	}));
}

/** The same workflow with other options of the node: no time between requests, or a dry run made real. */
function withOptions(
	workflow: Example,
	{ dryRun, ...options }: { dryRun?: false; [option: string]: unknown },
): Example {
	return withNodes(workflow, (node) => {
		if (node.type !== NODE_TYPE) return node;
		const isDry = dryRun ?? node.parameters.dryRun;
		const parameters = { ...node.parameters, options: { ...Object(node.parameters.options), ...options } };
		return { ...node, parameters: { ...parameters, ...(isDry !== undefined && { dryRun: isDry }) } };
	});
}

function withNodes(workflow: Example, change: (node: Example['nodes'][number]) => INode): Example {
	return { ...workflow, nodes: workflow.nodes.map((node) => change(node)) };
}
