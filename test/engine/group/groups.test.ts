import { GENERATIONS, KINDS, kindsSeed, type Generation, type Seed } from '../../gateway/gateway';
import { getGroups } from '../gateways/parameters';
import { describeOnEngine, runNode, withGateways } from '../support';
import { NOT_AN_ADMIN, SILENT } from './people';

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
		const { main } = await runNode(engine(), gateway, getGroups('keeper', { simplify: false }), [{}]);
		expect(main[0]?.json).toMatchObject({
			id: KINDS.numbers,
			desc: 'Everybody shows a number',
			descId: 'D1',
		});
	});

	test('may be none at all, where the gateway says so at once', async () => {
		const none = seed.instances.map((instance) => ({ ...instance, groups: [] }));
		const gateway = await start({ seed: { ...seed, instances: none } });
		const { main, error } = await runNode(engine(), gateway, getGroups(), [{}]);
		expect([main, error]).toEqual([[], undefined]);
	});

	test.each(['1.8', '1.8.6'] as const)(
		'are a failure where the instance ignores groups: %s',
		async (generation) => {
			const gateway = await start({ generation, seed });
			const { main, error } = await runNode(engine(), gateway, getGroups('ignoring'), [{}]);
			expect(main).toEqual([]);
			expect(error?.message).toMatch(
				/no list of groups: the instance is set to ignore groups, or its account is in none/,
			);
			expect(error?.description).toMatch(/'Ignore Groups'.*groups_ignore.*groupsIgnore/);
		},
	);

	test.each(['2.2', '2.3'] as const)(
		'are given by %s although the instance ignores groups',
		async (generation) => {
			const gateway = await start({ generation, seed });
			const { main } = await runNode(engine(), gateway, getGroups('ignoring'), [{}]);
			expect(main.map(({ json }) => json.subject)).toEqual(['Ignored']);
		},
	);
});
