import { KINDS, kindsSeed, type Call, type Gateway } from '../../gateway/gateway';
import { PACKAGE_ROOT, startEngine, type Engine, type RunOptions } from '../engine';
import { sendMessage, updateGroup } from '../gateways/parameters';
import {
	describeEachLine,
	ERROR_OUTPUT,
	describeOnEngine,
	inviteParameters,
	runNode,
	syncParameters,
	tell,
	withGateways,
} from '../support';
import { jidOf, phones } from './people';

const REFUSED = {
	'5511990000401': 'blocked',
	'5511990000403': 'inviteRequired',
	'5511990000404': 'notFound',
};
const REFUSED_PHONES = Object.keys(REFUSED);
const NEWCOMER = '4915200000000';
const DAY = 24 * 60 * 60 * 1000;
/** In days. */
const A_MINUTE = 1 / (24 * 60);
const LATE = 11 * A_MINUTE;

/** Several runs of one workflow with Sync Participants, of which n8n keeps what it keeps. */
function workflow(engine: Parameters<typeof runNode>[0], gateway: Gateway, group: string = KINDS.numbers) {
	let staticData: NonNullable<RunOptions['staticData']> = {};
	let days = 0;
	const run = async (
		phones: string[],
		options: object = {},
		mode: RunOptions['mode'] = 'trigger',
		unlisted = 'keep',
	) => {
		// Dates are to the minute: runs of one minute are taken for one.
		days += A_MINUTE;
		const parameters = syncParameters({ group, unlisted, options });
		const before = gateway.calls.length;
		const items = phones.map((phone) => ({ phone }));
		const how = { mode: mode ?? 'trigger', staticData, ahead: days * DAY };
		const { main, error, hints, run: ended } = await runNode(engine, gateway, parameters, items, {}, how);
		expect(error).toBeUndefined();
		({ staticData } = ended);
		const changes = gateway.calls.slice(before).filter(({ path }) => path.includes('/updateParticipant/'));
		const requests = changes.map(({ body }) => JSON.parse(JSON.stringify(body)).participants);
		const asked = requests.flat();
		return { requests, asked, hints, main, said: main.map(({ json }) => [json.outcome, json.reason]) };
	};
	const age = (more: number) => {
		days += more;
	};
	return { run, age };
}

describeEachLine('who could not be added', (engine) => {
	const start = withGateways();
	const postponed = REFUSED_PHONES.map(() => ['postponed', 'refusedLately']);
	const refused = Object.values(REFUSED).map((outcome) => [outcome, undefined]);

	test('is not asked again by the next production runs for a week, and then is', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, age } = workflow(engine(), gateway);
		expect((await run(REFUSED_PHONES)).said).toEqual(refused);
		expect(await run([...REFUSED_PHONES, NEWCOMER])).toMatchObject({
			asked: [NEWCOMER],
			said: [...postponed, ['done', undefined]],
		});
		age(6.9);
		expect(await run(REFUSED_PHONES)).toMatchObject({ asked: [], said: postponed });
		age(0.2);
		expect(await run(REFUSED_PHONES)).toMatchObject({ asked: REFUSED_PHONES, said: refused });
		expect(await run(REFUSED_PHONES)).toMatchObject({ asked: [], said: postponed });
	});

	test('is asked again when the person is in the group by then', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, age } = workflow(engine(), gateway);
		await run(REFUSED_PHONES);
		const [blocked = ''] = REFUSED_PHONES;
		gateway.network.join('keeper', KINDS.numbers, blocked);
		expect((await run([blocked])).said).toEqual([['unchanged', undefined]]);
		gateway.network.leave('keeper', KINDS.numbers, blocked);
		age(LATE);
		expect(await run([blocked], { whoLeft: 'addAgain' })).toMatchObject({ asked: [blocked] });
	});

	test('is told by a dry run, which notes nothing and forgets nothing', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run } = workflow(engine(), gateway);
		expect((await run(REFUSED_PHONES, { dryRun: true })).asked).toEqual([]);
		expect((await run(REFUSED_PHONES)).asked).toEqual(REFUSED_PHONES);
		expect((await run(REFUSED_PHONES, { dryRun: true })).said).toEqual(postponed);
		expect((await run(REFUSED_PHONES)).said).toEqual(postponed);
	});

	test('is not asked again after a manual run, which the process remembers', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run } = workflow(engine(), gateway);
		const { hints } = await run(REFUSED_PHONES, {}, 'manual');
		expect(hints.join('\n')).not.toContain('memory');
		expect((await run(REFUSED_PHONES)).asked).toEqual([]);
	});
});

