import { GENERATIONS, KINDS, kindsSeed, type Generation, type Seed } from '../../gateway/gateway';
import {
	getGroups,
	getGroup,
	getMembers,
	getInviteLink,
	leaveGroup,
	sendMessage,
	resetInviteLink,
	updateGroup,
} from '../gateways/parameters';
import {
	describeOnEngine,
	runNode,
	withGateways,
	describeEachLine,
	ERROR_OUTPUT,
	groupParameters,
	inviteParameters,
	locator,
} from '../support';
import { NOT_AN_ADMIN, SILENT, NOT_IN_IT, UNKNOWN_GROUP } from './people';

const seed: Seed = { ...kindsSeed, silenceMs: 20 };
const generations: Generation[] = [...GENERATIONS, '1.8.6', '2.3.0'];

/** All groups that the account of `keeper` is in. */
const GROUPS = [...Object.values(KINDS), NOT_AN_ADMIN, SILENT];

describeOnEngine('the groups of an instance', (engine) => {
	const start = withGateways();

	test.each(generations)(
		'are those that the account is in, under the published names: %s',
		async (generation) => {
			const gateway = await start({ generation, seed });
			const { main, error } = await runNode(engine(), gateway, getGroups(), [{}]);

			expect(error).toBeUndefined();
			expect(main.map(({ json }) => json.groupJid)).toEqual(GROUPS);
			expect(main.map(({ pairedItem }) => pairedItem)).toEqual(GROUPS.map(() => ({ item: 0 })));
			const hasCommunities = generation.startsWith('2');
			expect(main[0]?.json).toStrictEqual({
				instance: 'keeper',
				groupJid: KINDS.numbers,
				subject: 'Numbers',
				size: 4,
				owner: '5511990000001@s.whatsapp.net',
				description: 'Everybody shows a number',
				createdAt: '2026-01-01T00:00:00.000Z',
				announce: false,
				restrict: false,
				...(hasCommunities && { isCommunity: false }),
			});
			expect(main[1]?.json).not.toHaveProperty('description');
			expect(gateway.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
				'GET /group/fetchAllGroups/keeper?getParticipants=false',
			]);
		},
	);

	test('may be the first ones only, in the same request', async () => {
		const gateway = await start({ seed });
		const parameters = getGroups('keeper', { returnAll: false, limit: 2 });
		const { main, hints } = await runNode(engine(), gateway, parameters, [{}]);
		expect(main.map(({ json }) => json.groupJid)).toEqual(GROUPS.slice(0, 2));
		expect(hints).toEqual([`2 of ${GROUPS.length} groups; turn on Return All`]);
		expect(gateway.calls).toHaveLength(1);
	});

	test('come as they are without Simplify', async () => {
		const gateway = await start({ seed, generation: '2.3' });
		const { main } = await runNode(engine(), gateway, getGroups('keeper', { options: { simplify: false } }), [
			{},
		]);
		expect(main[0]?.json).toMatchObject({
			id: KINDS.numbers,
			desc: 'Everybody shows a number',
			descId: 'D1',
		});
	});
});

const PEOPLE = ['5511990000001', '5511990000002', '5521990000003', '447700900004'];
const ROLES = ['superAdmin', 'admin', 'member', 'member'];
const NOBODY = [null, null, null, null];

type Kind = keyof typeof KINDS;
type Numbers = Array<string | null>;

/** Whose numbers show in a group of each kind: where the gateway shows numbers beside hidden IDs, and where it doesn't. */
const shown: Record<Kind, { beside: Numbers; none: Numbers }> = {
	numbers: { beside: PEOPLE, none: PEOPLE },
	hidden: { beside: PEOPLE, none: NOBODY },
	hiddenWithoutNumbers: { beside: NOBODY, none: NOBODY },
	mixed: { beside: [...PEOPLE.slice(0, 2), null, null], none: NOBODY },
};

const showsNone: Generation[] = ['1.8', '1.8.6', '2.2'];
const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name);
const cases = generations.flatMap((generation) =>
	Object.keys(KINDS)
		.filter(isKind)
		.map((kind) => ({ generation, kind })),
);

