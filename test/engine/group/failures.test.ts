import type { FaultKind, Gateway } from '../../gateway/gateway';
import {
	describeEachLine,
	ERROR_OUTPUT,
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
	{ kind: 'forbidden', says: /isn't an admin/i, unknown: false },
	{ kind: 'reset-after', says: /connection/i, unknown: true, made: true },
	{ kind: 'hang', says: /didn't answer within [\d.]+ seconds?/i, unknown: true },
];
describeEachLine('a request that fails in the middle', (engine) => {
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
		if (kind !== 'hang') return await attempt({});
		return await withPatience(
			async (timeout) => await attempt({ timeout }),
			(tried) => isMeant(tried, tried.gateway),
		);
	};

	it.each(failing)(
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

	it.each(failing.filter(({ unknown }) => unknown))(
		'$kind: fails its items alone, where the node continues',
		async ({ kind, says, unknown }) => {
			const { main, failed, error, gateway } = await failInTheMiddle(
				kind,
				{},
				ERROR_OUTPUT,
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
		const { main, failed } = await runNode(engine(), gateway, parameters, rows, ERROR_OUTPUT);
		expect(changesAsked(gateway).map(({ groupJid }) => groupJid)).toEqual([CUSTOMERS, JUST_ME]);
		expect(failed.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/^The instance's account isn't an admin/),
			expect.stringMatching(/^Nothing was sent for this item: The instance's account isn't an admin/),
			expect.stringMatching(/^Nothing was sent for this item: The instance's account isn't an admin/),
		]);
		expect(main.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 3 }]);
	});
});
