import { setTimeout as wait } from 'node:timers/promises';
import { resetInviteLink, updateSettings } from '../gateways/parameters';
import { startGateway, type Call, type Gateway } from '../../gateway/gateway';
import {
	describeEachLine,
	groupParameters,
	inviteParameters,
	REGULAR_OUTPUT,
	runNode,
	syncParameters,
	tell,
	withGateways,
} from '../support';
import { CUSTOMERS, JUST_ME, phones, rows, SECOND_GROUP, SECOND_INSTANCE } from './people';

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
		const settings = updateSettings('={{ $json.group }}', 'main', { sendMessages: 'admins', options: QUICK });
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
		const close = { sendMessages: '={{ $json.who }}', options };
		const settings = updateSettings('={{ $json.group }}', '={{ $json.instance }}', close);
		const items = [
			{ instance: SECOND_INSTANCE, group: SECOND_GROUP, who: 'admins' },
			{ instance: SECOND_INSTANCE, group: SECOND_GROUP, who: 'everyone' },
			{ instance: 'main', group: CUSTOMERS, who: 'admins' },
		];
		const waiting = runNode(engine(), gateway, settings, items, REGULAR_OUTPUT);
		await arrival(gateway, () => true);
		gateway.fault({ kind: 'rate-overlimit' });
		await runNode(engine(), gateway, add(), rows(1), REGULAR_OUTPUT);
		gateway.clearFaults();
		expect((await waiting).main.map(({ json }) => json.error)).toEqual([
			undefined,
			undefined,
			expect.stringMatching(/^Nothing was sent for this item: .*rate limiting this account/),
		]);
		expect(gateway.calls.filter(({ path }) => path.includes('/update'))).toHaveLength(3);
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
			runNode(engine(), gateway, sync(CUSTOMERS, { dryRun: true }), rows(1)),
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
			runNode(engine(), gateway, sync(CUSTOMERS, { dryRun: true }), rows(1)),
			runNode(engine(), gateway, sync(JUST_ME), [{ phone: '5511990000001' }]),
		]);
		expect([dry.main[0]?.json.outcome, member.error]).toEqual(['planned', undefined]);
		release();
		await first;
	});
});
