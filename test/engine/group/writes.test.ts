import type { FaultKind } from '../../gateway/faults';
import type { Call, Gateway, Generation } from '../../gateway/gateway';
import { JSON_TYPE } from '../../gateway/reply';
import { CUSTOMERS } from '../../gateway/seed';
import { resetInviteLink, updateGroup } from '../gateways/parameters';
import {
	describeEachLine,
	runNode,
	skipPauses,
	withGateways,
	ERROR_OUTPUT,
	type NodeSettings,
} from '../support';
import { HIDDEN_NUMBERS, JUST_ME, NOT_ADMIN } from './people';

const INTERVAL = 2_000;

const rowsOf = (...groups: string[]) => groups.map((group, row) => ({ group, row }));
const close = { sendMessages: 'admins', editInfo: 'admins' };

/** The fields that come first in an item of a change that was made. */
const DONE = { outcome: 'done', applied: true, message: expect.any(String) as string };
const PLANNED = { ...DONE, outcome: 'planned', applied: null };
const FIRST = Object.keys(DONE);

/** The operations, as they are asked for about the group of each item. */
const update = (fields: object, options: object = {}) =>
	updateGroup(fields, '={{ $json.group }}', 'main', { options: { batchInterval: 0, ...options } });
const reset = (options: object = {}) =>
	resetInviteLink('={{ $json.group }}', 'main', { options: { batchInterval: 0, ...options } });

const ask = (method: string, route: string, group: string) =>
	`${method} /group/${route}/main?groupJid=${encodeURIComponent(group)}`;
/** The calls that change something: a group is read before its update and afterwards. */
const changesOf = ({ calls }: Pick<Gateway, 'calls'>) =>
	calls.filter(({ path }) => !path.includes('findGroupInfos'));
const callsOf = (gateway: Pick<Gateway, 'calls'>) =>
	changesOf(gateway).map(({ method, path }) => `${method} ${path}`);
const bodiesOf = (gateway: Pick<Gateway, 'calls'>) => changesOf(gateway).map(({ body }) => body);

const OLD_INVITES = 'Links in earlier invites no longer work';

