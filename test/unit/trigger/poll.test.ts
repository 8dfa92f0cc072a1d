import { randomUUID } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { poll } from '../../../nodes/MessagingGatewayTrigger/poll';

const GROUP: IDataObject = {
	event: 'participantsChanged',
	changes: ['joined', 'left'],
	instance: 'main',
	group: '1@g.us',
};

const people = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, i) => ({ id: `${5_511_990_000_000 + from + i}@s.whatsapp.net` }));

/** A trigger in a workflow, and a gateway that says who is in the group. */
class Setting {
	readonly data: IDataObject = {};

	/** How often the gateway was asked. */
	asked = 0;

	status = 200;

	list: () => Promise<object[]> = async () => await Promise.resolve(people(0, 3));

	private readonly id = randomUUID();

	constructor(
		public parameters: IDataObject = GROUP,
		private readonly typeVersion = 1.1,
	) {}

	/** What n8n gives a trigger to poll with. */
	context(activation = 'init', mode = 'trigger'): IPollFunctions {
		const context = {
			getNode: () => ({ id: 'node', parameters: {}, type: 'trigger', typeVersion: this.typeVersion }),
			getWorkflow: () => ({ id: this.id }),
			getMode: () => mode,
			getActivationMode: () => activation,
			getNodeParameter: (name: string, fallback: unknown) => this.parameters[name] ?? fallback,
			getWorkflowStaticData: () => this.data,
			getCredentials: async () =>
				await Promise.resolve({ baseUrl: 'http://gateway.test', apiKey: 'key-0123456789' }),
			helpers: {
				httpRequestWithAuthentication: async () => {
					this.asked++;
					const list = await this.list();
					const isOfGroup = this.parameters.event === 'participantsChanged';
					const body = isOfGroup
						? { participants: list }
						: [{ instance: { instanceName: 'main', status: 'open' } }];
					return { statusCode: this.status, headers: {}, body: JSON.stringify(body) };
				},
			},
		};
		return context as unknown as IPollFunctions;
	}
}

/** A list that comes when it is given. */
function laterList() {
	let give: (rows: object[]) => void = () => {};
	const list = new Promise<object[]>((resolve) => (give = resolve));
	return { list: async () => await list, give: (rows: object[]) => give(rows) };
}

const told = (result: Awaited<ReturnType<typeof poll>>) =>
	(result ?? []).flat().map(({ json }) => `${String(json.change)} ${String(json.participant)}`);

describe.each([
	['of one activation', (context: IPollFunctions) => context],
	['with a context for each', (_: IPollFunctions, other: IPollFunctions) => other],
])('two polls at once, %s', (_, choose) => {
	const everyPoll = { ...GROUP, options: { shortestInterval: 0 } };

	it.each([
		['in their order', [0, 1], ['joined 5511990000003', 'joined 5511990000004']],
		['the newer one first', [1, 0], ['joined 5511990000003', 'joined 5511990000004']],
	])('tell each change once, with replies that come %s', async (__, order, expected) => {
		const setting = new Setting(everyPoll);
		await poll(setting.context());
		const lists = [laterList(), laterList()];
		setting.list = async () => (await lists[setting.asked - 2]?.list()) ?? [];
		const context = setting.context('update');
		const polls = [poll(context), poll(choose(context, setting.context('update')))];
		const all: string[] = [];
		for (const index of order) {
			lists[index]?.give(people(0, 4 + index));
			all.push(...told((await polls[index]) ?? null));
		}

		expect(all.sort()).toEqual(expected);
		setting.list = async () => await Promise.resolve(people(0, 5));
		expect(await poll(setting.context())).toBeNull();
	});
});
