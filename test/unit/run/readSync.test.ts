import { checkByMembers } from '../../../nodes/MessagingGateway/actions/group/sync/planSync';
import { readSync } from '../../../nodes/MessagingGateway/actions/group/sync/readSync';
import { identityFor } from '../../../nodes/MessagingGateway/groups/identity';
import { KnownPeople } from '../../../nodes/MessagingGateway/groups/memory/knownPeople';
import { UNKNOWN } from '../../../nodes/MessagingGateway/groups/memory/groupMemory';
import { isForgotten, recallerFor, store, keep } from '../../../nodes/MessagingGateway/run/memory';
import { contextWith, NODE } from './context';

describe('readSync', () => {
	const GROUP = '120363000000000001@g.us';
	const PHONE = '4915200000001';

	/** What an item asks for; what it doesn't say is as for the others. */
	interface Item {
		group?: string;
		phone?: string;
		unlisted?: string;
		dryRun?: boolean;
		options?: object;
	}

	async function read(items: Item[], continueOnFail = true) {
		const { run } = contextWith(
			{ instance: 'one', ...expressions('group', 'participants', 'unlisted', 'options', 'dryRun') },
			{
				group: (item) => items[item]?.group ?? GROUP,
				participants: (item) => items[item]?.phone ?? PHONE,
				unlisted: (item) => items[item]?.unlisted ?? 'keep',
				options: (item) => items[item]?.options ?? {},
				dryRun: (item) => items[item]?.dryRun ?? false,
			},
			{ items: items.length, continueOnFail },
		);
		const { groups, failed } = await readSync(run);
		return { groups, failed: failed.map(({ error }) => error.message) };
	}

	const expressions = (...names: string[]) =>
		Object.fromEntries(names.map((name) => [name, '={{ $json.x }}']));
	const withOptions = (...all: object[]) => all.map((options): Item => ({ options }));
	const other = '120363000000000002@g.us';
	describe('a list', () => {
		it('has the items of each group, in order of first mention, and one set of rules', async () => {
			const { groups } = await read([{}, { group: other }, {}]);
			expect(groups.map(({ groupJid, items }) => [groupJid, ...items.map(({ item }) => item)])).toEqual([
				[GROUP, 0, 2],
				[other, 1],
			]);
		});

		it.each<[string, Item[]]>([
			["'Dry Run'", [{ dryRun: true }, { dryRun: false }]],
			["'Maximum Additions per Run'", withOptions({ maxAdditions: 5 }, {})],
			["'Timeout (ms)'", [{}, { group: other, options: { timeout: 5 } }]],
		])('is refused where %s differs in the run', async (label, items) => {
			const { groups, failed } = await read(items);
			const says = `${label} has to be the same in all items`;
			expect([groups, failed.map((one) => one.replace(/^.*?: /, ''))]).toEqual([[], [says, says]]);
		});

		it.each<[string, Item[]]>([
			["'Members Not in the List'", [{}, { unlisted: 'remove' }]],
			["'Protected Participants'", withOptions({ protected: PHONE }, {})],
			["'Remove Admins'", withOptions({ removeAdmins: true }, {})],
			["'Maximum Removals (Percent)'", withOptions({ maxRemovalPercent: 1 }, {})],
			["'People Who Left'", withOptions({ whoLeft: 'addAgain' }, {})],
			["'Approved Changes'", withOptions({ approvedChanges: '' }, {})],
		])('is refused where %s differs in it, and no other list', async (label, items) => {
			const { groups, failed } = await read([...items, { group: other }]);
			const says = `${label} has to be the same in all items of a group`;
			expect(groups.map(({ groupJid }) => groupJid)).toEqual([other]);
			expect(failed.map((one) => one.replace(/^.*?: /, ''))).toEqual([says, says]);
		});

		it.each<[string, Item[]]>([
			['rules of two groups', [{}, { group: other, unlisted: 'remove', options: { removeAdmins: true } }]],
			['country codes', withOptions({}, { defaultCountryCode: '49' })],
			['input fields', withOptions({}, { includeInputFields: true })],
		])('may have different %s', async (_, items) => {
			expect((await read(items)).failed).toEqual([]);
		});
	});

	it('looks at protected people once, however many items have them', async () => {
		const { run } = contextWith({ instance: 'one' });
		let looks = 0;
		const person = { given: PHONE, sentAs: PHONE, identity: identityFor(PHONE) };
		const protectedPeople = [Object.defineProperty(person, 'isGuessed', { get: () => void looks++ })];
		const { groups } = await read(Array.from({ length: 50 }, () => ({ options: { protected: PHONE } })));
		for (const group of groups) {
			for (const item of group.items) item.protectedPeople = protectedPeople;
			await checkByMembers(run, group, [], { timeout: 1 } as never);
		}
		expect(looks).toBeLessThan(5);
	});

	it('what people who left are to be is one of two values', async () => {
		const { groups, failed } = await read(withOptions({ whoLeft: 'maybe' }));
		expect([groups, failed]).toEqual([[], [expect.stringContaining("'People Who Left' can't be")]]);
	});

	describe('what somebody has approved', () => {
		const sentAs = '4915200000001';
		const both = [`add ${sentAs}`, `remove ${sentAs}`];
		it.each<[string, unknown, string[] | undefined]>([
			['everything, if nothing is given', undefined, undefined],
			['nothing, by an empty value', '', []],
			['a text, for every action', `${sentAs}, 1@lid`, [...both, 'add 1@lid', 'remove 1@lid']],
			['a list', [Number(sentAs)], both],
			[
				'an item of a dry run, for its action',
				[{ sentAs, action: 'remove', groupJid: GROUP }],
				both.slice(1),
			],
			['an item without action and group', [{ sentAs }], both],
			['an item as n8n has it', [{ json: { sentAs, action: 'add' } }], both.slice(0, 1)],
			['items as text', JSON.stringify([{ sentAs, action: 'add' }]), both.slice(0, 1)],
			['no item of another group', [{ sentAs, groupJid: other }], []],
			['no item to which nothing was to be sent', [{ action: 'none' }, null], []],
		])('is %s', async (_, approvedChanges, expected) => {
			const { groups } = await read(withOptions(approvedChanges === undefined ? {} : { approvedChanges }));
			const [approved] = groups.map(({ rules }) => rules.approved);
			expect(approved && [...approved]).toEqual(expected);
		});
	});

	describe('a bad item', () => {
		const bad: Item = { phone: 'Ana' };

		it.each<[string, Item, boolean[]]>([
			['its group', bad, [true, false]],
			['all groups, where its own can’t be read', { ...bad, group: 'x' }, [true, true]],
		])('holds back the removals of %s, and has no other say', async (_, item, expected) => {
			const { groups, failed } = await read([
				{ ...item, unlisted: 'remove', options: { removeAdmins: true } },
				{},
				{ group: other },
			]);
			expect(failed).toHaveLength(1);
			expect(groups.map(({ rules }) => rules.badRow)).toEqual(expected);
			expect(groups[0]?.rules).toMatchObject({ unlisted: 'keep', removeAdmins: false });
		});

		it.each(['', ' ', []])(
			'is told from an empty one of whom the group protects, which is nobody: %j',
			async (people) => {
				const { groups, failed } = await read(withOptions({ protected: people }));
				expect([groups, failed]).toEqual([[], [expect.stringMatching(/'Protected Participants' is empty/)]]);
			},
		);

		it('is told apart from a bad entry among whom the group protects', async () => {
			expect(await read(withOptions({ protected: '+49 15200000002, Bea' }, {}))).toMatchObject({
				failed: [
					`Item 0 "4915200000001": in 'Protected Participants', the participant "Bea" isn't a valid phone number: it has letters`,
				],
			});
		});
	});
});

