import { GENERATIONS, KINDS, kindsSeed, type Generation, type Seed } from '../../gateway/gateway';
import { getMembers } from '../gateways/parameters';
import { describeEachLine, describeOnEngine, ERROR_OUTPUT, runNode, withGateways } from '../support';
import { NOT_IN_IT, UNKNOWN_GROUP } from './people';

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

const generations: Generation[] = [...GENERATIONS, '1.8.6', '2.3.0'];
const showsNone: Generation[] = ['1.8', '1.8.6', '2.2'];
const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name);
const cases = generations.flatMap((generation) =>
	Object.keys(KINDS)
		.filter(isKind)
		.map((kind) => ({ generation, kind })),
);

const seed: Seed = { ...kindsSeed, silenceMs: 20 };

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
		['all', { filters: { role: 'any' } }, [0, 1, 2, 3], []],
		['admins, the creator among them', { filters: { role: 'admins' } }, [0, 1], []],
		['members', { filters: { role: 'members' } }, [2, 3], []],
		['as many as the limit', { returnAll: false, limit: 4 }, [0, 1, 2, 3], []],
		['the first ones', { returnAll: false, limit: 3 }, [0, 1, 2], ['3 of 4 members; turn on Return All']],
		[
			'the first ones of a role',
			{ returnAll: false, limit: 1, filters: { role: 'members' } },
			[2],
			['1 of 2 members; turn on Return All'],
		],
	])('may be %s', async (_, more, places, said) => {
		const gateway = await start({ seed });
		const parameters = getMembers(KINDS.numbers, 'keeper', more);
		const { main, hints } = await runNode(engine(), gateway, parameters, [{}]);
		expect(main.map(({ json }) => json.participant)).toEqual(places.map((place) => PEOPLE[place]));
		expect(hints).toEqual(said);
	});

	test('come as they are without Simplify', async () => {
		const gateway = await start({ seed, generation: '2.3' });
		const parameters = getMembers(KINDS.hidden, 'keeper', { simplify: false });
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

	test('come in one request', async () => {
		const members = Array.from({ length: 5_000 }, (_, i) => String(4_915_200_000_000 + i));
		const group = { jid: KINDS.numbers, subject: 'Many', members, admins: members.slice(0, 1) };
		const [keeper] = structuredClone(kindsSeed.instances);
		if (keeper === undefined) throw new Error('There is no instance');
		const instances = [{ ...keeper, owner: `${members[0]}@s.whatsapp.net`, groups: [group] }];
		const gateway = await start({ seed: { ...kindsSeed, instances } });
		const { main } = await runNode(engine(), gateway, getMembers(KINDS.numbers), [{}]);
		expect(main.map(({ json }) => json.participant).join()).toBe(members.join());
		expect(gateway.calls).toHaveLength(1);
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
