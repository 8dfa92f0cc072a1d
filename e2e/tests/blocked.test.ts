import { startGateway, type Gateway } from '../../test/gateway/gateway';
import { given, runByHand } from '../support/executions';
import { CREDENTIAL, LIST_INSTANCES, Site } from '../support/site';
import { underTest } from '../support/under-test';

const { line, packedNode } = underTest();
/** n8n 1.x has no such protection. */
const describeWhereKnown = line.number === 2 ? describe : describe.skip;

describeWhereKnown("where n8n's administrator does not let nodes reach the local network", () => {
	let gateway: Gateway;
	let site: Site | undefined;
	beforeAll(async () => {
		gateway = await startGateway();
	});
	afterEach(async () => await site?.remove());
	afterAll(async () => await gateway?.close());

	const start = async (env: Record<string, string>) => {
		site = await Site.create(line, packedNode, { N8N_SSRF_PROTECTION_ENABLED: 'true', ...env });
		await site.seed(gateway);
		return (await site.start()).rest;
	};

	test('the node and the test of its credential say so, and whom to ask', async () => {
		const rest = await start({});
		const data = { baseUrl: gateway.url, apiKey: gateway.apiKey };
		const test = await rest.post('/rest/credentials/test', { credentials: { ...CREDENTIAL, data } });
		expect(test).toMatchObject({
			status: 'Error',
			message: expect.stringContaining(`n8n doesn't allow requests to ${gateway.url}`),
		});
		const { error } = await runByHand(rest, LIST_INSTANCES);
		expect(error).toMatchObject({
			message: `n8n doesn't allow requests to ${gateway.url}`,
			description: expect.stringContaining('N8N_SSRF_ALLOWED_IP_RANGES'),
		});
		expect(gateway.calls).toHaveLength(0);
	});

	test('a gateway whose address is allowed is reached', async () => {
		const rest = await start({ N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8' });
		const execution = await runByHand(rest, LIST_INSTANCES);
		expect(given(execution, 'List instances')).toHaveLength(5);
	});
});
