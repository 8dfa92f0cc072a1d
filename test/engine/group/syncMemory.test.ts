import { KINDS, kindsSeed, type Gateway } from '../../gateway/gateway';
import type { RunOptions } from '../engine';
import { describeEachLine, locator, runNode, withGateways } from '../support';

const REFUSED = {
	'5511990000401': 'blocked',
	'5511990000403': 'inviteRequired',
	'5511990000404': 'notFound',
};
const REFUSED_PHONES = Object.keys(REFUSED);
const NEWCOMER = '4915200000000';
const DAY = 24 * 60 * 60 * 1000;

/** Several runs of one workflow with Sync Participants, of which n8n keeps what it keeps. */
function workflow(engine: Parameters<typeof runNode>[0], gateway: Gateway) {
	let staticData: NonNullable<RunOptions['staticData']> = {};
	const run = async (phones: string[], options: object = {}, mode: RunOptions['mode'] = 'trigger') => {
		const parameters = {
			resource: 'group',
			operation: 'syncParticipants',
			instance: locator('keeper'),
			group: locator(KINDS.numbers),
			participants: '={{ $json.phone }}',
			shouldBeMember: true,
			unlisted: 'keep',
			options: { batchInterval: 0, ...options },
		};
		const before = gateway.calls.length;
		const items = phones.map((phone) => ({ phone }));
		const how = { mode: mode ?? 'trigger', staticData };
		const { main, error, hints, run: ended } = await runNode(engine, gateway, parameters, items, {}, how);
		expect(error).toBeUndefined();
		({ staticData } = ended);
		const changes = gateway.calls.slice(before).filter(({ path }) => path.includes('/updateParticipant/'));
		const asked = changes.flatMap(({ body }) => JSON.parse(JSON.stringify(body)).participants);
		return { asked, hints, said: main.map(({ json }) => [json.outcome, json.reason]) };
	};
	/** Lets so many days pass: whatever is noted was noted so much earlier. */
	const age = (days: number) => {
		const earlier = (text: string) =>
			text.replace(/\[(\d+),/g, (_, seconds) => `[${Number(seconds) - (days * DAY) / 1000},`);
		staticData = JSON.parse(JSON.stringify(staticData), (_, value) =>
			typeof value === 'string' ? earlier(value) : value,
		);
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

	test('is asked again when the option says so, or the person is in the group by then', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, age } = workflow(engine(), gateway);
		await run(REFUSED_PHONES);
		expect(await run(REFUSED_PHONES, { retryRefusedAfter: 0 })).toMatchObject({ asked: REFUSED_PHONES });
		age(2);
		expect(await run(REFUSED_PHONES, { retryRefusedAfter: 1 })).toMatchObject({ asked: REFUSED_PHONES });

		const [blocked = ''] = REFUSED_PHONES;
		gateway.network.join('keeper', KINDS.numbers, blocked);
		expect((await run([blocked])).said).toEqual([['unchanged', undefined]]);
		gateway.network.leave('keeper', KINDS.numbers, blocked);
		expect(await run([blocked])).toMatchObject({ asked: [blocked] });
	});

	test('is told by a dry run, which notes nothing and forgets nothing', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, age } = workflow(engine(), gateway);
		expect((await run(REFUSED_PHONES, { dryRun: true })).asked).toEqual([]);
		expect((await run(REFUSED_PHONES)).asked).toEqual(REFUSED_PHONES);
		expect((await run(REFUSED_PHONES, { dryRun: true })).said).toEqual(postponed);
		age(40);
		await run(REFUSED_PHONES, { dryRun: true, retryRefusedAfter: 7 });
		expect((await run(REFUSED_PHONES, { retryRefusedAfter: 60 })).said).toEqual(postponed);
	});

	test('is asked again after a manual run, which says that it is not remembered', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run } = workflow(engine(), gateway);
		const { hints } = await run(REFUSED_PHONES, {}, 'manual');
		expect(hints.join('\n')).toMatch(/Only in production runs/);
		expect((await run(REFUSED_PHONES)).asked).toEqual(REFUSED_PHONES);
	});
});
