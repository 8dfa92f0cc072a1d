import {
	inviteExpiration,
	startGateway,
	type Gateway,
	type Call,
	type Fault,
	type Generation,
} from '../../gateway/gateway';
import { resetInviteLink, updateGroup } from '../gateways/parameters';
import {
	describeOnEngine,
	groupParameters,
	runNode,
	seedWith,
	tell,
	withGateways,
	ERROR_OUTPUT,
	REGULAR_OUTPUT,
	type NodeRun,
	inviteParameters,
	skipPauses,
	syncParameters,
	withPatience,
	callsOf,
} from '../support';
import {
	changesAsked,
	CUSTOMERS,
	HIDDEN_NUMBERS,
	jidOf,
	JUST_ME,
	phones,
	membersAmong,
	rows,
	SECOND_GROUP,
	SECOND_INSTANCE,
} from './people';
import { thorough } from '../../thorough';

const THREE_AT_MOST = '120363000000000004@g.us';
const BY_APPROVAL = '120363000000000005@g.us';
const SILENT = '120363000000000007@g.us';
const MEMBER = '5511990000002';
const INVITED = '5511990000403';

const expiry = new Date(Number(inviteExpiration) * 1000).toISOString();
const seed = seedWith((it) => {
	it.silenceMs = 0;
	// Full, from the start.
	it.instances[0]?.groups.find(({ jid }) => jid === THREE_AT_MOST)?.members.push('5511990000003');
});

interface Case {
	phone: string;
	action: string;
	group: string;
	outcome: string;
	applied: boolean | null;
	code?: string;
	says: RegExp;
	invite?: true;
}
type Said = [phone: string, outcome: string, applied: boolean | null, code: string | undefined, says: RegExp];
const of =
	(action: string, group = CUSTOMERS) =>
	(...[phone, outcome, applied, code, says]: Said): Case => ({
		...{ phone, action, group, outcome, applied, says },
		...(code !== undefined && { code }),
	});
const add = of('add');
const remove = of('remove');
const [stranger = '', other = ''] = phones(2);

const cases: Case[] = [
	add(stranger, 'done', true, '200', /added/i),
	remove(stranger, 'done', true, '200', /removed/i),
	of('promote')(MEMBER, 'done', true, '200', /admin/i),
	of('demote')(MEMBER, 'done', true, '200', /admin/i),
	add(MEMBER, 'unchanged', true, '409', /already a member/i),
	remove(other, 'unchanged', true, '404', /not a member/i),
	add('5511990000404', 'notFound', null, '404', /not on the network.*551190000404/i),
	of('promote')(stranger, 'notFound', false, '404', /not a member/i),
	of('demote')(stranger, 'notFound', false, '404', /not a member/i),
	{ ...add(INVITED, 'inviteRequired', false, '403', /invite/i), invite: true },
	add('5511990000417', 'inviteRequired', false, '417', /invite/i),
	add('5511990000408', 'recentlyLeft', false, '408', /left/i),
	of('add', THREE_AT_MOST)(stranger, 'groupFull', false, '419', /full/i),
	of('add', BY_APPROVAL)(stranger, 'pendingApproval', false, '421', /approv/i),
	add('5511990000401', 'blocked', false, '401', /blocked/i),
	add('5511990000500', 'rejected', false, '500', /\b500\b/),
	of('add', SILENT)(stranger, 'unconfirmed', null, undefined, /no clear result/),
];

