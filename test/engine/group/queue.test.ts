import { setTimeout as wait } from 'node:timers/promises';
import { startGateway, type Call, type Gateway, KINDS, kindsSeed, type Fault } from '../../gateway/gateway';
import { resetInviteLink, updateGroup } from '../gateways/parameters';
import {
	describeEachLine,
	groupParameters,
	inviteParameters,
	REGULAR_OUTPUT,
	runNode,
	syncParameters,
	tell,
	withGateways,
	describeOnEngine,
} from '../support';
import {
	CUSTOMERS,
	JUST_ME,
	phones,
	abroad as rows,
	SECOND_GROUP,
	SECOND_INSTANCE,
	changesAsked,
} from './people';
import { ofRound, runInTurn, runRounds } from './workflows';

const INTERVAL = 150;
/** Before each reply, in ms. */
const LATENCY = 60;
/** Timers may be early by this much, in ms. */
const CLOCK = 10;
/** A test that waits this long, in ms, fails by its own time limit. */
const FOREVER = 3_600_000;

const QUICK = { batchInterval: INTERVAL };

/** An addition of people for each item, each in a request of its own. */
const add = (options: object = {}, group = CUSTOMERS) =>
	groupParameters({ group, options: { batchSize: 1, ...QUICK, ...options } });
const sync = (group: string, options: object = {}) =>
	syncParameters({ instance: 'main', group, options: { batchSize: 1, ...options } });

const routeOf = ({ path }: Call) => path.split('/')[2];
/** The changes and invites that a gateway was asked for, in order. */
const changesOf = ({ calls }: Gateway): Call[] =>
	calls.filter((call) => /^(update|revoke|send)/.test(routeOf(call) ?? ''));
/** From the arrival of each to that of the next one, in ms. */
const distancesOf = (calls: readonly Call[]): number[] =>
	calls.slice(1).map(({ startedAt }, i) => startedAt - (calls[i]?.startedAt ?? Infinity));
/** Starts a gateway that doesn't answer such calls before they are released. */
async function startHolding(
	start: ReturnType<typeof withGateways>,
	isHeld: (call: Call) => boolean = () => true,
) {
	let release = (): void => undefined;
	const held = new Promise<void>((resolve) => (release = resolve));
	const gateway = await start({ hold: async (call) => await (isHeld(call) ? held : undefined) });
	return { gateway, release: () => release() };
}
/** Resolves with the first call that is so, once it has arrived. */
async function arrival(gateway: Gateway, isIt: (call: Call) => boolean): Promise<Call> {
	for (;;) {
		const call = gateway.calls.find(isIt);
		if (call !== undefined) return call;
		await wait(5);
	}
}

