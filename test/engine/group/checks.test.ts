import fc from 'fast-check';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { KINDS, kindsSeed } from '../../gateway/gateway';
import { runsOf } from '../../thorough';
import type { RunOptions } from '../engine';
import {
	describeOnEngine,
	ERROR_OUTPUT,
	groupParameters,
	REGULAR_OUTPUT,
	runNode,
	withGateways,
	describeEachLine,
	locator,
	inviteParameters,
	skipPauses,
	syncParameters,
	callsOf,
} from '../support';
import { changesAsked, CUSTOMERS, phones, rows, upTo, JUST_ME } from './people';

interface Row {
	phone: unknown;
	group?: unknown;
	instance?: unknown;
	action?: unknown;
}

const byItem = groupParameters({
	instance: '={{ $json.instance ?? "main" }}',
	group: `={{ $json.group ?? "${CUSTOMERS}" }}`,
	action: '={{ $json.action ?? "add" }}',
});
const [good = ''] = phones(1);

/** What a row may not hold, and what the message has to say of it. */
const badRows: Array<[what: string, row: Row, says: string | RegExp]> = [
	['letters', { phone: 'Maria 5511999990001' }, 'Maria 5511999990001'],
	['one bad entry among good ones', { phone: [good, 'nobody'] }, 'nobody'],
	['no participants', { phone: '' }, /empty/],
	['no group', { phone: good, group: '' }, /group/i],
	['no instance', { phone: good, instance: '' }, /instance/i],
	['two dots for an instance', { phone: good, instance: '..' }, '".."'],
	['an action that does not exist', { phone: good, action: 'kick' }, 'kick'],
];

function escape(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

describeOnEngine('the rows', (engine) => {
	const start = withGateways();

	describe('rows are checked before anything is sent', () => {
		it('a bad last row stops the run before the first request', async () => {
			const gateway = await start();
			const { main, error } = await runNode(engine(), gateway, byItem, [...rows(3), { phone: 'Maria' }]);
			expect([callsOf(gateway), main]).toEqual([[], []]);
			expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 3 } });
			expect(error?.message).toMatch(/\bitem 3\b.*Maria/);
			expect(error?.description).toMatch(/\w/);
		});

		it.each(['updateParticipants', 'syncParticipants', 'sendInvite'])(
			'%s: says so if every row is bad, which else looks like a run with nothing to do',
			async (operation) => {
				const gateway = await start();
				const parameters = { ...byItem, operation, unlisted: 'keep', message: 'Join us' };
				const items = [{ name: 'Ana' }, { name: 'Ben' }];
				const { hints, failed } = await runNode(engine(), gateway, parameters, items, ERROR_OUTPUT);
				expect(failed).toHaveLength(2);
				expect(hints).toEqual(['2 failed: the participants are empty']);
			},
		);

		it('gives a bad row to the error output, and all others to the main one', async () => {
			const gateway = await start();
			const items: Row[] = rows(120);
			items.splice(77, 1, { phone: 'nobody' });
			const { main, failed, error, run } = await runNode(engine(), gateway, byItem, items, ERROR_OUTPUT);
			expect(error).toBeUndefined();
			expect(failed).toHaveLength(1);
			expect(failed[0]?.json).toEqual({
				...items[77],
				error: expect.stringMatching(/^Item 77: .*"nobody".* has letters$/),
				message: expect.stringMatching(/^Item 77: .*"nobody".* has letters\. Enter phone numbers/),
			});
			expect(failed[0]?.pairedItem).toEqual({ item: 77 });
			expect(main.map(({ pairedItem }) => pairedItem)).toEqual(
				upTo(120)
					.filter((item) => item !== 77)
					.map((item) => ({ item })),
			);
			expect(main.every(({ json }) => json.outcome === 'done')).toBe(true);
			expect(changesAsked(gateway).map(({ participants }) => participants.length)).toEqual([50, 50, 19]);
			// And so do the nodes that are wired to the outputs.
			expect(run.outputs.Main?.[0]).toHaveLength(119);
			expect(run.outputs.Failed?.[0]).toHaveLength(1);
		});

		it('gives a bad row in its place on the one output, where the node continues with that', async () => {
			const gateway = await start();
			const items = badRows.flatMap(([, row], i): Row[] => [{ phone: phones(1, i)[0] }, row]);
			const { main, failed, error } = await runNode(engine(), gateway, byItem, items, REGULAR_OUTPUT);
			expect(error).toBeUndefined();
			expect(failed).toEqual([]);
			expect(main.map(({ pairedItem }) => pairedItem)).toEqual(upTo(items.length).map((item) => ({ item })));
			main.forEach(({ json, error: itemError }, i) => {
				if (i % 2 === 0) return expect([json.outcome, itemError]).toEqual(['done', undefined]);
				expect(Object.keys(json)).toEqual(['error', 'message']);
				const says = badRows[(i - 1) / 2]?.[2] ?? '';
				expect(itemError?.message).toMatch(new RegExp(`^Item ${i}\\b`));
				expect(itemError?.message).toMatch(typeof says === 'string' ? new RegExp(escape(says)) : says);
				expect(itemError?.description).toMatch(/\w/);
			});
			expect(callsOf(gateway)).toHaveLength(1);
		});
	});
});