describeOnEngine('an addition that is refused because of the account', (engine) => {
	const start = withGateways();
	const [first = '', refused = '', last = ''] = phones(3);

	it.each([
		['463', /^The messaging network has restricted this account\. Nobody is added or invited until/],
		['429', /^The messaging network is rate limiting this account\. Nobody is added or invited until/],
	])('has it add and invite nobody for a time, and remove people: %s', async (code, says) => {
		const gateway = await start({ seed: seedWith((it) => Object.assign(it.people, { [refused]: code })) });
		const adding = groupParameters({ options: { batchSize: 1 } });
		const { main, error, hints } = await runNode(engine(), gateway, adding, rows(3));
		expect(error).toBeUndefined();
		expect(hints).toContainEqual(expect.stringMatching(says));
		expect(tell(main, 'outcome')).toBe('done, postponed, postponed');
		expect(main.map(({ json }) => json.applied)).toEqual([true, false, false]);
		expect(main[1]?.json).toMatchObject({ participant: refused, code, message: expect.stringMatching(says) });
		expect(main[2]?.json.message).toMatch(says);
		const asked = changesAsked(gateway).map(({ participants }) => participants);
		expect(asked).toEqual([[first], [refused]]);

		// Nobody is noted as refused, so Sync would add them, too.
		const synced = await runNode(
			engine(),
			gateway,
			syncParameters({ instance: 'main', group: CUSTOMERS, options: {} }),
			[{ phone: last }],
		);
		expect(tell(synced.main, 'outcome')).toBe('postponed');
		const invited = await runNode(
			engine(),
			gateway,
			inviteParameters({ instance: 'main', group: CUSTOMERS }),
			[{ phone: last }],
		);
		expect(tell(invited.main, 'outcome')).toBe('postponed');
		expect(changesAsked(gateway)).toHaveLength(2);
		await runNode(engine(), gateway, groupParameters({ action: 'remove' }), [{ phone: MEMBER }]);
		expect(changesAsked(gateway).at(-1)).toMatchObject({ action: 'remove', participants: [MEMBER] });
	});
});

