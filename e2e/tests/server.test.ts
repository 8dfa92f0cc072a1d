import { given, readRun, runByHand } from '../support/executions';
import { CREDENTIAL, exampleNames, readExample, type Workflow } from '../support/site';
import { underTest, withServer } from '../support/under-test';
import { CUSTOMERS } from '../../test/gateway/seed';

const NODE = { name: 'n8n-nodes-messaging-gateway.messagingGateway', version: 1 };
const TRIGGER = `${NODE.name}Trigger`;
const SHEETS = 'n8n-nodes-base.googleSheets';

const setting = withServer();

/** Asks n8n for what a picker lists. */
async function pick(methodName: string, parameters: object = {}, filter?: string) {
	const { rest } = setting().server;
	const reply = await rest.post('/rest/dynamic-node-parameters/resource-locator-results', {
		path: 'parameters.picker',
		methodName,
		nodeTypeAndVersion: NODE,
		currentNodeParameters: { resource: 'group', operation: 'updateParticipants', ...parameters },
		credentials: { messagingGatewayApi: { id: CREDENTIAL.id, name: CREDENTIAL.name } },
		...(filter !== undefined && { filter }),
	});
	return (reply as { results: Array<{ name: string; value: string }> }).results;
}

/** Lets n8n test a credential, as its "Test" button does. */
async function testCredential(data: object) {
	const credentials = { ...CREDENTIAL, data };
	return await setting().server.rest.post('/rest/credentials/test', { credentials });
}

/** An example, with its sheet or mail at the end pinned, since there is no account for it. */
function withoutAccounts(workflow: Workflow): Workflow {
	const ends = workflow.nodes.filter(
		({ name, type }) => (type === SHEETS || type.endsWith('.emailSend')) && !(name in workflow.pinData),
	);
	const pins = Object.fromEntries(ends.map(({ name }) => [name, [{ json: { sent: true } }]]));
	return { ...workflow, pinData: { ...workflow.pinData, ...pins } };
}

/** Whether this n8n has all that an example needs: 1.x can't make a Data Table in a workflow. */
function canRun(name: string): boolean {
	return underTest().line.number === 2 || !JSON.stringify(readExample(name)).includes('.dataTable"');
}

async function runExample(name: string) {
	const { rest } = setting().server;
	const workflow = withoutAccounts(readExample(name));
	const { pinData } = workflow;
	await rest.patch(`/rest/workflows/${workflow.id}`, { pinData });
	return await runByHand(rest, workflow);
}

describe('the installed node', () => {
	test('is in the list of nodes, for workflows and as a tool for AI agents', async () => {
		const nodes = (await setting().server.rest.get('/types/nodes.json')) as Array<Record<string, unknown>>;
		const ours = nodes.filter(({ name }) => String(name).startsWith(NODE.name));
		expect(ours.map(({ name }) => name)).toEqual([NODE.name, TRIGGER, `${NODE.name}Tool`]);
		expect(ours[0]).toMatchObject({
			displayName: 'Messaging Gateway',
			usableAsTool: true,
			iconUrl: { light: expect.stringMatching(/\.svg$/), dark: expect.stringMatching(/\.svg$/) },
			codex: { alias: expect.arrayContaining(['Evolution API', 'WhatsApp group members sync']) },
		});
	});

	test('has its icons served', async () => {
		const { rest } = setting().server;
		const nodes = (await rest.get('/types/nodes.json')) as Array<{
			name: string;
			iconUrl: { light: string };
		}>;
		const icon = nodes.find(({ name }) => name === NODE.name)?.iconUrl.light ?? '';
		// n8n closes connections that were idle, and the next request on one may come a moment too late.
		const response = await fetch(`${rest.url}/${icon}`, { headers: { connection: 'close' } });
		expect(response.headers.get('content-type')).toContain('image/svg+xml');
	});

	test('has its credential in the list of credentials', async () => {
		const types = (await setting().server.rest.get('/types/credentials.json')) as Array<{ name: string }>;
		expect(types.find(({ name }) => name === CREDENTIAL.type)).toMatchObject({
			displayName: 'Messaging Gateway API',
			supportedNodes: [NODE.name, TRIGGER],
		});
	});
});

describe('the test of the credential', () => {
	test('passes with the key of the gateway', async () => {
		const { url, apiKey } = setting().gateway;
		expect(await testCredential({ baseUrl: url, apiKey })).toMatchObject({ status: 'OK' });
	});

	test('says that a key was refused, and does not repeat it', async () => {
		const { url } = setting().gateway;
		const result = await testCredential({ baseUrl: url, apiKey: 'WRONG-KEY-8F3A' });
		expect(result).toMatchObject({ status: 'Error', message: expect.stringContaining('key') });
		expect(JSON.stringify(result)).not.toContain('WRONG-KEY-8F3A');
	});

	test('says that nobody is there', async () => {
		const result = await testCredential({ baseUrl: 'http://127.0.0.1:1', apiKey: 'TEST-KEY' });
		expect(result).toMatchObject({
			status: 'Error',
			message: expect.stringContaining("Couldn't connect to"),
		});
	});
});

