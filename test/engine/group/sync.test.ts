import { KINDS, kindsSeed, type FaultKind, type Gateway, type Call } from '../../gateway/gateway';
import {
	describeOnEngine,
	REGULAR_OUTPUT,
	runNode,
	syncParameters,
	tell,
	withGateways,
	type NodeSettings,
} from '../support';
import { changesAsked, jidOf, phones, membersAmong } from './people';
import { runRounds } from './workflows';

const NEWCOMERS = ['4915200000001', '4915200000002', '4915200000003', '4915200000004'];
const [ANA = '', BO = ''] = NEWCOMERS;

const parametersOf = (options: object, more: object = {}) =>
	syncParameters({ shouldBeMember: '={{ $json.stays ?? true }}', options, ...more });

function asked(gateway: Gateway, action = 'add'): string[] {
	return gateway.calls
		.filter(({ path }) => path.includes('/updateParticipant/'))
		.map(({ body }) => JSON.parse(JSON.stringify(body)))
		.filter((body) => body.action === action)
		.flatMap(({ participants }) => participants);
}

describeOnEngine('what a run of Sync says of people over a limit', (engine) => {
	const start = withGateways();

	it.each([
		[false, "Postponed: over 'Maximum Additions per Run'. Run it again to go on."],
		[
			true,
			"Would be postponed: over 'Maximum Additions per Run'. Dry run: nothing was sent. Turn off Dry Run to do it.",
		],
	])('says what to do, or that it is a dry run: %p', async (dryRun, message) => {
		const gateway = await start({ seed: kindsSeed });
		const rows = [{ phone: ANA }, { phone: BO }];
		const { main } = await runNode(engine(), gateway, parametersOf({ maxAdditions: 1, dryRun }), rows);

		expect(main[1]?.json.message).toBe(message);
	});
});

describeOnEngine('Approved Changes', (engine) => {
	const start = withGateways();
	/** The two members who may be removed. */
	const [CLEO, DAN] = ['5521990000003', '447700900004'].map((phone) => jidOf(phone));

	async function sync(approvedChanges: unknown, options: object = {}) {
		const gateway = await start({ seed: kindsSeed });
		const all = { maxRemovalPercent: 100, ...options, approvedChanges };
		const parameters = parametersOf(all, { unlisted: 'remove' });
		const ended = await runNode(engine(), gateway, parameters, [{ phone: ANA }, { phone: BO }]);
		const said = tell(ended.main, 'outcome', 'applied', 'reason');
		return { ...ended, said, changes: changesAsked(gateway).flatMap(({ participants }) => participants) };
	}

	it('are all that is made: others are kept or postponed, and a hint says how many', async () => {
		const { said, changes, hints } = await sync(`${CLEO}, ${ANA}`);

		expect(said).toBe(
			'done true, postponed false notApproved, kept true self, kept true admin, done true, kept null notApproved',
		);
		expect(changes).toEqual([CLEO, ANA]);
		expect(hints[0]).toContain("2 changes aren't approved");
	});

	it("are what a dry run's items say: who joins before the yes stays", async () => {
		const gateway = await start({ seed: kindsSeed });
		const sync = async (options: object) => {
			const parameters = parametersOf({ maxRemovalPercent: 100, ...options }, { unlisted: 'remove' });
			return (await runNode(engine(), gateway, parameters, [{ phone: ANA }])).main.map(({ json }) => json);
		};
		const planned = (await sync({ dryRun: true })).filter(({ outcome }) => outcome === 'planned');
		const approved = planned.map(({ sentAs }) => sentAs);
		// An approval of the other action is none.
		const items = [...planned, { sentAs: BO, action: 'add' }];
		gateway.network.join('keeper', KINDS.numbers, BO);
		const real = await sync({ approvedChanges: `={{ ${JSON.stringify(items)} }}` });

		expect(real.filter(({ outcome }) => outcome === 'done').map(({ sentAs }) => sentAs)).toEqual(approved);
		expect(real.find(({ participant }) => participant === BO)).toMatchObject({
			outcome: 'kept',
			applied: null,
			reason: 'notApproved',
		});
	});

	it.each([[''], ['={{ [] }}']])('that are empty approve nothing: "%s"', async (nobody) => {
		const { main, changes } = await sync(nobody);

		expect(tell(main, 'outcome')).toBe('postponed, postponed, kept, kept, kept, kept');
		expect(changes).toEqual([]);
	});

	it('alone count for Maximum Removals (Percent)', async () => {
		const gateway = await start({ seed: kindsSeed });
		for (const phone of phones(4, 100)) gateway.network.join('keeper', KINDS.numbers, phone);
		const approvedChanges = [CLEO, DAN].join();
		const parameters = parametersOf({ approvedChanges }, { unlisted: 'remove' });
		const { main, error } = await runNode(engine(), gateway, parameters, [{ phone: ANA }]);

		expect(error).toBeUndefined();
		const done = main.filter(({ json }) => json.outcome === 'done');
		expect(tell(done, 'sentAs')).toBe(`${CLEO}, ${DAN}`);
	});
});