describeEachLine('workflows that change one account at the same time', (engine) => {
	const start = withGateways();

	it('change it one at a time, with a pause between any two requests', async () => {
		const gateway = await start({ latency: LATENCY });
		const reset = resetInviteLink('={{ $json.group }}', 'main', { options: QUICK });
		const settings = updateGroup({ sendMessages: 'admins' }, '={{ $json.group }}', 'main', {
			options: QUICK,
		});
		const groups = [{ group: CUSTOMERS }, { group: JUST_ME }];
		const invite = inviteParameters({ instance: 'main', group: CUSTOMERS, options: QUICK });
		const runs = await Promise.all([
			runNode(engine(), gateway, add(), rows(3)),
			runNode(engine(), gateway, add({}, JUST_ME), rows(3)),
			runNode(engine(), gateway, settings, groups),
			runNode(engine(), gateway, reset, groups),
			runNode(engine(), gateway, invite, rows(2, 10)),
		]);
		expect(runs.map(({ error }) => error)).toEqual(Array(5).fill(undefined));
		const changes = changesOf(gateway);
		expect(changes).toHaveLength(12);
		for (const distance of distancesOf(changes))
			expect(distance).toBeGreaterThanOrEqual(LATENCY + INTERVAL - CLOCK);
		expect(gateway.messages).toHaveLength(2);
	});

	it('keep their own pause, and the shorter one between each other', async () => {
		const gateway = await start();
		const slow = runNode(engine(), gateway, add({ batchInterval: 1500 }, JUST_ME), rows(2));
		await arrival(gateway, () => true);
		const quick = runNode(engine(), gateway, add(), rows(3));
		await Promise.all([slow, quick]);
		const changes = changesOf(gateway);
		const ofSlow = changes.filter(({ path }) => path.includes(JUST_ME.slice(0, 18)));
		expect(changes.indexOf(ofSlow[0] as Call)).toBe(0);
		expect(distancesOf(ofSlow)[0]).toBeGreaterThanOrEqual(1500 - CLOCK);
		for (const distance of distancesOf(changes)) expect(distance).toBeGreaterThanOrEqual(INTERVAL - CLOCK);
	});

	it('keep the shorter pause also after one that has ended', async () => {
		const gateway = await start();
		await runNode(engine(), gateway, add({ batchInterval: FOREVER }), rows(1));
		await runNode(engine(), gateway, add({ batchInterval: 1500 }, JUST_ME), rows(1));
		expect(distancesOf(changesOf(gateway))[0]).toBeGreaterThanOrEqual(1500 - CLOCK);
	});

	it('end their wait when they are canceled, and leave no ticket', async () => {
		const { gateway, release } = await startHolding(start);
		const first = runNode(engine(), gateway, add(), rows(1));
		await arrival(gateway, () => true);
		const second = runNode(engine(), gateway, add({}, JUST_ME), rows(2));
		await wait(300);
		engine().cancel();
		const { run } = await second;
		expect(run.status).toBe('canceled');
		expect(gateway.calls).toHaveLength(1);
		release();
		await first;
		// A ticket that was left behind would have this one wait.
		const { error } = await runNode(engine(), gateway, add(), rows(1, 5));
		expect(error).toBeUndefined();
		expect(gateway.calls).toHaveLength(2);
	});

	it('stop together when the network limits the account, whatever they wait for', async () => {
		const gateway = await start();
		const inPause = runNode(engine(), gateway, add({ batchInterval: FOREVER }), rows(3), REGULAR_OUTPUT);
		await arrival(gateway, () => true);
		gateway.fault({ kind: 'rate-overlimit' });
		const [limited, paused] = await Promise.all([
			runNode(engine(), gateway, add({}, JUST_ME), rows(2), REGULAR_OUTPUT),
			inPause,
		]);
		expect(gateway.calls).toHaveLength(2);
		const nothing = expect.stringMatching(/^Nothing was sent for this item: .*rate limiting this account/);
		expect(limited.main.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/^The messaging network is rate limiting this account/),
			nothing,
		]);
		expect(paused.main.map(({ json }) => json.error)).toEqual([undefined, nothing, nothing]);
	});

	it.each([
		['429', 'The gateway limits the number of requests'],
		['rate-overlimit', 'The messaging network is rate limiting this account'],
	] as const)('stop also in later runs, which say until when, but no others: %s', async (kind, words) => {
		const gateway = await start();
		gateway.fault({ kind, times: 1 });
		await runNode(engine(), gateway, add({ maxRetries: 0 }), rows(1), REGULAR_OUTPUT);
		const later = [add(), sync(CUSTOMERS), inviteParameters({ instance: 'main', group: CUSTOMERS })];
		for (const parameters of later) {
			const { main } = await runNode(engine(), gateway, parameters, rows(1), REGULAR_OUTPUT);
			expect(main[0]?.json.error).toContain(words);
			expect(main[0]?.json.error).toMatch(/Nothing more is sent until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
		}
		expect(gateway.calls).toHaveLength(1);
		const read = { ...sync(CUSTOMERS, { dryRun: true }) };
		expect((await runNode(engine(), gateway, read, rows(1))).main[0]?.json.outcome).toBe('planned');
	});

	it('stop before their first change of an account, too', async () => {
		const gateway = await start();
		const options = { batchInterval: 1000 };
		const reset = resetInviteLink('={{ $json.group }}', '={{ $json.instance }}', { options });
		const items = [
			{ instance: SECOND_INSTANCE, group: SECOND_GROUP },
			{ instance: 'main', group: CUSTOMERS },
		];
		const waiting = runNode(engine(), gateway, reset, items, REGULAR_OUTPUT);
		await arrival(gateway, () => true);
		gateway.fault({ kind: 'rate-overlimit' });
		await runNode(engine(), gateway, add(), rows(1), REGULAR_OUTPUT);
		gateway.clearFaults();
		expect((await waiting).main.map(({ json }) => json.error)).toEqual([
			undefined,
			expect.stringMatching(/^Nothing was sent for this item: .*rate limiting this account/),
		]);
		expect(gateway.calls.filter(({ path }) => /\/(update|revoke)/.test(path))).toHaveLength(2);
	});

	it('stop also while one of them waits for the link of a group', async () => {
		const isLink = ({ path }: Call) => path.includes('inviteCode');
		const { gateway, release } = await startHolding(start, isLink);
		const parameters = inviteParameters({ instance: 'main', group: CUSTOMERS, options: QUICK });
		const reading = runNode(engine(), gateway, parameters, rows(4), REGULAR_OUTPUT);
		await arrival(gateway, isLink);
		gateway.fault({ kind: 'rate-overlimit' });
		await runNode(engine(), gateway, add({}, JUST_ME), rows(1, 50), REGULAR_OUTPUT);
		release();
		const nothing = expect.stringMatching(/^Nothing was sent for this item: .*rate limiting this account/);
		expect((await reading).main.map(({ json }) => json.error)).toEqual(Array(4).fill(nothing));
		expect(changesOf(gateway)).toHaveLength(1);
	});

	it('go on where only an invite ended badly, or where another one is canceled', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'reset-after', on: ({ path }) => path.includes('/sendInvite/') });
		const adding = runNode(engine(), gateway, add(), rows(4));
		const invite = inviteParameters({ instance: 'main', group: CUSTOMERS, options: QUICK });
		const invited = await runNode(engine(), gateway, invite, rows(2, 10), REGULAR_OUTPUT);
		expect(invited.main.map(({ json }) => json.outcome)).toEqual(['unconfirmed', 'postponed']);
		const canceled = runNode(engine(), gateway, add({ batchInterval: FOREVER }), rows(2, 20));
		await arrival(gateway, ({ body }) => JSON.stringify(body ?? '').includes(phones(1, 20)[0] ?? '-'));
		engine().cancel();
		await canceled;
		expect((await adding).main.map(({ json }) => json.outcome)).toEqual(Array(4).fill('done'));
	});

	it('do not wait for those of another account, nor for reads and dry runs', async () => {
		const { gateway, release } = await startHolding(start, ({ path }) => path.includes(JUST_ME.slice(0, 18)));
		const waiting = runNode(engine(), gateway, add({}, JUST_ME), rows(1));
		await arrival(gateway, () => true);
		const other = await startGateway();
		const [elsewhere, dry, read] = await Promise.all([
			runNode(engine(), other, add(), rows(1)),
			runNode(engine(), gateway, add({ dryRun: true }), rows(1)),
			runNode(engine(), gateway, sync(CUSTOMERS, { dryRun: true }), rows(1, 1)),
		]);
		await other.close();
		const ends = [elsewhere, dry, read].flatMap(({ main }) => main);
		expect(tell(ends, 'outcome')).toBe('done, planned, planned');
		release();
		await waiting;
	});
});

