import { GENERATIONS, KINDS, kindsSeed, type Seed } from '../../gateway/gateway';
import { getInviteLink } from '../gateways/parameters';
import { describeOnEngine, runNode, withGateways } from '../support';

const seed: Seed = { ...kindsSeed, silenceMs: 20 };

describeOnEngine("a group's link", (engine) => {
	const start = withGateways();

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
});