describeOnEngine('removals of members not in the list that fail', (engine) => {
	const start = withGateways();

	it.each([1, 11, 13])('are one item, which names ten of them at most: %i', async (amount) => {
		const gateway = await start({ seed: kindsSeed });
		const joined = phones(amount - 2, 100);
		for (const phone of joined) gateway.network.join('keeper', KINDS.numbers, phone);
		const listed = amount === 1 ? '5521990000003' : ANA;
		gateway.fault({ kind: 'forbidden', on: ({ path }) => path.includes('/updateParticipant/') });
		const parameters = parametersOf({ maxRemovalPercent: 100 }, { unlisted: 'remove' });
		const { main } = await runNode(engine(), gateway, parameters, [{ phone: listed }], REGULAR_OUTPUT);

		const [said] = main
			.map(({ json }) => String(json.error))
			.filter((error) => error.includes('in the list'));
		const [, who = '', names = ''] = /^(.*) couldn't be removed \(([^)]*)\)/.exec(said ?? '') ?? [];
		expect(who).toBe(`${amount} ${amount === 1 ? 'member' : 'members'} not in the list`);
		expect(names.split(/, | and /)).toHaveLength(Math.min(amount, 11));
		expect(names.endsWith(amount === 11 ? ' and 1 more' : ' and 3 more')).toBe(amount > 10);
	});
});

describeOnEngine('an item that is not valid', (engine) => {
	const start = withGateways();

	it('holds back all removals of its group, whether the list names them or not', async () => {
		const gateway = await start({ seed: kindsSeed });
		const parameters = parametersOf({ maxRemovalPercent: 100 }, { unlisted: 'remove' });
		const rows = [{ phone: '5521990000003', stays: false }, { phone: 'nobody' }, { phone: ANA }];
		const { main, hints } = await runNode(engine(), gateway, parameters, rows, REGULAR_OUTPUT);

		expect(main[1]?.error).toBeDefined();
		expect(tell(main, 'participant', 'outcome', 'reason')).toBe(
			`5521990000003 kept badRow, , ${ANA} done, 5511990000001 kept self, 5511990000002 kept admin, 447700900004 kept badRow`,
		);
		expect(hints.join()).toContain('1 member not in the list stays until all items are valid');
		expect(asked(gateway, 'remove')).toEqual([]);
	});

	it.each([
		['its group alone', KINDS.hidden, [[KINDS.numbers, 'remove']]],
		['all groups, where its own is not known', '', []],
	])('holds back the removals of %s', async (_, group, removed) => {
		const gateway = await start({ seed: kindsSeed });
		const parameters = parametersOf({}, { group: '={{ $json.group }}' });
		const rows = [
			...[KINDS.numbers, KINDS.hidden].map((of) => ({ group: of, phone: '447700900004', stays: false })),
			{ group, phone: 'nobody' },
		];
		await runNode(engine(), gateway, parameters, rows, REGULAR_OUTPUT);

		expect(changesAsked(gateway).map(({ groupJid, action }) => [groupJid, action])).toEqual(removed);
	});
});

