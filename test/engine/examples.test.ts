import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, IRun } from 'n8n-workflow';
import type { Engine, RunOptions, RunResult, ToolCall, WorkflowJson } from './engine';
import { AGENT_TYPE } from './scripted-agent';
import { describeEachLine, describeOnEngine, skipPauses, withGateways, NODE_TYPE } from './support';
import { chosen } from '../chosen';
import { thorough } from '../thorough';
import type { Gateway } from '../gateway/gateway';
import { CUSTOMERS, defaultSeed, type Seed } from '../gateway/seed';

const EXAMPLES = join(__dirname, '../../examples');
const names = readdirSync(EXAMPLES).map((file) => file.replace(/\.json$/, ''));
const isAddition = (name: string) => name.startsWith('add-');

const SHEET_EXAMPLE = 'keep-a-group-equal-to-a-sheet';
const TABLE_EXAMPLE = 'keep-a-group-equal-to-a-data-table';
const FIVE_GROUPS = 'five-groups-one-table';
const WITH_APPROVAL = 'keep-a-group-equal-to-a-sheet-with-approval';
const SYNC_OF_ITS_OWN = 'sync-of-its-own-2-sync';

/** Rows of people whom the gateway knows: somebody new, two members, and somebody who can only be invited. */
const SHEET = ['+55 11 99000-0100', '+55 21 99000-0003', '+44 7700 900004', '+55 11 99000-0403'].map(
	(phone, i) => ({ row_number: i + 2, phone, name: ['Ana', 'Bruno', 'Carla', 'Dani'][i] }),
);

/** Operations that change something. */
const CHANGES = /^(?:update|updateParticipants|syncParticipants|create|leave|send\w+|resetInviteLink)$/;

/** What Data Tables hold, by example. */
const TABLES: Readonly<Record<string, Record<string, object[]>>> = {
	[TABLE_EXAMPLE]: {
		Rows: ['447700900004', '5511990000001', '5511990000002', '5521990000003'].map((phone, id) => ({
			id: id + 1,
			phone,
		})),
	},
	'members-while-paid': { Rows: [{ id: 1, phone: '447700900004', paidUntil: '2999-12-31' }] },
	[FIVE_GROUPS]: {
		Rows: ['447700900004', '5521990000003'].map((phone, id) => ({ id: id + 1, phone, group: 'Customers' })),
	},
	[WITH_APPROVAL]: { 'Read rows': SHEET },
};

/** What shops send, in the shapes that their documents give, and what becomes of the buyer. */
const shopEvents = readFileSync(join(__dirname, '../fixtures/shop-events.jsonl'), 'utf8')
	.trim()
	.split('\n')
	.map(
		(line) =>
			JSON.parse(line) as {
				shop: string;
				what: string;
				becomes: 'added' | 'unchanged' | 'removed' | 'nothing' | 'red';
				body: object;
			},
	);

/** An example as its file has it. */
interface Example extends WorkflowJson {
	nodes: Array<WorkflowJson['nodes'][number] & INode>;
	connections: Record<string, { main?: Array<Array<{ node: string; type?: string; index?: number }>> }>;
	pinData?: Record<string, Array<{ json: object }>>;
}

function asImported(name: string): Example {
	return JSON.parse(readFileSync(join(EXAMPLES, `${name}.json`), 'utf8')) as Example;
}

/** An example in which instance and group have been chosen; one that is added to a workflow, behind the Sync of a sheet. */
function example(name: string): Example {
	if (!isAddition(name)) return chosen(asImported(name));
	const added = asImported(name);
	const main = chosen(asImported(SHEET_EXAMPLE));
	const isNode = ({ type }: INode) => !type.endsWith('.stickyNote');
	const [first] = added.nodes.filter(isNode);
	const [, failed = []] = main.connections['Sync participants']?.main ?? [];
	const behind = [{ node: first?.name ?? '', type: 'main', index: 0 }];
	return {
		...main,
		nodes: [...main.nodes, ...added.nodes.filter(isNode).map((node) => moved(node, 700, -400))],
		connections: {
			...main.connections,
			...added.connections,
			'Sync participants': { main: [behind, failed] },
		},
	};
}

test('no two recipes that stand in one workflow share the ID of a node, which n8n refuses', () => {
	const together = [SHEET_EXAMPLE, ...names.filter(isAddition)];
	const ids = together.flatMap((name) => asImported(name).nodes.map(({ id }) => id));
	expect(new Set(ids).size).toBe(ids.length);
});

