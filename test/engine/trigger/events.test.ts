import { GENERATIONS, kindsSeed, KINDS } from '../../gateway/gateway';
import { describeEachLine, withGateways } from '../support';
import { participants, triggersAt, told, Trigger, statuses, statusOf } from './trigger';

const NEW = '12025550100';
const ANA = '5511990000002';
const OTHER = '5521990000003';

describeEachLine('Group Participants Changed', (engine) => {
	const start = withGateways();
	const watching = triggersAt(engine, start);

	it('only remembers when it is switched on, then gives one item for each change', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, participants());
		const group = ['keeper', KINDS.numbers] as const;

		expect(await trigger.poll()).toMatchObject({ items: null, isWritten: true });
		expect(await trigger.poll()).toMatchObject({ items: null, isWritten: false });

		gateway.network.join(...group, NEW);
		gateway.network.leave(...group, OTHER);
		gateway.network.promote(...group, '447700900004');
		gateway.network.demote(...group, ANA);
		const detectedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
		const where = { instance: 'keeper', groupJid: KINDS.numbers, detectedAt };
		const jid = (number: string) => ({ participant: number, jid: `${number}@s.whatsapp.net` });
		const items = await trigger.items();
		expect(items).toHaveLength(4);
		expect(items).toEqual(
			expect.arrayContaining([
				{ change: 'left', ...where, ...jid(OTHER), role: 'member' },
				{ change: 'joined', ...where, ...jid(NEW), role: 'member' },
				{ change: 'promoted', ...where, ...jid('447700900004'), role: 'admin', previousRole: 'member' },
				{
					change: 'demoted',
					...where,
					...jid(ANA),
					role: 'member',
					name: 'Ana Example',
					previousRole: 'admin',
				},
			]),
		);
		expect(await trigger.poll()).toMatchObject({ items: null, isWritten: false });
	});

	it('gives the name under which the group was chosen, after its ID', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const group = { __rl: true, mode: 'list', value: KINDS.numbers, cachedResultName: 'Customers' };
		const trigger = new Trigger(engine(), gateway, participants(KINDS.numbers, { group }));
		await trigger.items();
		gateway.network.join('keeper', KINDS.numbers, NEW);
		const [item = {}] = await trigger.items();

		expect(item.groupName).toBe('Customers');
		expect(Object.keys(item).slice(0, 4)).toEqual(['change', 'instance', 'groupJid', 'groupName']);
	});

	it('gives only the changes that are chosen, and knows the others', async () => {
		const { gateway, trigger } = await watching(participants(KINDS.numbers, { changes: ['left'] }));
		gateway.network.join('keeper', KINDS.numbers, NEW);
		expect(await trigger.items()).toEqual([]);
		gateway.network.leave('keeper', KINDS.numbers, NEW);

		expect(told(await trigger.items())).toEqual([`left ${NEW}`]);
	});

	it.each(GENERATIONS)('reports nobody of a group that moves to hidden IDs, on %s', async (generation) => {
		const { gateway, trigger } = await watching(participants(), { generation });
		gateway.network.hideIds('keeper', KINDS.numbers);
		expect(await trigger.items()).toEqual([]);
		gateway.network.leave('keeper', KINDS.numbers, OTHER);
		const [left, ...others] = await trigger.items();

		expect(others).toEqual([]);
		expect(left).toMatchObject({ change: 'left', jid: `1${[...OTHER].reverse().join('')}@lid` });
		// 1.8 and 2.2 show no number beside the hidden ID, and it is not known who had which.
		expect(left?.participant).toBe(['1.8', '2.2'].includes(generation) ? null : OTHER);
	});

	it.each([
		['updated from 2.2 to 2.3', '2.2', '2.3', KINDS.hidden],
		['updated from 2.2 to 2.3.0', '2.2', '2.3.0', KINDS.hidden],
		['updated from 1.8 to 2.3', '1.8', '2.3', KINDS.mixed],
		['set back from 2.3 to 2.2', '2.3', '2.2', KINDS.hidden],
	] as const)('reports nobody of a gateway that is %s', async (_, before, after, group) => {
		const [old, gateway] = [
			await start({ generation: before, seed: kindsSeed }),
			await start({ generation: after, seed: kindsSeed }),
		];
		const trigger = new Trigger(engine(), old, participants(group));
		await trigger.items();
		expect(await trigger.restart({ gateway }).items()).toEqual([]);
		gateway.network.leave('keeper', group, ANA);
		gateway.network.join('keeper', group, NEW);

		const expected = after === '2.2' ? [`joined 1${[...NEW].reverse().join('')}@lid`] : [`joined ${NEW}`];
		expect(told(await trigger.items())).toEqual([...expected, `left ${ANA}`]);
	});

	it('remembers 1,024 people in less than 80 kB', async () => {
		const seed = structuredClone(kindsSeed);
		const group = seed.instances[0]?.groups.find(({ jid }) => jid === KINDS.hidden);
		group?.members.push(...Array.from({ length: 1020 }, (_, i) => String(4_915_200_000_000 + i)));
		const { gateway, trigger } = await watching(participants(KINDS.hidden), { seed });
		expect(Buffer.byteLength(JSON.stringify(trigger.staticData))).toBeLessThan(80_000);
		gateway.network.leave('keeper', KINDS.hidden, '4915200000007');

		expect(told(await trigger.items())).toEqual(['left 4915200000007']);
	});

	it('gives nothing where most seem gone at once, unless the next poll says so, too', async () => {
		const seed = structuredClone(kindsSeed);
		const group = seed.instances[0]?.groups.find(({ jid }) => jid === KINDS.numbers);
		group?.members.push(...Array.from({ length: 8 }, (_, i) => String(4_915_200_000_000 + i)));
		const whole = await start({ generation: '2.3', seed });
		const few = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), whole, participants());
		await trigger.items();

		expect(await trigger.restart({ gateway: few }).items()).toEqual([]);
		expect(await trigger.restart({ gateway: whole }).items()).toEqual([]);
		expect(await trigger.restart({ gateway: few }).items()).toEqual([]);
		expect(await trigger.items()).toHaveLength(8);
	});
});