describeOnEngine('a change of which nothing is known', (engine) => {
	const start = withGateways();

	async function sync(kind: FaultKind, group: string, settings: NodeSettings = {}) {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind, on: ({ path }) => path.includes('/updateParticipant/'), times: 1 });
		const parameters = parametersOf({}, { group });
		const ended = await runNode(engine(), gateway, parameters, [{ phone: ANA }, { phone: BO }], settings);
		const reads = gateway.calls.filter(({ path }) => path.startsWith('/group/participants/'));
		return { ...ended, reads: reads.length };
	}

	it('ends the run with its own reason, and the group is not read again', async () => {
		const { error, reads } = await sync('reset-after', KINDS.numbers);

		expect(error?.message).toContain(
			"closed the connection before the full response arrived. It's not known",
		);
		expect(reads).toBe(1);
	});

	it.each<[string, FaultKind, string, [string, boolean | null]]>([
		['done, where the group shows them', 'reset-after', KINDS.numbers, ['done', true]],
		["rejected, where it doesn't", '500', KINDS.numbers, ['rejected', false]],
		['unconfirmed, where it hides numbers', '500', KINDS.hiddenWithoutNumbers, ['unconfirmed', null]],
	])('is no error item if the run goes on: %s', async (_, kind, group, result) => {
		const { main, reads } = await sync(kind, group, REGULAR_OUTPUT);

		expect(main.map(({ json }) => [json.outcome, json.applied])).toEqual([result, result]);
		expect(main[0]?.json.message).toContain(kind === '500' ? 'with status 500' : 'the group was read again');
		expect(reads).toBe(2);
	});
});

describeOnEngine('the tries of one execution', (engine) => {
	const start = withGateways();
	const settings = { onError: 'stopWorkflow' as const, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

	it('share the most additions of a run', async () => {
		const gateway = await start({ seed: kindsSeed });
		const on = ({ path }: { path: string }) => path.includes('/updateParticipant/');
		gateway.fault({ kind: '500', on, times: 1, after: 1 });
		const rows = NEWCOMERS.map((phone) => ({ phone }));
		const parameters = parametersOf({ maxAdditions: 2, batchSize: 1, maxRetries: 0 });
		const { main } = await runNode(engine(), gateway, parameters, rows, settings);

		// It isn't known what came of the second one, who takes a place and isn't sent again.
		expect(asked(gateway)).toEqual([ANA, BO]);
		expect(tell(main, 'outcome')).toBe('unchanged, unconfirmed, postponed, postponed');
		expect(main[1]?.json.message).toMatch(/^Was tried a moment ago/);
	});

	it('share the most removals of a run', async () => {
		const gateway = await start({ seed: kindsSeed });
		const on = ({ path }: { path: string }) => path.includes('/updateParticipant/');
		gateway.fault({ kind: '500', on, times: 1, after: 1 });
		const rows = [
			{ phone: '5521990000003', stays: false },
			{ phone: ANA },
			{ phone: '447700900004', stays: false },
		];
		await runNode(
			engine(),
			gateway,
			parametersOf({ maxRemovals: 1, maxRemovalPercent: 100 }),
			rows,
			settings,
		);

		expect(asked(gateway, 'remove')).toHaveLength(1);
	});

	it('go on with the same list where unlisted members are removed', async () => {
		const gateway = await start({ seed: kindsSeed });
		const on = ({ path }: { path: string }) => path.includes('/updateParticipant/');
		gateway.fault({ kind: '500', on, times: 1 });
		const parameters = parametersOf({ maxRemovalPercent: 100 }, { unlisted: 'remove' });
		const { main, error } = await runNode(engine(), gateway, parameters, [{ phone: ANA }], settings);

		expect(error).toBeUndefined();
		// Their removal ended unknown a moment ago.
		const unconfirmed = ['unconfirmed', 'unconfirmed'];
		expect(main.map(({ json }) => json.outcome)).toEqual(['done', 'kept', 'kept', ...unconfirmed]);
	});

	it("don't say that nothing was changed where only an earlier one did", async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: '403', on: ({ path }) => path.includes('/updateParticipant/'), after: 1 });
		const rows = NEWCOMERS.map((phone) => ({ phone }));
		const parameters = parametersOf({ batchSize: 1, maxRetries: 0 });
		const threeTries = { ...settings, maxTries: 3 };
		const { error } = await runNode(engine(), gateway, parameters, rows, threeTries);

		expect(error?.message).toMatch(/^The gateway doesn't allow this/);
		expect(error?.message).not.toContain('Nothing was changed');
	});
});

