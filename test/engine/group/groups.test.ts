import { shelfKey } from '../../../nodes/MessagingGateway/run/memory';
import { kindsSeed, type Call, type Gateway, type Generation } from '../../gateway/gateway';
import { JSON_TYPE } from '../../gateway/reply';
import { CUSTOMERS } from '../../gateway/seed';
import {
	createGroup,
	getGroup,
	getGroups,
	getInviteLink,
	getMembers,
	leaveGroup,
	resetInviteLink,
	sendMessage,
	updateGroup,
} from '../gateways/parameters';
import {
	describeOnEngine,
	groupParameters,
	inviteParameters,
	runNode,
	seedWith,
	skipPauses,
	tell,
	withGateways,
	ERROR_OUTPUT,
	REGULAR_OUTPUT,
	type NodeSettings,
	syncParameters,
} from '../support';
import { JUST_ME, jidOf, phones, rows, UNKNOWN_GROUP } from './people';

const routeOf = ({ path }: Call) => path.replace(/^\/v1/, '').split('/')[2]?.split('?')[0] ?? '';
const routes = ({ calls }: Pick<Gateway, 'calls'>) =>
	calls.filter(({ status }) => status !== 404).map(routeOf);
const on = (route: string) => (call: Call) => routeOf(call) === route;
const OWN = '5511990000001';

