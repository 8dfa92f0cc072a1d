import { until } from '../support/children';
import { runByHand } from '../support/executions';
import { publish } from '../support/published';
import { readExample, type Workflow } from '../support/site';
import { underTest, withServer } from '../support/under-test';
import { CUSTOMERS } from '../../test/gateway/seed';

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
const setting = withServer();

/** Publishes an example with what a person fills in at a node. */
async function publishExample(name: string, filledIn: Record<string, object> = {}): Promise<Workflow> {
	const { rest } = setting().server;
	const example = readExample(name);
	const nodes = example.nodes.map((node) => ({ ...node, ...filledIn[node.name] }));
	await rest.patch(`/rest/workflows/${example.id}`, { nodes });
	await publish(rest, example.id);
	return { ...example, nodes };
}

/** Opens a page of a published workflow, as a browser does that follows no redirect. */
async function open(path: string, headers: Record<string, string> = {}): Promise<Response> {
	const { rest } = setting().server;
	return await until(`The page "${path}"`, async () => {
		const reply = await fetch(`${rest.url}/webhook/${path}`, { headers, redirect: 'manual' });
		// n8n answers before all its webhooks are there.
		return reply.status === 404 ? undefined : reply;
	});
}

test('the page with the QR code makes one whenever it is opened, for whoever has the password', async () => {
	const data = { user: 'owner', password: 'a-password' };
	const account = { name: 'Page', type: 'httpBasicAuth', data };
	const httpBasicAuth = await setting().server.rest.post('/rest/credentials', account);
	await publishExample('alert-when-an-instance-closes', {
		'QR code page': { credentials: { httpBasicAuth } },
	});
	expect((await open('qr-code?instance=closed')).status).toBe(401);

	const authorization = `Basic ${Buffer.from('owner:a-password').toString('base64')}`;
	const page = await open('qr-code?instance=closed', { authorization });
	expect(page.headers.get('content-type')).toBe('image/png');
	expect(
		Buffer.from(await page.arrayBuffer())
			.subarray(1, 4)
			.toString(),
	).toBe('PNG');
	const texts = ['main', 'gone', ''].map(async (instance) => {
		const reply = await open(`qr-code?instance=${instance}`, { authorization });
		expect(reply.headers.get('content-type')).toContain('text/plain');
		return await reply.text();
	});
	expect(await Promise.all(texts)).toEqual([
		'The instance is connected.',
		expect.stringContaining("couldn't be found"),
		'Add ?instance=NAME to the address.',
	]);
});

// n8n 1.x can't make a Data Table in a workflow.
(underTest().line.number === 2 ? test : test.skip)(
	'the link to the group that has room leads there, and opening it asks the gateway nothing',
	async () => {
		const { gateway, server } = setting();
		const workflow = await publishExample('link-to-the-group-that-has-room');
		const { error } = await runByHand(server.rest, workflow);
		expect(error).toBeUndefined();
		const before = gateway.calls.length;
		const page = await open('join');
		expect(page.status).toBe(307);
		const { inviteCode } = gateway.group('main', CUSTOMERS) ?? {};
		expect(page.headers.get('location')).toBe(`https://chat.whatsapp.com/${inviteCode}`);
		expect(gateway.calls).toHaveLength(before);
	},
);