describeOnEngine('two executions', (engine) => {
	const start = withGateways();

	it.each([
		['share no limit', [undefined, undefined], [ANA, BO]],
		['of one ID are one, as after a Wait node', ['w', 'w'], [ANA]],
	])('%s', async (_, ids, expected) => {
		const gateway = await start({ seed: kindsSeed });
		for (const [i, executionId] of ids.entries())
			await runNode(
				engine(),
				gateway,
				parametersOf({ maxAdditions: 1 }),
				[{ phone: NEWCOMERS[i] }],
				{},
				{ ...(executionId && { executionId }) },
			);
		expect(asked(gateway)).toEqual(expected);
	});
});

const NOWHERE = '120363000000000999@g.us';
const ADDED = ['4915200000000', '4915200000001'];
const UNLISTED = { unlisted: 'remove', options: { maxRemovalPercent: 0, dryRun: true } };

describeOnEngine('Sync of several groups', (engine) => {
	const start = withGateways();

	async function sync(
		groups: string[],
		parameters: object = {},
		settings: NodeSettings = {},
		phones = ADDED,
	) {
		const gateway = await start({ seed: kindsSeed });
		const rows = groups.map((group, i) => ({ group, phone: phones[i] }));
		const all = syncParameters({ group: '={{ $json.group }}', ...parameters });
		const { error, hints } = await runNode(engine(), gateway, all, rows, settings);
		const read = gateway.calls.filter(({ path }) => path.startsWith('/group/participants/'));
		return { error, hints, read: read.map(({ path }) => path.split('groupJid=')[1]?.replace('%40', '@')) };
	}

	it('reads none after one that ends the run', async () => {
		const { error, read } = await sync([NOWHERE, KINDS.numbers]);

		expect(error?.message).toMatch(/^Nothing was changed\. This group doesn't exist/);
		expect(read).toEqual([NOWHERE]);
	});

	it('reads none after a row that only the members tell to be bad', async () => {
		const bad = ['999@s.whatsapp.net', ...ADDED];
		const { error, read } = await sync([KINDS.mixed, KINDS.numbers], {}, {}, bad);

		expect(error?.message).toMatch(/^Nothing was changed: .*999@s/);
		expect(read).toEqual([KINDS.mixed]);
	});

	it('reads the others if it continues on fail', async () => {
		const { read } = await sync([NOWHERE, KINDS.numbers], {}, REGULAR_OUTPUT);

		expect(read).toEqual([NOWHERE, KINDS.numbers]);
	});

	it('says in a dry run which of them would be stopped, and what to do', async () => {
		const { error, hints } = await sync([KINDS.numbers, KINDS.mixed], UNLISTED);

		expect(error).toBeUndefined();
		expect(hints[0]).toBe(
			`This would be stopped: 2 of 4 members would be removed (50 %), more than the 0 % allowed. If rows are missing from the list, put them back. If they are right, raise 'Maximum Removals (Percent)' (instance keeper, group ${KINDS.numbers})`,
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

	it('says first what it would do, then what is missing in the list, whom it means, and the rest', async () => {
		const { hints } = await sync([KINDS.numbers], {
			...UNLISTED,
			options: { ...UNLISTED.options, removeAfter: 1 },
		});
		const order = [
			/^\d+ would be added/,
			/are missing in the list since this run/,
			/^To be removed later: /,
			/It would be/,
		];
		const said = hints.flatMap((hint) => order.find((one) => one.test(hint)) ?? []);
		expect([hints[0], said]).toEqual([expect.stringMatching(/would be added/), order]);
	});

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