const INVITED = '5511990000403';

describeOnEngine('options of a group change', (engine) => {
	const start = withGateways();

	describe('dry run', () => {
		it('gives the same items with the outcome planned, and makes no call', async () => {
			const items = [
				{ phone: phones(3) },
				{ phone: INVITED },
				{ phone: '5531999990002' },
				{ phone: '+50051234' },
			];
			const real = await start();
			const { main: done } = await runNode(engine(), real, groupParameters(), items);
			const gateway = await start();
			const before = gateway.snapshot();
			const parameters = groupParameters({ options: { dryRun: true } });
			const { main, hints } = await runNode(engine(), gateway, parameters, items);
			expect(main).toEqual(
				done.map(({ json: { instance, groupJid, action, participant, sentAs }, pairedItem }) => ({
					json: {
						...{ instance, groupJid, action, participant, sentAs },
						outcome: 'planned',
						applied: null,
						message: expect.stringMatching(/nothing was sent/i),
					},
					pairedItem,
				})),
			);
			expect(main).toHaveLength(6);
			expect(hints).toEqual([
				'6 would be added',
				"It would be 1 request. To do it, turn off Dry Run. The group wasn't read",
				expect.stringMatching(/^\d numbers have no \+/),
			]);
			expect(callsOf(gateway)).toEqual([]);
			expect(gateway.snapshot()).toEqual(before);
		});

		it('checks the rows all the same, and counts the requests of those that add and remove in turn', async () => {
			const gateway = await start();
			const items = rows(6).map((row, i) => ({ ...row, action: i % 2 === 0 ? 'add' : 'remove' }));
			const parameters = groupParameters({ action: '={{ $json.action }}', options: { dryRun: true } });
			const { hints } = await runNode(engine(), gateway, parameters, items);
			expect(hints.slice(0, 2)).toEqual([
				'3 would be added, 3 would be removed',
				"It would be 2 requests. To do it, turn off Dry Run. The group wasn't read",
			]);
			const bad = [...items, { phone: 'nobody', action: 'add' }];
			expect((await runNode(engine(), gateway, parameters, bad)).error?.message).toMatch(/"nobody"/);
			expect(callsOf(gateway)).toEqual([]);
		});
	});

	describe('options that come from an expression', () => {
		const dryRun = groupParameters({ options: { dryRun: '={{ $json.dry }}' } });

		it.each(['maybe', undefined])('refuses %j for a dry run, before any request', async (dry) => {
			const gateway = await start();
			const items = [...rows(1).map((row) => ({ ...row, dry: false })), { ...rows(1, 1)[0], dry }];
			const { main, error } = await runNode(engine(), gateway, dryRun, items);
			expect([main, callsOf(gateway)]).toEqual([[], []]);
			expect(error?.message).toMatch(
				/^Nothing was changed: 1 of 2 rows can't be read: item 1 "4915200000001" \('Dry Run' must be true or false, but it's .*\)$/,
			);
			expect(error?.description).toMatch(/Default: true/);
		});

		it('refuses what is no number of its kind, by the name of the field', async () => {
			const gateway = await start();
			const parameters = groupParameters({ options: { batchInterval: '={{ $json.value }}' } });
			const { error } = await runNode(engine(), gateway, parameters, [{ ...rows(1)[0], value: 2 ** 31 }]);
			expect(callsOf(gateway)).toEqual([]);
			expect(error?.message).toMatch(
				/^Nothing was changed: 'Interval Between Requests \(ms\)' must be a whole number, /,
			);
		});
	});

	describe('the hint after a run', () => {
		it('counts what failed, without a sign that begins HTML', async () => {
			const gateway = await start();
			gateway.fault({ kind: '500', after: 1, times: 1 });
			const items = [...rows(6), { phone: '<!--nobody' }];
			const parameters = groupParameters({ options: { batchSize: 2 } });
			const { hints } = await runNode(engine(), gateway, parameters, items, REGULAR_OUTPUT);
			expect(hints).toEqual([
				expect.stringMatching(
					/^4 added; 2 failed: .*, not known whether carried out; 1 failed: .*"‹!--nobody".*letters/,
				),
				'6 numbers have no + and are read as Germany (6). Check the country codes',
			]);
		});

		it('says that the group is full, and who waits for approval', async () => {
			const gateway = await start();
			const items = [
				...rows(1).map((row) => ({ ...row, group: JUST_ME })),
				...rows(2).map((row) => ({ ...row, group: '120363000000000004@g.us' })),
				...rows(1).map((row) => ({ ...row, group: '120363000000000005@g.us' })),
			];
			const parameters = groupParameters({ group: '={{ $json.group }}' });
			const { hints } = await runNode(engine(), gateway, parameters, items);
			expect(hints[0]).toBe("2 added, 1 didn't fit in the group, 1 waits for approval");
		});
	});
});