describe('memory', () => {
	const GROUP = '1@g.us';
	const ana = [identityFor('5531999990002')];
	type Data = Record<string, unknown>;

	/** A run of a node, of which the process and n8n keep what they keep. */
	function runOf(node: object, n8n: Data | (() => Data), process: Data = {}, mode = 'trigger') {
		const { run } = contextWith({});
		const getNode = () => ({ ...NODE, ...node });
		Object.assign(run.context, {
			getNode,
			getWorkflow: () => ({ id: 'night' }),
			getWorkflowStaticData: typeof n8n === 'function' ? n8n : () => n8n,
			getParentNodes: () => [],
			getMode: () => mode,
		});
		const gateway = { people: new KnownPeople(), memoryOf: () => process, storedFor: new Set() };
		return Object.assign(run, { session: { gateway }, people: gateway.people, startedAt: Date.now() });
	}

	const left = (phone = '5531999990002', groupJid = GROUP) => ({
		groupJid,
		ids: [identityFor(phone)],
		facts: { left: { at: Date.now() } },
	});
	const knows = (run: ReturnType<typeof runOf>, phone = '5531999990002', groupJid = GROUP) =>
		recallerFor(run)(groupJid).find([identityFor(phone)]).node.facts.left !== undefined;

	it('is nobody where n8n has no static data to give, which fails no run', async () => {
		const run = runOf({}, () => {
			throw new Error('No static data');
		});
		expect(recallerFor(run)(GROUP).find(ana)).toEqual({ node: UNKNOWN, notes: UNKNOWN });
		await store(run, [left()]);
		expect(knows(run)).toBe(true);
	});

	it.each([
		['another name', { name: 'Keeper' }, true],
		['another ID: cut and pasted', { id: '2' }, true],
		['another ID and name: a copy', { id: '2', name: 'Gateway1' }, false],
		['no ID', { id: undefined }, true],
	])("is the node's by its ID, else by its name: %s", async (_, change, isKnown) => {
		for (const [n8n, process] of [
			[{}, undefined],
			[{}, {}],
		] as const) {
			await store(runOf({}, n8n, process), [left()]);
			expect(knows(runOf(change, n8n, process))).toBe(isKnown);
		}
	});

	it('is taken over once: the old place goes, and the new one has the name', async () => {
		const data: Data = {};
		await store(runOf({}, data), [left()]);
		await store(runOf({ id: '2' }, data), []);
		expect(Object.keys(data)).toEqual(['messagingGateway 2']);
		expect(data['messagingGateway 2']).toMatchObject({ name: NODE.name });
		// A node that got the name of another one has its own memory.
		await store(runOf({ id: '3', name: 'Keeper' }, data), [left('4915200000001')]);
		expect(knows(runOf({ id: '3' }, data))).toBe(false);
	});

	it.each([0, 1])('is whole after two runs at once, of which n8n keeps what one has: %d', async (kept) => {
		const process: Data = {};
		const runs = [{}, {}] satisfies [Data, Data];
		await store(runOf({}, runs[0], process), [left('4915200000001'), left('4915200000003', '2@g.us')]);
		await store(runOf({}, runs[1], process), [left('4915200000002')]);
		const next = runOf({}, runs[kept] ?? {}, process);
		for (const run of [next, runOf({}, runs[kept] ?? {})]) {
			const known = ['4915200000001', '4915200000002'].map((phone) => knows(run, phone));
			expect([...known, knows(run, '4915200000003', '2@g.us')]).toEqual([true, true, true]);
		}
		// The next run writes the whole of it, also of groups that it didn't meet.
		await store(next, [left('4915200000004')]);
		const afterRestart = runOf({}, runs[kept] ?? {});
		expect(knows(afterRestart, '4915200000001')).toBe(true);
		expect(knows(afterRestart, '4915200000003', '2@g.us')).toBe(true);
	});

	it('keeps after a restart what n8n has of groups that a run does not meet', async () => {
		const data: Data = {};
		await store(runOf({}, data), [left('4915200000003', '2@g.us')]);
		await store(runOf({}, data), [left('4915200000001')]);
		expect(knows(runOf({}, data), '4915200000003', '2@g.us')).toBe(true);
	});

	it("of a retry stays in the process: n8n would save the retry's old data in place of newer ones", async () => {
		const old: Data = {};
		const process: Data = {};
		await store(runOf({}, old), [left('4915200000001')]);
		const before = JSON.stringify(old);
		const retry = runOf({}, old, process, 'retry');
		expect(knows(retry, '4915200000001')).toBe(true);
		await store(retry, [left('4915200000002')]);
		keep(retry.context, 'own', 'key', 'text');
		expect(JSON.stringify(old)).toBe(before);
		expect(knows(runOf({}, {}, process), '4915200000002')).toBe(true);
		const later = runOf({}, {}, process, 'retry');
		later.session.gateway.storedFor.add(later.node);
		expect(isForgotten(later)).toBe(false);
	});

	it('keeps what another call of an agent has written meanwhile', async () => {
		const run = runOf({}, {});
		let other: Promise<void> | undefined;
		const giveWay = async () =>
			await (other ??= store({ ...run, giveWay: async () => {} }, [left('4915200000001')]));
		await store({ ...run, giveWay }, [left('4915200000002')]);
		expect(['4915200000001', '4915200000002'].map((phone) => knows(run, phone))).toEqual([true, true]);
	});

	it('is not kept where n8n gives a later run nothing back, which is told', async () => {
		const process: Data = {};
		const first = runOf({}, {}, process);
		expect(isForgotten(first)).toBe(false);
		await store(first, [left()]);
		expect(isForgotten(first)).toBe(false);
		const { session } = first;
		expect(isForgotten(Object.assign(runOf({}, {}, process), { session }))).toBe(true);
	});
});