function moved(node: INode, right: number, down: number): INode {
	const [x, y] = node.position;
	return { ...node, position: [x + right, y + down] };
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

test('a recipe has a name, unless it is added to a workflow, which n8n would give that name', () => {
	expect(names.filter((name) => isAddition(name) === 'name' in asImported(name))).toEqual([]);
});

describe.each(names)('%s', (name) => {
	const { nodes, pinData = {}, connections } = asImported(name);
	const notes = nodes.filter(({ type }) => type.endsWith('.stickyNote'));
	const text = notes.map(({ parameters }) => String(parameters.content)).join('\n');
	const isOfAnAccount = ({ type }: INode) => /\.(googleSheets|emailSend|gmail|httpRequest)$/.test(type);

	test("comes with the nodes disabled that need somebody's own account, unless sample rows are pinned or they are alerts, and its note says so", () => {
		// An alert that isn't set up must not end green, above a run that is red; Gmail is the other way to send it.
		const isAlert = (node: INode) => name.startsWith('alert-') && !node.type.endsWith('.gmail');
		const own = nodes.filter((node) => isOfAnAccount(node) && !isAlert(node));
		const disabled = nodes.filter((node) => node.disabled === true);
		expect(disabled).toEqual(own.filter((node) => !(node.name in pinData)));
		const unmentioned = nodes.filter(isOfAnAccount).filter((node) => !text.includes(`**${node.name}**`));
		expect(unmentioned.map((node) => node.name)).toEqual([]);
	});

	test('has one Dry Run to turn off, which all its nodes take, also where n8n leaves it out as the default', () => {
		const changing = nodes.filter(
			({ type, parameters }) => type.startsWith(NODE_TYPE) && 'dryRun' in parameters,
		);
		const [first, ...others] = changing.filter(({ parameters }) => parameters.dryRun === true);
		expect(others).toEqual([]);
		const source = first?.name ?? 'Sync participants';
		// Behind an approval nothing is dry: the question is its switch.
		const isApproved = (node: INode) => 'approvedChanges' in Object(node.parameters.options);
		const rest = changing.filter((node) => node !== first && !isApproved(node));
		const taken = `={{ $('${source}').params.dryRun ?? true }}`;
		expect(rest.filter(({ parameters }) => parameters.dryRun !== taken)).toEqual([]);
		const operations = nodes.filter(
			({ type, parameters }) => type.startsWith(NODE_TYPE) && CHANGES.test(String(parameters.operation)),
		);
		expect(operations.filter(({ parameters }) => !('dryRun' in parameters))).toEqual([]);
	});

	test('has no expression of more than 170 characters, and none that reads the text of a memory', () => {
		const expressions = JSON.stringify(nodes.map(({ parameters }) => parameters)).match(/{{.*?}}/g) ?? [];
		const texts = expressions.map((one) => JSON.parse(`"${one}"`) as string);
		expect(texts.filter((one) => one.length > 170)).toEqual([]);
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
		const unmentioned = toChoose.filter((node) => !isTool(node) && !text.includes(`**${node.name}**`));
		expect(unmentioned.map((node) => node.name)).toEqual([]);
	});

	test('tells of what fails, once everything else is done', () => {
		const targets = (node: string, output: number) =>
			(connections[node]?.main?.[output] ?? []).map((to) => nodes.find((one) => one.name === to.node));
		for (const { name: node } of nodes.filter(({ onError }) => onError === 'continueErrorOutput')) {
			const [last, ...others] = targets(node, 1).sort((a, b) => height(b) - height(a));
			expect(last?.type).toMatch(/\.stopAndError$/);
			// n8n runs the nodes that one leads to from top to bottom.
			for (const other of [...others, ...targets(node, 0)]) expect(height(other)).toBeLessThan(height(last));
		}
	});

	test('says in the first 40 words of its note how to look first, and the rest under "Later"', () => {
		const isDry = ({ parameters }: INode) => parameters.dryRun === true;
		if (isAddition(name) || !nodes.some(isDry)) return;
		const [, start = ''] = /^## .*\n([^]*?)\n### Later\n/.exec(text) ?? [];
		const words = start.match(/[\w'’@-]+/g) ?? [];
		expect(words.slice(0, 40).join(' ')).toMatch(/look.*Dry Run|Dry Run.*look/i);
		if ('Read rows' in pinData) expect(words.slice(0, 40).join(' ')).toMatch(/unpin/i);
		expect(words.length).toBeLessThanOrEqual(45);
	});

	test('has the newest nodes and sample numbers that nobody has, pins no chat, and tells of an empty sheet', () => {
		const own = nodes.filter(({ type }) => type.startsWith(NODE_TYPE));
		expect(own.filter(({ typeVersion }) => typeVersion !== 1)).toEqual([]);
		const pinned = nodes.filter((node) => node.name in pinData);
		expect(pinned.filter(({ type }) => type.endsWith('.chatTrigger'))).toEqual([]);
		const sheets = pinned.filter(({ type }) => type.endsWith('.googleSheets'));
		expect(sheets.filter(({ alwaysOutputData }) => alwaysOutputData !== true)).toEqual([]);
		const shown = JSON.stringify(nodes) + JSON.stringify(pinData);
		const numbers = shown.match(/\+?\d[\d -]{9,}\d(?!@g\.us)\b/g) ?? [];
		const isReal = (number: string) => !/^(0000|44 ?7700 ?900\d{3}$)/.test(number.replace('+', ''));
		expect(numbers.filter((one) => /^\+|^\d{10,13}$/.test(one)).filter(isReal)).toEqual([]);
	});

	test('has no webhook at an address that everybody knows: the editor keeps the one of the file', () => {
		const webhooks = nodes.filter(({ type }) => type.endsWith('.webhook'));
		const isKnown = (node: INode) => 'path' in node.parameters || 'webhookId' in node;
		expect(nodes.filter(isKnown)).toEqual([]);
		expect(webhooks.filter(({ parameters }) => parameters.authentication !== 'headerAuth')).toEqual([]);
		if (webhooks.length > 0) expect(text).toMatch(/\*\*Header Auth\*\*[^]*can't send one/);
	});

	test('has no condition with a regular expression, to which n8n gives 250 ms by the clock', () => {
		expect(JSON.stringify(nodes)).not.toMatch(/"operation":"(?:notR|r)egex"/);
	});

	test('has no node and no note over another', () => {
		const boxes = nodes.map(({ name: of, type, position: [x, y], parameters, disabled }) =>
			type.endsWith('.stickyNote')
				? { of, x, y, right: x + Number(parameters.width), bottom: y + Number(parameters.height) }
				: // With its name below it, and whether it is deactivated.
					{ of, x, y, right: x + 100, bottom: y + (disabled === true ? 190 : 140) },
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

/** What a run is like, beside what it reads. */
interface Circumstances {
	seed?: Seed;
	/** The gateway of an earlier run. */
	on?: Gateway | undefined;
	isAway?: boolean;
	/** How many nights after the first. */
	night?: number;
}

/** Runs examples against a gateway, and expects that nothing ends the run but what is told. */
function runnerOf(engine: () => Engine) {
	const gateways = withGateways();
	return async (
		workflow: Example,
		items?: RunOptions['items'],
		told?: string,
		{ seed, on, isAway = false, night = 0 }: Circumstances = {},
	) => {
		const gateway = on ?? (await gateways(seed && { seed }));
		const before = gateway.calls.length;
		// The port of a closed gateway may be another test's by then.
		const baseUrl = isAway ? 'http://127.0.0.1:1' : gateway.url;
		const result = await engine().run(withOptions(workflow, { batchInterval: 0 }), {
			credentials: { baseUrl, apiKey: gateway.apiKey },
			ahead: night * 86_400_000,
			...(items && { items }),
		});
		if (told === undefined) expect(result.error).toBeUndefined();
		else expect(result.error?.message).toContain(told);
		const calls = gateway.calls.slice(before).filter(({ method }) => method !== 'GET');
		const changes = calls.map(({ body }) => body);
		return { gateway, result, changes, members: gateway.group('main', CUSTOMERS)?.members };
	};
}

function groupChosen(value: string, cachedResultName: string) {
	return { __rl: true, mode: 'list', value, cachedResultName };
}

/** Nobody has pressed a button yet. */
const NOT_APPROVED = { 'Ask for approval': [{ data: { approved: false } }] };

/** Members of the group at first. */
const MEMBERS = ['447700900004', '5511990000001', '5511990000002', '5521990000003'].map(
	(digits) => `${digits}@s.whatsapp.net`,
);

/** An example whose Dry Run is off. That of the one that asks stays on: its question is the switch. */
const real = (name: string) =>
	withOptions(withAccounts(example(name)), name === WITH_APPROVAL ? {} : { dryRun: false });

describeEachLine('example workflows', (engine) => {
	skipPauses(engine);
	const run = runnerOf(engine);

	// The agent's needs a model, and not all groups of the seed can be read. Without its accounts each runs before a version.
	test.each(names.filter((name) => !/^(ai-agent|all-members)/.test(name)))(
		'%s runs with its accounts as it is, and changes no member',
		async (name) => {
			for (const workflow of [withAccounts(example(name)), ...(thorough ? [example(name)] : [])]) {
				// Nobody has entered an address, and an alert that can't be sent mustn't look as if it were.
				const told = name.startsWith('alert-') ? 'No recipients defined' : undefined;
				const isTold = workflow.nodes.some(({ parameters }) => parameters.toEmail === '');
				const { gateway } = await run(
					workflow,
					{ ...TABLES[name], ...NOT_APPROVED },
					isTold ? told : undefined,
				);
				expect(gateway.group('main', CUSTOMERS)?.members).toEqual(MEMBERS);
				expect(gateway.messages).toEqual([]);
			}
		},
	);
});

describeOnEngine('example workflows over three nights', (engine) => {
	skipPauses(engine);
	const run = runnerOf(engine);

	test.each(names.filter((name) => !/^(ai-agent|all-members|alert-)/.test(name)))(
		'%s, with Dry Run off, leaves the group in the third night as the second made it',
		async (name) => {
			const items = { ...TABLES[name], ...NOT_APPROVED };
			const seen: unknown[] = [];
			let on: Gateway | undefined;
			for (const night of [0, 1, 2]) {
				const { gateway, members } = await run(real(name), items, undefined, { on, night });
				on = gateway;
				seen.push([...(members ?? [])]);
			}
			expect(seen[2]).toEqual(seen[1]);
		},
	);
});

describeOnEngine('what example workflows do', (engine, line) => {
	skipPauses(engine);
	const run = runnerOf(engine);

	test('"Alert when an instance closes" mails the reason', async () => {
		const { result } = await run(withAccounts(example('alert-when-an-instance-closes')));
		expect(given(result, 'Mail the owner')).toMatchObject([
			{
				subject: "The instance main isn't connected",
				text: expect.stringMatching(/^The reason: loggedOut\./),
			},
		]);
	});

	test('"Alert when a workflow fails" mails what n8n says of it', async () => {
		const { result } = await run(withAccounts(example('alert-when-a-workflow-fails')));
		const subject = "It didn't work: Keep a group equal to a sheet";
		const text = expect.stringMatching(/^Rows that .*\nhttps:/);
		expect(given(result, 'Mail the alert')).toMatchObject([{ subject, text }]);
		expect(given(result, 'Mail by Gmail')).toMatchObject([{ subject, message: text }]);
	});

	test('"Update a group from a sheet" writes each row its result, and changes the group', async () => {
		const rows = [...SHEET, { row_number: 6, phone: '+55 11 99000-0002' }].map((row, i) => ({
			...row,
			action: ['add', 'add', 'promote', 'add', 'remove'][i],
		}));
		const { gateway, result } = await run(real('update-a-group-from-a-sheet'), { 'Read rows': rows });
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
		const rows = ['done', '', '', 'unchanged', 'planned', 'inviteRequired'].map((outcome, i) => ({
			row_number: i + 2,
			phone: i === 1 ? 'ask Maria' : `+55 11 99000-010${i}`,
			action: 'add',
			outcome,
		}));
		const told = "Rows that couldn't be carried out: 1.";
		const { result } = await run(real('update-a-group-from-a-sheet'), { 'Read rows': rows }, told);
		expect(written(result, 'Write results')).toEqual(
			[4, 6].map((row_number) => ({ row_number, outcome: 'done', message: 'Added to the group.' })),
		);
	});

	test.each([
		['Read rows', SHEET_EXAMPLE],
		['Rows', TABLE_EXAMPLE],
		['When called', SYNC_OF_ITS_OWN],
	])(
		'over three nights, "%s" of %s adds who is missing, removes who had no row for a day, and leaves out who left',
		async (node, name) => {
			const workflow = real(name);
			const items = { [node]: SHEET.map((row, id) => ({ ...row, id: id + 1 })) };
			const { gateway, ...first } = await run(workflow, items);
			expect(first.changes).toEqual([{ action: 'add', participants: ['5511990000100', '5511990000403'] }]);
			expect(given(first.result, 'Sync participants').at(-1)).toMatchObject({
				participant: '5511990000002',
				reason: 'removeAfter',
			});
			const second = await run(workflow, items, undefined, { on: gateway, night: 1 });
			expect(second.changes).toEqual([{ action: 'remove', participants: ['5511990000002@s.whatsapp.net'] }]);
			gateway.network.leave('main', CUSTOMERS, '5521990000003@s.whatsapp.net');
			const third = await run(workflow, items, undefined, { on: gateway, night: 2 });
			expect(third.changes).toEqual([]);
			expect(given(third.result, 'Sync participants').map(({ outcome }) => outcome)).toEqual([
				'unchanged',
				'left',
				'unchanged',
				'postponed',
				'kept',
			]);
		},
	);

	test.each([SHEET_EXAMPLE, 'update-a-group-from-a-sheet', 'a-group-for-each-course'])(
		'%s: an empty sheet changes nobody, and is told',
		async (name) => {
			// What n8n gives for Always Output Data.
			const { changes } = await run(real(name), { 'Read rows': [{}] }, "couldn't be carried out: 1");
			expect(changes).toEqual([]);
		},
	);

	/** Over nights, what each changes and which error it ends with. */
	const nightsOf = async (workflow: Example, nights: Array<[items?: RunOptions['items'], told?: string]>) => {
		const seen: unknown[] = [];
		let on: Gateway | undefined;
		for (const [night, [items, told]] of nights.entries()) {
			const { gateway, changes } = await run(workflow, items, told, { on, night });
			on = gateway;
			seen.push(changes);
		}
		return { seen, on };
	};

	test('"Five groups, one table" gives each group its rows, and tells of a group that nobody chose', async () => {
		const rows = (...people: Array<[phone: string, group: string]>) => ({
			Rows: people.map(([phone, group], i) => ({ id: i + 1, phone, group })),
		});
		const kept = ['+55 21 99000-0003', '+44 7700 900004'].map((phone): [string, string] => [
			phone,
			'customers ',
		]);
		const workflow = withNodes(real(FIVE_GROUPS), (node) =>
			node.name === 'Second group'
				? {
						...node,
						parameters: { ...node.parameters, group: groupChosen('120363000000000002@g.us', 'Team') },
					}
				: node,
		);
		const { seen } = await nightsOf(workflow, [
			[rows(...kept, ['+55 11 99000-0100', 'Team'])],
			[rows(...kept, ['+55 11 99000-0100', 'Team'], ['+55 11 99000-0101', 'Staff']), 'the name "Staff"'],
			[rows(...kept, ['+55 11 99000-0100', 'Team'])],
		]);
		expect(seen).toEqual([
			[{ action: 'add', participants: ['5511990000100'] }],
			[{ action: 'remove', participants: ['5511990000002@s.whatsapp.net'] }],
			[],
		]);
		const empty = await run(workflow, { Rows: [{}] }, 'is empty');
		expect(empty.changes).toEqual([]);
	});

	test('"Remind who hasn\'t paid" sends one message with all names, in each of three weeks, and none if all have paid', async () => {
		const workflow = real('remind-who-hasnt-paid');
		const { seen, on } = await nightsOf(workflow, [[], [], []]);
		expect(seen).toEqual(
			Array(3).fill([expect.objectContaining({ text: 'Not paid yet: Ana, Carla. Please pay this week.' })]),
		);
		const paid = { 'Read rows': [{ row_number: 2, name: 'Ana', paid: 'x' }] };
		expect((await run(workflow, paid, undefined, { on, night: 3 })).changes).toEqual([]);
		expect((await run(workflow, { 'Read rows': [{}] }, undefined, { on, night: 4 })).changes).toEqual([]);
	});

	test('"Everybody out but" removes all others, admins too, and adds nobody', async () => {
		const workflow = withNodes(real('everybody-out-but'), (node) =>
			node.type === NODE_TYPE
				? {
						...node,
						parameters: { ...node.parameters, participants: '+55 21 99000-0003, +55 11 99000-0100' },
					}
				: node,
		);
		const { seen } = await nightsOf(workflow, [[], [], []]);
		const removed = ['447700900004@s.whatsapp.net', '5511990000002@s.whatsapp.net'];
		expect(seen).toEqual([[{ action: 'remove', participants: expect.arrayContaining(removed) }], [], []]);
	});

	test('"Take it back" adds whom a run of Sync removed, and nobody else', async () => {
		const removing = await run(real('everybody-out-but'));
		const did = given(removing.result, 'Everybody out');
		expect(did.filter(({ outcome }) => outcome === 'done')).toHaveLength(3);
		const items = { 'What the run did': did };
		const dry = await run(example('take-it-back'), items, undefined, { on: removing.gateway });
		expect(dry.changes).toEqual([]);
		const back = await run(real('take-it-back'), items, undefined, { on: removing.gateway });
		expect(given(back.result, 'Add them again').map(({ outcome }) => outcome)).toEqual(Array(3).fill('done'));
		expect([...(back.members ?? [])].sort()).toEqual(MEMBERS);
		const again = await run(real('take-it-back'), items, undefined, { on: removing.gateway, night: 1 });
		expect(given(again.result, 'Add them again').map(({ outcome }) => outcome)).toEqual(
			Array(3).fill('unchanged'),
		);
	});

	test('a recipe whose Dry Run n8n left out, as the default, changes nobody', async () => {
		const leftOut = (node: Example['nodes'][number]) => {
			const { dryRun, ...parameters } = node.parameters;
			return dryRun === true ? { ...node, parameters } : node;
		};
		for (const name of [
			'close-a-group-at-night',
			'bought-in-refunded-out',
			'a-group-for-each-course',
			FIVE_GROUPS,
		]) {
			const { gateway } = await run(withNodes(example(name), leftOut), TABLES[name]);
			expect(gateway.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
		}
	});

	test('"Keep a group equal to a Data Table" fills a new table with who is in the group, and changes nobody', async () => {
		// What n8n gives for Always Output Data.
		const { changes, result } = await run(real(TABLE_EXAMPLE), { Rows: [{}] });
		expect(changes).toEqual([]);
		expect(given(result, 'Sync participants').map(({ outcome }) => outcome)).toEqual(
			Array(4).fill('unchanged'),
		);
		expect(given(result, 'List')).toMatchObject([
			{ operation: 'create', tableName: `Group Customers ${CUSTOMERS}` },
		]);
		expect(written(result, 'Fill the list').map(({ phone }) => phone)).toEqual([
			'+5511990000001',
			'+5511990000002',
			'+5521990000003',
			'+447700900004',
		]);
		const next = await run(real(TABLE_EXAMPLE), TABLES[TABLE_EXAMPLE]);
		expect(next.result.outputs).not.toHaveProperty('Fill the list');
	});

	test.each(shopEvents)(
		'"Bought: in; refunded: out": of $shop, $what: $becomes',
		async ({ becomes, body }) => {
			const told = becomes === 'red' ? '' : undefined;
			const { changes, result } = await run(real('bought-in-refunded-out'), { Shop: [{ body }] }, told);
			const added = { action: 'add', participants: ['5511990000100'] };
			const isIn = { action: 'add', participants: ['5511990000002'] };
			const removed = { action: 'remove', participants: ['5511990000002'] };
			const expected = { added: [added], unchanged: [isIn], removed: [removed], nothing: [], red: [] };
			expect(changes).toEqual(expected[becomes]);
			if (becomes === 'unchanged')
				expect(given(result, 'Add the buyer')).toMatchObject([{ outcome: becomes }]);
		},
	);

	test('"Bought: in; refunded: out" is red with the name of what it doesn\'t know', async () => {
		const body = { event: 'PURCHASE_GIFTED', data: { buyer: { checkout_phone: '+5511990000100' } } };
		await run(real('bought-in-refunded-out'), { Shop: [{ body }] }, 'The shop sent "PURCHASE_GIFTED"');
	});

	test('"Bought: in; refunded: out" sends the link to a buyer who can\'t be added', async () => {
		const body = { event: 'PURCHASE_APPROVED', data: { buyer: { checkout_phone: '+5511990000403' } } };
		const { gateway } = await run(real('bought-in-refunded-out'), { Shop: [{ body }] });
		expect(gateway.messages).toHaveLength(1);
	});

	test('"Bought: in; refunded: out" is red where a purchase has no number', async () => {
		const items = { Shop: [{ body: { event: 'PURCHASE_APPROVED' } }] };
		await run(real('bought-in-refunded-out'), items, 'The participants are empty');
	});

	test('"A group for each course" makes the groups once, adds who comes later, and invites who can\'t be added', async () => {
		const rows = SHEET.slice(1).map((row) => ({ ...row, course: 'Spanish A1' }));
		const { gateway, result, changes } = await run(real('a-group-for-each-course'), { 'Read rows': rows });
		const add = { action: 'add', participants: ['5511990000403'] };
		expect(changes.slice(0, 2)).toMatchObject([{ subject: 'Spanish A1' }, add]);
		expect(given(result, 'Send invite')).toMatchObject([{ outcome: 'sent', sentAs: '5511990000403' }]);
		expect(given(result, 'Sync participants').map(({ outcome }) => outcome)).toEqual([
			'unchanged',
			'unchanged',
			'inviteRequired',
		]);
		const later = { 'Read rows': [...rows, { ...SHEET[0], course: 'Spanish A1' }] };
		const next = await run(real('a-group-for-each-course'), later, undefined, { on: gateway, night: 1 });
		expect(next.changes).toEqual([{ action: 'add', participants: ['5511990000100'] }]);
		const planned = await run(example('a-group-for-each-course'), { 'Read rows': rows });
		expect(given(planned.result, 'Sync participants').map(({ outcome }) => outcome)).toEqual(
			rows.map(() => 'planned'),
		);
	});

	test('"Add a mail with what is new" sends one mail after a run with news, and none after one without', async () => {
		const workflow = real('add-a-mail-with-what-is-new');
		const items = {
			'Read rows': SHEET.slice(0, 3).concat({ row_number: 5, phone: '+55 11 99000-0002', name: 'Eva' }),
		};
		const { gateway, result } = await run(workflow, items);
		expect(given(result, 'Mail the news')).toMatchObject([
			{ subject: 'New in Customers: 1', text: 'Ana: Added to the group.' },
		]);
		const again = await run(workflow, items, undefined, { on: gateway, night: 1 });
		expect(given(again.result, 'Mail the news')).toEqual([]);
	});

	test('"Add invites by message" invites who was refused, once', async () => {
		const workflow = real('add-invites-by-message');
		const { gateway, result } = await run(workflow, { 'Read rows': SHEET });
		expect(given(result, 'Send invite')).toMatchObject([{ outcome: 'sent', sentAs: '5511990000403' }]);
		for (const night of [1, 8])
			await run(workflow, { 'Read rows': SHEET }, undefined, { on: gateway, night });
		expect(gateway.messages).toHaveLength(1);
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

	test.each([
		[true, 2],
		[false, 0],
	])(
		'"Keep a group equal to a sheet, with approval" asks, and with approved: %p sends %i changes',
		async (approved, amount) => {
			const workflow = withAccounts(example(WITH_APPROVAL));
			const asked = await run(workflow, { 'Read rows': SHEET });
			expect(given(asked.result, 'Ask for approval')).toEqual([
				expect.objectContaining({
					message: expect.stringMatching(
						/^add \+55 11 99000-0100 Ana\nadd \+55 11 99000-0403 Dani\nremove \+5511990000002 ?/,
					),
				}),
			]);
			expect(asked.changes).toEqual([]);
			const { changes } = await run(workflow, {
				'Read rows': SHEET,
				'Ask for approval': [{ data: { approved } }],
				'Read rows again': SHEET,
			});
			expect(changes).toHaveLength(amount);
		},
	);

	test('"Keep a group equal to a sheet, with approval" asks nobody for what would be refused, and says what to do', async () => {
		const seed = structuredClone(defaultSeed);
		seed.instances[0]?.groups[0]?.members.push('5511990000105');
		const { result } = await run(
			withAccounts(example(WITH_APPROVAL)),
			{ 'Read rows': SHEET.slice(0, 1) },
			'Nobody was asked: more would be removed than',
			{ seed },
		);
		expect(result.outputs).not.toHaveProperty('Ask for approval');
	});

	test('"Keep a group equal to a sheet, with approval" removes nobody who joined or was put into the sheet meanwhile', async () => {
		const workflow = withAccounts(example(WITH_APPROVAL));
		const planned = { groupJid: CUSTOMERS, outcome: 'planned' };
		const add = { action: 'add', participant: '+55 11 99000-0100', sentAs: '5511990000100' };
		const remove = { action: 'remove', participant: '5521990000003', sentAs: '5521990000003@s.whatsapp.net' };
		const { result, changes } = await run(workflow, {
			'Read rows': SHEET.slice(0, 1),
			'What would change': [add, remove].map((change) => ({ ...change, ...planned })),
			'Ask for approval': [{ data: { approved: true } }],
			'Read rows again': SHEET,
		});
		expect(changes).toEqual([{ action: 'add', participants: [add.sentAs] }]);
		expect(given(result, 'Sync participants').at(-1)).toMatchObject({
			participant: '5511990000002',
			outcome: 'kept',
			reason: 'notApproved',
		});
	});

	/** Rows of somebody who has paid, and of two who haven't. */
	const payers = () =>
		['2999-12-31', '2020-01-31', '2020-01-31'].map((paidUntil, i) => {
			const phone = ['+55 11 99000-0100', '+55 11 99000-0002', '+55 21 99000-0003'][i];
			return { id: i + 1, phone, paidUntil, email: `${i}@example.com` };
		});

	test('"Members while paid" adds who has paid, warns the others once, and removes them after 7 days', async () => {
		const workflow = real('members-while-paid');
		const { gateway, result } = await run(workflow, { Rows: payers() });
		expect(given(result, 'Sync participants').map(({ outcome }) => outcome)).toEqual([
			'done',
			'postponed',
			'postponed',
		]);
		const mails = given(result, 'Warn by mail');
		expect(mails.map(({ toEmail }) => toEmail)).toEqual(['1@example.com', '2@example.com']);
		const [, day = ''] = /before (\d{4}-\d\d-\d\d) /.exec(String(mails[0]?.text)) ?? [];
		// Which day that is depends on the time zone.
		expect(Math.abs(Date.parse(day) - Date.now() - 7 * 86_400_000)).toBeLessThan(1.5 * 86_400_000);

		const paysNow = payers().map((row) => (row.id === 3 ? { ...row, paidUntil: '2999-12-31' } : row));
		for (let night = 1; night < 7; night++) {
			const next = await run(workflow, { Rows: paysNow }, undefined, { on: gateway, night });
			expect([given(next.result, 'Warn by mail'), next.changes]).toEqual([[], []]);
		}
		const last = await run(workflow, { Rows: paysNow }, undefined, { on: gateway, night: 7 });
		expect(last.changes).toEqual([{ action: 'remove', participants: ['5511990000002@s.whatsapp.net'] }]);
	});

	test('"Members while paid" warns nobody in a dry run', async () => {
		const { result } = await run(withAccounts(example('members-while-paid')), { Rows: payers() });
		expect(given(result, 'Warn by mail')).toEqual([]);
	});

	test('"Members while paid" fills a new table with who is in the group, and asks for the dates', async () => {
		const told = 'Enter for each of them until when they have paid';
		const { changes, result } = await run(real('members-while-paid'), { Rows: [{}] }, told);
		expect([changes, written(result, 'Fill the list').length]).toEqual([[], 4]);
	});

	test.each([
		['', 'empty'],
		[null, 'empty'],
		['31.01.2999', '31.01.2999'],
		[' 2999-01-31 ', '2999-01-31'],
	])(
		'"Members while paid" removes nobody while a row has the date %j, and says so',
		async (paidUntil, shown) => {
			const workflow = withNodes(real('members-while-paid'), (node) =>
				node.name === 'Sync participants'
					? { ...node, parameters: { ...node.parameters, limits: {} } }
					: node,
			);
			const rows = [...payers(), { id: 5, phone: '+55 11 99000-0301', paidUntil }];
			const told = "couldn't be carried out: 1";
			const { changes, result } = await run(workflow, { Rows: rows }, told);
			expect(changes).toEqual([{ action: 'add', participants: ['5511990000100'] }]);
			expect(result.error?.message).toMatch(`paidUntil must be like 2027-01-31, but it is ${shown}`);
		},
	);

	test('"Welcome those who joined" sends one message into the group', async () => {
		const { changes } = await run(real('welcome-those-who-joined'));
		expect(changes).toEqual([
			expect.objectContaining({ number: CUSTOMERS, text: expect.stringMatching(/^Welcome!/) }),
		]);
	});

	test.each([
		['Every evening', true],
		['Every morning', false],
	])('"Close a group at night": after %s only admins send messages: %p', async (trigger, announce) => {
		const workflow = withNodes(real('close-a-group-at-night'), (node) => ({
			...node,
			disabled: node.type.endsWith('.scheduleTrigger') && node.name !== trigger,
		}));
		const { gateway, result } = await run(workflow);
		const sendMessages = announce ? 'admins' : 'everyone';
		const node = announce ? 'Close the group' : 'Open the group';
		expect(given(result, node)).toMatchObject([{ instance: 'main', groupJid: CUSTOMERS, sendMessages }]);
		expect(gateway.group('main', CUSTOMERS)?.settings).toMatchObject({ announce });
		const text = announce
			? 'The group is closed until 7:00. You can go on reading.'
			: 'The group is open again.';
		expect(gateway.messages).toMatchObject([{ to: CUSTOMERS, text }]);
	});

	// n8n 1.x has no human approval of tools. That it works as a whole, e2e/ tests in a real n8n.
	(line === 2 ? test : test.skip)(
		'"AI agent with approval" lets the model look up members, changes nothing without approval, and tells it results alone',
		async () => {
			const workflow = example('ai-agent-with-approval');
			const { changes, result } = await run(withScriptedAgent(workflow, []));
			const [seen] = given(result, 'Assistant');
			const behindApproval = ['toolParameters', 'hitlParameters'];
			expect(Object.fromEntries([seen?.shown].flat().map(parametersOf))).toEqual({
				Find_members: [],
				Add_members: behindApproval,
				Remove_members: behindApproval,
				Promote_to_admin: behindApproval,
				Demote_from_admin: behindApproval,
				Send_a_message: behindApproval,
				Create_a_group: behindApproval,
				Leave_the_group: behindApproval,
			});
			expect(changes).toEqual([]);
			const wired = JSON.stringify(workflow.connections).replaceAll(
				'"Ask for approval","type"',
				'"Assistant","type"',
			);
			const unasked = { ...workflow, connections: JSON.parse(wired) as Example['connections'] };
			const args = { Participants: '+44 7700 900100', Who: 'Ana' };
			const calls = ['Add_members', 'Remove_members', 'Promote_to_admin', 'Demote_from_admin'].map(
				(tool) => ({ tool, args }),
			);
			const answered = await run(withScriptedAgent(unasked, [{ tool: 'Find_members', args: {} }, ...calls]));
			const told = String(given(answered.result, 'Assistant').map((json) => json.told));
			expect(told).toContain('447700900004');
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
	const withoutRetries = (name: string) => withOptions(real(name), { maxRetries: 0 });
	const rowsNodeOf = (name: string) =>
		example(name).nodes.find((node) => /^(Read rows|Rows|When called)$/.test(node.name))?.name;
	const takesPhones = (name: string) => JSON.stringify(example(name).nodes).includes('$json.phone }}');
	const mailed = (result: RunResult, name: string) =>
		example(name)
			.nodes.filter(({ type }) => type.endsWith('.emailSend'))
			.flatMap((node) => allGiven(result, node.name));

	/** Every fourth recipe, and all of them before a version. */
	const some = (all: string[]) => (thorough ? all : all.filter((_, i) => i % 4 === 0));

	test.each(some(names.filter((name) => example(name).nodes.some(({ type }) => type === NODE_TYPE))))(
		'%s is red while the gateway is away, writes nothing, and mails nobody',
		async (name) => {
			const items = TABLES[name];
			const { result, changes } = await run(withoutRetries(name), items, 'connection refused', {
				isAway: true,
			});
			expect(changes).toEqual([]);
			// No row is wrong.
			expect(result.error?.message).not.toMatch(/^(Rows|Groups) that/);
			expect(mailed(result, name)).toEqual([]);
			expect(written(result, 'Write results')).toEqual([]);
		},
	);

	test.each(some(names.filter((name) => !isAddition(name) && rowsNodeOf(name) && takesPhones(name))))(
		'%s is red where a row names nobody, and removes nobody for having no row',
		async (name) => {
			const node = rowsNodeOf(name) ?? '';
			const [first, ...others] =
				TABLES[name]?.[node] ?? asImported(name).pinData?.[node]?.map(({ json }) => json) ?? [];
			const bad = { ...first, phone: 'ask Maria', action: 'add', paidUntil: '2999-12-31' };
			const items = { ...TABLES[name], [node]: [bad, ...others] };
			const { changes } = await run(withoutRetries(name), items, '"ask Maria"');
			const isInList = (member: unknown) =>
				JSON.stringify(others).replaceAll(/[ +-]/g, '').includes(String(member));
			const removed = changes.map(Object).filter(({ action }) => action === 'remove');
			expect(removed.flatMap(({ participants }) => participants).filter((one) => !isInList(one))).toEqual([]);
		},
	);
});

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

/** The same workflow as if somebody had set up the accounts that its disabled nodes need. */
function withAccounts(workflow: Example): Example {
	return withNodes(workflow, (node) => ({
		...node,
		disabled: false,
		parameters: { ...node.parameters, ...(node.parameters.toEmail === '' && { toEmail: 'me@example.com' }) },
	}));
}

/** The same workflow with other options of the node: no time between requests, or its one Dry Run turned off. */
function withOptions(
	workflow: Example,
	{ dryRun, ...options }: { dryRun?: false; [option: string]: unknown },
): Example {
	return withNodes(workflow, (node) => {
		if (node.type !== NODE_TYPE) return node;
		const isDry = node.parameters.dryRun === true ? (dryRun ?? true) : node.parameters.dryRun;
		const parameters = { ...node.parameters, options: { ...Object(node.parameters.options), ...options } };
		return { ...node, parameters: { ...parameters, ...(isDry !== undefined && { dryRun: isDry }) } };
	});
}

function withNodes(workflow: Example, change: (node: Example['nodes'][number]) => INode): Example {
	return { ...workflow, nodes: workflow.nodes.map((node) => change(node)) };
}
