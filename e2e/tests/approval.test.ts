import { CUSTOMERS } from '../../test/gateway/seed';
import { until } from '../support/children';
import { given, resultOf, startByHand, stateOf } from '../support/executions';
import { startMailbox, type Mailbox } from '../support/mailbox';
import { readExample, type Workflow } from '../support/site';
import { withServer } from '../support/under-test';

const EXAMPLE = 'keep-a-group-equal-to-a-sheet-with-approval';

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
const setting = withServer();
let mailbox: Mailbox;
/** The example, with a mail account. */
let workflow: Workflow;

beforeAll(async () => {
	mailbox = await startMailbox();
	const { rest } = setting().server;
	const example = readExample(EXAMPLE);
	const data = {
		user: '',
		password: '',
		host: '127.0.0.1',
		port: mailbox.port,
		secure: false,
		disableStartTls: true,
	};
	const smtp = await rest.post('/rest/credentials', { name: 'SMTP account', type: 'smtp', data });
	const nodes = example.nodes.map((node) =>
		node.name === 'Ask for approval'
			? { ...node, ...withAccount(node.parameters), credentials: { smtp } }
			: node,
	);
	workflow = { ...example, nodes };
	await rest.patch(`/rest/workflows/${workflow.id}`, { nodes });
});
afterAll(async () => await mailbox?.close());

/** What a person fills in at the node that mails. */
function withAccount(parameters: object): object {
	const addresses = { fromEmail: 'n8n@shop.example', toEmail: 'owner@shop.example' };
	return { disabled: false, parameters: { ...parameters, ...addresses } };
}

/** Runs the example until somebody is asked. Gives the execution, and the mail. */
async function runUntilAsked(): Promise<{ id: string; mail: string }> {
	const { rest } = setting().server;
	const before = mailbox.mails.length;
	const id = await startByHand(rest, workflow);
	const mail = await until('The mail', () => mailbox.mails[before]);
	await until('The execution that waits', async () =>
		(await stateOf(rest, id)).status === 'waiting' ? true : undefined,
	);
	return { id, mail };
}

/** Presses a button of a mail, and waits until the execution is over. */
async function answer({ id, mail }: { id: string; mail: string }, label: 'Approve' | 'Decline') {
	const links = [...mail.matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]*)/g)];
	const link = links.find(([, , text]) => text?.trim() === label)?.[1] ?? '';
	// As a person's browser does: n8n ignores what looks like the preview of a link.
	const headers = { 'user-agent': 'Mozilla/5.0 Firefox/140.0' };
	const response = await fetch(link.replaceAll('&amp;', '&'), { headers });
	expect(response.status).toBe(200);
	return await resultOf(setting().server.rest, id);
}

function changes(): unknown[] {
	return setting()
		.gateway.calls.filter(({ method }) => method === 'PUT')
		.map(({ body }) => body);
}

test('a person is asked by mail what Sync would change, and where they decline nothing is changed', async () => {
	const asked = await runUntilAsked();
	for (const line of ['add +55 11 99000-0100', 'add +55 11 99000-0403', 'remove 5511990000002'])
		expect(asked.mail).toContain(line);

	const execution = await answer(asked, 'Decline');
	expect(execution.status).toBe('success');
	expect(execution.runs).not.toHaveProperty('Sync participants');
	expect(changes()).toEqual([]);
});

test('once it is approved, the group is made equal to the rows, also where n8n was restarted meanwhile', async () => {
	const asked = await runUntilAsked();
	expect(changes()).toEqual([]);
	await setting().restart('stop');

	const execution = await answer(asked, 'Approve');
	expect(execution.error).toBeUndefined();
	expect(
		given(execution, 'Sync participants').map(({ participant, outcome }) => [participant, outcome]),
	).toEqual([
		['+55 11 99000-0100', 'done'],
		['+55 21 99000-0003', 'unchanged'],
		['+44 7700 900004', 'unchanged'],
		['+55 11 99000-0403', 'inviteRequired'],
		['5511990000001', 'kept'],
		['5511990000002', 'done'],
	]);
	expect(setting().gateway.group('main', CUSTOMERS)?.members).toEqual([
		'447700900004@s.whatsapp.net',
		'5511990000001@s.whatsapp.net',
		'5511990000100@s.whatsapp.net',
		'5521990000003@s.whatsapp.net',
	]);
});
