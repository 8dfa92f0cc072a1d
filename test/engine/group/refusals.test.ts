import { startGateway, type Gateway } from '../../gateway/gateway';
import {
	describeOnEngine,
	ERROR_OUTPUT,
	groupParameters,
	REGULAR_OUTPUT,
	runNode,
	withGateways,
	type NodeRun,
} from '../support';
import {
	changesAsked,
	CUSTOMERS,
	JUST_ME,
	membersAmong,
	phones,
	rows,
	SECOND_GROUP,
	SECOND_INSTANCE,
} from './people';

const people = phones(8);
const items = rows(8);
const parametersWith = (options: object = {}) =>
	groupParameters({ options: { batchSize: 2, maxRetries: 0, ...options } });
/** For items that name instance and group, in requests of one. */
const byItem = groupParameters({
	instance: '={{ $json.instance }}',
	group: '={{ $json.group }}',
	options: { batchSize: 1, maxRetries: 0 },
});
const inMain = (phone = '') => ({ phone, instance: 'main', group: CUSTOMERS });
const inSecond = (phone = '') => ({ phone, instance: SECOND_INSTANCE, group: SECOND_GROUP });

/** Of each item, what it says: the outcome, or its error. */
const said = ({ main }: NodeRun): unknown[] => main.map(({ json }) => json.error ?? json.outcome);
const refusal = (words: RegExp) => expect.stringMatching(words);
const notSent = expect.stringMatching(/nothing was sent/i);

describeOnEngine('a gateway that says no', (engine) => {
	const start = withGateways();

	it('is sent nothing with a wrong key but the first request', async () => {
		const gateway = await start();
		const wrong = { url: gateway.url, apiKey: 'WRONG-KEY-0001' };
		const result = await runNode(engine(), wrong, parametersWith(), items, REGULAR_OUTPUT);
		expect(result.main).toHaveLength(8);
		expect(gateway.calls).toHaveLength(1);
		expect(gateway.calls[0]?.status).toBe(401);
		expect(said(result).join()).not.toContain('WRONG-KEY-0001');
	});

	it.each([401, 0])('fails the run, which says first that nothing was changed (%d)', async (status) => {
		const { apiKey, url } = await start();
		const refusing =
			status === 401 ? { url, apiKey: 'WRONG-KEY-0001' } : { url: 'http://127.0.0.1:1', apiKey };
		const { error } = await runNode(engine(), refusing, parametersWith(), items);
		expect(error?.message).toMatch(
			/^Nothing was changed\. (Couldn't connect to|The gateway refused the API key)/,
		);
	});

	it('is given up, for all its instances, when it goes away in the middle', async () => {
		const gateway: Gateway = await startGateway({ onCall: () => void gateway.close() });
		const parameters = { ...byItem, options: { batchSize: 1, maxRetries: 0, batchInterval: 200 } };
		const [a, b] = people;
		const sheet = [inMain(a), inMain(b), inSecond(a), inSecond(b)];
		const result = await runNode(engine(), gateway, parameters, sheet, REGULAR_OUTPUT);
		expect(said(result)).toEqual(['done', refusal(/^Couldn't connect to/), notSent, notSent]);
		expect(gateway.calls).toHaveLength(1);
		expect(membersAmong(gateway, people)).toEqual([a]);
	});

	it('is sent nothing more for an instance that the network limits; others go on', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'rate-overlimit', on: ({ path }) => path.includes('/main?'), after: 1 });
		const [a, b, c, d] = people;
		const sheet = [inMain(a), inSecond(a), inMain(b), inMain(c), inSecond(b), inMain(d), inSecond(c)];
		const result = await runNode(engine(), gateway, byItem, sheet, REGULAR_OUTPUT);
		expect(said(result)).toEqual([
			...['done', 'done'],
			...[refusal(/rate limiting/), notSent, 'done', notSent, 'done'],
		]);
		expect(changesAsked(gateway).map(({ instance }) => instance)).toEqual([
			...['main', 'main', SECOND_INSTANCE, SECOND_INSTANCE, SECOND_INSTANCE],
		]);
		expect(membersAmong(gateway, people)).toEqual([a]);
		expect(membersAmong(gateway, people, SECOND_GROUP, SECOND_INSTANCE)).toEqual([a, b, c]);
	});

	it('says of an item what was sent of it before, and that nothing more was', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'rate-overlimit', after: 1 });
		const sheet = [{ phone: people[0] }, { phone: people.slice(1, 4) }, { phone: people.slice(4) }];
		const result = await runNode(engine(), gateway, parametersWith(), sheet, REGULAR_OUTPUT);
		expect(said(result)).toEqual(['done', expect.stringMatching(/\b1 of (the )?3\b.*applied/), notSent]);
		expect(membersAmong(gateway, people)).toEqual(people.slice(0, 2));
		expect(gateway.calls).toHaveLength(2);
	});

	it('is sent no more changes to a group that has refused one, and those to others', async () => {
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