describe("n8n's HTTP Request node", () => {
	/** Has it list the instances with a credential. */
	async function request(credential: object, url: string) {
		const { rest } = setting().server;
		const nodes = [
			{
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				name: 'Request',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [200, 0],
				parameters: {
					url: `${url}/instance/fetchInstances`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: CREDENTIAL.type,
				},
				credentials: { [CREDENTIAL.type]: credential },
			},
		];
		const connections = { Start: { main: [[{ node: 'Request', type: 'main', index: 0 }]] } };
		const workflow = { name: 'Request', nodes, connections, active: false, settings: {}, pinData: {} };
		const { id } = (await rest.post('/rest/workflows', workflow)) as { id: string };
		return await runByHand(rest, { ...workflow, id });
	}

	test.each([
		['text', (url: string) => url],
		['an expression', (url: string) => `={{ '${url}' }}`],
	])('gets the key for the host in Base URL alone: %s', async (_, entered) => {
		const { gateway, server } = setting();
		const { url, apiKey } = gateway;
		const data = { baseUrl: entered(url), apiKey };
		const credential = (await server.rest.post('/rest/credentials', { ...CREDENTIAL, data })) as object;
		expect(given(await request(credential, url), 'Request')).toHaveLength(5);

		const other = await request(credential, url.replace('127.0.0.1', 'localhost'));
		// n8n 1.x holds only redirects against it.
		const expected = underTest().line.number === 2 ? 'error' : 'success';
		expect(other.status).toBe(expected);
		if (expected === 'error') expect(other.error?.message).toContain('Domain not allowed');
	});
});

describe('the pickers', () => {
	test('list instances, with their status', async () => {
		const instances = await pick('searchInstances');
		expect(instances).toHaveLength(5);
		expect(instances).toContainEqual(expect.objectContaining({ name: 'main', description: 'Open' }));
	});

	test('list the groups of the chosen instance that match what was typed', async () => {
		const parameters = { instance: { __rl: true, mode: 'list', value: 'main' } };
		expect(await pick('searchGroups', parameters, 'custom')).toEqual([
			expect.objectContaining({ name: 'Customers', value: CUSTOMERS, description: '4 members' }),
		]);
	});

	test('list the bots of the chosen instance', async () => {
		const instance = { __rl: true, mode: 'list', value: 'main' };
		const bots = await pick('searchBots', { resource: 'bot', operation: 'get', instance });
		expect(bots.map(({ value }) => value)).toEqual([
			'cmtestbot0000000000000001',
			'cmtestbot0000000000000002',
		]);
	});
});

describe('the example workflows', () => {
	// The agent's needs a model: see agent.test.ts. What fails is told as an error: not all groups of the seed can be read,
	// those that are added to another workflow have no trigger, one calls a workflow that is to be chosen, an empty table of
	// payers or of five groups is told, and the samples of the one with approval would leave nobody in a group of four.
	test.each(
		exampleNames()
			.filter(
				(name) =>
					!/^(add-|ai-agent|all-members|five-groups|members-while-paid|sync-of-its-own-1)|-with-approval$/.test(
						name,
					),
			)
			.filter(canRun),
	)('%s runs to its end', async (name) => {
		const execution = await runExample(name);
		expect(execution.error).toBeUndefined();
		expect(execution.status).toBe('success');
	});

	test('give each row of a sheet its result', async () => {
		const execution = await runExample('update-a-group-from-a-sheet');
		const results = given(execution, 'Update participants');
		expect(results).toHaveLength(4);
		expect(results[3]).toMatchObject({ name: 'Dani', action: 'remove', outcome: 'planned' });
	});

	test('give each row of a sheet its result, also one with problems, before the run is made red', async () => {
		const { rest } = setting().server;
		const workflow = withoutAccounts(readExample('update-a-group-from-a-sheet'));
		const [first] = workflow.pinData['Read rows'] ?? [];
		const bad = { json: { ...first?.json, row_number: 3, phone: 'ask Maria' } };
		const pinData = { ...workflow.pinData, 'Read rows': [first ?? bad, bad] };
		await rest.patch(`/rest/workflows/${workflow.id}`, { pinData });
		const execution = await runByHand(rest, { ...workflow, pinData });
		expect(execution).toMatchObject({
			status: 'error',
			error: { message: expect.stringContaining('"ask Maria"') },
		});
		expect(given(execution, 'Update participants')).toHaveLength(1);
		expect(given(execution, 'Update participants', 1)).toEqual([
			expect.objectContaining({ row_number: 3, message: expect.stringContaining('"ask Maria"') }),
		]);
		expect(execution.runs).toHaveProperty('Write results');
	});

	test('run from the command line', async () => {
		const run = readRun(await setting().site.command('execute', '--id=list-instances', '--rawOutput'));
		expect(given(run, 'List instances').map(({ instanceName }) => instanceName)).toContain('main');
	});
});

test('no key is in what the server wrote', () => {
	const { gateway, server } = setting();
	expect(server.process.output).not.toBe('');
	expect(server.process.output).not.toContain(gateway.apiKey);
});
