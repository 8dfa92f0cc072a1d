import { setTimeout as wait } from 'node:timers/promises';
import { startGateway, type Gateway } from '../../gateway/gateway';
import { describeOnEngine, groupParameters, runNode, withGateways, type NodeRun } from '../support';
import { changesAsked, CUSTOMERS, membersAmong, phones, rows, SECOND_GROUP, SECOND_INSTANCE } from './people';

const people = phones(8);
const items = rows(8);
const regularOutput = { onError: 'continueRegularOutput' } as const;
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

describeOnEngine('the gateway says no', (engine) => {
	describe('a gateway', () => {
		const start = withGateways();

		it('is sent nothing more after it has refused the key', async () => {
			const gateway = await start();
			gateway.fault({ kind: '401', after: 2 });
			const result = await runNode(
				engine(),
				gateway,
				parametersWith({ maxRetries: 2 }),
				items,
				regularOutput,
			);
			const refused = refusal(/refused the API key/i);
			expect(said(result)).toEqual([...Array(4).fill('done'), refused, refused, notSent, notSent]);
			expect(result.main.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
			expect(result.main[7]?.json.error).toMatch(/key/i);
			expect(gateway.calls).toHaveLength(3);
			expect(membersAmong(gateway, people)).toEqual(people.slice(0, 4));
		});

		it('is sent nothing with a wrong key but the first request', async () => {
			const gateway = await start();
			const wrong = { url: gateway.url, apiKey: 'WRONG-KEY-0001' };
			const result = await runNode(engine(), wrong, parametersWith(), items, regularOutput);
			expect(result.main).toHaveLength(8);
			expect(gateway.calls).toHaveLength(1);
			expect(gateway.calls[0]?.status).toBe(401);
			expect(said(result).join()).not.toContain('WRONG-KEY-0001');
		});

		it('ends the run where the node does not continue, and says what was applied', async () => {
			const gateway = await start();
			gateway.fault({ kind: '401', after: 2 });
			const { error } = await runNode(engine(), gateway, parametersWith(), items);
			expect(error?.message).toContain('2 of 4 requests succeeded before this (4 participants changed)');
			expect(error?.itemIndex).toBe(4);
			expect(gateway.calls).toHaveLength(3);
		});

		it('is given up when it goes away in the middle', async () => {
			const gateway: Gateway = await startGateway({ onCall: () => void gateway.close() });
			const parameters = parametersWith({ batchInterval: 200 });
			const result = await runNode(engine(), gateway, parameters, items, regularOutput);
			const away = refusal(/Couldn't connect to/);
			expect(said(result)).toEqual(['done', 'done', away, away, ...Array(4).fill(notSent)]);
			expect(gateway.calls).toHaveLength(1);
			expect(membersAmong(gateway, people)).toEqual(people.slice(0, 2));
		});

		it('is given up after a rate limit that repeats', async () => {
			const gateway = await start();
			gateway.fault({ kind: '429-retry-after', after: 1 });
			const parameters = parametersWith({ maxRetries: 1 });
			const result = await runNode(engine(), gateway, parameters, items, regularOutput);
			const limited = refusal(/limits the number of requests/i);
			expect(said(result)).toEqual(['done', 'done', limited, limited, ...Array(4).fill(notSent)]);
			expect(said(result).join()).not.toMatch(/not known/i);
			expect(changesAsked(gateway).map(({ participants }) => participants)).toEqual([
				people.slice(0, 2),
				people.slice(2, 4),
				people.slice(2, 4),
			]);
			expect(membersAmong(gateway, people)).toEqual(people.slice(0, 2));
		});

		it('is sent nothing more for an instance that the network limits; others go on', async () => {
			const gateway = await start();
			gateway.fault({ kind: 'rate-overlimit', on: ({ path }) => path.includes('/main?'), after: 1 });
			const [a, b, c, d] = people;
			const sheet = [inMain(a), inSecond(a), inMain(b), inMain(c), inSecond(b), inMain(d), inSecond(c)];
			const result = await runNode(engine(), gateway, byItem, sheet, regularOutput);
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
			const result = await runNode(engine(), gateway, parametersWith(), sheet, regularOutput);
			expect(said(result)).toEqual(['done', expect.stringMatching(/\b1 of (the )?3\b.*applied/), notSent]);
			expect(membersAmong(gateway, people)).toEqual(people.slice(0, 2));
			expect(gateway.calls).toHaveLength(2);
		});
	});

	describe('what is repeated', () => {
		const start = withGateways();

		it('repeats a change after a rate limit, as long as the gateway asks to wait', async () => {
			const gateway = await start();
			gateway.fault({ kind: '429-retry-after', times: 1 });
			const { main } = await runNode(engine(), gateway, parametersWith({ maxRetries: 1 }), rows(2));
			expect(main.map(({ json }) => json.outcome)).toEqual(['done', 'done']);
			expect(gateway.calls.map(({ status }) => status)).toEqual([429, 201]);
			const [first, second] = gateway.calls;
			expect((second?.startedAt ?? 0) - (first?.startedAt ?? Infinity)).toBeGreaterThanOrEqual(990);
		});

		it('repeats a change whose connection was refused', async () => {
			const gone = await startGateway();
			await gone.close();
			const port = Number(new URL(gone.url).port);
			const running = runNode(engine(), gone, parametersWith({ maxRetries: 30 }), rows(2));
			await wait(250);
			const gateway = await start({ port });
			const { main } = await running;
			expect(main.map(({ json }) => json.outcome)).toEqual(['done', 'done']);
			expect(gateway.calls).toHaveLength(1);
		});

		it('speaks to a gateway of another generation, and asks for its way only once', async () => {
			const gateway = await start({ generation: '2.3' });
			const { main } = await runNode(engine(), gateway, parametersWith(), items);
			expect(main.map(({ json }) => json.outcome)).toEqual(people.map(() => 'done'));
			expect(gateway.calls.map(({ method }) => method)).toEqual(['PUT', 'POST', 'POST', 'POST', 'POST']);
		});

		it('does not try another way where the instance does not exist', async () => {
			const gateway = await start({ generation: '2.3' });
			const parameters = groupParameters({ instance: 'nobody' });
			const { error } = await runNode(engine(), gateway, parameters, rows(1));
			expect(error?.message).toMatch(/does not exist/);
			expect(gateway.calls.map(({ method }) => method)).toEqual(['PUT', 'POST']);
		});
	});
});