describeEachLine('who could not be removed', (engine) => {
	const start = withGateways();

	test('waits as well, also where no item names them', async () => {
		const gateway = await start({ seed: kindsSeed });
		const members = ['5521990000003', '447700900004'].map((phone) => jidOf(phone));
		const body = { updateParticipants: members.map((jid) => ({ status: '500', jid })) };
		const on = ({ body: sent }: Call) => JSON.stringify(sent ?? '').includes('"remove"');
		gateway.fault({ kind: 'wrong-shape', body, on });
		const { run, age } = workflow(engine(), gateway);
		const sync = async () => await run([NEWCOMER], { maxRemovalPercent: 100 }, 'trigger', 'remove');
		expect((await sync()).said.slice(-2)).toEqual(Array(2).fill(['rejected', undefined]));
		expect(await sync()).toMatchObject({ asked: [] });
		expect((await sync()).said.slice(-2)).toEqual(Array(2).fill(['postponed', 'refusedLately']));
		age(7.1);
		gateway.clearFaults();
		expect((await sync()).said.slice(-2)).toEqual(Array(2).fill(['done', undefined]));
	});
});

describeEachLine('in a group that shows no numbers', (engine) => {
	const start = withGateways();
	const people = Array.from({ length: 20 }, (_, i) => `49152000001${10 + i}`);
	const workflowOf = (gateway: Gateway) => workflow(engine(), gateway, KINDS.hiddenWithoutNumbers);

	test('everybody is asked once by the tenth run, and then nobody for a week', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, age } = workflowOf(gateway);
		const asked: string[] = [];
		for (let day = 0; day < 10; day++) asked.push(...(await run(people, { maxAdditions: 2 })).asked);
		expect([...asked].sort()).toEqual(people);
		const { said, hints, asked: more } = await run(people);
		expect([more, new Set(said.flat())]).toEqual([[], new Set(['unconfirmed', undefined])]);
		expect(hints.join('\n')).toContain('20 were tried before');
		age(7.1);
		const again = { maxAdditions: 3, whoLeft: 'addAgain' };
		expect((await run(people, again)).asked).toEqual(people.slice(0, 3));
	});

	test('a reply that names nobody is followed by requests for one, later for those whom it was about', async () => {
		const gateway = await start({ generation: '1.8', seed: kindsSeed });
		const { run } = workflowOf(gateway);
		const [first = '', second = '', third = ''] = people;
		const all = [first, ...REFUSED_PHONES.slice(0, 1), second, third];
		const { requests, said } = await run(all, { batchSize: 2 });
		expect(requests).toEqual([all.slice(0, 2), [second], [third]]);
		expect(said.slice(0, 2)).toEqual([
			['unconfirmed', undefined],
			['unconfirmed', undefined],
		]);
		const again = await run(all, { batchSize: 2 });
		expect(again.requests).toEqual([[first], REFUSED_PHONES.slice(0, 1)]);
		expect(again.said.slice(0, 2)).toEqual([
			['unchanged', undefined],
			['blocked', undefined],
		]);
		expect((await run(all)).requests).toEqual([]);
	});

	test('who was added, found and left is not asked again before a week has passed', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run } = workflow(engine(), gateway, KINDS.mixed);
		expect((await run([NEWCOMER])).asked).toEqual([NEWCOMER]);
		expect((await run([NEWCOMER])).said).toEqual([['unchanged', undefined]]);
		gateway.network.leave('keeper', KINDS.mixed, NEWCOMER);
		expect(await run([NEWCOMER])).toMatchObject({ asked: [], said: [['unconfirmed', undefined]] });
	});
});

describeOnEngine("n8n's own data alone", (engine, line) => {
	const start = withGateways();

	test('keeps out who left, and invites nobody again, where another process takes over', async () => {
		const gateway = await start({ seed: kindsSeed });
		const night = async (process: Engine, ahead: number, kept: Array<RunOptions['staticData']> = []) => {
			const runs = [];
			for (const [i, parameters] of [syncParameters(), inviteParameters()].entries()) {
				const how = { mode: 'trigger', ahead, staticData: kept[i] ?? {} } as const;
				runs.push(await runNode(process, gateway, parameters, [{ phone: phones(2)[i] }], {}, how));
			}
			return {
				told: runs.map(({ main }) => tell(main, 'outcome')),
				kept: runs.map(({ run }) => run.staticData),
			};
		};
		const { told, kept } = await night(engine(), 0);
		expect(told).toEqual(['done', 'sent']);
		gateway.network.leave('keeper', KINDS.numbers, jidOf(NEWCOMER));
		// Another path to the package: this one is no process that other tests have left.
		const other = await startEngine(line, { packageRoot: `${PACKAGE_ROOT}/` });
		try {
			expect((await night(other, DAY, kept)).told).toEqual(['left', 'alreadyInvited']);
		} finally {
			await other.stop();
		}
	});
});

