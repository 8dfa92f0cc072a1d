import { KINDS, kindsSeed, type Call } from '../../gateway/gateway';
import {
	describeOnEngine,
	REGULAR_OUTPUT,
	runNode,
	syncParameters,
	withGateways,
	type NodeSettings,
} from '../support';
import { changesAsked, membersAmong, phones } from './people';
import { runRounds } from './workflows';

const NOWHERE = '120363000000000999@g.us';
const NEWCOMERS = ['4915200000000', '4915200000001'];
const UNLISTED = { unlisted: 'remove', options: { maxRemovalPercent: 0, dryRun: true } };

describeOnEngine('Sync of several groups', (engine) => {
	const start = withGateways();

	async function sync(groups: string[], parameters: object = {}, settings: NodeSettings = {}) {
		const gateway = await start({ seed: kindsSeed });
		const rows = groups.map((group, i) => ({ group, phone: NEWCOMERS[i] }));
		const all = { ...syncParameters({ group: '={{ $json.group }}' }), options: {}, ...parameters };
		const { error, hints } = await runNode(engine(), gateway, all, rows, settings);
		const read = gateway.calls.filter(({ path }) => path.startsWith('/group/participants/'));
		return { error, hints, read: read.map(({ path }) => path.split('groupJid=')[1]?.replace('%40', '@')) };
	}

	it('reads none after one that ends the run', async () => {
		const { error, read } = await sync([NOWHERE, KINDS.numbers]);

		expect(error?.message).toMatch(/^Nothing was changed\. This group doesn't exist/);
		expect(read).toEqual([NOWHERE]);
	});

	it('reads the others if it continues on fail', async () => {
		const { read } = await sync([NOWHERE, KINDS.numbers], {}, REGULAR_OUTPUT);

		expect(read).toEqual([NOWHERE, KINDS.numbers]);
	});

	it('says in a dry run which of them would be stopped, and what to do', async () => {
		const { error, hints } = await sync([KINDS.numbers, KINDS.mixed], UNLISTED);

		expect(error).toBeUndefined();
		expect(hints[0]).toBe(
			`This would be stopped: 2 of 4 members would be removed (50 %), more than the 0 % allowed. If they are right, raise 'Maximum Removals (Percent)' (instance keeper, group ${KINDS.numbers})`,
		);
	});

	it.each<[string, string[], NodeSettings, string[], number?]>([
		['one that would be stopped', [KINDS.numbers], {}, []],
		['one that ends a real run before the others', [KINDS.numbers, KINDS.mixed], {}, []],
		[
			'the others, where the run goes on',
			[KINDS.numbers, KINDS.mixed],
			REGULAR_OUTPUT,
			['It would be 1 request'],
		],
		[
			'the others, whose places the stopped one does not take',
			[KINDS.numbers, KINDS.mixed],
			REGULAR_OUTPUT,
			['It would be 1 request'],
			1,
		],
	])(
		'does not say in a dry run what it would take: %s',
		async (_, groups, settings, said, maxAdditions = 50) => {
			const unlisted = `={{ $json.group === '${KINDS.numbers}' ? 'remove' : 'keep' }}`;
			const options = { ...UNLISTED.options, maxAdditions };
			const { hints } = await sync(groups, { options, unlisted }, settings);

			expect(hints.flatMap((hint) => /^It would be \d+ requests?/.exec(hint) ?? [])).toEqual(said);
		},
	);

	it('names none where there is only one', async () => {
		const { hints } = await sync([KINDS.numbers], UNLISTED);

		expect(hints[0]).toMatch(/raise 'Maximum Removals \(Percent\)'$/);
	});
});

describeOnEngine('a group that is full', (engine) => {
	const start = withGateways();

	it.each([
		[1, [1, 1, 1, 1]],
		[10, [3, 2]],
	])('leaves its places to the next group, with %i people per request', async (batchSize, requests) => {
		const seed = structuredClone(kindsSeed);
		const [first] = seed.instances[0]?.groups ?? [];
		if (first) first.maxMembers = first.members.length + 1;
		const gateway = await start({ seed });
		const people = phones(6);
		const rows = people.map((phone, i) => ({ phone, group: i < 3 ? KINDS.numbers : KINDS.hidden }));
		const options = { maxAdditions: 3, batchSize };
		const parameters = syncParameters({ group: '={{ $json.group }}', options });
		const { main } = await runNode(engine(), gateway, parameters, rows);

		const said = main.map(({ json }) => json.reason ?? json.outcome);
		expect(said).toEqual(['done', 'groupFull', 'groupFull', 'done', 'done', 'maxAdditions']);
		expect(changesAsked(gateway).map(({ participants }) => participants.length)).toEqual(requests);
	});
});

describeOnEngine('a request that is refused as a whole', (engine) => {
	const start = withGateways();
	const PEOPLE = phones(6);
	const body = { status: 400, response: { message: ['Error updating participants', 'Error: bad-request'] } };
	const isInGroup = ({ path }: Call) => path.includes(`${KINDS.numbers.slice(0, 18)}`);

	/** Adds five people to a group that refuses requests with some of them, and one to another. */
	async function sync(refused: string[]) {
		const gateway = await start({ seed: kindsSeed });
		const isRefused = (call: Call) =>
			refused.some((phone) => JSON.stringify(call.body ?? '').includes(phone));
		gateway.fault({ kind: 'forbidden', body, on: (call) => isInGroup(call) && isRefused(call) });
		const rows = PEOPLE.map((phone, i) => ({ phone, group: i < 5 ? KINDS.numbers : KINDS.hidden }));
		const parameters = syncParameters({ group: '={{ $json.group }}', options: { batchSize: 4 } });
		const { main } = await runNode(engine(), gateway, parameters, rows, REGULAR_OUTPUT);
		const requests = changesAsked(gateway).map(({ participants }) => participants);
		return { said: main.map(({ json }) => json.outcome ?? json.error), requests };
	}

	it('is followed by one for each person, so that only they are refused whom it is about', async () => {
		const { said, requests } = await sync(PEOPLE.slice(1, 5));

		expect(said).toEqual(['done', 'rejected', 'rejected', 'rejected', 'rejected', 'done']);
		expect(requests).toEqual([PEOPLE.slice(0, 4), ...PEOPLE.map((phone) => [phone])]);
	});

	it('is about the group where the first three are refused alone, and other groups go on', async () => {
		const { said, requests } = await sync(PEOPLE.slice(0, 5));

		const refused = expect.stringMatching(/^The messaging network refused the request/);
		const stopped = expect.stringMatching(/^Nothing was sent for this item/);
		expect(said).toEqual(['rejected', 'rejected', 'rejected', refused, stopped, 'done']);
		expect(requests).toEqual([
			PEOPLE.slice(0, 4),
			...PEOPLE.slice(0, 3).map((phone) => [phone]),
			[PEOPLE[5]],
		]);
	});
});

describeOnEngine('two runs of one execution', (engine) => {
	const start = withGateways();

	it('with other lists never remove the people of the first', async () => {
		const gateway = await start({ seed: kindsSeed });
		const [first = '', second = ''] = phones(2, 1);
		const parameters = syncParameters({
			unlisted: 'remove',
			participants: `={{ [${first}, ${second}][$runIndex] }}`,
			options: { maxRemovalPercent: 100 },
		});
		const { main } = await runRounds(engine(), gateway, parameters, 2);

		expect(main[0]?.json.error).toMatch(/another list of this execution could be removed/);
		expect(membersAmong(gateway, [first, second], KINDS.numbers, 'keeper')).toEqual([first]);
	});
});