describeEachLine('a second Sync of a group', (engine) => {
	const start = withGateways();
	const readsOf = ({ calls }: Gateway) => calls.filter((call) => routeOf(call) === 'participants');

	it('waits before its first reading until the first one has ended, for all its groups', async () => {
		const gateway = await start({ latency: LATENCY });
		const first = runNode(engine(), gateway, sync(CUSTOMERS), rows(2));
		await arrival(gateway, (call) => routeOf(call) === 'participants');
		const both = sync('={{ $json.group }}');
		const items = [JUST_ME, CUSTOMERS].map((group, i) => ({ ...rows(2)[i], group }));
		const second = await runNode(engine(), gateway, both, items);
		await first;
		const [, ...later] = readsOf(gateway);
		const changes = changesOf(gateway);
		expect(later).toHaveLength(2);
		for (const { startedAt } of later) expect(startedAt).toBeGreaterThan(changes[1]?.finishedAt ?? Infinity);
		// What the first one did was seen.
		expect(tell(second.main, 'groupJid', 'outcome')).toBe(`${JUST_ME} done, ${CUSTOMERS} unchanged`);
	});

	it('ends its wait when it is canceled', async () => {
		const { gateway, release } = await startHolding(start);
		const first = runNode(engine(), gateway, sync(CUSTOMERS), rows(1));
		await arrival(gateway, () => true);
		const second = runNode(engine(), gateway, sync(CUSTOMERS), rows(1));
		await wait(300);
		engine().cancel();
		expect((await second).run.status).toBe('canceled');
		expect(gateway.calls).toHaveLength(1);
		release();
		await first;
	});

	it('of another group, or a dry run, does not wait', async () => {
		const { gateway, release } = await startHolding(start, ({ path }) =>
			path.startsWith('/group/updateParticipant/'),
		);
		const first = runNode(engine(), gateway, sync(CUSTOMERS), rows(1));
		await arrival(gateway, (call) => routeOf(call) === 'updateParticipant');
		const [dry, member] = await Promise.all([
			runNode(engine(), gateway, sync(CUSTOMERS, { dryRun: true }), rows(1, 1)),
			runNode(engine(), gateway, sync(JUST_ME), [{ phone: '5511990000001' }]),
		]);
		expect([dry.main[0]?.json.outcome, member.error]).toEqual(['planned', undefined]);
		release();
		await first;
	});
});

