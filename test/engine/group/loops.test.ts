import { KINDS, kindsSeed, type Fault, type Gateway } from '../../gateway/gateway';
import {
	describeOnEngine,
	groupParameters,
	inviteParameters,
	syncParameters,
	tell,
	withGateways,
} from '../support';
import { changesAsked, phones } from './people';
import { ofRound, runInTurn, runRounds } from './workflows';

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
		const parameters = syncParameters({ participants: ofRound(joined), shouldBeMember: false });
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

	it('of Sync count somebody whose removal failed before once', async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: '500', on: ({ path }) => path.includes('/updateParticipant/'), times: 1 });
		const participants = "={{ ['5521990000003', '447700900004'][$itemIndex] }}";
		const options = { batchSize: 2, memory: 'member 2026-11-01T05:00Z' };
		const parameters = syncParameters({ participants, shouldBeMember: false, options });
		const { main } = await runRounds(engine(), gateway, parameters, 2, [{}, {}]);

		expect(tell(main, 'outcome')).toBe('done, done');
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
