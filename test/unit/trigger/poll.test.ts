import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { poll } from '../../../nodes/MessagingGatewayTrigger/poll';

const PARAMETERS: IDataObject = {
	event: 'participantsChanged',
	changes: ['joined', 'left'],
	instance: 'main',
	group: '1@g.us',
};

const people = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, i) => ({ id: `${5_511_990_000_000 + from + i}@s.whatsapp.net` }));

/** What n8n gives a trigger to poll with. */
function contextOf(
	data: IDataObject,
	list: () => Promise<object[]>,
	parameters: IDataObject = PARAMETERS,
	keyOf = () => 'key-0123456789',
): IPollFunctions {
	const context = {
		getNode: () => ({ id: 'node', parameters: {}, type: 'trigger' }),
		getWorkflow: () => ({ id: 'workflow' }),
		getMode: () => 'trigger',
		getActivationMode: () => 'init',
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
		getWorkflowStaticData: () => data,
		getCredentials: async () => await Promise.resolve({ baseUrl: 'http://gateway.test', apiKey: keyOf() }),
		helpers: {
			httpRequestWithAuthentication: async () => ({
				statusCode: 200,
				headers: {},
				body: JSON.stringify({ participants: await list() }),
			}),
		},
	};
	return context as unknown as IPollFunctions;
}

/** A list that comes when it is given. */
function laterList() {
	let give: (rows: object[]) => void = () => {};
	const list = new Promise<object[]>((resolve) => (give = resolve));
	return { list: async () => await list, give: (rows: object[]) => give(rows) };
}

const told = (result: Awaited<ReturnType<typeof poll>>) =>
	(result ?? []).flat().map(({ json }) => `${String(json.change)} ${String(json.participant)}`);

/** Work gives way before each of its parts. */
beforeEach(() => {
	let now = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => (now += 100));
});
afterEach(() => jest.restoreAllMocks());

test('others have their turn while a poll works on a large group', async () => {
	let turns = 0;
	let isDone = false;
	const count = () => {
		turns++;
		if (!isDone) setTimeout(count, 0);
	};
	count();
	await poll(contextOf({}, async () => await Promise.resolve(people(0, 300))));
	isDone = true;

	expect(turns).toBeGreaterThan(100);
});

describe.each([
	['of one activation', (context: IPollFunctions) => context],
	['with a context for each', (_: IPollFunctions, other: IPollFunctions) => other],
])('two polls at once, %s', (_, choose) => {
	it('tell each change once, also where the second begins to compare while the first gives way', async () => {
		const data: IDataObject = {};
		const lists = [laterList(), laterList()];
		let asked = 0;
		const context = contextOf(data, async () => (await lists[asked++]?.list()) ?? []);
		const other = contextOf(data, async () => (await lists[asked++]?.list()) ?? []);
		await poll(contextOf(data, async () => await Promise.resolve(people(0, 20))));

		const polls = [poll(context), poll(choose(context, other))];
		lists[0]?.give(people(0, 21));
		lists[1]?.give(people(0, 22));
		const all = (await Promise.all(polls)).flatMap(told);

		expect(all.sort()).toEqual(['joined 5511990000020', 'joined 5511990000021']);
		expect(await poll(contextOf(data, async () => await Promise.resolve(people(0, 22))))).toBeNull();
	});
});

describe('a reply that came before', () => {
	const laterPolls = (parameters: IDataObject) => {
		let list = people(0, 3);
		const context = contextOf({}, async () => await Promise.resolve(list), parameters);
		return async (rows: object[]) => {
			list = rows as typeof list;
			return told(await poll(context));
		};
	};

	it('is told again once something else came in between', async () => {
		const pollOf = laterPolls(PARAMETERS);

		expect(await pollOf(people(0, 3))).toEqual([]);
		expect(await pollOf(people(0, 3))).toEqual([]);
		expect(await pollOf(people(0, 4))).toEqual(['joined 5511990000003']);
		expect(await pollOf(people(0, 3))).toEqual(['left 5511990000003']);
		expect(await pollOf(people(0, 4))).toEqual(['joined 5511990000003']);
	});

	it('is the first of another group with the same members', async () => {
		const parameters = { ...PARAMETERS };
		const pollOf = laterPolls(parameters);
		await pollOf(people(0, 3));
		await pollOf(people(0, 3));
		parameters.group = '2@g.us';
		await pollOf(people(0, 3));

		expect(await pollOf(people(0, 4))).toEqual(['joined 5511990000003']);
	});

	it('is read again once the credential has another key, which is redacted', async () => {
		const data: IDataObject = {};
		const key = 'key-9876543210';
		let current = 'key-0123456789';
		const list = async () => await Promise.resolve([{ id: '5511990000000@s.whatsapp.net', name: key }]);
		const context = contextOf(data, list, PARAMETERS, () => current);
		for (let polls = 0; polls < 2; polls++) await poll(context);
		expect(data.snapshot).toContain(key);
		current = key;
		await poll(context);

		expect(data.snapshot).not.toContain(key);
	});
});
