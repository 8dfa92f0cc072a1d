import { randomUUID } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { poll } from '../../../nodes/MessagingGatewayTrigger/poll';

const GROUP: IDataObject = {
	event: 'participantsChanged',
	changes: ['joined', 'left'],
	instance: 'main',
	group: '1@g.us',
};
const STATUSES: IDataObject = { event: 'instanceStatusChanged', watch: 'all', statuses: ['close'] };

const people = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, i) => ({ id: `${5_511_990_000_000 + from + i}@s.whatsapp.net` }));

/** A trigger in a workflow, and a gateway that says who is in the group. */
class Setting {
	readonly data: IDataObject = {};

	/** How often the gateway was asked. */
	asked = 0;

	status = 200;

	list = people(0, 3);

	private readonly id = randomUUID();

	constructor(public parameters: IDataObject = GROUP) {}

	/** What n8n gives a trigger to poll with. */
	context(activation = 'init', mode = 'trigger'): IPollFunctions {
		const context = {
			getNode: () => ({ id: 'node', parameters: {}, type: 'trigger', typeVersion: 1 }),
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
					const isOfGroup = this.parameters.event === 'participantsChanged';
					const body = isOfGroup
						? { participants: this.list }
						: [{ instance: { instanceName: 'main', status: 'open' } }];
					return await Promise.resolve({ statusCode: this.status, headers: {}, body: JSON.stringify(body) });
				},
			},
		};
		return context as unknown as IPollFunctions;
	}
}

const told = (result: Awaited<ReturnType<typeof poll>>) =>
	(result ?? []).flat().map(({ json }) => `${String(json.change)} ${String(json.participant)}`);

describe('the shortest interval', () => {
	/** By the process's clock, in minutes. */
	let minute = 0;
	beforeEach(() => {
		minute = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => minute * 60_000);
	});
	afterEach(() => jest.restoreAllMocks());

	/** The minutes of the polls that ask the gateway. */
	async function asksIn(
		setting: Setting,
		context: () => IPollFunctions,
		minutes: number[],
	): Promise<number[]> {
		const asks: number[] = [];
		for (minute of minutes) {
			const before = setting.asked;
			await poll(context()).catch(() => null);
			if (setting.asked > before) asks.push(minute);
		}
		return asks;
	}

	const everyMinute = [0, 1, 5, 10, 14, 15, 19, 20, 29, 30];
	it.each<[string, IDataObject, number[]]>([
		['of members is 15 minutes', GROUP, [0, 15, 30]],
		['of statuses is 5 minutes', STATUSES, [0, 5, 10, 15, 20, 29]],
		['is as the option says', { ...GROUP, options: { shortestInterval: 20 } }, [0, 20]],
		['may be none', { ...GROUP, options: { shortestInterval: 0 } }, everyMinute],
	])('%s', async (_, parameters, expected) => {
		const setting = new Setting(parameters);
		const context = setting.context();

		expect(await asksIn(setting, () => context, everyMinute)).toEqual(expected);
	});

	it('lets a poll count that comes a few seconds early', async () => {
		const setting = new Setting();
		const context = setting.context();

		expect(await asksIn(setting, () => context, [0.2, 15, 29.9, 45.1])).toEqual([0.2, 15, 29.9, 45.1]);
	});

	it('holds also where n8n makes a context for each poll, and after a poll that failed', async () => {
		const setting = new Setting();
		setting.status = 503;

		expect(await asksIn(setting, () => setting.context('update'), [0, 1, 14, 15, 16])).toEqual([0, 15]);
	});

	it('tells at the next read what has happened meanwhile', async () => {
		const setting = new Setting();
		const context = setting.context();
		await poll(context);
		setting.list = people(0, 4);
		minute = 14;
		expect(await poll(context)).toBeNull();
		minute = 15;

		expect(told(await poll(context))).toEqual(['joined 5511990000003']);
	});

	it('holds back no test event, no group that was just chosen and nobody who switches the workflow on', async () => {
		const setting = new Setting();
		await poll(setting.context());
		expect(told(await poll(setting.context('manual', 'manual')))).toHaveLength(1);
		setting.parameters = { ...GROUP, group: '2@g.us' };
		await poll(setting.context('update'));
		await poll(setting.context('activate'));

		expect(setting.asked).toBe(4);
	});
});
