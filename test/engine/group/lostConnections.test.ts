import { resetInviteLink, updateSettings } from '../gateways/parameters';
import { startGateway, type Call, type Fault, type Gateway, type Generation } from '../../gateway/gateway';
import { CUSTOMERS } from '../../gateway/seed';
import {
	describeOnEngine,
	groupParameters,
	inviteParameters,
	runNode,
	seedWith,
	skipPauses,
	syncParameters,
	withAttempts,
	withGateways,
	withPatience,
	REGULAR_OUTPUT,
} from '../support';
import { HIDDEN_NUMBERS, JUST_ME, phones, rows } from './people';

const GENERATIONS: Generation[] = ['1.8', '2.3'];
const GROUPS = [CUSTOMERS, JUST_ME, HIDDEN_NUMBERS, '120363000000000005@g.us'];

/** How an operation is run on four rows, and which of them the network shows as done. */
interface Writing {
	parameters: object;
	items: object[];
	isDone: (gateway: Gateway, item: number) => boolean;
}

/** What is asked of a gateway whose groups are as given before. */
function writingsOf(before: ReturnType<Gateway['snapshot']>): Record<string, Writing> {
	const groups = GROUPS.map((group) => ({ group }));
	const options = { batchInterval: 0 };
	const codeBefore = (item: number) => before.find(({ groupJid }) => groupJid === GROUPS[item])?.inviteCode;
	const groupOf = (gateway: Gateway, item: number) => gateway.group('main', GROUPS[item] ?? '');
	return {
		'Update Participants': {
			parameters: groupParameters({ options: { batchSize: 1 } }),
			items: rows(4),
			isDone: (gateway, item) =>
				gateway.group('main', CUSTOMERS)?.members.includes(`${phones(4)[item]}@s.whatsapp.net`) === true,
		},
		Sync: {
			parameters: syncParameters({
				instance: 'main',
				group: CUSTOMERS,
				options: { batchSize: 1, ...options },
			}),
			items: rows(4),
			isDone: (gateway, item) =>
				gateway.group('main', CUSTOMERS)?.members.includes(`${phones(4)[item]}@s.whatsapp.net`) === true,
		},
		'Update Settings': {
			parameters: updateSettings('={{ $json.group }}', 'main', { sendMessages: 'admins', options }),
			items: groups,
			isDone: (gateway, item) => groupOf(gateway, item)?.settings.announce === true,
		},
		'Reset Invite Link': {
			parameters: resetInviteLink('={{ $json.group }}', 'main', { options }),
			items: groups,
			isDone: (gateway, item) => groupOf(gateway, item)?.inviteCode !== codeBefore(item),
		},
	};
}

/** What costs the connection of an instance, and how many questions for its live state find it closed. */
interface Loss {
	generation: Generation;
	/** The operation under way. */
	name: string;
	fault: Fault;
	closedFor: number;
}

const routeOf = ({ path }: Call) => path.split('/')[2] ?? '';
const isChange = (call: Call) => /^(update|revoke)/.test(routeOf(call));
const isQuestion = (call: Call) => routeOf(call) === 'connectionState';

