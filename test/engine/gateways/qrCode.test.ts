import { GENERATIONS, kindsSeed } from '../../gateway/gateway';
import {
	describeEachLine,
	describeOnEngine,
	ERROR_OUTPUT,
	runNode,
	skipPauses,
	withGateways,
	type NodeRun,
} from '../support';
import { getQrCode } from './parameters';
import { withServers, type Answer } from './server';

const PNG = 'iVBORw0KGgo=';
const withPicture = { pairingCode: null, code: '2@x', base64: `data:image/png;base64,${PNG}`, count: 1 };

const ok = (body: unknown): Answer => ({ status: 200, body });

/** The kindsSeed, with an instance of which there was a first code already. */
const seed = structuredClone(kindsSeed);
for (const instance of seed.instances) if (instance.instanceName === 'fresh') instance.qrCodes = 1;

/** The bytes of a picture that the node gave. */
function bytesOf({ main }: NodeRun, field = 'data'): Buffer {
	return Buffer.from(main[0]?.binary?.[field]?.data ?? '', 'base64');
}

describeEachLine('a QR code', (engine) => {
	const start = withGateways();
	const startServer = withServers();

	test('comes as a PNG beside the status', async () => {
		const gateway = await start({ seed });
		const result = await runNode(engine(), gateway, getQrCode('fresh'), [{}]);
		const { main, error } = result;
		expect(error).toBeUndefined();
		expect(main).toHaveLength(1);
		expect(main[0]?.json).toStrictEqual({ instance: 'fresh', status: 'connecting' });
		expect(main[0]?.pairedItem).toEqual({ item: 0 });
		expect(Object.keys(main[0]?.binary ?? {})).toEqual(['data']);
		expect(main[0]?.binary?.data).toMatchObject({ mimeType: 'image/png', fileName: 'qr-code.png' });
		expect(bytesOf(result).subarray(1, 4).toString()).toBe('PNG');
	});

	test('comes in the field that the option names, for each item in its own', async () => {
		const gateway = await start({ seed });
		const options = { binaryPropertyName: '={{ $json.field }}' };
		const items = [{ field: 'one' }, { field: 'two' }];
		const { main } = await runNode(engine(), gateway, getQrCode('fresh', { options }), items);
		expect(main.map(({ binary, pairedItem }) => [Object.keys(binary ?? {}), pairedItem])).toEqual([
			[['one'], { item: 0 }],
			[['two'], { item: 1 }],
		]);
		expect(gateway.calls).toHaveLength(1);
	});

	test('is given for those that have one, the others go to the error output', async () => {
		const gateway = await start({ seed });
		const items = ['nobody', 'fresh', 'keeper'].map((instance) => ({ instance }));
		const { main, failed } = await runNode(
			engine(),
			gateway,
			getQrCode('={{ $json.instance }}'),
			items,
			ERROR_OUTPUT,
		);
		expect(main.map(({ json, binary, pairedItem }) => [json, binary !== undefined, pairedItem])).toEqual([
			[{ instance: 'fresh', status: 'connecting' }, true, { item: 1 }],
			[{ instance: 'keeper', status: 'open' }, false, { item: 2 }],
		]);
		expect(failed.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
			[expect.stringMatching(/instance couldn't be found/), { item: 0 }],
		]);
	});

	test('is not asked for again when the execution is canceled', async () => {
		let cancel = () => {};
		const server = await startServer(() => {
			setTimeout(() => cancel(), 200);
			return ok({ count: 0 });
		});
		cancel = () => engine().cancel();
		const credential = { url: server.url, apiKey: 'TEST-KEY' };
		const { run } = await runNode(engine(), credential, getQrCode('main'), [{}]);
		expect(run.status).toBe('canceled');
		expect(server.calls).toHaveLength(1);
	});

	test('is what n8n keeps from being shown, as far as that is text', () => {
		expect(engine().describe().node.sensitiveOutputFields).toContain('pairingCode');
	});
});

describeOnEngine('for a connection', (engine) => {
	skipPauses(engine);
	const start = withGateways();
	const startServer = withServers();

	/** Runs the node against a gateway that answers "connect" as told, in order; the last answer stays. */
	async function answered(answers: Answer[], options: object = {}) {
		const [last] = answers.slice(-1);
		const server = await startServer(() => answers.shift() ?? last ?? { status: 500, body: null });
		const parameters = getQrCode('main', { options });
		const result = await runNode(engine(), { url: server.url, apiKey: 'TEST-KEY' }, parameters, [{}]);
		return { ...result, calls: server.calls, result };
	}

	test.each(GENERATIONS)(
		'every generation gives a QR code, or says that it is open: %s',
		async (generation) => {
			const gateway = await start({ generation, seed });
			const asked = async (instance: string) => await runNode(engine(), gateway, getQrCode(instance), [{}]);
			const fresh = await asked('fresh');
			expect(fresh.main.map(({ json }) => json)).toEqual([{ instance: 'fresh', status: 'connecting' }]);
			expect(bytesOf(fresh).subarray(1, 4).toString()).toBe('PNG');
			const open = await asked('keeper');
			expect(open.main).toStrictEqual([
				{ json: { instance: 'keeper', status: 'open' }, pairedItem: { item: 0 } },
			]);
			expect(gateway.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
				'GET /instance/connect/fresh',
				'GET /instance/connect/keeper',
			]);
		},
	);

	test('the pairing code is given where there is one', async () => {
		const { main, result } = await answered([ok({ ...withPicture, pairingCode: 'ABCD1234' })]);
		expect(main[0]?.json).toStrictEqual({ instance: 'main', status: 'connecting', pairingCode: 'ABCD1234' });
		expect(bytesOf(result).toString('base64')).toBe(PNG);
	});

	test('it is asked again, 2 s apart, as long as there is no picture', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { main, run } = await runNode(engine(), gateway, getQrCode('fresh'), [{}]);
		expect(main[0]?.binary).toBeDefined();
		expect(gateway.calls).toHaveLength(2);
		expect(run.elapsedMs).toBeGreaterThanOrEqual(2_000);
	});

	test('that is open by the time it is asked again there is no picture', async () => {
		const open = { instance: { instanceName: 'main', state: 'open' } };
		const { main } = await answered([ok({ count: 0 }), ok(open)]);
		expect(main.map(({ json, binary }) => [json, binary])).toEqual([
			[{ instance: 'main', status: 'open' }, undefined],
		]);
	});

	test('it is a failure after five more tries', async () => {
		const { main, error, calls } = await answered([ok({ count: 0 })]);
		expect(main).toEqual([]);
		expect(error?.message).toMatch(/gave no QR code for the instance .main./);
		expect(error?.description).toMatch(/again in a minute/);
		expect(calls).toHaveLength(6);
	});

	test('an empty field name is refused before anything is sent', async () => {
		const { error, calls } = await answered([ok(withPicture)], { binaryPropertyName: '={{ "" }}' });
		expect(error?.message).toMatch(/'Put Output in Field' must be text/);
		expect(calls).toEqual([]);
	});
});
