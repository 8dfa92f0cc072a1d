import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { KINDS, kindsSeed } from '../../gateway/gateway';
import {
	describeEachLine,
	groupParameters,
	inviteParameters,
	runNode,
	skipPauses,
	syncParameters,
	withGateways,
	ERROR_OUTPUT,
	REGULAR_OUTPUT,
} from '../support';

const ANA = '+55 11 99000-0100';
const BIA = '+55 11 99000-0101';
const INVITE_ONLY = '+55 11 99000-0403';

describeEachLine('a new node (version 1.1)', (engine) => {
	skipPauses(engine);
	const start = withGateways();

	/** Runs a node as it is born, but without pauses and with what a person has set. */
	async function run(parameters: object, items: object[], settings: object = ERROR_OUTPUT) {
		const gateway = await start({ seed: kindsSeed });
		const result = await runNode(engine(), gateway, parameters, items, { ...settings, typeVersion: 1.1 });
		const changes = gateway.calls.filter(({ method }) => method !== 'GET').map(({ body }) => body);
		return { ...result, changes, jsons: result.main.map(({ json }) => json) };
	}
	const keeper = { instance: 'keeper', group: KINDS.numbers };

	test.each<[string, typeof syncParameters]>([
		['Sync', syncParameters],
		['Send Invite', inviteParameters],
	])('of %s reads the column "memory" without being told to', async (_, parametersOf) => {
		const memory = `refused notFound ${new Date().toISOString()}`;
		const { jsons, changes } = await run(parametersOf(), [{ phone: ANA, memory }]);
		expect(jsons).toMatchObject([{ outcome: 'postponed', reason: 'refusedLately' }]);
		expect(String(jsons[0]?.memory)).toContain(memory.slice(0, 'refused notFound 2026-11-24'.length));
		expect(changes).toEqual([]);
	});

	test('of Sync gives a memory for a column that is still empty, and for a row without the column', async () => {
		const { jsons } = await run(syncParameters(), [{ phone: ANA, memory: '' }, { phone: BIA }]);
		expect(jsons.map(({ memory }) => memory)).toEqual([
			expect.stringMatching(/^member .*; for /),
			expect.stringMatching(/^member .*; for /),
		]);
	});

	test.each([
		['Sync', syncParameters, /^member /],
		['Send Invite', inviteParameters, /^invited /],
	] as const)(
		'of %s gives the new memory of a row with the error of an earlier run, and leaves that out',
		async (_, parametersOf, expected) => {
			const rows = [
				{ phone: ANA, memory: '', error: 'It failed last night' },
				{ phone: BIA, memory: '', error: '' },
				{ phone: 'ask Maria', memory: 'member 2026-11-01', error: '' },
			];
			const { jsons } = await run(parametersOf(), rows, REGULAR_OUTPUT);
			expect(jsons.slice(0, 2).map(({ memory, error }) => [memory, error])).toEqual([
				[expect.stringMatching(expected), undefined],
				[expect.stringMatching(expected), undefined],
			]);
			expect(jsons[2]).toMatchObject({
				error: expect.stringContaining('ask Maria'),
				memory: rows[2]?.memory,
			});
		},
	);

	test('takes a list of people in one item, which has no memory', async () => {
		const list = [{ phone: [ANA, BIA] }];
		for (const parametersOf of [syncParameters, inviteParameters]) {
			const { jsons, failed } = await run(parametersOf(), list);
			expect(failed).toEqual([]);
			expect(jsons.map(({ outcome, memory }) => [outcome, memory])).toEqual([
				[parametersOf === syncParameters ? 'done' : 'sent', undefined],
				[parametersOf === syncParameters ? 'done' : 'sent', undefined],
			]);
		}
	});

	test.each<[string, typeof syncParameters]>([
		['Sync', syncParameters],
		['Send Invite', inviteParameters],
		['Update Participants', (fields) => groupParameters({ ...keeper, ...fields })],
	])('of %s changes nothing while Dry Run is on', async (_, parametersOf) => {
		const dry = await run(parametersOf({ dryRun: true }), [{ phone: ANA }]);
		expect([dry.jsons.map(({ outcome }) => outcome), dry.changes]).toEqual([['planned'], []]);
		const real = await run(parametersOf({ dryRun: false }), [{ phone: ANA }]);
		expect(real.changes).not.toEqual([]);
	});

	test('has its limits in a collection of their own', async () => {
		const rows = [{ phone: ANA }, { phone: BIA }];
		const sync = await run(syncParameters({ limits: { maxAdditions: 1 } }), rows);
		expect(sync.jsons.map(({ reason }) => reason)).toEqual([undefined, 'maxAdditions']);
		const invites = await run(inviteParameters({ limits: { maxPerRun: 1 } }), rows);
		expect(invites.jsons.map(({ reason }) => reason)).toEqual([undefined, 'maxPerRun']);
	});

	test('gives the fields of the row, unless the option is turned off', async () => {
		const row = { phone: INVITE_ONLY, name: 'Ana' };
		expect((await run(syncParameters(), [row])).jsons).toMatchObject([row]);
		const options = { includeInputFields: false };
		expect((await run(syncParameters({ options }), [row])).jsons[0]).not.toHaveProperty('name');
	});
});

test('Combine Items and Fail if Rejected are offered to saved nodes alone, and Sync has at most nine options in a list', () => {
	const { properties } = new MessagingGateway().description;
	const collections = properties.filter(({ type }) => type === 'collection');
	const namesIn = (version: number) =>
		collections
			.filter(({ displayOptions }) => displayOptions?.show?.['@version']?.includes(version) ?? true)
			.map(({ options = [] }) => options.map(({ name }) => name));
	for (const name of ['combineItems', 'failOnRejected']) {
		expect(namesIn(1).flat()).toContain(name);
		expect(namesIn(1.1).flat()).not.toContain(name);
	}
	expect(Math.max(...namesIn(1.1).map((names) => names.length))).toBeLessThanOrEqual(9);
});
