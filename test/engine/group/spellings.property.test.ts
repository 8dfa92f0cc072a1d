import { KINDS, kindsSeed } from '../../gateway/gateway';
import { JSON_TYPE } from '../../gateway/reply';
import { draw, harmOf } from '../../unit/groups/sync/spellings';
import { thorough } from '../../thorough';
import { describeOnEngine, REGULAR_OUTPUT, runNode, syncParameters, withGateways } from '../support';

describeOnEngine('lists that spell numbers in another way', (engine) => {
	const start = withGateways();

	it('remove nobody who should stay', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		let planned = 0;
		for (let seed = 0; seed < (thorough ? 300 : 12); seed++) {
			const drawn = draw(seed, seed % 6);
			const response = { status: 200, contentType: JSON_TYPE, body: { participants: drawn.participants } };
			gateway.replay({ response }, ({ path }) => path.startsWith('/group/participants/'));
			const parameters = syncParameters({
				instance: 'keeper',
				group: KINDS.numbers,
				unlisted: 'remove',
				shouldBeMember: '={{ $json.shouldBeMember }}',
				options: {
					dryRun: true,
					maxRemovalPercent: 100,
					maxRemovals: 500,
					protected: drawn.protected.map((digits) => `+${digits}`).join(),
				},
			});
			const rows = drawn.rows.map(({ listed, shouldBeMember }) => ({ phone: `+${listed}`, shouldBeMember }));
			const { main } = await runNode(engine(), gateway, parameters, rows, REGULAR_OUTPUT);
			const removals = main.filter(({ json }) => json.action === 'remove' && json.outcome === 'planned');
			planned += removals.length;
			expect(removals.flatMap(({ json }) => harmOf(drawn, String(json.sentAs)))).toEqual([]);
		}
		expect(planned).toBeGreaterThan(0);
	});
});
