import { startGateway } from '../../test/gateway/gateway';
import { CUSTOMERS } from '../../test/gateway/seed';
import { asThen, saved, withoutAdded, withoutUndated } from '../../test/saved';
import { runByHand } from '../support/executions';
import { CREDENTIAL, type Workflow } from '../support/site';
import { withServer } from '../support/under-test';

const workflows = saved.map(([, , { workflow }], i): Workflow => {
	const { settings = {}, ...rest } = withoutUndated(workflow);
	return { ...rest, settings, id: `saved-${i}` } as Workflow;
});

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
const setting = withServer({}, { workflows });

test.each(saved.map(([version, name, one], i) => [version, name, { one, workflow: workflows[i] }] as const))(
	'%s: "%s", imported, changes and gives what it did then',
	async (version, _, { one, workflow }) => {
		const { rest } = setting().server;
		// Each on an account of its own, which remembers nothing of the others.
		const gateway = await startGateway();
		const data = { baseUrl: gateway.url, apiKey: gateway.apiKey };
		await rest.patch(`/rest/credentials/${CREDENTIAL.id}`, { ...CREDENTIAL, data });
		try {
			const { error, runs } = await runByHand(rest, workflow as Workflow);
			expect(error).toBeUndefined();
			const { members, admins } = gateway.group('main', CUSTOMERS) ?? {};
			const now = Object.keys(one.gave).map((node) => [
				node,
				runs[node]?.data?.main?.map((items) => (items ?? []).map(({ json }) => withoutAdded(version, json))),
			]);
			expect({ now, after: { members, admins, messages: gateway.messages } }).toEqual(asThen(one));
		} finally {
			await gateway.close();
		}
	},
);
