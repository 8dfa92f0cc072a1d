import { kindsSeed, type Seed } from '../../gateway/gateway';
import {
	describeOnEngine,
	ERROR_OUTPUT,
	inviteParameters,
	runNode,
	syncParameters,
	tell,
	withGateways,
} from '../support';
import { changesAsked, jidOf, phones } from './people';
import { runBehindTrigger, runRounds } from './workflows';

const [ANA = '', BO = ''] = phones(2);
/** A member who may be removed. */
const CLEO = '5521990000003';

describeOnEngine('an invite that n8n does not keep', (engine) => {
	const start = withGateways();

	it('is known in its run by every instance: one message for a person and a group', async () => {
		const seed: Seed = structuredClone(kindsSeed);
		const [keeper] = structuredClone(kindsSeed.instances);
		if (keeper !== undefined) seed.instances.push({ ...keeper, instanceName: 'other' });
		const gateway = await start({ seed });
		const items = ['keeper', 'other'].flatMap((instance) => [ANA, BO].map((phone) => ({ phone, instance })));
		const parameters = inviteParameters({ instance: '={{ $json.instance }}' });
		// n8n keeps nothing where a trigger polls.
		const { outputs } = await runBehindTrigger(engine(), gateway, parameters, items, {
			settings: ERROR_OUTPUT,
		});

		expect(tell(outputs.Gateway?.[0] ?? [], 'outcome')).toBe('sent, sent, alreadyInvited, alreadyInvited');
		expect(gateway.messages.map(({ to }) => to)).toEqual([jidOf(ANA), jidOf(BO)]);
	});
});

describeOnEngine('a removal of which nothing is known', (engine) => {
	const start = withGateways();

	it('is not tried again by the next round of a loop, which has the memory', async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: '500', on: ({ path }) => path.includes('/updateParticipant/'), times: 1 });
		const participants = '={{ $json.phone ?? $json.participant }}';
		const options = { memory: '={{ $json.memory }}' };
		const parameters = syncParameters({ shouldBeMember: false, participants, options });
		const items = [{ phone: CLEO, memory: '' }];
		const { main } = await runRounds(engine(), gateway, parameters, 2, items);

		expect(tell(main, 'outcome', 'action')).toBe('unconfirmed none');
		expect(changesAsked(gateway)).toHaveLength(1);
	});
});

describeOnEngine('a dry run of removals that a limit would hold back', (engine) => {
	const start = withGateways();

	it.each([
		['stops on errors', {}],
		['continues', ERROR_OUTPUT],
	])('gives all items and says it first, where the node %s', async (_, settings) => {
		const gateway = await start({ seed: kindsSeed });
		const options = { maxRemovalPercent: 0, overLimit: 'hold', dryRun: true };
		const parameters = syncParameters({ unlisted: 'remove', options });
		const rows = [{ phone: ANA }];
		const { main, failed, error, hints } = await runNode(engine(), gateway, parameters, rows, settings);

		expect([error, failed]).toEqual([undefined, []]);
		expect(tell(main, 'outcome', 'reason')).toBe(
			'planned, kept self, kept admin, kept maxRemovalPercent, kept maxRemovalPercent',
		);
		expect(hints[0]).toMatch(/^Nobody would be removed: 2 of 4 members would be removed \(50 %\), more than/);
		expect(hints).toContain('It would be 1 request. To do it, turn off Dry Run');
	});
});

describeOnEngine('Remove After of a new node', (engine) => {
	const start = withGateways();

	it.each([
		['the column is empty', {}],
		['the field is cleared', { memory: '' }],
	])('refuses several people in an item, where %s: their days would never be over', async (_, memory) => {
		const gateway = await start({ seed: kindsSeed });
		const parameters = syncParameters({ shouldBeMember: false, limits: { removeAfter: 7 }, ...memory });
		const { error } = await runNode(engine(), gateway, parameters, [{ phone: [CLEO, ANA] }], {
			typeVersion: 1.1,
		});

		expect(error?.message).toMatch(/row Memory needs a row for each person/i);
		expect(gateway.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
	});
});