describeOnEngine('groups', (engine) => {
	skipPauses(engine);
	const start = withGateways();
	const run = async (gateway: Gateway, parameters: object, items: object[], settings: NodeSettings = {}) =>
		await runNode(engine(), gateway, parameters, items, settings);

	describe('are read one by one', () => {
		it.each<Generation>(['published', '1.8', '2.2', '2.3', 'whatsmiau'])(
			'with the fields of the list, once for equal items (%s)',
			async (generation) => {
				const gateway = await start({ generation });
				const [one, list] = [
					await run(gateway, getGroup(CUSTOMERS, 'main'), [{}, {}]),
					await run(gateway, getGroups('main'), [{}]),
				];
				const { json } = list.main.find((item) => item.json.groupJid === CUSTOMERS) ?? {};
				expect(one.main.map((item) => item.json)).toEqual([json, json]);
				expect(json).toMatchObject({ instance: 'main', subject: 'Customers', size: 4 });
				expect(gateway.calls.filter(on('findGroupInfos'))).toHaveLength(1);
			},
		);

		it('as they came, if that is asked for', async () => {
			const gateway = await start();
			const { main } = await run(gateway, getGroup(CUSTOMERS, 'main', { options: { simplify: false } }), [
				{},
			]);
			expect(main[0]?.json).toMatchObject({ id: CUSTOMERS, participants: [{ id: jidOf(OWN) }, {}, {}, {}] });
		});

		it.each<[string, Generation, string, string, RegExp]>([
			[
				'the account is not in it',
				'2.3',
				UNKNOWN_GROUP,
				'main',
				/^This group doesn't exist, or the instance's/,
			],
			[
				'the instance ignores groups',
				'1.8',
				CUSTOMERS,
				'ignoring',
				/gave nothing about this group: .*ignore groups/,
			],
		])('and say why they cannot be, where %s', async (_, generation, group, instance, says) => {
			const seed = instance === 'main' ? undefined : kindsSeed;
			const gateway = await start({ generation, ...(seed && { seed }) });
			const { error } = await run(gateway, getGroup(group, instance), [{}]);
			expect(error?.message).toMatch(says);
		});
	});

	it.each<Generation>(['1.8', '2.3', 'whatsmiau'])('are left once (%s)', async (generation) => {
		const gateway = await start({ generation });
		const first = await run(gateway, leaveGroup(CUSTOMERS, 'main'), [{}, {}]);
		expect(tell(first.main, 'outcome', 'applied')).toBe('done true, done true');
		expect(first.hints).toEqual(['1 group left']);
		expect(gateway.group('main', CUSTOMERS)?.members).not.toContain(jidOf(OWN));
		const again = await run(gateway, leaveGroup(CUSTOMERS, 'main'), [{}]);
		expect(tell(again.main, 'outcome')).toBe('unchanged');
		expect(gateway.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
	});

	describe('get a message', () => {
		const greet = (more: object = {}) => sendMessage('={{ $json.text ?? "Hi" }}', CUSTOMERS, 'main', more);

		it.each<Generation>(['published', '1.8', '2.2', '2.3'])(
			'once for 41 items, in the words of both generations (%s)',
			async (generation) => {
				const gateway = await start({ generation });
				const { main, hints } = await run(gateway, greet(), rows(41));
				expect(new Set(main.map(({ json }) => json.messageId)).size).toBe(1);
				expect(main.map(({ json }) => json.outcome)).toEqual(Array(41).fill('sent'));
				expect(hints).toEqual(['1 message sent']);
				expect(gateway.messages).toEqual([
					{ instance: 'main', to: CUSTOMERS, groupJid: CUSTOMERS, text: 'Hi' },
				]);
				expect(routes(gateway)).toEqual(['findGroupInfos', 'sendText']);
				const again = greet({ options: { mentionEveryone: '={{ $json.all }}' } });
				await run(gateway, again, [{ all: false }, { all: true }]);
				expect(gateway.messages.slice(1)).toMatchObject([{ text: 'Hi' }, { mentionsEveryone: true }]);
			},
		);

		it('with the fields that both generations read, and no others', async () => {
			const gateway = await start({ generation: '2.3' });
			await run(gateway, greet({ options: { mentionEveryone: true } }), [{ text: ' Hello ' }]);
			const [, sent] = gateway.calls.map(({ method, path, body }) => [method, path, body]);
			expect([sent]).toEqual([
				[
					'POST',
					'/message/sendText/main',
					{
						...{ number: CUSTOMERS, text: 'Hello', textMessage: { text: 'Hello' } },
						...{ mentionsEveryOne: true, options: { mentions: { everyOne: true } } },
					},
				],
			]);
		});

		it.each([true, false])('of each text: several are told first (dry run: %s)', async (dryRun) => {
			const gateway = await start();
			const texts = ['a', 'b', 'a'].map((text) => ({ text }));
			const { main, hints } = await run(gateway, greet({ dryRun }), texts);
			expect(tell(main, 'outcome', 'text')).toBe(
				dryRun ? 'planned a, planned b, planned a' : 'sent, sent, sent',
			);
			expect(hints.slice(0, 2)).toEqual([
				'2 messages to Customers. For one message with all names, put Summarize in front',
				`2 messages ${dryRun ? 'would be ' : ''}sent`,
			]);
			expect(gateway.messages.map(({ text }) => text)).toEqual(dryRun ? [] : ['a', 'b']);
		});

		it('of all or of none, where there are more than the maximum, also over rounds', async () => {
			const gateway = await start();
			const most = (dryRun: boolean) => greet({ limits: { maxPerRun: 2 }, dryRun });
			const says = /3 messages, and Maximum Messages per Run is 2\. Raise it if that is right/;
			const texts = ['a', 'b', 'c'].map((text) => ({ text }));
			const { failed } = await run(gateway, most(false), texts, ERROR_OUTPUT);
			expect(failed.map(({ json }) => json.error)).toEqual(
				texts.map(() => expect.stringMatching(new RegExp(`^Nothing was sent: ${says.source}`))),
			);
			const dry = await run(gateway, most(true), texts);
			expect(dry.hints).toEqual([
				expect.stringMatching(new RegExp(`^Nothing would be sent: ${says.source}`)),
				expect.stringMatching(/^3 messages to Customers/),
			]);
			expect(gateway.messages).toEqual([]);
			const round = async (items: object[]) =>
				await runNode(engine(), gateway, most(false), items, ERROR_OUTPUT, { executionId: 'rounds' });
			await round([{ text: 'a' }, { text: 'b' }]);
			expect((await round([{ text: 'a' }])).main).toHaveLength(1);
			expect((await round([{ text: 'c' }])).failed[0]?.json.error).toMatch(says);
			expect(gateway.messages.map(({ text }) => text)).toEqual(['a', 'b']);
		});

		it('not where the group cannot be read, which is asked for once', async () => {
			const gateway = await start();
			const texts = ['a', 'b'].map((text) => ({ text }));
			const { failed } = await run(
				gateway,
				sendMessage('={{ $json.text }}', UNKNOWN_GROUP, 'main'),
				texts,
				ERROR_OUTPUT,
			);
			expect(failed).toHaveLength(2);
			expect(routes(gateway)).toEqual([]);
			expect(gateway.calls).toHaveLength(1);
		});

		it('once, where two calls of an agent come at once, but a dry run before counts for nothing', async () => {
			const gateway = await start();
			const call = async (dryRun: boolean) =>
				await runNode(
					engine(),
					gateway,
					greet({ dryRun, limits: { maxPerRun: 1 } }),
					[{}],
					{},
					{ executionId: 'agent' },
				);
			await call(true);
			const both = await Promise.all([call(false), call(false)]);
			expect(both.map(({ main }) => tell(main, 'outcome'))).toEqual(['sent', 'sent']);
			expect(gateway.messages).toHaveLength(1);
			expect(gateway.calls.filter(on('findGroupInfos'))).toHaveLength(1);
		});

		it('that is empty, or has no answer of its own, is none', async () => {
			const gateway = await start();
			const empty = await run(gateway, greet(), [{ text: ' ' }]);
			expect(empty.error?.message).toMatch(/message is empty/);
			const response = { status: 201, contentType: JSON_TYPE, body: { status: 'PENDING' } };
			gateway.replay({ response }, on('sendText'));
			const { error } = await run(gateway, greet(), [{}]);
			expect(error?.message).toMatch(/unexpected shape.*not known whether the message was sent/);
			// CodeChat.
			gateway.replay({ response: { ...response, body: { keyId: 'ABC' } } }, on('sendText'));
			expect((await run(gateway, greet(), [{}])).main[0]?.json.messageId).toBe('ABC');
		});
	});

	describe('are created', () => {
		const course = (more: object = {}, options: object = {}) =>
			createGroup('={{ $json.course ?? "Course" }}', 'main', { ...more, options });
		const createdIn = (gateway: Gateway) =>
			gateway.snapshot().filter(({ groupJid }) => groupJid.startsWith('12036399'));

		it.each<Generation>(['published', '1.8', '2.2', '2.3'])(
			'once for all items of a name, and not again in the second night (%s)',
			async (generation) => {
				const gateway = await start({ generation });
				const people = phones(3);
				const items = people.flatMap((phone) => [
					{ phone: `+${phone}`, course: 'A' },
					{ phone, course: 'B' },
				]);
				const first = await run(gateway, course({}, { includeInputFields: true }), [
					...items,
					{ phone: OWN, course: 'A' },
					...items,
				]);
				expect(first.error).toBeUndefined();
				expect(createdIn(gateway).map(({ subject, members }) => [subject, members])).toEqual(
					['A', 'B'].map((subject) => [subject, [...people, OWN].map(jidOf).sort()]),
				);
				expect(first.hints).toContain('2 groups created');
				const [a] = createdIn(gateway);
				expect(first.main[0]?.json).toEqual({
					...{ outcome: 'done', applied: true, message: 'The group was created.', subject: 'A' },
					...{ instance: 'main', groupJid: a?.groupJid, size: 4, phone: `+${people[0]}`, course: 'A' },
				});
				expect(routes(gateway).filter((route) => route !== 'fetchInstances')).toEqual([
					'fetchAllGroups',
					'create',
					'create',
				]);
				const bodies = gateway.calls.filter(on('create')).map(({ body }) => body);
				expect(bodies).toEqual(['A', 'B'].map((subject) => ({ subject, participants: people })));

				const before = gateway.calls.length;
				const second = await run(gateway, course(), items);
				expect(tell(second.main.slice(0, 1), 'outcome', 'applied', 'groupJid')).toBe(
					`unchanged true ${a?.groupJid}`,
				);
				expect(second.hints).toEqual([
					'3 numbers have no + and are read as Germany (3). Check the country codes',
					'2 unchanged',
				]);
				expect(routes({ calls: gateway.calls.slice(before) })).toEqual(Array(2).fill('findGroupInfos'));
			},
		);

		it('without asking for the own account once more for each, where that is not told', async () => {
			const gateway = await start();
			gateway.fault({ kind: '500', on: on('fetchInstances') });
			await run(
				gateway,
				course(),
				phones(3).map((phone, i) => ({ phone, course: `C${i}` })),
			);
			expect(createdIn(gateway)).toHaveLength(3);
			expect(gateway.calls.filter(on('fetchInstances'))).toHaveLength(1);
		});

		it('with who can be added, and tell who could not', async () => {
			const seed = seedWith((all) => {
				all.people['4915200000001'] = 'inviteOnly';
				all.people['4915200000002'] = 'notOnNetwork';
			});
			const gateway = await start({ seed });
			const { main } = await run(gateway, course(), rows(4));
			expect(main[0]?.json).toMatchObject({
				message: "The group was created; 2 of 4 people couldn't be added: invite them.",
				notAdded: ['4915200000001', '4915200000002'],
				size: 3,
			});
		});

		it('with a description by a route of its own, whose failure names the new group', async () => {
			const gateway = await start();
			await run(gateway, course({}, { description: 'About it', batchInterval: 0 }), rows(2));
			expect(createdIn(gateway).map(({ info }) => info.desc)).toEqual(['About it']);
			gateway.fault({ kind: '500', on: on('updateGroupDescription') });
			const { error } = await run(
				gateway,
				createGroup('Other', 'main', { options: { description: 'x' } }),
				rows(2),
			);
			expect(error?.message).toMatch(
				/status 500.*The group 12036399\d+@g\.us was created before this\. Set its description with Update/,
			);
			expect(error?.message).not.toMatch(/Nothing was changed|whether the group was created/);
		});

		it('with the description of each, also where two have the same, and of none with two', async () => {
			const gateway = await start();
			const about = course({}, { description: '={{ $json.about }}' });
			const items = ['A', 'B'].map((name) => ({ ...rows(1)[0], course: name, about: 'About it' }));
			const { main } = await run(gateway, about, items);
			const created = createdIn(gateway);
			expect(created.map(({ info }) => info.desc)).toEqual(['About it', 'About it']);
			expect(main.map(({ json }) => json.groupJid)).toEqual(created.map(({ groupJid }) => groupJid));
			const { error } = await run(gateway, about, [
				{ ...rows(1)[0], about: 'one' },
				{ ...rows(1)[0], about: 'two' },
			]);
			expect(error?.message).toMatch(
				/^Nothing was changed: .*'Description' has to be the same in all items of a group$/,
			);
			expect(createdIn(gateway)).toHaveLength(2);
		});

		it.each(['bad-request', 'closed-1006'] as const)(
			'not with a description that was never sent, and the failure says no more of it (%s)',
			async (kind) => {
				const gateway = await start();
				const body = { status: 500, response: { message: ['Error creating group', `Error: ${kind}`] } };
				gateway.fault(kind === 'bad-request' ? { kind: '500', body, on: on('create') } : { kind });
				const { error } = await run(gateway, course({}, { description: 'About it' }), rows(1));
				expect(error?.message).not.toMatch(/undefined|This is about/);
				if (kind === 'bad-request') expect(error?.message).toMatch(/'Description' wasn't sent/);
			},
		);

		it('with a description that is set by the next try, too', async () => {
			const gateway = await start();
			gateway.fault({ kind: 'forbidden', on: on('updateGroupDescription'), times: 1 });
			const settings = { ...ERROR_OUTPUT, retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
			await run(gateway, course({}, { description: 'About it', batchInterval: 0 }), rows(2), settings);
			expect(createdIn(gateway).map(({ info }) => info.desc)).toEqual(['About it']);
		});

		it('once in a run by names that look the same', async () => {
			const gateway = await start();
			const items = ['Portugu\u00eas', 'Portugue\u0302s', ' Portugu\u00eas\n'].map((name, i) => ({
				...rows(1, i)[0],
				course: name,
			}));
			await run(gateway, course(), items);
			expect(createdIn(gateway).map(({ subject }) => subject)).toEqual(['Portugu\u00eas']);
		});

		it('once by two executions at the same time', async () => {
			const gateway = await start();
			const itemsOf = (by: number) => ['A', 'B', 'C'].map((name) => ({ ...rows(1, by)[0], course: name }));
			const about = { batchInterval: 1, description: 'About it' };
			const both = [0, 1].map(
				async (by) =>
					await runNode(engine(), gateway, course({}, about), itemsOf(by), {}, { executionId: `${by}` }),
			);
			const outcomes = (await Promise.all(both)).flatMap(({ main }) => main.map(({ json }) => json));
			expect(createdIn(gateway).map(({ subject }) => subject)).toEqual(['A', 'B', 'C']);
			expect(new Set(outcomes.map(({ groupJid }) => groupJid)).size).toBe(3);
			expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
				...Array<string>(3).fill('done'),
				...Array<string>(3).fill('unchanged'),
			]);
			expect(outcomes.filter(({ notAdded }) => notAdded !== undefined)).toHaveLength(3);
			expect(gateway.calls.filter(on('updateGroupDescription'))).toHaveLength(3);
		});

		it('not where the workflow remembers the group, which another process has made', async () => {
			const gateway = await start();
			const keptAs = (name: string) => ({
				global: { 'messagingGateway groups': { [shelfKey(gateway.url, 'main', name)]: CUSTOMERS } },
			});
			const night = async (name: string) =>
				await runNode(engine(), gateway, course(), rows(1), ERROR_OUTPUT, { staticData: keptAs(name) });
			expect((await night('Course')).main[0]?.json).toMatchObject({
				groupJid: CUSTOMERS,
				outcome: 'unchanged',
			});
			expect(gateway.calls.filter(on('fetchAllGroups'))).toEqual([]);
			const other = await start();
			const response = { status: 200, contentType: JSON_TYPE, body: [] };
			other.replay({ response }, on('fetchAllGroups'));
			const { failed } = await runNode(engine(), other, course(), rows(1), ERROR_OUTPUT, {
				staticData: {
					global: { 'messagingGateway groups': { [shelfKey(other.url, 'main', 'Else')]: CUSTOMERS } },
				},
			});
			expect(failed[0]?.json.error).toMatch(/lists no groups, though some were made/);
		});

		it('several by an account that has no group yet', async () => {
			const seed = seedWith((all) => {
				for (const instance of all.instances) instance.groups = [];
			});
			const gateway = await start({ seed });
			const items = ['A', 'B\u200b', 'B', 'C'].map((name) => ({ ...rows(1)[0], course: name }));
			const { main } = await run(gateway, course(), items);
			expect(main.map(({ json }) => json.outcome)).toEqual(['done', 'done', 'done', 'done']);
			expect(createdIn(gateway)).toHaveLength(3);
		});

		it('not where several are of this name: the newest counts', async () => {
			const seed = seedWith((all) => {
				for (const [i, group] of all.instances[0]?.groups.slice(0, 3).entries() ?? [])
					Object.assign(group, { subject: 'Course', extra: { creation: [2, 3, 1][i] } });
			});
			const gateway = await start({ seed });
			const { main, hints } = await run(gateway, course(), rows(1));
			expect(main[0]?.json.groupJid).toBe(JUST_ME);
			expect(hints).toContain('3 groups are named "Course": the newest counts');
		});

		it('once in an execution, whoever is in later rounds of a loop', async () => {
			const gateway = await start();
			const rounds = [rows(1), rows(1, 1)];
			const told: string[] = [];
			for (const items of rounds) {
				const off = course({}, { onlyIfMissing: false, description: 'About it' });
				const { main } = await runNode(engine(), gateway, off, items, {}, { executionId: 'a loop' });
				told.push(tell(main, 'outcome', 'applied', 'groupJid', 'notAdded'));
			}
			const [group] = createdIn(gateway);
			expect(told).toEqual([
				`done true ${group?.groupJid}`,
				`unchanged true ${group?.groupJid} 4915200000001`,
			]);
			expect(routes(gateway).filter((route) => route !== 'fetchInstances')).toEqual([
				'create',
				'updateGroupDescription',
				'findGroupInfos',
			]);
		});

		it("without a word about numbers of the account's own country", async () => {
			const gateway = await start();
			const items = [{ phone: '5511999990001' }, { phone: '5511999990002' }];
			expect((await run(gateway, course(), items)).hints).toEqual(['1 group created']);
		});

		it('in a dry run before a dry run of Sync, which plans its people', async () => {
			const gateway = await start();
			const planned = await run(
				gateway,
				course({ dryRun: true }),
				rows(2).map((row) => ({ ...row, course: 'Course' })),
			);
			const items = planned.main.map(({ json }, i) => ({ ...json, ...rows(2)[i] }));
			const sync = (dryRun: boolean) =>
				syncParameters({ instance: 'main', group: '={{ $json.groupJid }}', options: { dryRun } });
			const { main, hints } = await run(gateway, sync(true), items);
			expect(tell(main, 'action', 'outcome', 'applied', 'groupJid')).toBe(
				'add planned null null, add planned null null',
			);
			expect(hints.join()).not.toContain('would be stopped');
			const { errorOf } = await run(gateway, sync(false), items).then(
				({ error }) => ({ errorOf: error?.message }),
				(error: Error) => ({ errorOf: error.message }),
			);
			expect(errorOf).toMatch(/the group would be created first \(Dry Run\)/i);
		});

		it('in a dry run before dry runs of all others, and before reads, which say so', async () => {
			const gateway = await start();
			const items = [{ groupJid: null, outcome: 'planned', subject: 'Course', phone: '+4915200000001' }];
			const group = '={{ $json.groupJid }}';
			const dry = { options: { dryRun: true } };
			const writing = [
				updateGroup({ subject: 'New' }, group, 'main', dry),
				sendMessage('Hi', group, 'main', dry),
				leaveGroup(group, 'main', dry),
				resetInviteLink(group, 'main', dry),
				groupParameters({ group, ...dry }),
				inviteParameters({ group, instance: 'main', ...dry }),
				syncParameters({ group, instance: 'main', ...dry }),
			];
			for (const parameters of writing) {
				const { main, error } = await run(gateway, parameters, items);
				expect(error).toBeUndefined();
				expect(tell(main, 'outcome', 'groupJid')).toBe('planned null');
			}
			const reading = [getInviteLink(group, 'main'), getGroup(group, 'main'), getMembers(group, 'main')];
			for (const parameters of reading) {
				const { failed } = await run(gateway, parameters, items, ERROR_OUTPUT);
				expect(failed[0]?.json.error).toBe('The group would be created first (Dry Run)');
			}
			expect(gateway.calls).toEqual([]);
		});

		it('in a dry run only on paper: the list of groups is read, and nothing else', async () => {
			const gateway = await start();
			const items = ['Course', 'Customers', 'Just me'].flatMap((name) =>
				rows(2).map((row) => ({ ...row, course: name })),
			);
			const dry = course({ dryRun: true });
			const { main, hints } = await run(gateway, dry, items);
			expect(tell(main, 'outcome', 'applied', 'groupJid')).toBe(
				`planned null null, planned null null${`, unchanged true ${CUSTOMERS}`.repeat(2)}${`, unchanged true ${JUST_ME}`.repeat(2)}`,
			);
			expect(hints).toEqual([
				'2 numbers have no + and are read as Germany (2). Check the country codes',
				'Nobody of 2 items is in "Customers": if it is another client\'s group, use another name',
				'1 group would be created with 2 people, 2 unchanged',
				expect.stringMatching(/1 request\./),
			]);
			expect(routes(gateway)).toEqual([
				...['fetchInstances', 'fetchAllGroups', 'findGroupInfos', 'findGroupInfos'],
			]);
			const night = await runNode(engine(), gateway, dry, items, {}, { mode: 'trigger' });
			expect(JSON.stringify(night.run.staticData)).not.toContain(CUSTOMERS);
		});

		it.each(['bad-request', 'not-acceptable', 'not-authorized'])(
			'not where the network refuses it with %s, and that is certain',
			async (word) => {
				const gateway = await start();
				const body = { status: 500, response: { message: ['Error creating group', `Error: ${word}`] } };
				gateway.fault({ kind: '500', body, on: on('create') });
				const { error } = await run(gateway, course(), rows(1));
				expect(error?.message).toMatch(/^Nothing was changed\. .*network/);
				expect(error?.message).not.toMatch(/admin/);
			},
		);
	});

	describe('are updated', () => {
		const fields = { subject: 'Course', description: 'About', sendMessages: 'admins' };

		it.each<Generation>(['published', '1.8', '2.2', '2.3'])(
			'field by field, and in the second night by one read (%s)',
			async (generation) => {
				const gateway = await start({ generation });
				const first = await run(gateway, updateGroup(fields, CUSTOMERS, 'main'), [{}]);
				expect(tell(first.main, 'outcome', 'applied')).toBe('done true');
				expect(first.hints).toEqual(['1 group updated']);
				expect(routes(gateway)).toEqual([
					...['findGroupInfos', 'updateGroupSubject', 'updateGroupDescription', 'updateSetting'],
					'findGroupInfos',
				]);
				expect(gateway.group('main', CUSTOMERS)).toMatchObject({
					...{ subject: 'Course', info: { desc: 'About' }, settings: { announce: true } },
				});
				const before = gateway.calls.length;
				const second = await run(gateway, updateGroup(fields, CUSTOMERS, 'main'), [{}]);
				expect(second.main[0]?.json).toMatchObject({ ...fields, outcome: 'unchanged', applied: true });
				expect(second.hints).toEqual(['1 unchanged']);
				expect(routes({ calls: gateway.calls.slice(before) })).toEqual(['findGroupInfos']);
			},
		);

		it('in a dry run from what to what', async () => {
			const gateway = await start();
			const dry = updateGroup({ ...fields, editInfo: 'everyone' }, CUSTOMERS, 'main', { dryRun: true });
			const { main, hints } = await run(gateway, dry, [{}]);
			expect(main[0]?.json).toMatchObject({
				outcome: 'planned',
				applied: null,
				message: `Would set 'Name' from "Customers" to "Course", 'Description' from "" to "About", 'Who Can Send Messages' from "everyone" to "admins". Dry run: nothing was sent. Turn off Dry Run to do it.`,
			});
			expect(hints[1]).toMatch(/^It would be 3 requests/);
			expect(routes(gateway)).toEqual(['findGroupInfos']);
		});

		it('with a picture by its address, or from a file, and a life of messages, in every run', async () => {
			const gateway = await start({ generation: '2.3' });
			const bytes = Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64');
			const binary = { data: { data: bytes, mimeType: 'image/jpeg' } };
			const picture = updateGroup(
				{ picture: '={{ $json.picture }}', disappearingMessages: 'quarter' },
				'={{ $json.group }}',
				'main',
			);
			const items = [
				{ json: { group: CUSTOMERS, picture: 'https://example.com/a.jpg' } },
				{ json: { group: JUST_ME, picture: 'data' }, binary },
			];
			for (let night = 0; night < 2; night++) {
				const { main } = await run(gateway, picture, items);
				expect(tell(main, 'outcome', 'picture')).toBe('done https://example.com/a.jpg, done data');
				expect(JSON.stringify(main)).not.toContain(bytes);
			}
			expect(gateway.group('main', CUSTOMERS)?.info).toMatchObject({
				...{ picture: 'https://example.com/a.jpg', expiration: 7_776_000 },
			});
			expect(gateway.group('main', JUST_ME)?.info.picture).toBe(bytes);
			expect(gateway.calls.filter(({ status }) => status === 404)).toHaveLength(1);
			const second = { data: { data: `${bytes.slice(0, -2)}AA`, mimeType: 'image/jpeg' } };
			const two = [binary, second].map((file) => ({
				json: { group: JUST_ME, picture: 'data' },
				binary: file,
			}));
			await run(gateway, picture, two);
			expect(gateway.group('main', JUST_ME)?.info.picture).toBe(second.data.data);
			expect(
				gateway.calls.filter(on('updateGroupPicture')).filter(({ status }) => status === 201),
			).toHaveLength(6);
		});

		it('field by field once more where a second reading failed: what it showed before counts no longer', async () => {
			const gateway = await start();
			const names = ['New', 'Customers'].map((name) => ({ name }));
			gateway.fault({ kind: '500', on: on('findGroupInfos'), after: 1, times: 1 });
			const { main } = await run(
				gateway,
				updateGroup({ subject: '={{ $json.name }}' }, CUSTOMERS, 'main'),
				names,
			);
			expect(tell(main, 'outcome', 'subject')).toBe('done New, done Customers');
			expect(gateway.group('main', CUSTOMERS)?.subject).toBe('Customers');
		});

		it('as the replies say where the second reading does not show a field', async () => {
			const gateway = await start();
			const response = { status: 200, contentType: JSON_TYPE, body: { id: CUSTOMERS } };
			const isSecond = (call: Call) => on('findGroupInfos')(call) && gateway.calls.length > 2;
			gateway.replay({ response }, isSecond);
			const { main } = await run(gateway, updateGroup({ subject: 'New' }, CUSTOMERS, 'main'), [{}]);
			expect(tell(main, 'outcome', 'subject')).toBe('done New');
		});

		it('with texts whose lines end as those of Windows, or in spaces, once', async () => {
			const gateway = await start();
			const texts = updateGroup(
				{ description: '={{ "One\\r\\nTwo" + ($json.end ?? "") }}', subject: ' One\n  name ' },
				CUSTOMERS,
				'main',
			);
			const ends = [undefined, undefined, ' \nThree '];
			const outcomes: string[] = [];
			for (const end of ends) outcomes.push(tell((await run(gateway, texts, [{ end }])).main, 'outcome'));
			outcomes.push(tell((await run(gateway, texts, [{ end: '\nThree' }])).main, 'outcome'));
			expect(outcomes).toEqual(['done', 'unchanged', 'done', 'unchanged']);
			expect(gateway.group('main', CUSTOMERS)).toMatchObject({ subject: 'One name' });
		});

		it.each<[string, unknown, RegExp]>([
			[
				'a picture that cannot be used',
				['Error update group picture', 'Error: no image'],
				/couldn't use the picture/,
			],
			[
				'a name that is too long for it',
				["Field validation for 'Subject' failed on the 'max' tag"],
				/'max' tag/,
			],
		])('and a gateway refuses for certain %s', async (_, message, says) => {
			const gateway = await start();
			const isPicture = says.source.includes('picture');
			const status = isPicture ? 500 : 400;
			const response = { status, contentType: JSON_TYPE, body: { status, response: { message } } };
			gateway.replay({ response }, ({ path }) => path.includes('updateGroup'));
			const field = isPicture
				? { picture: 'http://intranet/a.jpg' }
				: { subject: 'A name of 30 letters or more' };
			const { error } = await run(gateway, updateGroup(field, CUSTOMERS, 'main'), [{}]);
			expect(error?.message).toMatch(says);
			if (isPicture) expect(error?.message).toMatch(/^Nothing was changed/);
		});
	});

	it('are written to, created and updated by items of which a bad one fails alone', async () => {
		const gateway = await start();
		const phones = ['4915200000001', 'ask Maria', '4915200000002', '51991234567'];
		const items = phones.map((phone) => ({ phone }));
		const { main, hints } = await run(gateway, createGroup('Course', 'main'), items, REGULAR_OUTPUT);
		expect(main.map(({ json }) => json.outcome ?? 'error')).toEqual(['done', 'error', 'done', 'error']);
		expect(main[3]?.json.error).toMatch(
			/could be \+51 991 234 567 \(Peru\) or \+55 51 99123-4567 \(Brazil\)/,
		);
		expect(gateway.calls.filter(on('create')).map(({ body }) => body)).toMatchObject([
			{ participants: ['4915200000001', '4915200000002'] },
		]);
		expect(hints).toContain('2 numbers have no + and are read as Germany (2). Check the country codes');
	});
});