const all = ['open', 'close', 'connecting', 'deleted'];

/** Changes as `keeper: open → close`. */
function toldOf(items: Array<Record<string, unknown>>): string[] {
	return items.map((item) => [item.instance, item.previousStatus, item.status].join(' ')).sort();
}

describeEachLine('Instance Status Changed', (engine) => {
	const start = withGateways();
	const watching = triggersAt(engine, start);

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

	it('counts a new status at once, and tells an instance that is not open once', async () => {
		const { gateway, trigger } = await watching(statuses({ statuses: all }));
		gateway.network.setConnection('keeper', 'connecting');
		gateway.network.deleteInstance('waiting');
		expect(toldOf(await trigger.items())).toEqual(['keeper open connecting', 'waiting connecting deleted']);
		gateway.network.setConnection('keeper', 'close');
		// n8n restarts in between, and a poll fails.
		gateway.fault({ kind: '503', times: 1 });
		expect(await trigger.restart().items()).toEqual([]);

		expect(await trigger.items()).toEqual([]);
		gateway.network.setConnection('keeper', 'open');
		expect(toldOf(await trigger.items())).toEqual(['keeper connecting open']);
	});

	it('gives only the statuses that are chosen, and knows the others', async () => {
		const { gateway, trigger } = await watching(statuses({ statuses: ['open'] }));
		gateway.network.setConnection('keeper', 'close');
		expect(await trigger.items()).toEqual([]);
		gateway.network.setConnection('keeper', 'open');

		expect(toldOf(await trigger.items())).toEqual(['keeper close open']);
	});

	it('takes an empty list for all deleted, and an empty reply for a failure', async () => {
		const { gateway, trigger } = await watching(statuses({ statuses: all }));
		for (const body of [null, '']) {
			gateway.replay({ response: { status: 200, contentType: 'application/json', body } });
			expect((await trigger.error()).failure).toEqual({ cause: 'temporarily-unavailable' });
		}
		gateway.replay({ response: { status: 200, contentType: 'application/json', body: [] } });
		expect(await trigger.items()).toHaveLength(5);
		gateway.replay(undefined);

		expect(toldOf(await trigger.items())[0]).toBe('fresh deleted close');
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
		const { gateway, trigger } = await watching(statusOf('keeper'), { seed });
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
			const { gateway, trigger } = await watching(statusOf('waiting', { statuses: all }), { generation });
			gateway.network.deleteInstance('waiting');

			// Also after n8n has restarted: it was there.
			expect(toldOf(await trigger.restart().items())).toEqual(['waiting connecting deleted']);
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
		const { gateway, trigger } = await watching(statusOf('keeper'));
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

		expect(toldOf(await trigger.items())).toEqual(['keeper open close']);
	});
});
