import { GENERATIONS, KINDS, kindsSeed, type Seed } from '../../gateway/gateway';
import { getInviteLink } from '../gateways/parameters';
import { withServers } from '../gateways/server';
import { describeEachLine, describeOnEngine, runNode, withGateways } from '../support';
import { CONNECT_FIRST, NOT_AN_ADMIN, NOT_IN_IT, SILENT, UNKNOWN_GROUP, type Failing } from './failing';

const seed: Seed = { ...kindsSeed, silenceMs: 20 };

describeOnEngine("a group's link", (engine) => {
	const start = withGateways();
	const startServer = withServers();

	test.each(GENERATIONS)('is given for every kind of group, each in one request: %s', async (generation) => {
		const gateway = await start({ generation, seed });
		const items = Object.values(KINDS).map((group) => ({ group }));
		const { main, error } = await runNode(engine(), gateway, getInviteLink('={{ $json.group }}'), items);

		expect(error).toBeUndefined();
		expect(main.map(({ json }) => json)).toStrictEqual(
			items.map(({ group }) => ({
				instance: 'keeper',
				groupJid: group,
				inviteUrl: expect.stringMatching(/^https:\/\/chat\.whatsapp\.com\/[\w-]{22}$/),
				inviteCode: expect.stringMatching(/^[\w-]{22}$/),
			})),
		);
		for (const { json } of main) expect(json.inviteUrl).toBe(`https://chat.whatsapp.com/${json.inviteCode}`);
		expect(main.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(gateway.calls.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
			items.map(({ group }) => `GET /group/inviteCode/keeper?groupJid=${encodeURIComponent(group)}`),
		);
	});

	const failing: Failing[] = [
		...CONNECT_FIRST.map((one) => ({ ...one, group: KINDS.numbers })),
		{ title: 'no admin', group: NOT_AN_ADMIN, says: /isn't an admin.*not-authorized/, advises: /an admin/ },
		{
			title: 'not in the group',
			group: NOT_IN_IT,
			says: /isn't in this group.*forbidden/,
			advises: /group ID/,
		},
		{ title: 'no such group', group: UNKNOWN_GROUP, says: /group doesn't exist/, advises: /group ID/ },
	];
	const withSilent = (says: RegExp): Failing[] => [
		...failing,
		{ title: 'a silent network', group: SILENT, says, advises: /connected/ },
	];
	const cases = [
		...failing.map((one) => ({ ...one, generation: '1.8' as const })),
		...withSilent(/didn't answer the gateway/).map((one) => ({ ...one, generation: '2.2' as const })),
		// It makes a link that ends in "undefined".
		...withSilent(/response is empty/).map((one) => ({ ...one, generation: '2.3' as const })),
	];

	test.each(cases)(
		'is a failure with words and advice of its own: $title, $generation',
		async ({ generation, instance, group, says, advises, calls = 1 }) => {
			const gateway = await start({ generation, seed });
			const parameters = getInviteLink(group, instance, { options: { maxRetries: 0 } });
			const { main, error } = await runNode(engine(), gateway, parameters, [{}]);
			expect(main).toEqual([]);
			expect(error?.message).toMatch(says);
			expect(error?.description).toMatch(advises);
			expect(gateway.calls).toHaveLength(calls);
		},
	);

	test.each<[string, string]>([
		['bad-request', 'network refused the request'],
		['rate-overlimit', 'rate limiting this account'],
		['Timed Out', "network didn't answer"],
		['Connection Closed', "isn't connected"],
		['Connection Terminated', 'No invite code, Error: Connection Terminated'],
	])('is a failure that says what "%s" means: %s', async (why, says) => {
		const instances = structuredClone(seed.instances);
		const group = instances[0]?.groups[0];
		if (group === undefined) throw new Error('There is no group');
		group.refuses = why;
		const gateway = await start({ seed: { ...seed, instances } });
		const parameters = getInviteLink(KINDS.numbers, 'keeper', { options: { maxRetries: 0 } });
		const { error } = await runNode(engine(), gateway, parameters, [{}]);
		expect(error?.message).toContain(says);
		expect(error?.description).toMatch(/\w/);
	});

	test('is not made up of a reply without one', async () => {
		const server = await startServer(() => ({ status: 200, body: { inviteCode: 'abc' } }));
		const parameters = getInviteLink(KINDS.numbers);
		const { main, error } = await runNode(engine(), { url: server.url, apiKey: 'k-0000' }, parameters, [{}]);
		expect(main).toEqual([]);
		expect(error?.message).toMatch(/unexpected shape/);
	});
});

describeEachLine('links of several groups', (engine) => {
	const start = withGateways();

	test('are given for those that have one, the others go to the error output', async () => {
		const gateway = await start({ seed });
		const items = [NOT_AN_ADMIN, KINDS.hidden].map((group) => ({ group }));
		const { main, failed } = await runNode(engine(), gateway, getInviteLink('={{ $json.group }}'), items, {
			onError: 'continueErrorOutput',
		});
		expect(main.map(({ json, pairedItem }) => [json.groupJid, pairedItem])).toEqual([
			[KINDS.hidden, { item: 1 }],
		]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
	});
});
