import { kindsSeed, KINDS, type Gateway } from '../../gateway/gateway';
import type { Activation } from '../engine';
import { describeEachLine, locator, withGateways } from '../support';
import { participants, statuses, told, Trigger } from './trigger';

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

	it.each([
		['a version that reads at most every 15 minutes', 1.1, [], 2],
		['version 1, which reads at each poll', 1, [`joined ${NEW}`], 3],
	])('with %s', async (_, typeVersion, expected, asked) => {
		const gateway = await keeper();
		const usual = { ...participants(), options: {} };
		const trigger = new Trigger(engine(), gateway, usual, { typeVersion });
		await trigger.items();
		// A person who switches it on gets what is there now.
		await trigger.restart({ activation: 'activate' }).items();
		gateway.network.join(...GROUP, NEW);

		expect(told(await trigger.items())).toEqual(expected);
		expect(gateway.calls).toHaveLength(asked);
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
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, participants());
		await trigger.items();
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
	])('gives an instance that is so as the first of %j', async (chosen, expected) => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const parameters = statuses({ statuses: chosen });
		const [item] = await new Trigger(engine(), gateway, parameters, manual).items();

		expect(item).toMatchObject({ change: 'status', ...expected });
	});

	it('gives an instance as deleted without its other fields, as such an event is', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const parameters = statuses({ statuses: ['deleted'] });
		const [item] = await new Trigger(engine(), gateway, parameters, manual).items();

		expect(item).toEqual({
			change: 'status',
			instance: 'keeper',
			status: 'deleted',
			previousStatus: 'open',
			detectedAt: expect.any(String),
		});
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