/** Names that sheets, CRMs and n8n's own nodes give, and some that JavaScript has its own idea of. */
const name = fc.oneof(
	fc.constantFrom('phone', 'Phone number', 'téléphone', 'a.b', "it's", '$x', '_', '0', '', 'length'),
	fc.constantFrom('constructor', 'prototype', '__proto__', 'toString', 'name', 'json', 'isEmpty', 'first'),
	fc.string({ maxLength: 6 }),
);
const number = fc.constantFrom('5511990000002', '+55 11 99000-0002', '12000000991155@lid');
const value: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 6, arbitrary: number },
	fc.constantFrom(5511990000002, 0, -0, '', ' ', '=5511990000002', '={{ 5 }}', '{{ 5 }}', '2026-11-22'),
	fc.constantFrom(null, true, ['5511990000002'], {}, { value: '5511990000002' }),
	fc.string(),
);
const pathOf = (names: string[]) =>
	names.map((one) => (/^\w+$/.test(one) ? `.${one}` : `[${JSON.stringify(one)}]`)).join('');
const itemOf = (names: string[], inside: unknown): object =>
	// Not assigned, since that would set the prototype where the name is `__proto__`.
	Object(names.reduceRight<unknown>((json, one) => Object.fromEntries([[one, json]]), inside));

describeEachLine('an expression that only names a field of the item', (engine) => {
	const start = withGateways();

	it('comes to what n8n makes of it, whatever the name and whatever each item has there', async () => {
		const gateway = await start();
		await fc.assert(
			fc.asyncProperty(
				fc.array(name, { minLength: 1, maxLength: 3 }),
				fc.array(fc.option(value, { nil: undefined, freq: 8 }), { minLength: 2, maxLength: 12 }),
				fc.boolean(),
				async (names, values, isGroup) => {
					const items = values.map((one) => (one === undefined ? { other: 1 } : itemOf(names, one)));
					const runWith = async (expression: string) => {
						const parameters = groupParameters({
							...(isGroup ? { participants: '5511990000002' } : { participants: expression }),
							options: { dryRun: true },
						});
						const { main, error } = await runNode(
							engine(),
							gateway,
							{ ...parameters, ...(isGroup && { group: locator(expression) }) },
							isGroup ? [...items, itemOf(names, CUSTOMERS)] : items,
							REGULAR_OUTPUT,
						);
						return {
							error: error?.message,
							shown: main.map(({ json, pairedItem }) => ({ json, pairedItem })),
						};
					};
					const field = `$json${pathOf(names)}`;
					// In brackets it is the same to n8n, but more than a field's name.
					expect(await runWith(`={{ ${field} }}`)).toEqual(await runWith(`={{ (${field}) }}`));
				},
			),
			runsOf(300, 12),
		);
	});
});

