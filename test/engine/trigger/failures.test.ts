import { kindsSeed, KINDS, type FaultKind } from '../../gateway/gateway';
import { canariesIn, canarySeed, formsIn, KEY, keyInFields } from '../faults/canaries';
import { describeEachLine, withGateways, withPatience } from '../support';
import { participants, statuses, statusOf, told, Trigger } from './trigger';

const NEW = '12025550100';
const GROUP = ['keeper', KINDS.numbers] as const;

describeEachLine('a poll that fails', (engine) => {
	const start = withGateways();

	it.each<[FaultKind, string]>([
		['401', 'credential-invalid'],
		['429', 'rate-limited'],
		['200-rate-overlimit', 'rate-limited'],
		['reset-before', 'temporarily-unavailable'],
		['empty', 'temporarily-unavailable'],
		['wrong-shape', 'temporarily-unavailable'],
		['empty-list', 'temporarily-unavailable'],
		['just-started', 'temporarily-unavailable'],
		['500', 'temporarily-unavailable'],
		['503-license', 'temporarily-unavailable'],
		['connection-closed', 'temporarily-unavailable'],
		['404-instance', 'configuration-invalid'],
		['404-route', 'configuration-invalid'],
		['forbidden', 'configuration-invalid'],
		['redirect', 'configuration-invalid'],
	])('with %s says %s, and changes nothing that is remembered', async (kind, cause) => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, participants());
		await trigger.items();
		const before = trigger.staticData;
		gateway.network.join(...GROUP, NEW);
		gateway.fault({ kind });

		const { error, isWritten } = await trigger.poll();
		expect(error?.failure).toEqual({ cause });
		expect(error?.message).not.toBe('');
		expect(error?.description).toEqual(expect.any(String));
		expect([isWritten, trigger.staticData]).toEqual([false, before]);
		gateway.clearFaults();
		expect(told(await trigger.items())).toEqual([`joined ${NEW}`]);
	});

	it.each<FaultKind>(['hang', 'slow-body', '101'])('with %s says that it is temporary', async (kind) => {
		const error = await withPatience(
			async (timeout) => {
				const gateway = await start({ generation: '2.3', seed: kindsSeed });
				const trigger = new Trigger(engine(), gateway, participants(KINDS.numbers, { options: { timeout } }));
				await trigger.poll();
				gateway.fault({ kind });
				return (await trigger.poll()).error;
			},
			(tried) => tried !== undefined,
		);

		expect(error?.failure).toEqual({ cause: 'temporarily-unavailable' });
	});

	it.each([
		['a group', participants(), /; instance keeper, group 120363000000000101@g\.us\)$/],
		['one instance', statusOf('keeper'), /; instance keeper\)$/],
		['all instances', statuses(), /^(?!.*; instance)/],
	])('names what it is about: %s', async (_, parameters, subject) => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, parameters);
		await trigger.items();
		gateway.fault({ kind: 'html' });

		expect((await trigger.error()).message).toMatch(subject);
	});

	it('because the gateway limits requests says how long to wait', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, participants());
		await trigger.items();
		gateway.fault({ kind: '429-retry-after' });

		const { failure, description } = await trigger.error();
		expect(failure).toEqual({ cause: 'rate-limited', retryAfterMs: 1000 });
		expect(description).toContain('Poll less often');
	});

	it.each([
		['loggedOut', 'temporarily-unavailable'],
		['nobody', 'configuration-invalid'],
	])('because of the instance %s says %s', async (value, cause) => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const instance = { __rl: true, mode: 'name', value };
		const trigger = new Trigger(engine(), gateway, participants(KINDS.numbers, { instance }));
		await trigger.poll();

		expect((await trigger.error()).failure).toEqual({ cause });
	});

	it.each<[object, string]>([
		[participants(KINDS.numbers, { changes: [] }), "'Changes' is empty"],
		[participants(KINDS.numbers, { changes: ['joined', 'moved'] }), "'Changes' can't be \"moved\""],
		[participants(KINDS.numbers, { changes: '={{ "moved" }}' }), "'Changes' can't be \"moved\""],
		[participants(KINDS.numbers, { changes: '={{ null }}' }), "'Changes' is empty"],
		[statuses({ statuses: [] }), "'Statuses' is empty"],
		[statuses({ statuses: ['closed'] }), "'Statuses' can't be \"closed\""],
		[statuses({ options: { confirmPolls: 0 } }), "'Confirm with Polls' must be a whole number"],
		[statuses({ options: { timeout: '' } }), "'Timeout (ms)' must be a whole number"],
		[participants('4915200000001'), 'group'],
		[participants(KINDS.numbers, { instance: { __rl: true, mode: 'name', value: '' } }), 'instance'],
	])('is about a parameter, before anything is asked: %j', async (parameters, message) => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const error = await new Trigger(engine(), gateway, parameters).error();

		expect(error.message).toContain(message);
		expect(error.failure).toEqual({ cause: 'configuration-invalid' });
		expect(gateway.calls).toEqual([]);
	});

	it('because of an expression says what n8n says', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const group = { __rl: true, mode: 'id', value: "={{ $('Sheet').item.json.group }}" };
		const error = await new Trigger(engine(), gateway, participants('', { group })).error();

		expect(error.message).toMatch(/Sheet|Referenced node|execution data/i);
		expect(error.failure).toEqual({ cause: 'configuration-invalid' });
		expect(gateway.calls).toEqual([]);
	});

	it('works out an expression at each poll', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const group = { __rl: true, mode: 'id', value: `={{ "${KINDS.numbers}" }}` };
		const trigger = new Trigger(engine(), gateway, participants('', { group }));
		await trigger.items();
		gateway.network.join(...GROUP, NEW);

		expect(told(await trigger.items())).toEqual([`joined ${NEW}`]);
	});

	it.each([
		['all instances', 'TEST-INSTANCE-KEY-KEEPER', statuses(), 'choose Instances: One'],
		['one instance', 'WRONG-KEY-0000', statusOf('keeper'), "Check 'API Key'"],
		['a group', 'WRONG-KEY-0000', participants(), "Check 'API Key'"],
	])('with a refused key, watching %s, says what to do', async (_, apiKey, parameters, advice) => {
		const gateway = await start({ generation: '1.8', seed: kindsSeed });
		const error = await new Trigger(engine(), gateway, parameters, { apiKey }).error();

		expect(error).toMatchObject({ httpCode: '401', failure: { cause: 'credential-invalid' } });
		expect(error.description).toContain(advice);
	});
});

