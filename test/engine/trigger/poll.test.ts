import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindsSeed, KINDS, type Gateway, type FaultKind } from '../../gateway/gateway';
import { type Activation, PACKAGE_ROOT } from '../engine';
import { canariesIn, canarySeed, formsIn, KEY, keyInFields } from '../faults/canaries';
import { describeEachLine, locator, withGateways } from '../support';
import { participants, triggersAt, statuses, told, Trigger, statusOf } from './trigger';

const NEW = '12025550100';
const OTHER = '5521990000003';
const GROUP = ['keeper', KINDS.numbers] as const;

describeEachLine('the trigger, switched on', (engine) => {
	const start = withGateways();
	const keeper = async () => await start({ generation: '2.3', seed: kindsSeed });

	/** Switched on a while ago; since then somebody has joined. */
	async function withNews(gateway: Gateway, parameters = participants()): Promise<Trigger> {
		const trigger = new Trigger(engine(), gateway, parameters);
		await trigger.items();
		gateway.network.join(...GROUP, NEW);
		return trigger;
	}

	it('by somebody only remembers, whatever was remembered before', async () => {
		const gateway = await keeper();
		const trigger = (await withNews(gateway)).restart({ activation: 'activate' });

		expect(await trigger.items()).toEqual([]);
		gateway.network.leave(...GROUP, NEW);
		expect(told(await trigger.items())).toEqual([`left ${NEW}`]);
	});

	it.each<Activation['activation']>(['init', 'leadershipChange', 'update'])(
		'again by n8n (%s) compares with what it remembers',
		async (activation) => {
			const gateway = await keeper();
			const trigger = (await withNews(gateway)).restart({ activation });

			expect(told(await trigger.items())).toEqual([`joined ${NEW}`]);
			expect(await trigger.items()).toEqual([]);
		},
	);

	it.each<Activation['activation']>(['activate', 'init', 'leadershipChange'])(
		'is on although the gateway is away (%s), and says so from the second poll on',
		async (activation) => {
			const gateway = await keeper();
			const trigger = (await withNews(gateway)).restart({ activation });
			gateway.fault({ kind: '503', times: 2 });

			expect(await trigger.poll()).toMatchObject({ items: null });
			expect(gateway.calls).toHaveLength(2);
			expect((await trigger.error()).failure).toEqual({ cause: 'temporarily-unavailable' });
			const news = activation === 'activate' ? [] : [`joined ${NEW}`];
			expect(told(await trigger.items())).toEqual(news);
			expect(await trigger.items()).toEqual([]);
		},
	);

	it('of an instance that does not exist is an error at once, also where the group says that it is not connected', async () => {
		const gateway = await start({ generation: 'whatsmiau', seed: kindsSeed });
		const of = (instance: string) =>
			new Trigger(engine(), gateway, participants(KINDS.numbers, { instance: locator(instance, 'name') }));
		expect(await of('waiting').items()).toEqual([]);

		const { message, failure } = await of('keepr').error();
		expect(message).toContain("The instance couldn't be found");
		expect(failure).toEqual({ cause: 'configuration-invalid' });
	});

	it('while the gateway is away, then n8n restarts: what was before is forgotten', async () => {
		const gateway = await keeper();
		const trigger = (await withNews(gateway)).restart({ activation: 'activate' });
		gateway.fault({ kind: '503', times: 1 });
		await trigger.items();

		expect(await trigger.restart().items()).toEqual([]);
	});

	it('repeats nothing in its first poll, whatever the options say', async () => {
		const gateway = await keeper();
		const parameters = participants(KINDS.numbers, { options: { maxRetries: 3 } });
		gateway.fault({ kind: '429-retry-after' });

		expect(await new Trigger(engine(), gateway, parameters).items()).toEqual([]);
		expect(gateway.calls).toHaveLength(1);
	});

	it('repeats a later poll as the options say', async () => {
		const gateway = await keeper();
		const parameters = participants(KINDS.numbers, { options: { maxRetries: 1 } });
		const trigger = await withNews(gateway, parameters);
		gateway.fault({ kind: '503', times: 1 });

		expect(told(await trigger.items())).toEqual([`joined ${NEW}`]);
		expect(gateway.calls).toHaveLength(3);
	});

	it.each([
		['a refused key', '401', 'credential-invalid'],
		['a group that the account is not in', 'forbidden', 'configuration-invalid'],
	] as const)('is refused with %s', async (_, kind, cause) => {
		const gateway = await keeper();
		gateway.fault({ kind });

		const { failure } = await new Trigger(engine(), gateway, participants()).error();
		expect(failure).toEqual({ cause });
	});

	it.each<[string, object]>([
		['event', statuses()],
		['instance', participants(KINDS.numbers, { instance: locator('ignoring', 'name') })],
		['group', participants('120363000000000105@g.us')],
	])('with another %s starts afresh', async (_, parameters) => {
		const seed = structuredClone(kindsSeed);
		// The same group, seen by another account, with other members.
		for (const { instanceName, groups } of seed.instances)
			if (instanceName === 'ignoring') for (const group of groups) group.jid = KINDS.numbers;
		const gateway = await start({ generation: '2.3', seed });
		const trigger = (await withNews(gateway)).restart({ parameters });

		expect(await trigger.items()).toEqual([]);
	});

	it('with another credential starts afresh', async () => {
		const gateway = await keeper();
		const trigger = (await withNews(gateway)).restart({ credentialId: '2' });

		expect(await trigger.items()).toEqual([]);
	});

	it('with another gateway in the same credential goes on for a group, and starts afresh for statuses', async () => {
		const [old, gateway] = [await keeper(), await keeper()];
		gateway.network.join(...GROUP, NEW);
		gateway.network.deleteInstance('waiting');
		const ofGroup = new Trigger(engine(), old, participants());
		const ofAll = new Trigger(engine(), old, statuses({ statuses: ['deleted'] }));
		await ofGroup.items();
		await ofAll.items();

		expect(told(await ofGroup.restart({ gateway }).items())).toEqual([`joined ${NEW}`]);
		expect(await ofAll.restart({ gateway }).items()).toEqual([]);
	});

	it('with other changes to tell goes on', async () => {
		const gateway = await keeper();
		const trigger = await withNews(gateway, participants(KINDS.numbers, { changes: ['left'] }));
		const parameters = participants(KINDS.numbers, { changes: ['joined'] });

		expect(told(await trigger.restart({ parameters }).items())).toEqual([`joined ${NEW}`]);
	});

	it.each([{}, { snapshot: 'x' }, { snapshot: '{"version":2}' }, { snapshot: 5 }, { snapshot: '[]' }])(
		'with something else in its memory starts afresh: %j',
		async (stored) => {
			const gateway = await keeper();
			const trigger = await withNews(gateway);
			trigger.staticData = { 'node:Trigger': stored };

			expect(await trigger.restart().items()).toEqual([]);
			gateway.network.leave(...GROUP, NEW);
			expect(told(await trigger.items())).toEqual([`left ${NEW}`]);
		},
	);

	it('drops a reply to a request that began before the newest that counted', async () => {
		let calls = 0;
		let release = (): void => undefined;
		const released = new Promise<void>((resolve) => (release = resolve));
		const gateway = await start({
			generation: '2.3',
			seed: kindsSeed,
			hold: async () => {
				if (++calls === 2) await released;
			},
		});
		const trigger = new Trigger(engine(), gateway, participants());
		await trigger.items();
		const first = trigger.items();
		while (calls < 2) await new Promise(setImmediate);
		gateway.network.join(...GROUP, NEW);
		expect(told(await trigger.items())).toEqual([`joined ${NEW}`]);
		gateway.network.leave(...GROUP, NEW);
		release();

		expect(await first).toEqual([]);
		expect(told(await trigger.items())).toEqual([`left ${NEW}`]);
	});

	it('says at once that the gateway is away after an update, and where n8n makes a context for each poll', async () => {
		const gateway = await keeper();
		const trigger = await withNews(gateway);
		gateway.fault({ kind: '503', times: 2 });

		for (let poll = 1; poll <= 2; poll++) {
			const { failure } = await trigger.restart({ activation: 'update' }).error();
			expect(failure).toEqual({ cause: 'temporarily-unavailable' });
		}
		expect(told(await trigger.restart({ activation: 'update' }).items())).toEqual([`joined ${NEW}`]);
	});

	it('reads at most every 15 minutes', async () => {
		const gateway = await keeper();
		const trigger = new Trigger(engine(), gateway, { ...participants(), options: {} });
		await trigger.items();
		// A person who switches it on gets what is there now.
		await trigger.restart({ activation: 'activate' }).items();
		gateway.network.join(...GROUP, NEW);

		expect(told(await trigger.items())).toEqual([]);
		expect(gateway.calls).toHaveLength(2);
	});

	it('ends a poll within the time that n8n gives it', async () => {
		const gateway = await keeper();
		const trigger = await withNews(gateway);
		gateway.fault({ kind: 'hang' });

		const { message, description } = await trigger.restart({ activation: 'update', budget: 500 }).error();
		expect(message).toContain("The gateway didn't answer within 0.45 seconds");
		expect(description).not.toContain('Timeout');
	});
});