describeOnEngine('a connection that is lost', (engine) => {
	skipPauses(engine);
	const start = withGateways();

	/** Runs an operation while its second change, or the moment after its first, costs the connection. */
	const run = async ({ generation, name, fault, closedFor }: Loss) => {
		let questions = 0;
		const gateway = await startGateway({
			generation,
			hold: async (call) => {
				if (isQuestion(call) && questions++ >= closedFor) gateway.network.setConnection('main', 'open');
				await Promise.resolve();
			},
		});
		const { parameters, items, isDone } = writingsOf(gateway.snapshot())[name] ?? {};
		if (parameters === undefined || items === undefined) throw new Error(`There is no ${name}`);
		const method = generation === '2.3' ? 'POST' : 'PUT';
		gateway.fault({
			times: 1,
			...fault,
			on: (call) => isChange(call) && call.method === method,
			happening: () => gateway.network.setConnection('main', 'close'),
		});
		const { main } = await runNode(engine(), gateway, parameters, items, REGULAR_OUTPUT);
		await gateway.close();
		const said = main.map(({ json }) => String(json.error ?? 'done'));
		const done = items.map((_, item) => isDone?.(gateway, item));
		// Those of another method got the answer that there is no such route.
		const calls = gateway.calls.filter((call) => !isChange(call) || call.method === method);
		return { said, done, calls };
	};

	const NOT_KNOWN = expect.stringMatching(/not known whether/);
	const NOTHING = expect.stringMatching(/^Nothing was sent: the instance isn't connected/);
	const names = ['Update Participants', 'Update Settings', 'Reset Invite Link'];
	const losses: Fault[] = [
		{ kind: 'closed-1006', after: 1 },
		{ kind: 'connection-closed', after: 1, applied: false },
		{ kind: 'stream-errored', after: 1 },
	];

	/** Each of these operations on each generation with each of these faults. */
	const lossesOf = (operations: string[], faults: Fault[], closedFor: number): Loss[] =>
		GENERATIONS.flatMap((generation) =>
			operations.flatMap((name) => faults.map((fault) => ({ generation, name, fault, closedFor }))),
		);
	const back = [0, 1].flatMap((closedFor) => lossesOf(names, losses, closedFor));
	const away = lossesOf(names, losses, Infinity);
	const late = lossesOf(names, [{ kind: 'wrong-content-type' }], Infinity);
	const inSync = lossesOf(['Sync'], [{ kind: 'closed-1006', after: 1 }], Infinity);
	const all = [...back, ...away, ...late, ...inSync];
	const tried = withAttempts(all, run, all.length);

	it('and is there again: the rest is done', async () => {
		for (const loss of back) {
			const { said, done, calls } = await tried(loss);
			// The group says what a setting is now, once the instance is back.
			const shown = done[1] === true ? /^done$/ : /^The setting wasn't changed/;
			const isRead = calls.filter((call) => routeOf(call) === 'findGroupInfos').length === done.length;
			expect(said).toEqual(['done', isRead ? expect.stringMatching(shown) : NOT_KNOWN, 'done', 'done']);
			expect([done[0], ...done.slice(2)]).toEqual([true, true, true]);
			expect(calls.filter(isChange)).toHaveLength(4);
			expect(calls.filter(isQuestion).length).toBeLessThanOrEqual(2);
		}
	});

	it('and stays away: nothing more is sent, and the rows say so', async () => {
		for (const loss of away) {
			const { said, done, calls } = await tried(loss);
			expect(said).toEqual(['done', NOT_KNOWN, NOTHING, NOTHING]);
			expect(done.slice(2)).toEqual([false, false]);
			expect(calls.filter(isChange)).toHaveLength(2);
			expect(calls.slice(-2).map(routeOf)).toEqual(['connectionState', 'connectionState']);
		}
	});

	it('by an addition that succeeded costs one more change, and no third one', async () => {
		for (const loss of late) {
			const { said, done, calls } = await tried(loss);
			expect(said).toEqual(['done', NOT_KNOWN, NOTHING, NOTHING]);
			expect(done).toEqual([true, false, false, false]);
			expect(calls.slice(-4).map(routeOf).slice(2)).toEqual(['connectionState', 'connectionState']);
		}
	});

	it('in Sync stops what is still to be added', async () => {
		for (const loss of inSync) {
			const { said, done, calls } = await tried(loss);
			expect(said.slice(2)).toEqual([NOTHING, NOTHING]);
			expect(done).toEqual([true, true, false, false]);
			expect(calls.filter(isChange)).toHaveLength(2);
		}
	});

	it('or not: two changes in a row whose result is not known end the run for the instance', async () => {
		const gateway = await start();
		gateway.fault({ kind: '500', on: isChange, after: 1 });
		const parameters = groupParameters({ options: { batchSize: 1 } });
		const { main } = await runNode(engine(), gateway, parameters, rows(5), REGULAR_OUTPUT);
		const stopped = expect.stringMatching(/^Nothing was sent for this item: .*Two requests in a row/);
		expect(main.map(({ json }) => json.error ?? 'done')).toEqual([
			'done',
			NOT_KNOWN,
			NOT_KNOWN,
			stopped,
			stopped,
		]);
		expect(gateway.calls.map(routeOf).slice(1)).toEqual([
			'updateParticipant',
			'connectionState',
			'updateParticipant',
		]);
	});

	it('by an invite has the next one, of another run, ask first', async () => {
		const gateway = await start();
		const parameters = inviteParameters({ instance: 'main', group: CUSTOMERS });
		gateway.fault({ kind: 'reset-after', on: (call) => routeOf(call) === 'sendInvite', times: 1 });
		const first = await runNode(engine(), gateway, parameters, rows(2), REGULAR_OUTPUT);
		expect(first.main.map(({ json }) => json.outcome)).toEqual(['unconfirmed', 'postponed']);
		const before = gateway.calls.length;
		await runNode(engine(), gateway, parameters, rows(2, 5), REGULAR_OUTPUT);
		expect(gateway.calls.slice(before).map(routeOf)).toEqual([
			'inviteCode',
			'connectionState',
			'sendInvite',
			'findMessages',
			'sendInvite',
		]);
	});

	it('ends 1,000 rows to an instance that waits for its QR code after one time-out', async () => {
		const seed = seedWith(({ instances }) => {
			for (const instance of instances) instance.connection = 'waiting';
		});
		const tried = await withPatience(
			async (timeout) => {
				const gateway = await startGateway({ generation: '1.8', seed });
				const parameters = groupParameters({ options: { timeout } });
				const { main } = await runNode(engine(), gateway, parameters, rows(1000), REGULAR_OUTPUT);
				await gateway.close();
				return { main, routes: gateway.calls.map(routeOf) };
			},
			({ routes }) => routes.length === 3,
		);
		expect(tried.routes).toEqual(['updateParticipant', 'connectionState', 'connectionState']);
		const said = tried.main.map(({ json }) => json.error);
		expect(said.slice(0, 50)).toEqual(Array(50).fill(NOT_KNOWN));
		expect(said.slice(50)).toEqual(Array(950).fill(NOTHING));
	});
});