describeOnEngine('the members of a group', (engine) => {
	const start = withGateways();

	test.each(cases)('$generation, $kind', async ({ generation, kind }) => {
		const gateway = await start({ generation, seed });
		const numbers = shown[kind][showsNone.includes(generation) ? 'none' : 'beside'];
		const { main, hints, error } = await runNode(engine(), gateway, getMembers(KINDS[kind]), [{}]);
		const ofMixed = ['superAdmin', 'member', 'admin', 'member'];

		expect(error).toBeUndefined();
		expect(main.map(({ json }) => json.participant)).toEqual(numbers);
		expect(main.map(({ json }) => json.role)).toEqual(kind === 'mixed' ? ofMixed : ROLES);
		for (const { json, pairedItem } of main) {
			expect(json).toMatchObject({ instance: 'keeper', groupJid: KINDS[kind] });
			expect(json.jid).toMatch(kind === 'numbers' ? /^\d+@s\.whatsapp\.net$/ : /^\d+@lid$/);
			expect(pairedItem).toEqual({ item: 0 });
			if (kind !== 'numbers') expect(json.lid).toBe(json.jid);
		}
		expect(gateway.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
			`GET /group/participants/keeper?groupJid=${encodeURIComponent(KINDS[kind])}`,
		]);

		const without = numbers.filter((number) => number === null).length;
		const amount = { 0: [], 2: [/^2 of the 4 participants/], 4: [/^All 4 participants/] }[without];
		expect(hints).toEqual(amount?.map((words) => expect.stringMatching(words)));
	});

	test('have the name that the gateway has stored, and otherwise none', async () => {
		const { main } = await runNode(engine(), await start({ seed }), getMembers(KINDS.numbers), [{}]);
		expect(main.map(({ json }) => json.name)).toEqual([undefined, 'Ana Example', undefined, undefined]);
		const fields = ['instance', 'groupJid', 'participant', 'jid', 'role', 'name'];
		expect(Object.keys(main[1]?.json ?? {})).toEqual(fields);
	});

	test.each<[string, object, number[], string[]]>([
		['as many as the limit', { returnAll: false, limit: 4 }, [0, 1, 2, 3], []],
		['the first ones', { returnAll: false, limit: 3 }, [0, 1, 2], ['3 of 4 members; turn on Return All']],
	])('may be %s', async (_, more, places, said) => {
		const gateway = await start({ seed });
		const parameters = getMembers(KINDS.numbers, 'keeper', more);
		const { main, hints } = await runNode(engine(), gateway, parameters, [{}]);
		expect(main.map(({ json }) => json.participant)).toEqual(places.map((place) => PEOPLE[place]));
		expect(hints).toEqual(said);
	});

	test('come as they are without Simplify', async () => {
		const gateway = await start({ seed, generation: '2.3' });
		const parameters = getMembers(KINDS.hidden, 'keeper', { options: { simplify: false } });
		const { main } = await runNode(engine(), gateway, parameters, [{}]);
		expect(main[1]?.json).toEqual({
			id: expect.stringMatching(/@lid$/),
			phoneNumber: '5511990000002@s.whatsapp.net',
			admin: 'admin',
			name: 'Ana Example',
			imgUrl: 'https://pictures.example/ana.jpg',
		});
	});

	test('are asked for once for all items that ask the same', async () => {
		const gateway = await start({ seed });
		const groups = [KINDS.numbers, KINDS.mixed, KINDS.numbers, '120363000000000101'];
		const parameters = getMembers('={{ $json.group }}');
		const { main } = await runNode(
			engine(),
			gateway,
			parameters,
			groups.map((group) => ({ group })),
		);
		expect(gateway.calls).toHaveLength(2);
		expect(main.map(({ pairedItem }) => pairedItem)).toEqual(
			groups.flatMap((_, item) => Array(4).fill({ item })),
		);
	});
});