describeEachLine('secrets', (engine) => {
	const start = withGateways();

	it.each(['published', '1.8', '2.2', '2.3'] as const)(
		'of instances and the key are nowhere, on %s',
		async (generation) => {
			const gateway = await start({ generation, seed: canarySeed() });
			const seen: unknown[] = [];
			const trigger = new Trigger(engine(), gateway, statuses());
			seen.push(await trigger.poll());
			gateway.network.setConnection('main', 'close');
			const { items } = await trigger.poll();
			expect(items).toMatchObject([{ json: { instance: 'main', status: 'close' } }]);
			gateway.fault({ kind: '500', body: { status: 500, error: KEY, response: { message: [KEY] } } });
			seen.push(items, await trigger.poll());
			trigger.restart({ mode: 'manual', activation: 'manual' });
			gateway.clearFaults();
			seen.push(await trigger.poll(), trigger.staticData);

			expect(canariesIn(seen)).toEqual([]);
		},
	);

	it('that a gateway sends back in any form are nowhere', async () => {
		const named = { instanceName: `main ${KEY}`, status: `open ${KEY}`, profileName: KEY, ...keyInFields() };
		const rows = [
			{ id: '5511990000001@s.whatsapp.net', admin: null, name: KEY, ...keyInFields() },
			{ id: `${KEY}@bot`, admin: null },
		];
		const replies: Array<[object, unknown, unknown]> = [
			[statuses(), [{ instance: named }], [{ instance: { ...named, status: 'close' } }]],
			[statuses({ statuses: ['deleted'] }), [{ instance: named }], []],
			[participants(), { participants: rows }, { participants: rows.slice(0, 1) }],
			[participants(), { participants: rows.slice(1) }, { participants: rows }],
		];
		for (const [parameters, ...bodies] of replies) {
			const gateway = await start({ seed: canarySeed() });
			const trigger = new Trigger(engine(), gateway, parameters);
			const seen: unknown[] = [];
			for (const body of bodies) {
				gateway.replay({ response: { status: 200, contentType: 'application/json', body } });
				seen.push(await trigger.poll(), trigger.staticData);
			}

			expect(seen).toContainEqual(expect.objectContaining({ items: [expect.anything()] }));
			expect([canariesIn(seen), formsIn(seen)]).toEqual([[], []]);
		}
	});
});