describeEachLine('Fetch Test Event', (engine) => {
	const start = withGateways();
	const watching = triggersAt(engine, start);
	const manual = { mode: 'manual', activation: 'manual' } as const;

	it.each([
		[['joined', 'left'], { change: 'joined', role: 'member' }],
		[['left', 'joined'], { change: 'left', role: 'member' }],
		[['promoted'], { change: 'promoted', role: 'admin', previousRole: 'member' }],
		[['demoted'], { change: 'demoted', role: 'member', previousRole: 'admin' }],
	])('gives an ordinary member as the first of %j, and remembers nothing', async (changes, expected) => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, participants(KINDS.numbers, { changes }), manual);
		const { items, isWritten } = await trigger.poll();

		expect(items).toEqual([
			{
				json: {
					...expected,
					instance: 'keeper',
					groupJid: KINDS.numbers,
					participant: OTHER,
					jid: `${OTHER}@s.whatsapp.net`,
					detectedAt: expect.any(String),
				},
			},
		]);
		expect(isWritten).toBe(false);
	});

	it('leaves what is remembered as it is', async () => {
		const { gateway, trigger } = await watching(participants());
		gateway.network.join(...GROUP, NEW);

		expect((await trigger.restart(manual).poll()).isWritten).toBe(false);
		const news = await trigger.restart({ mode: 'trigger' }).items();
		expect(told(news)).toEqual([`joined ${NEW}`]);
	});

	it('gives a member by the hidden ID where no number is shown', async () => {
		const gateway = await start({ generation: '2.2', seed: kindsSeed });
		const [item] = await new Trigger(engine(), gateway, participants(KINDS.hidden), manual).items();

		expect(item).toMatchObject({ change: 'joined', participant: null, jid: expect.stringMatching(/@lid$/) });
	});

	it.each([
		[
			['close', 'open'],
			{ instance: 'loggedOut', status: 'close', previousStatus: 'open', disconnectionReason: 'loggedOut' },
		],
		[['open', 'close'], { instance: 'keeper', status: 'open', previousStatus: 'close' }],
		[['connecting'], { instance: 'waiting', status: 'connecting', previousStatus: 'open' }],
		[['deleted'], { instance: 'keeper', status: 'deleted', previousStatus: 'open' }],
	])('gives an instance that is so as the first of %j', async (chosen, expected) => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const parameters = statuses({ statuses: chosen });
		const [item] = await new Trigger(engine(), gateway, parameters, manual).items();

		expect(item).toMatchObject({ change: 'status', ...expected });
		if (expected.status === 'deleted') expect(Object.keys(Object(item))).toHaveLength(5);
	});

	it('gives no reason for a lost connection with an instance that is shown as open', async () => {
		const instances = kindsSeed.instances.filter(({ instanceName }) => instanceName === 'loggedOut');
		const gateway = await start({ generation: '2.3', seed: { ...kindsSeed, instances } });
		const sampleOf = async (status: string) =>
			(await new Trigger(engine(), gateway, statuses({ statuses: [status] }), manual).items())[0];

		expect(await sampleOf('close')).toHaveProperty('disconnectionReason', 'loggedOut');
		const open = await sampleOf('open');
		expect(open).toMatchObject({ instance: 'loggedOut', status: 'open', previousStatus: 'close' });
		expect(open).not.toHaveProperty('disconnectionReason');
		expect(open).not.toHaveProperty('disconnectedAt');
	});

	it('says so where nothing is there', async () => {
		const gateway = await start({ generation: '2.3', seed: { ...kindsSeed, instances: [] } });
		const { message } = await new Trigger(engine(), gateway, statuses(), manual).error();

		expect(message).toBe('The gateway has no instance to show');
	});
});