describeOnEngine('what becomes of each participant', (engine) => {
	const start = withGateways();
	const parameters = groupParameters({ group: '={{ $json.group }}', action: '={{ $json.action }}' });

	it('says it for each code and action', async () => {
		const gateway = await start({ seed });
		const { main, error } = await runNode(engine(), gateway, parameters, cases);
		expect(error).toBeUndefined();
		expect(main).toHaveLength(cases.length);
		main.forEach(({ json, pairedItem }, item) => {
			const { phone, action, group, outcome, applied, code, invite } =
				cases[item] ?? add('', '', null, '', /./);
			expect(json).toEqual({
				instance: 'main',
				groupJid: group,
				action,
				participant: phone,
				sentAs: phone,
				...(code !== undefined && { jid: jidOf(phone), code }),
				outcome,
				applied,
				message: expect.stringMatching(/^[A-Z][^\n]*\.$/),
				...(invite && { inviteCode: expect.stringMatching(/^[\w-]{16}$/), inviteExpiresAt: expiry }),
			});
			expect(json.message).toMatch(cases[item]?.says ?? /never/);
			expect(pairedItem).toEqual({ item });
		});
	});

	it('finds people in a group that knows them by hidden ids', async () => {
		const gateway = await start();
		const [a = '', b = ''] = phones(2);
		const items = [{ phone: [a, MEMBER, INVITED, b] }];
		const { main } = await runNode(engine(), gateway, groupParameters({ group: HIDDEN_NUMBERS }), items);
		expect(tell(main, 'participant', 'outcome', 'code')).toBe(
			`${a} done 200, ${MEMBER} unchanged 409, ${INVITED} inviteRequired 403, ${b} done 200`,
		);
		for (const { json } of main) expect(json.jid).toMatch(/^\d+@lid$/);
		expect(gateway.group('main', HIDDEN_NUMBERS)?.members).toEqual(
			expect.arrayContaining([main[0]?.json.jid, main[3]?.json.jid]),
		);
	});

	it('finds people whose numbers the gateway rewrites', async () => {
		const gateway = await start({
			seed: seedWith(({ people }) => (people['553199990003@s.whatsapp.net'] = 'notOnNetwork')),
		});
		const pairs = [
			['5531999990002', '553199990002'],
			['5531999990003', '553199990003'],
			['5521999990002', '5521999990002'],
			['5215512345678', '525512345678'],
			['5491112345678', '541112345678'],
			[stranger, stranger],
		] as const;
		const items = [{ phone: pairs.map(([given]) => given) }];
		const { main } = await runNode(engine(), gateway, groupParameters(), items);
		expect(main.map(({ json }) => [json.participant, json.sentAs, json.jid, json.outcome])).toEqual(
			pairs.map(([given, jid], i) => [given, given, jidOf(jid), i === 1 ? 'notFound' : 'done']),
		);
	});

	it('sends numbers exactly as given where their IDs are', async () => {
		const gateway = await start();
		const jids = ['5531999990002', '5215512345678', '5491112345678'].map(jidOf);
		const given = [...jids, '99887766554433@lid'];
		const { main } = await runNode(engine(), gateway, groupParameters(), [{ phone: given }]);
		expect(changesAsked(gateway)[0]?.participants).toEqual([...jids, '99887766554433@lid']);
		expect(main.map(({ json }) => [json.participant, json.sentAs, json.jid, json.outcome])).toEqual(
			[...jids, '99887766554433@lid'].map((jid, i) => [given[i], jid, jid, 'done']),
		);
	});

	it('does not give one spelling of a number the result of another', async () => {
		// The plain number is rewritten to 5531 9999-0002, the JID is not: two people for the network.
		const gateway = await start({
			seed: seedWith(({ people }) => (people['553199990002@s.whatsapp.net'] = 'inviteOnly')),
		});
		const items = [{ phone: '5531999990002' }, { phone: '5531999990002@s.whatsapp.net' }];
		const { main } = await runNode(engine(), gateway, groupParameters({ group: JUST_ME }), items);
		expect(gateway.group('main', JUST_ME)?.members).toEqual(['5511990000001', '5531999990002'].map(jidOf));
		expect(main[0]?.json).not.toMatchObject({ applied: true });
		expect(main[1]?.json).not.toMatchObject({ applied: false });
	});
});

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
		expect(callsOf(gateway)).toHaveLength(1);
		expect(callsOf(gateway)[0]?.status).toBe(401);
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
		const sheet = [inMain(a), inMain(b), inSecond(a), inSecond(b)].map((row) => ({
			...row,
			phone: `+${row.phone}`,
		}));
		const result = await runNode(engine(), gateway, parameters, sheet, REGULAR_OUTPUT);
		expect(said(result)).toEqual(['done', refusal(/^Couldn't connect to/), notSent, notSent]);
		expect(callsOf(gateway)).toHaveLength(1);
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
		const [first, ...others] = people.map((phone) => `+${phone}`);
		const sheet = [{ phone: first }, { phone: others.slice(0, 3) }, { phone: others.slice(3) }];
		const result = await runNode(engine(), gateway, parametersWith(), sheet, REGULAR_OUTPUT);
		expect(said(result)).toEqual(['done', expect.stringMatching(/\b1 of (the )?3\b.*changed/), notSent]);
		expect(result.hints).toEqual([expect.stringMatching(/^1 added; 2 failed: .*\(and 1 other reason\)$/)]);
		expect(membersAmong(gateway, people)).toEqual(people.slice(0, 2));
		expect(callsOf(gateway)).toHaveLength(2);
	});

	it('is sent no more changes to a group that has refused one, and those to others', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'forbidden', times: 1 });
		const other = { phone: `+${people[0]}`, group: JUST_ME };
		const rows = [...people.slice(0, 3).map((phone) => ({ phone: `+${phone}`, group: CUSTOMERS })), other];
		const parameters = groupParameters({ group: '={{ $json.group }}', options: { batchSize: 1 } });
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

const GROUPS = [CUSTOMERS, JUST_ME, HIDDEN_NUMBERS, BY_APPROVAL];
const ofGroups = GROUPS.map((group) => ({ group }));
const options = { batchInterval: 0 };

/** How an operation is run on four rows, and what the network shows of each, which differs once it's done. */
interface Writing {
	parameters: object;
	items: object[];
	shown: (gateway: Gateway, item: number) => unknown;
}