describeOnEngine('an execution', (engine) => {
	const start = withGateways();
	/** Calls of one node, each with what n8n says of its execution. */
	function callsOf(gateway: Gateway, parameters: object, phones: string[]) {
		const items = phones.map((phone) => ({ phone }));
		return async (executionId: string, hours: number, mode: RunOptions['mode'] = 'trigger') => {
			const how = { executionId, mode: mode ?? 'trigger', ahead: (hours / 24) * DAY };
			const { main, error } = await runNode(engine(), gateway, parameters, items, ERROR_OUTPUT, how);
			expect(error).toBeUndefined();
			return main.map(({ json }) => json.outcome);
		};
	}

	test('begins anew 6 hours after its last call: who was refused before a wait is tried after it', async () => {
		const gateway = await start({ seed: kindsSeed });
		const run = callsOf(gateway, syncParameters({ options: { maxAdditions: 1 } }), [
			NEWCOMER,
			...phones(2).slice(1),
		]);
		expect(await run('7', 0)).toEqual(['done', 'postponed']);
		expect(await run('7', 5)).toEqual(['unchanged', 'postponed']);
		expect(await run('7', 11.1)).toEqual(['unchanged', 'done']);
	});

	// Two messages on Monday, of which the second is refused; on Tuesday the same two, and then the retry.
	test.each([
		['the newest red one, days later', 'retry', [1, 3, 4]],
		['no other, if it is a new one', 'trigger', [1, 3, 5]],
	] as const)('goes on with %s', async (_, mode, sent) => {
		const gateway = await start({ seed: kindsSeed });
		const isSent = ({ path }: { path: string }) => path.includes('/sendText/');
		gateway.fault({ kind: 'forbidden', on: isSent, after: 1, times: 1 });
		const parameters = sendMessage('={{ $json.text }}', KINDS.numbers, 'keeper');
		const items = ['First', 'Second'].map((text) => ({ text }));
		const counts: number[] = [];
		const run = async (executionId: string, days: number, how: RunOptions['mode']) => {
			const at = { executionId, mode: how ?? 'trigger', ahead: days * DAY };
			await runNode(engine(), gateway, parameters, items, {}, at);
			counts.push(gateway.messages.length);
		};
		await run('11', 0, 'trigger');
		await run('12', 1, 'trigger');
		await run('13', 2, mode);
		expect(counts).toEqual(sent);
	});

	test('that is retried, though the node had no turn in it, is a new one: a green one before is none of it', async () => {
		const gateway = await start({ seed: kindsSeed });
		const run = callsOf(gateway, sendMessage('Hi', KINDS.numbers, 'keeper'), [NEWCOMER]);
		expect(await run('11', 0)).toEqual(['sent']);
		expect(await run('12', 50, 'retry')).toEqual(['sent']);
		expect(gateway.messages).toHaveLength(2);
	});

	test.each([
		['22', 0.01, 'retry'],
		['21', 1, 'trigger'],
	] as const)(
		'reads a group again when it is retried, or goes on after a wait (%s)',
		async (id, hours, mode) => {
			const gateway = await start({ seed: kindsSeed });
			const run = callsOf(gateway, updateGroup({ subject: 'Course' }, KINDS.numbers, 'keeper'), [NEWCOMER]);
			const reads = () => gateway.calls.filter(({ path }) => path.includes('/findGroupInfos/'));
			expect(await run('21', 0)).toEqual(['done']);
			expect(await run('21', 0)).toEqual(['unchanged']);
			expect(reads()).toHaveLength(2);
			expect(await run(id, hours, mode)).toEqual(['unchanged']);
			expect(reads()).toHaveLength(3);
		},
	);

	test('that is retried goes on behind a message of which nothing is known, which is not sent again', async () => {
		const gateway = await start({ seed: kindsSeed });
		const isSent = ({ path }: { path: string }) => path.includes('/sendText/');
		const items = ['First', 'Second', 'Third'].map((text) => ({ text }));
		const parameters = sendMessage('={{ $json.text }}', KINDS.numbers, 'keeper');
		const texts: number[] = [];
		for (const [executionId, mode] of [
			['31', 'trigger'],
			['32', 'retry'],
			['33', 'retry'],
		] as const) {
			if (mode === 'trigger') gateway.fault({ kind: 'empty', on: isSent, times: 1 });
			const { error } = await runNode(engine(), gateway, parameters, items, {}, { executionId, mode });
			expect(error?.message).toMatch(/not known whether the message was sent/i);
			texts.push(gateway.calls.filter(isSent).length);
		}
		expect(texts).toEqual([1, 3, 3]);
	});

	test('that is retried begins without its stops', async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: 'forbidden', on: ({ path }) => path.includes('/sendText/'), times: 1 });
		const run = callsOf(gateway, sendMessage('Hi', KINDS.numbers, 'keeper'), [NEWCOMER]);
		expect(await run('21', 0)).toEqual([]);
		expect(await run('22', 0.1, 'retry')).toEqual(['sent']);
	});
});
