import type { FaultKind, Gateway } from '../../gateway/gateway';
import {
	casesOn,
	describeEachLine,
	groupParameters,
	runNode,
	withGateways,
	withPatience,
	type NodeRun,
	type NodeSettings,
} from '../support';
import { changesAsked, CUSTOMERS, JUST_ME, membersAmong, phones, rows } from './people';

const nodeError = expect.stringMatching(/^Node(Api|Operation)Error$/);
/** 14 rows in 7 requests; the fourth one fails. */
const people = phones(14);
const items = rows(14);
const parametersWith = (options: object = {}) =>
	groupParameters({ options: { batchSize: 2, maxRetries: 0, ...options } });

interface Failing {
	kind: FaultKind;
	says: RegExp;
	/** Whether the fault leaves it open what the gateway has done. */
	unknown: boolean;
	/** Whether the gateway makes the change nevertheless. */
	made?: true;
}
const failing: Failing[] = [
	{ kind: '500', says: /Internal Server Error/, unknown: true },
	{ kind: '503', says: /Service Unavailable/, unknown: true },
	{ kind: 'forbidden', says: /isn't an admin/i, unknown: false },
	{ kind: '413', says: /too large/i, unknown: true },
	{ kind: '404-instance', says: /"main" instance does not exist/, unknown: false },
	{ kind: 'redirect', says: /redirects to https:\/\/elsewhere\.invalid/, unknown: false },
	{ kind: 'html', says: /isn't JSON/i, unknown: true },
	{ kind: '502', says: /502/, unknown: true },
	{ kind: '504', says: /504/, unknown: true },
	{ kind: 'reset-before', says: /connection/i, unknown: true },
	{ kind: 'reset-after', says: /connection/i, unknown: true, made: true },
	{ kind: 'hang', says: /didn't answer within [\d.]+ seconds?/i, unknown: true },
	{ kind: 'hang-after', says: /didn't answer within/i, unknown: true, made: true },
	{ kind: 'slow-body', says: /didn't answer within/i, unknown: true, made: true },
	{ kind: 'truncated-body', says: /connection/i, unknown: true, made: true },
];
/** Those that end with the time for a reply. */
const silent: FaultKind[] = ['hang', 'hang-after', 'slow-body'];
/** Those whose items are looked at where the node continues, and all that 1.x is tried with. */
const alone: FaultKind[] = ['500', '504', 'reset-after', 'hang'];

describeEachLine('a request that fails in the middle', (engine, line) => {
	const start = withGateways();
	/** Lets the fourth request fail, until it is that one which fails. */
	const failInTheMiddle = async (
		kind: FaultKind,
		options: object,
		settings: NodeSettings,
		isMeant: (tried: NodeRun, gateway: Gateway) => boolean,
	) => {
		const attempt = async (more: object) => {
			const gateway = await start();
			gateway.fault({ kind, after: 3, times: 1 });
			const parameters = parametersWith({ ...options, ...more });
			const tried = await runNode(engine(), gateway, parameters, items, settings);
			await gateway.handled();
			return { ...tried, gateway };
		};
		if (!silent.includes(kind)) return await attempt({});
		return await withPatience(
			async (timeout) => await attempt({ timeout }),
			(tried) => isMeant(tried, tried.gateway),
		);
	};

	const isAlone = ({ kind }: { kind: FaultKind }) => alone.includes(kind);

	it.each(casesOn(line, failing, isAlone))(
		'$kind: ends the run, and says what was applied',
		async ({ kind, says, unknown, made }) => {
			const { main, error, run, gateway } = await failInTheMiddle(
				kind,
				{ maxRetries: 2 },
				{},
				(tried, { calls }) => tried.error?.itemIndex === 6 && calls.length === 4,
			);
			expect(run.status).toBe('error');
			expect(main).toEqual([]);
			expect(error).toMatchObject({ name: nodeError, itemIndex: 6, message: expect.stringMatching(says) });
			expect(error?.message).toContain('3 of 7 requests succeeded before this (6 participants changed)');
			expect(error?.description).toMatch(/\w/);
			expect(error?.message).not.toContain('TEST-GLOBAL-KEY');
			expect(/not known/i.test(error?.message ?? '')).toBe(unknown);
			expect(gateway.calls).toHaveLength(4);
			expect(membersAmong(gateway, people)).toEqual(people.slice(0, made ? 8 : 6));
		},
	);

	it.each(failing.filter(isAlone))(
		'$kind: fails its items alone, where the node continues',
		async ({ kind, says, unknown }) => {
			const { main, failed, error, gateway } = await failInTheMiddle(
				kind,
				{},
				{ onError: 'continueErrorOutput' },
				(tried, { calls }) => tried.failed.length === 2 && changesAsked({ calls }).length === 7,
			);
			expect(error).toBeUndefined();
			expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 6 }, { item: 7 }]);
			for (const { json } of failed) {
				expect(json.error).toMatch(says);
				expect(/not known/i.test(String(json.error))).toBe(unknown);
			}
			const done = people.filter((_, i) => i !== 6 && i !== 7);
			expect(main.map(({ json }) => [json.participant, json.applied])).toEqual(
				done.map((phone) => [phone, true]),
			);
			expect(membersAmong(gateway, done)).toEqual(done);
			expect(changesAsked(gateway).map(({ participants }) => participants[0])).toEqual(
				people.filter((_, i) => i % 2 === 0),
			);
		},
	);

	it('sends no more changes to a group that has refused one, and those to others', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'forbidden', times: 1 });
		const other = { phone: people[0], group: JUST_ME };
		const rows = [...people.slice(0, 3).map((phone) => ({ phone, group: CUSTOMERS })), other];
		const parameters = groupParameters({ group: '={{ $json.group }}', options: { combineItems: false } });
		const { main, failed } = await runNode(engine(), gateway, parameters, rows, {
			onError: 'continueErrorOutput',
		});
		expect(changesAsked(gateway).map(({ groupJid }) => groupJid)).toEqual([CUSTOMERS, JUST_ME]);
		expect(failed.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/^The instance's account isn't an admin/),
			expect.stringMatching(/^Nothing was sent for this item: The instance's account isn't an admin/),
			expect.stringMatching(/^Nothing was sent for this item: The instance's account isn't an admin/),
		]);
		expect(main.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 3 }]);
	});

	it('says that nothing was applied, where the first request fails', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'forbidden' });
		const { error } = await runNode(engine(), gateway, parametersWith(), items);
		expect(error?.itemIndex).toBe(0);
		expect(error?.message).toMatch(/nothing was changed before this/i);
		expect(gateway.calls).toHaveLength(1);
		expect(membersAmong(gateway, people)).toEqual([]);
	});

	it('does not say so of a first request that may have been carried out', async () => {
		const gateway = await start();
		gateway.fault({ kind: '500' });
		const { error } = await runNode(engine(), gateway, parametersWith(), items);
		expect(error?.message).toMatch(
			/not known whether this change was carried out \(instance main, group \d+@g\.us\)$/,
		);
	});

	it('counts as applied only who was applied', async () => {
		const gateway = await start();
		gateway.fault({ kind: '500', after: 2 });
		const rejected = ['5511990000403', '5511990000404'].map((phone) => ({ phone }));
		const { error } = await runNode(engine(), gateway, parametersWith(), [...rejected, ...items]);
		expect(error?.message).toContain('1 of 8 requests succeeded before this (2 participants changed)');
		expect(membersAmong(gateway, people)).toHaveLength(2);
	});

	it('makes one error item of an item with several requests, and says what was applied of it', async () => {
		const gateway = await start();
		gateway.fault({ kind: '500', after: 1, times: 1 });
		const settings = { onError: 'continueRegularOutput' } as const;
		const sheet = [{ phone: people.slice(0, 5) }, { phone: people[5] }];
		const { main } = await runNode(engine(), gateway, parametersWith(), sheet, settings);
		expect(main.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(main[0]?.json).toMatchObject({ error: expect.stringMatching(/\b3 of (the )?5\b.*applied/) });
		expect(main[1]?.json).toMatchObject({ participant: people[5], outcome: 'done' });
		expect(gateway.group('main', CUSTOMERS)?.members).toHaveLength(4 + 4);
		expect(membersAmong(gateway, people)).toEqual([...people.slice(0, 2), ...people.slice(4, 6)]);
	});
});