const groupAt = (gateway: Gateway, item: number) => gateway.group('main', GROUPS[item] ?? '');
const ofPeople = {
	items: rows(4),
	shown: (gateway: Gateway, item: number) => membersAmong(gateway, phones(4).slice(item, item + 1)).length,
};
const WRITINGS: Record<string, Writing> = {
	'Update Participants': { parameters: groupParameters({ options: { batchSize: 1 } }), ...ofPeople },
	Sync: {
		parameters: syncParameters({ instance: 'main', group: CUSTOMERS, options: { batchSize: 1 } }),
		...ofPeople,
	},
	Update: {
		parameters: updateGroup({ sendMessages: 'admins' }, '={{ $json.group }}', 'main', { options }),
		items: ofGroups,
		shown: (gateway, item) => groupAt(gateway, item)?.settings.announce === true,
	},
	'Reset Invite Link': {
		parameters: resetInviteLink('={{ $json.group }}', 'main', { options }),
		items: ofGroups,
		shown: (gateway, item) => groupAt(gateway, item)?.inviteCode,
	},
};

const routeOf = ({ path }: Call) => path.split('/')[2] ?? '';
const isChange = (call: Call) => /^(update|revoke)/.test(routeOf(call));
const isQuestion = (call: Call) => routeOf(call) === 'connectionState';