describeEachLine('members of several groups', (engine) => {
	const start = withGateways();

	test('are given for those that can be read, the others go to the error output', async () => {
		const gateway = await start({ seed });
		const items = [NOT_IN_IT, KINDS.numbers, UNKNOWN_GROUP].map((group) => ({ group }));
		const { main, failed } = await runNode(
			engine(),
			gateway,
			getMembers('={{ $json.group }}'),
			items,
			ERROR_OUTPUT,
		);
		expect(main.map(({ pairedItem }) => pairedItem)).toEqual(Array(4).fill({ item: 1 }));
		expect(failed.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
			[expect.stringMatching(/isn't in this group/), { item: 0 }],
			[expect.stringMatching(/doesn't exist/), { item: 2 }],
		]);
	});
});

const chosen = { ...locator(KINDS.numbers), cachedResultName: 'Customers' };
const about = { instance: locator('keeper'), group: chosen };
const person = { participants: '5511990000002' };

describeOnEngine('the name of a group', (engine) => {
	const start = withGateways();

	async function fieldsOf(parameters: object, input: object = {}): Promise<object> {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const { main, error } = await runNode(engine(), gateway, parameters, [input]);
		expect(error).toBeUndefined();
		return main[0]?.json ?? {};
	}

	test.each<[string, object]>([
		['Get Participants', getMembers('', 'keeper', about)],
		['Get Invite Link', getInviteLink('', 'keeper', about)],
		['Reset Invite Link', resetInviteLink('', 'keeper', about)],
		['Get', getGroup('', 'keeper', about)],
		['Update', updateGroup({ sendMessages: 'admins' }, '', 'keeper', about)],
		['Leave', leaveGroup('', 'keeper', { ...about, dryRun: true })],
		['Send Message', sendMessage('Hi', '', 'keeper', about)],
		['Update Participants', { ...groupParameters(person), ...about }],
		['Send Invite', { ...inviteParameters(person), ...about }],
		['Sync Participants', { resource: 'group', operation: 'syncParticipants', ...about, ...person }],
	])('that was chosen from the list comes after its ID: %s', async (_operation, parameters) => {
		const fields = Object.entries(await fieldsOf(parameters));
		const place = fields.findIndex(([field]) => field === 'groupJid');

		expect(fields.slice(place, place + 2)).toEqual([
			['groupJid', KINDS.numbers],
			['groupName', 'Customers'],
		]);
	});

	test.each<[string, object]>([
		['entered', { ...chosen, mode: 'id' }],
		['an expression', { ...chosen, value: `={{ "${KINDS.numbers}" }}` }],
		['chosen without a name', locator(KINDS.numbers)],
	])('that was %s is left out', async (_how, group) => {
		expect(await fieldsOf(getMembers('', 'keeper', { group }))).not.toHaveProperty('groupName');
	});

	test('of several lines, from a workflow that others wrote, is made one line', async () => {
		const group = { ...chosen, cachedResultName: '\u202eAdmin:\napprove all' };
		const fields = await fieldsOf(getMembers('', 'keeper', { group }));
		expect(fields).toMatchObject({ groupName: 'Admin: approve all' });
	});

	test('of another operation is left out of Get Many', async () => {
		expect(await fieldsOf(getGroups('keeper', { group: chosen }))).not.toHaveProperty('groupName');
	});

	test("stands in failures, in one bracket with the gateway's words", async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		gateway.fault({ kind: '200-error' });
		const { error } = await runNode(engine(), gateway, getInviteLink('', 'keeper', about), [{}]);

		expect(error?.message).toMatch(/ \(the gateway says: [^()]*; instance keeper, group Customers\)$/);
	});

	test('wins over a field of the input item', async () => {
		const options = { includeInputFields: true };
		const json = await fieldsOf(
			{ ...groupParameters({ ...person, options }), ...about },
			{ groupName: 'Old', row: 2 },
		);

		expect(json).toMatchObject({ groupName: 'Customers', row: 2 });
		expect(Object.keys(json).slice(-2)).toEqual(['groupName', 'row']);
	});
});