const PEOPLE = phones(6);
const messages = ({ calls }: Gateway) => calls.filter(({ path }) => path.includes('/sendInvite/'));

describeOnEngine('the rounds of a loop', (engine) => {
	const start = withGateways();

	it.each(['500', 'reset-after'] as const)(
		'send no message after one of which it is not known whether it was sent: %s',
		async (kind) => {
			const gateway = await start({ seed: kindsSeed });
			gateway.fault({ kind, on: ({ path }) => path.includes('/sendInvite/'), times: 1 });
			const parameters = inviteParameters({ participants: ofRound(PEOPLE) });

			expect(tell((await runRounds(engine(), gateway, parameters, 3)).main, 'outcome')).toBe('postponed');
			expect(messages(gateway)).toHaveLength(1);
		},
	);

	it.each<[string, Fault, number]>([
		['two changes in a row ended unknown', { kind: 'reset-after' }, 2],
		['the gateway refused the key', { kind: '401' }, 1],
		['the gateway refused the group', { kind: 'forbidden' }, 1],
	])('change nobody after %s', async (_, fault, sent) => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ ...fault, on: ({ path }) => path.includes('/updateParticipant/') });
		const parameters = groupParameters({
			...{ instance: 'keeper', group: KINDS.numbers, participants: ofRound(PEOPLE) },
			options: { batchInterval: 0 },
		});
		await runRounds(engine(), gateway, parameters, 5);
		expect(changesAsked(gateway)).toHaveLength(sent);
	});

	it('count what was sent before in a dry run', async () => {
		const gateway = await start({ seed: kindsSeed });
		const parameters = inviteParameters({
			participants: ofRound([PEOPLE.slice(0, 3).join(), PEOPLE.slice(3).join()]),
			options: { maxPerRun: 4, dryRun: ofRound([false, true]) },
		});

		// The second round has an item for each result of the first.
		const { main, hints } = await runRounds(engine(), gateway, parameters, 2);
		expect(tell(main.slice(0, 3), 'outcome')).toBe('planned, postponed, postponed');
		expect(hints).toContain("'Maximum Invites per Run' lets 1 of 3 messages go out in one run");
		expect(hints).toContain('It would be 1 request. To do it, turn off Dry Run');
		expect(messages(gateway)).toHaveLength(3);
	});

	it('of Sync remove no more of a group than one run may', async () => {
		const gateway = await start({ seed: kindsSeed });
		const joined = phones(17);
		for (const phone of joined) gateway.network.join('keeper', KINDS.numbers, phone);
		const membersBefore = gateway.group('keeper', KINDS.numbers)?.members.length ?? 0;
		const parameters = syncParameters({ participants: ofRound(joined), shouldBeMember: false, options: {} });
		const { hints } = await runRounds(engine(), gateway, parameters, joined.length);

		const allowed = Math.floor(membersBefore / 5);
		expect(changesAsked(gateway).map(({ participants }) => participants.length)).toEqual(
			Array.from({ length: allowed }, () => 1),
		);
		expect(hints.join()).toContain(
			`1 of ${membersBefore - allowed} members would be removed besides ${allowed} before in this execution`,
		);
	});

	it('of Sync give a person one place, however many groups they are added to', async () => {
		const gateway = await start({ seed: kindsSeed });
		const groups = [KINDS.numbers, KINDS.hidden];
		const parameters = syncParameters({
			group: ofRound(groups),
			participants: PEOPLE.slice(0, 4).join(),
			options: { maxAdditions: 4, batchSize: 4 },
		});
		const { main } = await runRounds(engine(), gateway, parameters, groups.length);

		expect(tell(main, 'outcome')).toMatch(/^done(, done)*$/);
		expect(changesAsked(gateway).map(({ groupJid }) => groupJid)).toEqual(groups);
	});

	it('send people one per request once the group has refused several', async () => {
		const gateway = await start({ seed: kindsSeed });
		const body = {
			status: 400,
			response: { message: ['Error updating participants', 'Error: bad-request'] },
		};
		gateway.fault({
			kind: 'forbidden',
			body,
			on: ({ path }) => path.includes('/updateParticipant/'),
			times: 1,
		});
		const participants = ofRound([PEOPLE.slice(0, 2).join(), PEOPLE.slice(2, 4).join()]);
		const parameters = groupParameters({ instance: 'keeper', group: KINDS.numbers, participants });
		await runRounds(engine(), gateway, parameters, 2);
		expect(changesAsked(gateway).map((asked) => asked.participants.length)).toEqual([2, 1, 1, 1, 1]);
	});

	it('of Sync try nobody again whose removal ended unknown before', async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: '500', on: ({ path }) => path.includes('/updateParticipant/'), times: 1 });
		const participants = "={{ ['5521990000003', '447700900004'][$itemIndex] }}";
		const parameters = syncParameters({
			participants,
			shouldBeMember: false,
			options: { batchSize: 2, maxRemovalPercent: 100 },
		});
		const { main } = await runRounds(engine(), gateway, parameters, 2, [{}, {}]);

		expect(tell(main, 'outcome', 'action')).toBe('unconfirmed none, unconfirmed none');
		expect(changesAsked(gateway)).toHaveLength(1);
	});

	it('of Sync remove nobody by a list that is not the only one of the execution', async () => {
		const gateway = await start({ seed: kindsSeed });
		const parameters = syncParameters({
			participants: ofRound([PEOPLE[0], PEOPLE[1], PEOPLE[1]]),
			unlisted: ofRound(['keep', 'keep', 'remove']),
			options: { maxRemovalPercent: 100 },
		});
		await runRounds(engine(), gateway, parameters, 3);

		expect(changesAsked(gateway).map(({ action }) => action)).toEqual(['add', 'add']);
	});

	it('of Sync send nothing more to a group that is full, until somebody leaves', async () => {
		const seed = structuredClone(kindsSeed);
		const [first] = seed.instances[0]?.groups ?? [];
		if (first) first.maxMembers = first.members.length + 1;
		const gateway = await start({ seed });
		const member = first?.members.at(-1) ?? '';
		const people = ofRound([...PEOPLE.slice(0, 4), member, ...PEOPLE.slice(4), PEOPLE[3]]);
		const shouldBeMember = ofRound([true, true, true, true, false, true, true, true]);
		const parameters = syncParameters({ participants: people, shouldBeMember });
		const { main } = await runRounds(engine(), gateway, parameters, 8);

		expect(main.map(({ json }) => json.reason)).toEqual(['groupFull']);
		expect(changesAsked(gateway).map(({ action }) => action)).toEqual(['add', 'add', 'remove', 'add', 'add']);
	});

	it('of Sync give back no place of somebody who was asked for in another group', async () => {
		const gateway = await start({ seed: kindsSeed });
		const isHidden = ({ path }: { path: string }) => path.includes(KINDS.hidden.slice(0, 18));
		gateway.fault({
			kind: 'forbidden',
			on: (call) => isHidden(call) && call.path.includes('/updateParticipant/'),
		});
		const parameters = syncParameters({
			group: `={{ $json.group ?? '${KINDS.numbers}' }}`,
			participants: ofRound([PEOPLE.slice(0, 3).join(), PEOPLE.slice(3).join()]),
			options: { maxAdditions: 3, batchSize: 1 },
		});
		const items = [{ group: KINDS.numbers }, { group: KINDS.hidden }];
		await runRounds(engine(), gateway, parameters, 2, items);

		const asked = changesAsked(gateway).flatMap(({ participants }) => participants);
		expect(new Set(asked)).toEqual(new Set(PEOPLE.slice(0, 3)));
	});
});