describeEachLine('a poll that fails', (engine) => {
	const start = withGateways();
	const watching = triggersAt(engine, start);
	/** A trigger, and how the poll fails that comes after so many. */
	async function failing(parameters: object, kind?: FaultKind, polls = kind === undefined ? 0 : 1) {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, parameters);
		for (let i = 0; i < polls; i++) await trigger.poll();
		if (kind !== undefined) gateway.fault({ kind });
		return { gateway, error: await trigger.error() };
	}

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
		const { gateway, trigger } = await watching(participants());
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

	it.each([
		['a group', participants(), /; instance keeper, group 120363000000000101@g\.us\)$/],
		['one instance', statusOf('keeper'), /; instance keeper\)$/],
		['all instances', statuses(), /^(?!.*; instance)/],
	])('names what it is about: %s', async (_, parameters, subject) => {
		expect((await failing(parameters, 'html')).error.message).toMatch(subject);
	});

	it('because the gateway limits requests says how long to wait', async () => {
		const { failure, description } = (await failing(participants(), '429-retry-after')).error;
		expect(failure).toEqual({ cause: 'rate-limited', retryAfterMs: 1000 });
		expect(description).toContain('Poll less often');
	});

	it.each([
		['loggedOut', 'temporarily-unavailable'],
		['nobody', 'configuration-invalid'],
	])('because of the instance %s says %s', async (value, cause) => {
		const parameters = participants(KINDS.numbers, { instance: locator(value, 'name') });
		expect((await failing(parameters, undefined, 1)).error.failure).toEqual({ cause });
	});

	it.each<[object, string]>([
		[participants(KINDS.numbers, { changes: [] }), "'Changes' is empty"],
		[participants(KINDS.numbers, { changes: ['joined', 'moved'] }), "'Changes' can't be \"moved\""],
		[participants(KINDS.numbers, { changes: '={{ "moved" }}' }), "'Changes' can't be \"moved\""],
		[participants(KINDS.numbers, { changes: '={{ null }}' }), "'Changes' is empty"],
		[statuses({ statuses: [] }), "'Statuses' is empty"],
		[statuses({ statuses: ['closed'] }), "'Statuses' can't be \"closed\""],
		[statuses({ options: { timeout: '' } }), "'Timeout (ms)' must be a whole number"],
		[participants('4915200000001'), 'group'],
		[participants(KINDS.numbers, { instance: { __rl: true, mode: 'name', value: '' } }), 'instance'],
	])('is about a parameter, before anything is asked: %j', async (parameters, message) => {
		const { gateway, error } = await failing(parameters);
		expect(error.message).toContain(message);
		expect(error.failure).toEqual({ cause: 'configuration-invalid' });
		expect(gateway.calls).toEqual([]);
	});

	it('because of an expression says what n8n says', async () => {
		const group = locator("={{ $('Sheet').item.json.group }}", 'id');
		const { gateway, error } = await failing(participants('', { group }));
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

describeEachLine('the trigger in the built package', (engine) => {
	const start = withGateways();

	it('is a polling trigger, and no tool', () => {
		const { trigger } = engine().describe();

		expect(trigger).toMatchObject({
			name: 'messagingGatewayTrigger',
			displayName: 'Messaging Gateway Trigger',
			version: 1,
			polling: true,
			inputs: [],
			credentials: [{ name: 'messagingGatewayApi', required: true }],
		});
		expect(trigger).not.toHaveProperty('usableAsTool', true);
		// n8n adds the poll times.
		expect(trigger.properties.map(({ name }) => name)).toContain('pollTimes');
	});

	it('has its icons and its codex where n8n looks for them', () => {
		const { iconUrl, codex } = engine().describe().trigger;
		const icons = typeof iconUrl === 'object' ? [iconUrl.light, iconUrl.dark] : [];

		expect(icons).toHaveLength(2);
		for (const icon of icons) {
			const [, , ...path] = icon.split('/');
			expect(existsSync(join(PACKAGE_ROOT, ...path))).toBe(true);
		}
		expect(codex).toMatchObject({
			categories: ['Communication'],
			resources: { primaryDocumentation: [expect.anything()] },
		});
	});

	// n8n has one schema for a node without operations, so it holds the fields of all events.
	it.each([participants(KINDS.hidden), statuses()])(
		'offers every field before it has run: $event',
		async (parameters) => {
			const gateway = await start({ generation: '2.3', seed: kindsSeed });
			const manual = { mode: 'manual', activation: 'manual' } as const;
			const [item = {}] = await new Trigger(engine(), gateway, parameters, manual).items();
			const file = join(PACKAGE_ROOT, 'dist/nodes/MessagingGatewayTrigger/__schema__/v1.0.0.json');
			const schema = JSON.parse(readFileSync(file, 'utf8')) as { properties: object };

			expect(Object.keys(item).length).toBeGreaterThan(4);
			expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(item)));
		},
	);
});
