import { KINDS, kindsSeed } from '../../gateway/gateway';
import {
	describeOnEngine,
	REGULAR_OUTPUT,
	runNode,
	syncParameters,
	withGateways,
	type NodeSettings,
} from '../support';

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
			`This would be stopped: 2 of 4 members would be removed (50 %), more than the 0 % allowed. If they are right, raise 'Maximum Removals (Percent)' in the options (instance keeper, group ${KINDS.numbers})`,
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

		expect(hints[0]).toMatch(/in the options$/);
	});
});