describeOnEngine('the nodes of one execution', (engine) => {
	const start = withGateways();
	const [ana, bo, cleo] = PEOPLE;

	it('share the limits of Sync', async () => {
		const gateway = await start({ seed: kindsSeed });
		const nodes = [ana, bo].map((participants) =>
			syncParameters({ participants, options: { maxAdditions: 1 } }),
		);
		const [first, second] = await runInTurn(engine(), gateway, nodes);
		expect(tell([...(first ?? []), ...(second ?? [])], 'outcome')).toBe('done, postponed');
	});

	it('remove nobody by another list than that of a node before', async () => {
		const gateway = await start({ seed: kindsSeed });
		const options = { maxRemovalPercent: 100 };
		const nodes = [ana, bo].map((participants) =>
			syncParameters({ participants, unlisted: 'remove', options }),
		);
		const [, second] = await runInTurn(engine(), gateway, nodes);
		expect(tell(second ?? [], 'error')).toContain('members who are in another list of this execution');
	});

	it('share the invites of a run, and why no more are sent', async () => {
		const gateway = await start({ seed: kindsSeed });
		const invite = (participants: unknown, maxPerRun: number) =>
			inviteParameters({ participants, options: { maxPerRun } });
		const sent = await runInTurn(
			engine(),
			gateway,
			[ana, bo, cleo].map((one) => invite(one, 2)),
		);
		expect(tell(sent.flat(), 'outcome')).toBe('sent, sent, postponed');
	});
});
