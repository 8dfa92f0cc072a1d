import { GENERATIONS, kindsSeed } from '../../gateway/gateway';
import { describeEachLine, withGateways } from '../support';
import { statuses, statusOf, Trigger } from './trigger';

const all = ['open', 'close', 'connecting', 'deleted'];
const twice = { options: { confirmPolls: 2 } };

/** Changes as `keeper: open → close`. */
function told(items: Array<Record<string, unknown>>): string[] {
	return items.map((item) => [item.instance, item.previousStatus, item.status].join(' ')).sort();
}

describeEachLine('Instance Status Changed', (engine) => {
	const start = withGateways();

	it.each(GENERATIONS)(
		'gives the other fields of the instance, without secrets, on %s',
		async (generation) => {
			const gateway = await start({ generation, seed: kindsSeed });
			const trigger = new Trigger(engine(), gateway, statuses());
			expect(await trigger.poll()).toMatchObject({ items: null, isWritten: true });
			gateway.network.setConnection('loggedOut', 'open');

			const items = await trigger.items();
			expect(items).toEqual([
				expect.objectContaining({
					change: 'status',
					instance: 'loggedOut',
					status: 'open',
					previousStatus: 'close',
					detectedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
					instanceId: '0a6f4f0e-0000-4000-8000-000000000103',
					apikey: '**hidden**',
				}),
			]);
			expect(items[0]).not.toHaveProperty('disconnectionReason');
			expect(await trigger.poll()).toMatchObject({ items: null, isWritten: false });
			expect(gateway.calls.map(({ path }) => path)).toEqual(Array(3).fill('/instance/fetchInstances'));
		},
	);

	it.each(['2.2', '2.3'] as const)('says why an instance is closed, on %s', async (generation) => {
		const seed = structuredClone(kindsSeed);
		for (const { instanceName, extra } of seed.instances)
			if (instanceName === 'loggedOut') Object.assign(extra ?? {}, { disconnectionReasonCode: 403 });
		const gateway = await start({ generation, seed });
		const trigger = new Trigger(engine(), gateway, statuses());
		gateway.network.setConnection('loggedOut', 'open');
		await trigger.items();
		gateway.network.setConnection('loggedOut', 'close');

		expect(await trigger.items()).toMatchObject([
			{
				instance: 'loggedOut',
				status: 'close',
				disconnectionReason: 'restricted',
				disconnectedAt: '2026-01-02T03:04:05.678Z',
			},
		]);
	});

	it('counts a new status when the next poll shows it, too', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, statuses({ options: {}, statuses: all }));
		await trigger.items();
		gateway.network.setConnection('keeper', 'connecting');
		expect(await trigger.items()).toEqual([]);
		gateway.network.setConnection('keeper', 'open');
		expect(await trigger.items()).toEqual([]);
		gateway.network.setConnection('keeper', 'close');
		gateway.network.deleteInstance('waiting');
		expect(await trigger.items()).toEqual([]);
		// n8n restarts in between, and a poll fails.
		gateway.fault({ kind: '503', times: 1 });
		await trigger.restart().items();

		expect(told(await trigger.items())).toEqual(['keeper open close', 'waiting connecting deleted']);
		expect(await trigger.items()).toEqual([]);
	});

	it('gives only the statuses that are chosen, and knows the others', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, statuses({ statuses: ['open'] }));
		await trigger.items();
		gateway.network.setConnection('keeper', 'close');
		expect(await trigger.items()).toEqual([]);
		gateway.network.setConnection('keeper', 'open');

		expect(told(await trigger.items())).toEqual(['keeper close open']);
	});

	it('takes an empty list for all deleted, and an empty reply for a failure', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, statuses({ statuses: all }));
		await trigger.items();
		for (const body of [null, '']) {
			gateway.replay({ response: { status: 200, contentType: 'application/json', body } });
			expect((await trigger.error()).failure).toEqual({ cause: 'temporarily-unavailable' });
		}
		gateway.replay({ response: { status: 200, contentType: 'application/json', body: [] } });
		expect(await trigger.items()).toHaveLength(5);
		gateway.replay(undefined);

		expect(told(await trigger.items())[0]).toBe('fresh deleted close');
	});

	it('of all instances are refused where the list says none, unless only deleted ones are told', async () => {
		const gateway = await start({ generation: 'whatsmiau', seed: kindsSeed });
		const { message } = await new Trigger(engine(), gateway, statuses()).error();
		expect(message).toMatch(/list of instances doesn't say their status/);
		const deleted = new Trigger(engine(), gateway, statuses({ statuses: ['deleted'] }));
		expect(await deleted.poll()).toMatchObject({ items: null, isWritten: true });
	});

	it('of one instance is its live state, in one call', async () => {
		const seed = structuredClone(kindsSeed);
		const gateway = await start({ generation: '2.3', seed });
		const trigger = new Trigger(engine(), gateway, statusOf('keeper'));
		await trigger.items();
		gateway.network.setConnection('keeper', 'close');
		const items = await trigger.items();

		expect(items).toEqual([
			{
				change: 'status',
				instance: 'keeper',
				status: 'close',
				previousStatus: 'open',
				detectedAt: expect.any(String),
			},
		]);
		expect(gateway.calls.map(({ path }) => path)).toEqual(Array(2).fill('/instance/connectionState/keeper'));
	});

	it.each(GENERATIONS)(
		'of one instance is deleted when the gateway does not know it, on %s',
		async (generation) => {
			const gateway = await start({ generation, seed: kindsSeed });
			const trigger = new Trigger(engine(), gateway, statusOf('waiting', { ...twice, statuses: all }));
			await trigger.items();
			gateway.network.deleteInstance('waiting');

			expect(await trigger.items()).toEqual([]);
			// Also after n8n has restarted: it was there.
			expect(told(await trigger.restart().items())).toEqual(['waiting connecting deleted']);
			expect(await trigger.items()).toEqual([]);
		},
	);

	it('of one instance that was never there is an error', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, statusOf('nobody', { statuses: all }));
		const { message, failure } = await trigger.error();

		expect(message).toContain("The instance couldn't be found");
		expect(failure).toEqual({ cause: 'configuration-invalid' });
		expect((await trigger.error()).failure).toEqual({ cause: 'configuration-invalid' });
	});

	it('of one instance is not known right after the gateway has started', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, statusOf('keeper'));
		await trigger.items();
		gateway.fault({ kind: 'just-started', times: 1 });

		expect((await trigger.error()).failure).toEqual({ cause: 'temporarily-unavailable' });
		expect(await trigger.items()).toEqual([]);
	});

	it('works with the key of that instance', async () => {
		const gateway = await start({ generation: '1.8', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, statusOf('keeper'), {
			apiKey: 'TEST-INSTANCE-KEY-KEEPER',
		});
		await trigger.items();
		gateway.network.setConnection('keeper', 'close');

		expect(told(await trigger.items())).toEqual(['keeper open close']);
	});
});