describeOnEngine('a connection that is lost', (engine) => {
	skipPauses(engine);
	const start = withGateways();

	/** Runs an operation while a change costs the connection, which so many questions for the live state find closed. */
	const run = async (name: string, generation: Generation, fault: Fault, closedFor: number) => {
		let questions = 0;
		const gateway = await start({
			generation,
			hold: async (call) => {
				if (isQuestion(call) && questions++ >= closedFor) gateway.network.setConnection('main', 'open');
				await Promise.resolve();
			},
		});
		const { parameters, items, shown } = WRITINGS[name] as Writing;
		const before = items.map((_, item) => shown(gateway, item));
		const method = generation === '2.3' ? 'POST' : 'PUT';
		gateway.fault({
			times: 1,
			...fault,
			on: (call) => isChange(call) && call.method === method,
			happening: () => gateway.network.setConnection('main', 'close'),
		});
		const { main } = await runNode(engine(), gateway, parameters, items, REGULAR_OUTPUT);
		const said = main.map(({ json }) => String(json.error ?? 'done'));
		const done = before.map((earlier, item) => shown(gateway, item) !== earlier);
		// Those of another method got the answer that there is no such route.
		const calls = callsOf(gateway).filter((call) => !isChange(call) || call.method === method);
		return { said, done, calls };
	};

	const NOT_KNOWN = expect.stringMatching(/not known whether/);
	// Update reads the group before it changes anything.
	const NOTHING = expect.stringMatching(
		/^Nothing was (?:sent: the|changed: the group couldn't be read\. The) instance isn't connected/,
	);
	const lastReadOf = (name: string) => (name === 'Update' ? 'findGroupInfos' : 'connectionState');
	const names = ['Update Participants', 'Update', 'Reset Invite Link'];
	const second: Fault[] = [
		{ kind: 'closed-1006', after: 1 },
		{ kind: 'connection-closed', after: 1, applied: false },
		{ kind: 'stream-errored', after: 1 },
	];
	const ways = (['1.8', '2.3'] as const).flatMap((generation) =>
		names.flatMap((name) => second.map((fault) => [name, generation, fault] as const)),
	);
	/** Each operation and each fault, on one generation or the other; before a version each on both. */
	const some = thorough ? ways : ways.filter((_, i) => (i + Math.floor(i / 9)) % 2 === 0);

	it.each(some)('in %s on %s and is there again: the rest is done (%j)', async (name, generation, fault) => {
		for (const closedFor of [0, 1]) {
			const { said, done, calls } = await run(name, generation, fault, closedFor);
			// The group says what a setting is now, once the instance is back.
			const told = done[1] === true ? /^done$/ : /^'Who Can Send Messages' wasn't changed/;
			expect(said).toEqual([
				'done',
				name === 'Update' ? expect.stringMatching(told) : NOT_KNOWN,
				'done',
				'done',
			]);
			expect([done[0], ...done.slice(2)]).toEqual([true, true, true]);
			expect(calls.filter(isChange)).toHaveLength(4);
			expect(calls.filter(isQuestion).length).toBeLessThanOrEqual(2);
		}
	});

	it.each(some)('in %s on %s and stays away: nothing more is sent (%j)', async (name, generation, fault) => {
		const { said, done, calls } = await run(name, generation, fault, Infinity);
		expect(said).toEqual(['done', NOT_KNOWN, NOTHING, NOTHING]);
		expect(done.slice(2)).toEqual([false, false]);
		expect(calls.filter(isChange)).toHaveLength(2);
		expect(calls.slice(-2).map(routeOf)).toEqual([lastReadOf(name), 'connectionState']);
	});

	it.each(names)('by a change in %s that succeeded costs one more change, and no third one', async (name) => {
		const { said, done, calls } = await run(name, '2.3', { kind: 'wrong-content-type' }, Infinity);
		expect(said).toEqual(['done', name === 'Update' ? NOTHING : NOT_KNOWN, NOTHING, NOTHING]);
		expect(done).toEqual([true, false, false, false]);
		expect(calls.slice(-2).map(routeOf)).toEqual([lastReadOf(name), 'connectionState']);
	});

	it('in Sync stops what is still to be added', async () => {
		const { said, done, calls } = await run('Sync', '2.3', { kind: 'closed-1006', after: 1 }, Infinity);
		expect(said.slice(2)).toEqual([NOTHING, NOTHING]);
		expect(done).toEqual([true, true, false, false]);
		expect(calls.filter(isChange)).toHaveLength(2);
	});

	it('or not: two changes in a row whose result is not known end the run for the instance', async () => {
		const gateway = await start();
		gateway.fault({ kind: '500', on: isChange, after: 1 });
		const parameters = groupParameters({ options: { batchSize: 1 } });
		const { main } = await runNode(engine(), gateway, parameters, rows(5), REGULAR_OUTPUT);
		const stopped = expect.stringMatching(/^Nothing was sent for this item: .*Two requests in a row/);
		expect(main.map(({ json }) => json.error ?? 'done')).toEqual([
			'done',
			NOT_KNOWN,
			NOT_KNOWN,
			stopped,
			stopped,
		]);
		expect(callsOf(gateway).map(routeOf).slice(1)).toEqual([
			'updateParticipant',
			'connectionState',
			'updateParticipant',
		]);
	});

	it('by an invite has the next one, of another run, ask first', async () => {
		const gateway = await start();
		const parameters = inviteParameters({ instance: 'main', group: CUSTOMERS });
		gateway.fault({ kind: 'reset-after', on: (call) => routeOf(call) === 'sendInvite', times: 1 });
		const first = await runNode(engine(), gateway, parameters, rows(2), REGULAR_OUTPUT);
		expect(first.main.map(({ json }) => json.outcome)).toEqual(['unconfirmed', 'postponed']);
		const before = callsOf(gateway).length;
		await runNode(engine(), gateway, parameters, rows(2, 5), REGULAR_OUTPUT);
		expect(callsOf(gateway).slice(before).map(routeOf)).toEqual([
			'inviteCode',
			'connectionState',
			'findMessages',
			'sendInvite',
			'sendInvite',
		]);
	});

	it('ends 1,000 rows to an instance that waits for its QR code after one time-out', async () => {
		const seed = seedWith(({ instances }) => {
			for (const instance of instances) instance.connection = 'waiting';
		});
		const tried = await withPatience(
			async (timeout) => {
				const gateway = await startGateway({ generation: '1.8', seed });
				const parameters = groupParameters({ options: { timeout } });
				const { main } = await runNode(engine(), gateway, parameters, rows(1000), REGULAR_OUTPUT);
				await gateway.close();
				return { main, routes: callsOf(gateway).map(routeOf) };
			},
			({ routes }) => routes.length === 3,
		);
		expect(tried.routes).toEqual(['updateParticipant', 'connectionState', 'connectionState']);
		const said = tried.main.map(({ json }) => json.error);
		expect(said.slice(0, 50)).toEqual(Array(50).fill(NOT_KNOWN));
		expect(said.slice(50)).toEqual(Array(950).fill(NOTHING));
	});
});
