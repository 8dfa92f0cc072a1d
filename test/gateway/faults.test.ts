import { change, get, members, onceThereIsACall, start } from './client';
import { faultKinds, parseFaultKind, type FaultKind, type Gateway } from './gateway';
import { CUSTOMERS } from './seed';

describe('faults', () => {
	const silent = new Set<FaultKind>(['hang', 'hang-after', 'slow-body', '101']);
	const outcome = async (gateway: Gateway, givesUp = false): Promise<string> => {
		try {
			const reply = await change(gateway, givesUp ? { signal: onceThereIsACall(gateway) } : {});
			const text = await reply.text();
			return `${reply.status} ${reply.headers.get('content-type')?.split(';')[0] ?? 'no type'}: ${text}`;
		} catch {
			return 'none';
		}
	};

	const expectations: Array<[FaultKind, RegExp, boolean]> = [
		['reset-before', /^none$/, false],
		['reset-after', /^none$/, true],
		['hang', /^none$/, false],
		['hang-after', /^none$/, true],
		['slow-body', /^none$/, true],
		['truncated-body', /^none$/, true],
		['wrong-content-type', /^201 text\/plain: \{"updateParticipants":\[\{"status":"200".*\}$/, true],
		['html', /^200 text\/html: <html>/, false],
		['empty', /^200 no type: $/, false],
		['wrong-shape', /^200 application\/json: "ok"$/, false],
		['redirect', /^302 text\/html: /, false],
		['401', /^401 application\/json: .*"message":"Unauthorized"/, false],
		['403', /^403 application\/json: .*"message":"Forbidden"/, false],
		[
			'404-route',
			/^404 application\/json: .*\["Cannot PUT \/group\/updateParticipant\/main\?groupJid=/,
			false,
		],
		['404-instance', /^404 application\/json: .*\["The \\"main\\" instance does not exist"\]/, false],
		['409', /^409 application\/json: /, false],
		['413', /^413 application\/json: /, false],
		['429', /^429 application\/json: /, false],
		['429-retry-after', /^429 application\/json: /, false],
		['500', /^500 application\/json: /, false],
		['502', /^502 text\/html: .*502 Bad Gateway/s, false],
		['503', /^503 application\/json: /, false],
		['503-license', /^503 application\/json: .*"code":"LICENSE_REQUIRED","register_url":"https:/, false],
		['504', /^504 text\/html: /, false],
		['rate-overlimit', /^400 application\/json: .*"Error: rate-overlimit"/, false],
		['forbidden', /^400 application\/json: .*"Error: forbidden"/, false],
		['408', /^408 application\/json: /, false],
		['just-started', /^500 application\/json: .*\(reading 'updateGParticipant'\)"/, false],
		['200-error', /^200 application\/json: \{"error":true,"message":/, false],
		['200-rate-overlimit', /^200 application\/json: \{"status":400,.*"Error: rate-overlimit"/, false],
		['201-error', /^201 application\/json: \{"status":500,"error":"Internal Server Error"\}$/, false],
		['closed-1000', /^400 application\/json: .*\["Error updating participants","1000"\]/, true],
		['closed-1006', /^400 application\/json: .*\["Error updating participants","1006"\]/, true],
		['connection-closed', /^400 .*"Connection Closed"\]/, true],
		['timed-out', /^400 .*"Error: Timed Out"\]/, true],
		['connection-terminated', /^400 .*"Connection Terminated"\]/, true],
		['connection-lost', /^400 .*"Connection was lost"\]/, true],
		['stream-errored', /^400 .*"Stream Errored \(restart required\)"\]/, true],
		['query-cancelled', /^400 .*"Query Cancelled"\]/, true],
		['internal-server-error', /^400 .*"Error: internal-server-error"\]/, true],
		['empty-list', /^201 application\/json: \{"updateParticipants":\[\]\}$/, true],
		['101', /^none$/, false],
	];
	test.each(expectations)('%s: %s, applied: %s', async (kind, expected, applied) => {
		const gateway = await start();
		gateway.fault({ kind });
		expect(await outcome(gateway, silent.has(kind))).toMatch(expected);
		expect(members(gateway)).toHaveLength(applied ? 5 : 4);
		gateway.clearFaults();
		expect(await outcome(gateway)).toMatch(/^201 application\/json/);
	});

	test('headers and half of the body arrive before a slow or truncated one breaks off', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'slow-body', times: 1 });
		gateway.fault({ kind: 'truncated-body', times: 1 });
		const patience = new AbortController();
		const slow = await change(gateway, { signal: patience.signal });
		const truncated = await change(gateway);
		for (const { status } of [slow, truncated]) expect(status).toBe(201);
		patience.abort();
		await expect(slow.text()).rejects.toThrow(/abort/);
		await expect(truncated.text()).rejects.toThrow(/terminated/);
	});

	test('a refusal can tell when to come back', async () => {
		const gateway = await start();
		gateway.fault({ kind: '429-retry-after' });
		expect((await change(gateway)).headers.get('retry-after')).toBe('1');
	});

	test('every kind has a name that the command line knows, and no other has', () => {
		const kinds = [...expectations.map(([kind]) => kind), 'huge-body', 'long-jid'];
		expect(kinds.map(parseFaultKind).sort()).toEqual([...faultKinds].sort());
		expect(() => parseFaultKind('constructor')).toThrow('Unknown fault "constructor"');
	});

	test('the change is applied before a refusal that is asked to be of that sort', async () => {
		const gateway = await start();
		gateway.fault({ kind: '504', applied: true });
		expect((await change(gateway)).status).toBe(504);
		expect(members(gateway)).toHaveLength(5);
	});

	test('only matching requests, after the first ones, and so many times', async () => {
		const gateway = await start();
		gateway.fault({ kind: '500', on: ({ method }) => method === 'PUT', after: 1, times: 2 });
		await get(gateway, '/instance/fetchInstances');
		const seen = [];
		for (let index = 0; index < 4; index += 1) seen.push((await change(gateway)).status);
		expect(seen).toEqual([201, 500, 500, 201]);
	});

	test('a redirect leads to the other origin and carries no key', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'redirect', to: 'https://other.example' });
		const reply = await change(gateway);
		expect(reply.headers.get('location')).toMatch(
			/^https:\/\/other\.example\/group\/updateParticipant\/main\?/,
		);
		expect([...reply.headers].join()).not.toContain(gateway.apiKey);
	});

	test('a huge body is tens of megabytes of valid JSON', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'huge-body' });
		const text = await (await fetch(gateway.url)).text();
		expect(text.length).toBeGreaterThan(50_000_000);
		expect(JSON.parse(text)).toHaveLength(501);
	});

	test('a network that is lost after the change can also be lost before it', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'closed-1006', applied: false });
		expect((await change(gateway)).status).toBe(400);
		expect(members(gateway)).toHaveLength(4);
	});

	test('each call about a group refuses in its own way', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'rate-overlimit' });
		const group = `main?groupJid=${CUSTOMERS}`;
		for (const [route, words] of [
			['participants', 'No participants'],
			['inviteCode', 'No invite code'],
		])
			expect(await get(gateway, `/group/${route}/${group}`)).toMatchObject({
				status: 404,
				response: { message: [words, 'Error: rate-overlimit'] },
			});
	});

	test('right after its start a gateway knows no state of an instance', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'just-started' });
		expect(await get(gateway, '/instance/connectionState/main')).toEqual({
			instance: { instanceName: 'main' },
		});
	});

	test('an empty list has no members, and a page comes on every route', async () => {
		const gateway = await start();
		const participants = `/group/participants/main?groupJid=${CUSTOMERS}`;
		gateway.fault({ kind: 'empty-list', times: 1 });
		gateway.fault({ kind: 'html' });
		expect(await get(gateway, participants)).toEqual({ participants: [] });
		for (const path of [participants, '/instance/connect/main']) {
			const reply = await fetch(gateway.url + path, { headers: { apikey: gateway.apiKey } });
			expect(reply.headers.get('content-type')).toBe('text/html');
		}
	});

	test('a long JID is millions of characters in a row that is right otherwise', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'long-jid' });
		const [row] = JSON.parse(await (await change(gateway)).text()).updateParticipants;
		expect(row).toMatchObject({ status: '200', content: { attrs: { jid: expect.any(String) } } });
		expect(row.jid).toHaveLength(8_000_001);
		expect(members(gateway)).toHaveLength(5);
	});
});