const ANA = '+55 11 99000-0100';
const BIA = '+55 11 99000-0101';
const INVITE_ONLY = '+55 11 99000-0403';

/** Parameters that only have what a person has set; Dry Run of Sync is off unless they say otherwise. */
const asBorn =
	(parametersOf: typeof syncParameters): typeof syncParameters =>
	({ limits = {}, options = {}, dryRun = false, ...fields } = {}) => ({
		...parametersOf(fields),
		...{ limits, options, dryRun },
	});
const syncNow = asBorn(syncParameters);
const inviteNow = asBorn(inviteParameters);

describeEachLine('a new node', (engine) => {
	skipPauses(engine);
	const start = withGateways();

	/** Runs a node as it is born, but without pauses and with what a person has set. */
	async function run(
		parameters: object,
		items: object[],
		settings: object = ERROR_OUTPUT,
		options: Partial<RunOptions> = {},
	) {
		const gateway = await start({ seed: kindsSeed });
		const result = await runNode(engine(), gateway, parameters, items, settings, options);
		const changes = gateway.calls.filter(({ method }) => method !== 'GET').map(({ body }) => body);
		return { ...result, changes, jsons: result.main.map(({ json }) => json) };
	}
	const keeper = { instance: 'keeper', group: KINDS.numbers };

	test('takes a list of people in one item', async () => {
		const list = [{ phone: [ANA, BIA] }];
		for (const parametersOf of [syncNow, inviteNow]) {
			const { jsons, failed } = await run(parametersOf(), list);
			expect(failed).toEqual([]);
			expect(jsons.map(({ outcome }) => outcome)).toEqual(
				Array(2).fill(parametersOf === syncNow ? 'done' : 'sent'),
			);
		}
	});

	test('of Sync changes nobody before Dry Run is turned off, and shows names, removals first, and what is new', async () => {
		const rows = [
			{ phone: ANA, name: 'Ana' },
			{ phone: BIA },
			{ phone: '+44 7700 900004', name: 'Dani', stays: false },
		];
		const options = { shouldBeMember: '={{ $json.stays ?? true }}' };
		const parameters = { options, limits: { maxRemovalPercent: 100 }, unlisted: 'remove' };
		const stays = 'Stays: Ana Example (admin; Remove Admins is off)';
		const dry = await run(syncNow({ ...parameters, dryRun: true }), rows);
		expect(dry.changes).toEqual([]);
		expect(dry.hints.slice(0, 3)).toEqual([
			'2 would be added, 2 would be removed; 1 member is not in the list and was kept',
			`Would be removed: Dani (+44 7700 900004), +5521990000003; would be added: Ana, ${BIA}`,
			stays,
		]);
		const real = await run(syncNow(parameters), rows);
		for (const { jsons } of [dry, real])
			expect(jsons.map(({ isNew }) => isNew)).toEqual(jsons.map(({ action }) => action !== 'none'));
		expect(real.hints.slice(0, 3)).toEqual([
			'2 added, 2 removed; 1 member is not in the list and was kept',
			`Removed: Dani (+44 7700 900004), +5521990000003. Added: Ana, ${BIA}`,
			stays,
		]);
	});

	test('of Sync names a person of several groups once', async () => {
		const items = [KINDS.numbers, KINDS.hidden].map((group) => ({ group, phone: ANA, name: 'Ana' }));
		const { hints } = await run(syncNow({ group: '={{ $json.group }}', dryRun: true }), items);
		expect(hints[1]).toMatch(/^Would be added: Ana$/);
	});

	test('of Sync names in a dry run who would go after some days', async () => {
		const limits = { removeAfter: 1 };
		const { hints } = await run(syncNow({ unlisted: 'remove', limits, dryRun: true }), [
			{ phone: ANA, name: 'Ana' },
		]);
		expect(hints).toContain('To be removed later: +5521990000003, +447700900004; would be added: Ana');
	});

	test.each(['Nome', 'nome', 'Nombre', 'full_name', 'fullName', 'FIRST_NAME'])(
		'of Sync finds a name in the field %s, and has one second in all items',
		async (field) => {
			const items = [{ phone: ANA, [field]: 'Ana' }, { phone: '+55 21 99000-0003' }];
			const { hints, jsons } = await run(syncParameters({}), items);
			expect(hints[1]).toMatch(/^Added: Ana/);
			expect(jsons.map((json) => [Object.keys(json)[1], json.name])).toEqual([
				['name', 'Ana'],
				['name', null],
			]);
		},
	);

	test('of Sync keeps nobody else where rows contradict each other', async () => {
		const [member, other] = ['+447700900004', '+5521990000003'];
		const items = [{ phone: ANA }, ...[true, false].map((paid) => ({ phone: member, paid }))];
		const parameters = { unlisted: 'remove', shouldBeMember: '={{ $json.paid ?? true }}' };
		const { hints, failed } = await run(syncParameters(parameters), items, ERROR_OUTPUT);
		expect(hints.join()).toContain(`Removed: ${other}. Added`);
		expect(hints.join()).not.toContain(member);
		expect(failed.map(({ json }) => json.error)).toEqual([
			expect.stringContaining("this person should be a member by one item and shouldn't by another"),
			expect.stringContaining("this person should be a member by one item and shouldn't by another"),
		]);
	});

	test('of Sync does not count who would be stopped as removed, and names them', async () => {
		const parameters = { unlisted: 'remove', limits: { maxRemovalPercent: 0 } };
		const { hints } = await run(syncNow({ ...parameters, dryRun: true }), [{ phone: ANA, name: 'Ana' }]);
		expect(hints[0]).toMatch(/^This would be stopped: 2 of 4 members would be removed/);
		expect(hints).toContain('Removals that would be stopped: +5521990000003, +447700900004');
	});

	test.each<[string, typeof syncNow]>([
		['Sync', syncNow],
		['Send Invite', inviteNow],
		['Update Participants', (fields) => groupParameters({ ...keeper, ...fields })],
		[
			'Reset Invite Link',
			(fields) => groupParameters({ ...keeper, ...fields, operation: 'resetInviteLink' }),
		],
	])(
		'of %s changes nothing while Dry Run is on, and says so first in a production run',
		async (_, parametersOf) => {
			const parameters = parametersOf({ dryRun: true });
			const { hints, jsons, changes } = await run(parameters, [{ phone: ANA }], ERROR_OUTPUT, {
				mode: 'trigger',
			});
			expect([jsons.map(({ outcome }) => outcome), changes]).toEqual([['planned'], []]);
			const real = await run(parametersOf({ dryRun: false }), [{ phone: ANA }]);
			expect(real.changes.length).toBeGreaterThan(0);
			expect(hints[0]).toBe('Dry Run is on: nothing was changed');
			const byHand = await run(parameters, [{ phone: ANA }]);
			expect(byHand.hints.join()).not.toContain('Dry Run is on');
		},
	);

	test('has its limits in a collection of their own', async () => {
		const rows = [{ phone: ANA }, { phone: BIA }];
		const sync = await run(syncNow({ limits: { maxAdditions: 1 } }), rows);
		expect(sync.jsons.map(({ reason }) => reason)).toEqual([undefined, 'maxAdditions']);
		const invites = await run(inviteNow({ limits: { maxPerRun: 1 } }), rows);
		expect(invites.jsons.map(({ reason }) => reason)).toEqual([undefined, 'maxPerRun']);
	});

	test('gives the fields of the row, unless the option is turned off', async () => {
		const row = { phone: INVITE_ONLY, city: 'Recife' };
		expect((await run(syncNow(), [row])).jsons).toMatchObject([row]);
		const options = { includeInputFields: false };
		expect((await run(syncNow({ options }), [row])).jsons[0]).not.toHaveProperty('city');
	});
});

test('Sync has at most ten options in a list', () => {
	const { properties } = new MessagingGateway().description;
	const lists = properties.filter(({ type }) => type === 'collection').map(({ options = [] }) => options);
	expect(Math.max(...lists.map(({ length }) => length))).toBeLessThanOrEqual(10);
});