describeEachLine('settings and links of groups', (engine) => {
	skipPauses(engine);
	const start = withGateways();
	const run = async (gateway: Gateway, parameters: object, items: object[], settings: NodeSettings = {}) =>
		await runNode(engine(), gateway, parameters, items, settings);

	describe.each<[Generation, string[]]>([
		['published', ['PUT']],
		['1.8', ['PUT']],
		['2.3', ['PUT', 'POST']],
	])('with generation %s', (generation, methods) => {
		const method = methods.at(-1) ?? '';

		it('are changed in order, one at a time, with a pause after each', async () => {
			const gateway = await start({ generation });
			const items = rowsOf(CUSTOMERS, JUST_ME);
			const result = await run(gateway, update(close, { batchInterval: INTERVAL }), items);
			const { main, hints, error } = result;
			expect(error).toBeUndefined();
			expect(main).toEqual(
				items.map(({ group }, item) => ({
					json: { ...DONE, instance: 'main', groupJid: group, ...close },
					pairedItem: { item },
				})),
			);
			expect(main.map(({ json }) => Object.keys(json).slice(0, 3))).toEqual(items.map(() => FIRST));
			const groups = [CUSTOMERS, CUSTOMERS, JUST_ME, JUST_ME];
			const tried = methods.slice(1).map(() => ask('PUT', 'updateSetting', CUSTOMERS));
			const isRead = ({ path }: Call) => path.includes('findGroupInfos');
			expect(gateway.calls.filter(isRead)).toHaveLength(4);
			expect(callsOf(gateway)).toEqual([...tried, ...groups.map((one) => ask(method, 'updateSetting', one))]);
			expect(bodiesOf(gateway).slice(-4)).toEqual(
				['announcement', 'locked', 'announcement', 'locked'].map((action, i) => ({
					action,
					...(method === 'POST' && { groupJid: groups[i] }),
				})),
			);
			for (const group of [CUSTOMERS, JUST_ME])
				expect(gateway.group('main', group)?.settings).toEqual({ announce: true, restrict: true });
			expect(result.run.elapsedMs).toBeGreaterThanOrEqual(3 * INTERVAL);
			expect(gateway.maxConcurrent).toBe(1);
			expect(hints).toEqual(['2 groups updated']);
		});

		it('are opened again, each setting by itself', async () => {
			const gateway = await start({ generation });
			await run(gateway, update(close), rowsOf(CUSTOMERS));
			await run(gateway, update({ sendMessages: 'everyone' }), rowsOf(CUSTOMERS));
			expect(gateway.group('main', CUSTOMERS)?.settings).toEqual({ announce: false, restrict: true });
			const { main } = await run(gateway, update({ editInfo: 'everyone' }), rowsOf(CUSTOMERS));
			expect(gateway.group('main', CUSTOMERS)?.settings).toEqual({ announce: false, restrict: false });
			expect(main.map(({ json }) => json)).toEqual([
				{ ...DONE, instance: 'main', groupJid: CUSTOMERS, editInfo: 'everyone' },
			]);
		});

		it('get a new link, and the old one is gone', async () => {
			const gateway = await start({ generation });
			const old = gateway.group('main', CUSTOMERS)?.inviteCode;
			const { main, hints } = await run(gateway, reset(), rowsOf(CUSTOMERS));
			const { inviteCode } = gateway.group('main', CUSTOMERS) ?? {};
			expect(inviteCode).not.toBe(old);
			const inviteUrl = `https://chat.whatsapp.com/${inviteCode}`;
			const message = 'The group has a new link.';
			const json = { ...DONE, message, instance: 'main', groupJid: CUSTOMERS, inviteUrl, inviteCode };
			expect(main.map((item) => [item.json, item.pairedItem])).toEqual([[json, { item: 0 }]]);
			expect(Object.keys(main[0]?.json ?? {}).slice(0, 3)).toEqual(FIRST);
			expect(callsOf(gateway)).toEqual(methods.map((one) => ask(one, 'revokeInviteCode', CUSTOMERS)));
			expect(hints).toEqual(['1 link reset', OLD_INVITES]);
		});
	});

	it.each<[string, object, object, string, string]>([
		['settings', update(close, { dryRun: true }), close, '1 group would be updated', '2 requests'],
		['a link', reset({ dryRun: true }), {}, '1 link would be reset', '1 request'],
	])('are only planned in a dry run: %s', async (_, parameters, plan, summary, requests) => {
		const gateway = await start();
		const { main, hints } = await run(gateway, parameters, rowsOf(CUSTOMERS));
		expect(main.map(({ json }) => json)).toEqual([
			{ ...PLANNED, instance: 'main', groupJid: CUSTOMERS, ...plan },
		]);
		expect(hints).toEqual([summary, expect.stringContaining(`would be ${requests}. To do it,`)]);
		expect(callsOf(gateway)).toEqual([]);
	});

	it.each<[string, object, string, string]>([
		['settings', update(close, { dryRun: true }), '2 groups would be updated', '4 requests'],
		['links', reset({ dryRun: true }), '2 links would be reset', '2 requests'],
	])('are counted once in a dry run that repeats them: %s', async (_, parameters, summary, requests) => {
		const gateway = await start();
		const { main, hints } = await run(gateway, parameters, rowsOf(CUSTOMERS, JUST_ME, CUSTOMERS, JUST_ME));
		expect(main).toHaveLength(4);
		expect(hints).toEqual([summary, expect.stringContaining(`would be ${requests}. To do it,`)]);
	});

	it('are of one group, however often it is changed', async () => {
		const gateway = await start();
		const items = ['admins', 'everyone', 'admins'].map((who) => ({ group: CUSTOMERS, who }));
		const parameters = update({ sendMessages: '={{ $json.who }}' });
		const { hints } = await run(gateway, parameters, items);
		expect(bodiesOf(gateway)).toHaveLength(3);
		expect(hints).toEqual(['1 group updated']);
	});

	it('of which the first fails are not set by a row that repeats it either', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'reset-after', on: ({ path }) => path.includes('/updateSetting/'), times: 1 });
		const items = rowsOf(CUSTOMERS, CUSTOMERS);
		const { failed } = await run(gateway, update(close), items, ERROR_OUTPUT);
		expect(failed).toHaveLength(2);
		expect(callsOf(gateway).filter((call) => call.includes('/updateSetting/'))).toHaveLength(1);
	});

	it('are not asked for again by a row that repeats the one before of its group', async () => {
		const gateway = await start();
		const groups = rowsOf(CUSTOMERS, JUST_ME, CUSTOMERS);
		const links = await run(gateway, reset(), groups);
		expect(callsOf(gateway)).toEqual([CUSTOMERS, JUST_ME].map((one) => ask('PUT', 'revokeInviteCode', one)));
		const codes = groups.map(({ group }) => gateway.group('main', group)?.inviteCode);
		expect(links.main.map(({ json }) => json.inviteCode)).toEqual(codes);
		expect(links.hints).toEqual(['2 links reset', OLD_INVITES]);

		const who = ['admins', 'admins', 'everyone', 'admins'].map((sendMessages) => ({ sendMessages }));
		const rows = who.map((json) => ({ ...json, group: CUSTOMERS }));
		const settings = await run(gateway, update({ sendMessages: '={{ $json.sendMessages }}' }), rows);
		expect(settings.main.map(({ json }) => json.sendMessages)).toEqual(rows.map((row) => row.sendMessages));
		const actions = ['announcement', 'not_announcement', 'announcement'];
		expect(bodiesOf(gateway).slice(2)).toEqual(actions.map((action) => ({ action })));
	});

	it('have the fields of the input item beside their own, which win', async () => {
		const gateway = await start();
		const items = [{ group: CUSTOMERS, instance: 'of the row', row: 7, inviteUrl: 'old' }];
		const { main } = await run(gateway, update(close, { includeInputFields: true }), items);
		expect(main.map(({ json }) => json)).toEqual([
			{
				...DONE,
				instance: 'main',
				groupJid: CUSTOMERS,
				...close,
				group: CUSTOMERS,
				row: 7,
				inviteUrl: 'old',
			},
		]);
	});

	it.each<[string, object, RegExp]>([
		['no field', {}, /add at least one field to update/],
		['an empty choice', { sendMessages: '={{ "" }}' }, /'Who Can Send Messages' is empty/],
		['one that an expression lacks', { editInfo: '={{ $json.nothing }}' }, /'Who Can Edit Info' is empty/],
		['a description that a column lacks', { description: '={{ $json.nothing }}' }, /'Description' is empty/],
		['an unknown one', { sendMessages: 'nobody' }, /'Who Can Send Messages' can't be "nobody"/],
		['a name of 101 characters', { subject: '👍🏽'.repeat(101) }, /'Name' has 101 characters: 100 at most/],
		['a long description', { description: 'a'.repeat(2049) }, /'Description' has 2,049 .*: 2,048 at most/],
		['a picture that is none', { picture: 'data' }, /'Picture' is neither an address nor .*"data"/],
	])('are refused before anything is sent: %s', async (_, fields, says) => {
		const gateway = await start();
		const { main, error } = await run(gateway, update(fields), rowsOf(CUSTOMERS, JUST_ME));
		expect(main).toEqual([]);
		expect(error?.message).toMatch(says);
		expect(gateway.calls).toEqual([]);
	});

	it('are refused where rows of one group name different instances', async () => {
		const gateway = await start();
		const items = ['main', 'closed'].map((instance) => ({ group: CUSTOMERS, instance }));
		const parameters = resetInviteLink('={{ $json.group }}', '={{ $json.instance }}');
		const { error } = await run(gateway, parameters, items);
		expect(error?.message).toMatch(
			/^Nothing was changed: .*items of one group name different instances: item 1 has "closed", and most have "main"/,
		);
		expect(gateway.calls).toEqual([]);
	});

	describe('that fail', () => {
		const second = { kind: '500', after: 1, on: ({ path }: Call) => path.includes('updateSetting') } as const;

		it("don't get the second setting after the first, and say so", async () => {
			const gateway = await start();
			gateway.fault({ kind: 'forbidden', times: 1, on: ({ path }) => path.includes('updateSetting') });
			const { error } = await run(gateway, update(close), rowsOf(CUSTOMERS));
			expect(bodiesOf(gateway)).toEqual([{ action: 'announcement' }]);
			expect(error?.message).toMatch(
				/^Nothing was changed\. .*isn't an admin.*\. This is about 'Who Can Send Messages'; 'Who Can Edit Info' wasn't sent/,
			);
		});

		it.each<[string, Generation, FaultKind, boolean]>([
			['and was made', '2.3', 'closed-1006', true],
			['and was made', '1.8', 'stream-errored', true],
			["and wasn't made", '2.3', 'connection-closed', false],
			["and wasn't made", '1.8', 'closed-1006', false],
		])(
			'since a setting lost the connection %s, are decided by the group, read once, and the rest is not sent (%s, %s)',
			async (_, generation, kind, applied) => {
				const gateway = await start({ generation });
				const isSetting = ({ path, method }: Call) =>
					path.includes('updateSetting') && method === (generation === '2.3' ? 'POST' : 'PUT');
				gateway.fault({ kind, applied, on: isSetting, times: 1 });
				const { main, failed } = await run(gateway, update(close), rowsOf(CUSTOMERS), ERROR_OUTPUT);
				const routes = gateway.calls.map(({ path }) => path.split('/')[2]);
				expect(routes.slice(-3)).toEqual(['updateSetting', 'connectionState', 'findGroupInfos']);
				expect(main).toEqual([]);
				const says = applied
					? /^Nothing more was sent for this item: .*'Who Can Send Messages' was set before this/
					: /^'Who Can Send Messages' wasn't changed: the group was read again\. .*'Who Can Edit Info' wasn't sent/;
				expect(failed.map(({ json }) => json.error)).toEqual([expect.stringMatching(says)]);
				expect(gateway.group('main', CUSTOMERS)?.settings).toEqual({ announce: applied, restrict: false });

				const again = await run(gateway, update(close), rowsOf(CUSTOMERS), ERROR_OUTPUT);
				expect(again.main.map(({ json }) => json.outcome)).toEqual(['done']);
				expect(bodiesOf(gateway).filter(Boolean).slice(-1)).toMatchObject([{ action: 'locked' }]);
			},
		);

		it('since the gateway took a setting and the group does not show it, say so', async () => {
			const gateway = await start({ generation: '2.3' });
			const response = { status: 201, contentType: JSON_TYPE, body: {} };
			const ofCustomers = ({ path }: Call) => /updateSetting.*0{4}1%40/.test(path);
			gateway.replay({ response }, ofCustomers);
			const { main, failed } = await run(gateway, update(close), rowsOf(CUSTOMERS, JUST_ME), ERROR_OUTPUT);
			expect(failed.map(({ json }) => json.error)).toEqual([
				expect.stringMatching(
					/^'Who Can Send Messages' wasn't changed: the group was read again.*accepted it, but/,
				),
			]);
			expect(main.map(({ json }) => json.groupJid)).toEqual([JUST_ME]);
		});

		it('with the second setting say what the first has set, and end the run', async () => {
			const gateway = await start();
			gateway.fault(second);
			const { error } = await run(gateway, update(close), rowsOf(CUSTOMERS, JUST_ME));
			expect(callsOf(gateway).join()).not.toContain(encodeURIComponent(JUST_ME));
			expect(error?.message).toMatch(/500 .*'Who Can Send Messages' was set before this/);
			expect(error?.message).not.toMatch(/n't sent/);
			expect(gateway.group('main', CUSTOMERS)?.settings).toEqual({ announce: true, restrict: false });
		});

		it('since the group cannot be read name none of the settings', async () => {
			const gateway = await start();
			gateway.fault({ kind: '403', on: ({ path }) => path.includes('findGroupInfos') });
			const { error } = await run(gateway, update(close), rowsOf(CUSTOMERS));
			expect(error?.message).toMatch(/^Nothing was changed: the group couldn't be read/);
			expect(error?.message).not.toMatch(/'Who Can/);
		});

		it('say it in the error item too, and the others go on', async () => {
			const gateway = await start();
			gateway.fault({ ...second, times: 1 });
			const items = rowsOf(CUSTOMERS, JUST_ME);
			const { main, failed } = await run(gateway, update(close), items, ERROR_OUTPUT);
			expect(failed.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
				[expect.stringMatching(/'Who Can Send Messages' was set before this/), { item: 0 }],
			]);
			expect(main.map(({ json, pairedItem }) => [json.groupJid, pairedItem])).toEqual([
				[JUST_ME, { item: 1 }],
			]);
		});

		it('of another run, between two settings, leave the second unsent', async () => {
			let resetting: Promise<unknown> | undefined;
			const gateway = await start({
				hold: async ({ path }) => {
					if (path.includes('/updateSetting/'))
						resetting ??= run(gateway, reset(), rowsOf(JUST_ME), ERROR_OUTPUT);
					await Promise.resolve();
				},
			});
			gateway.fault({ kind: 'rate-overlimit', on: ({ path }) => path.includes('revokeInviteCode') });
			const updating = update(close, { batchInterval: INTERVAL });
			const { failed, hints } = await run(gateway, updating, rowsOf(CUSTOMERS), ERROR_OUTPUT);
			await resetting;
			expect(bodiesOf(gateway)).toEqual([{ action: 'announcement' }, undefined]);
			expect(failed.map(({ json }) => json.error)).toEqual([
				expect.stringMatching(/^Nothing more was sent for this item: .*'Who Can Send Messages' was set/),
			]);
			expect(hints).toEqual([expect.stringMatching(/^1 failed: /)]);
		});

		it('alone go to the error output', async () => {
			const gateway = await start();
			const items = rowsOf(CUSTOMERS, NOT_ADMIN, HIDDEN_NUMBERS);
			const { main, failed, hints } = await run(gateway, reset(), items, ERROR_OUTPUT);
			expect(main.map(({ json }) => json.groupJid)).toEqual([CUSTOMERS, HIDDEN_NUMBERS]);
			expect(failed.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
				[expect.stringMatching(/isn't an admin of this group, or isn't in it/), { item: 1 }],
			]);
			expect(hints).toEqual([expect.stringMatching(/^2 links reset; 1 failed/), OLD_INVITES]);
		});

		it.each<[string, FaultKind, RegExp]>([
			['may have been done', 'reset-after', /not known whether the old link still works/],
			['were refused', '403', /Forbidden/],
		])("aren't asked for again by rows that repeat them, where they %s", async (_, kind, says) => {
			const gateway = await start();
			gateway.fault({ kind, times: 1 });
			const items = rowsOf(CUSTOMERS, CUSTOMERS, CUSTOMERS);
			const { failed } = await run(gateway, reset(), items, ERROR_OUTPUT);
			expect(callsOf(gateway).filter((call) => call.includes('revokeInviteCode'))).toHaveLength(1);
			expect(failed.map(({ json }) => json.error)).toEqual(items.map(() => expect.stringMatching(says)));
		});

		it('behind one that is so already say that nothing was changed', async () => {
			const gateway = await start();
			const open = update({ sendMessages: 'everyone' });
			gateway.fault({ kind: 'forbidden', on: ({ path }) => path.includes('findGroupInfos'), after: 1 });
			const { error } = await run(gateway, open, rowsOf(CUSTOMERS, NOT_ADMIN));
			expect(error?.message).toMatch(/^Nothing was changed: /);
			expect(error?.message).not.toMatch(/before this/);
		});

		it('end the run, which says how far it got', async () => {
			const gateway = await start();
			const { main, error } = await run(gateway, reset(), rowsOf(CUSTOMERS, NOT_ADMIN, HIDDEN_NUMBERS));
			expect(main).toEqual([]);
			expect(error?.message).toMatch(/isn't an admin.*Some changes were made before this/);
			expect(gateway.calls).toHaveLength(2);
		});
	});
});
