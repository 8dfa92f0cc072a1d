import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Identity } from '../../../nodes/MessagingGateway/groups/identity';
import {
	compareMembers,
	type GroupSnapshot,
	readSnapshot,
	writeSnapshot,
} from '../../../nodes/MessagingGateway/groups/watch/participants';
import {
	compareStatuses,
	readStatuses,
	writeStatuses,
} from '../../../nodes/MessagingGateway/groups/watch/statuses';
import { poll } from '../../../nodes/MessagingGatewayTrigger/poll';
import { runsOf } from '../../thorough';
import { type Examples, testExamples } from '../support';
import { byBoth, byHiddenId, byNumber, membersOf, type Row, snapshotOf, toldBetween } from './watch/people';
import { type Shown, World } from './watch/world';

describe('participants', () => {
	const NUMBERS: Record<string, string> = { ana: '5511990000001', bo: '5511990000002', cleo: '447700900003' };
	const { ana: ANA = '' } = NUMBERS;
	const numberOf = (name: string) => NUMBERS[name] ?? name;

	/**
	 * Rows as `ana 1=bo 2`: by number, by both IDs, by hidden ID, each with `*` for an admin, `**` for the superadmin, and `?`
	 * for a role that the gateway doesn't tell; an ID of another kind is as it is.
	 */
	function rowsOf(text: string): Row[] {
		return text.split(' ').map((one) => {
			const [, own = '', name, mark = ''] = /^([^=*?]+)(?:=([^*?]+))?(\**|\?)$/.exec(one) ?? [];
			const admin = mark === '?' ? undefined : [null, 'admin', 'superadmin'][mark.length];
			if (own.includes('@')) return { id: own, ...(name && { phoneNumber: numberOf(name) }) };
			if (!/^\d$/.test(own)) return byNumber(numberOf(own), { admin });
			return name === undefined ? byHiddenId(own, { admin }) : byBoth(own, numberOf(name), { admin });
		});
	}

	/** What polls tell that find these members in turn, with the role that somebody had before in brackets. */
	function toldInTurn(polls: string[]): string {
		let snapshot: GroupSnapshot | undefined;
		const told = polls.flatMap((poll) => {
			const compared = compareMembers(snapshot, membersOf(rowsOf(poll)));
			({ snapshot } = compared);
			return compared.changes
				.map(({ change, member: { number, id }, previousRole }) => {
					const name = Object.keys(NUMBERS).find((one) => NUMBERS[one] === number) ?? number ?? id;
					return `${change} ${name}${previousRole === undefined ? '' : ` (${previousRole})`}`;
				})
				.sort();
		});
		return told.join(', ');
	}

	/** Examples as `members → members in the next poll → in the one after that: all changes`. */
	function examples(all: Examples): void {
		testExamples(all, ': ', ([polls = '', expected]) => {
			expect(toldInTurn(polls.split(' → '))).toBe(expected);
		});
	}

	describe('who joined and who left', () => {
		examples({
			'is nobody in the first poll': 'ana: ',
			'somebody who is new': 'ana → ana bo: joined bo',
			'somebody who is gone': 'ana bo → ana: left bo',
			'somebody new with an ID of a kind that is not known': 'ana → ana x@any: joined x@any',
			'somebody with a known ID, beside one of a kind that is not known': 'x@any → x@any ana: joined ana',
			'one for another': 'ana → bo: joined bo, left ana',
			'nobody, on another device': `ana → ${ANA}:12@s.whatsapp.net: `,
			'nobody, with a number of a new plan': '22518139912 → 2250718139912: ',
			'nobody, with a number of a new plan, who is known by it from then on':
				'22518139912 → 2250718139912 → 2250718139912 bo → bo: joined bo, left 2250718139912',
			'two people with nearly the same number and different hidden IDs':
				'1=22518139912 → 2=2250718139912: joined 2250718139912, left 22518139912',
			'nobody, with the ninth digit of Brazil': '553199990002 → 5531999990002: ',
			'nobody, with an ID of a kind that is not known': 'x@any → x@any: ',
		});
	});

	describe('a group that moves to hidden IDs', () => {
		examples({
			'reports nobody, with numbers beside them': 'ana → 1=ana: ',
			'reports nobody, without numbers': 'ana bo → 1 2: ',
			'reports neither who may have left nor who may have joined': 'ana bo → 1 2 3: ',
			'reports who left, if they were known by both': 'ana 2=bo → 1: left bo',
			'reports who joined, if they are shown by both': 'ana → 1 2=bo: joined bo',
			'reports who is known by number on both sides': 'ana cleo → 1=ana 2=bo: joined bo, left cleo',
			'reports who left, if nobody new may be them': 'ana 2=bo → 2: left ana',
			'is compared by the new IDs from then on': 'ana bo → 1 2 → 1: left 2@lid',
		});
	});

	describe('what was known of somebody', () => {
		it.each([
			['hidden ID', byHiddenId('1')],
			['number', byNumber(ANA)],
		])('stays known while they are there, shown by %s alone', (_, shown) => {
			const known = snapshotOf([byBoth('1', ANA, { name: 'Ana' })]);
			const { snapshot } = compareMembers(known, membersOf([shown]));
			const [left] = compareMembers(snapshot, membersOf(rowsOf('bo'))).changes;

			expect(left).toMatchObject({ change: 'left', member: { number: ANA, lid: '1@lid', name: 'Ana' } });
		});

		examples({
			'finds them under either ID': '1=ana → 1 → ana: ',
			'is no reason to miss a member with an ID of a kind that is not known': 'x@bot=ana → x@bot: ',
			'gives way to what is shown now': '1=ana → 1=bo → ana: joined ana, left bo',
			'is forgotten once they left': '1=ana bo → bo → 1 bo → bo: left ana, joined 1@lid, left 1@lid',
		});
	});

	describe('a role', () => {
		examples({
			'that is an admin’s was given': 'ana → ana*: promoted ana (member)',
			'that is the superadmin’s was given, too': 'ana → ana**: promoted ana (member)',
			'that was an admin’s was taken': 'ana* → ana: demoted ana (admin)',
			'that was the superadmin’s was taken, too': 'ana** → ana: demoted ana (superAdmin)',
			'of one kind of admin is like that of the other': 'ana** → ana* → ana**: ',
			'that gets lost changes nothing': 'ana* → ana? → ana?: ',
			'that gets known changes nothing': 'ana? → ana? → ana*: ',
			'is compared with the last one known': 'ana* → ana? → ana? → ana: demoted ana (admin)',
			'is the one that was known where it is known again': 'ana → ana? → ana: ',
			'changes also while the ID does': 'ana → 1=ana*: promoted ana (member)',
			'of somebody who was listed twice is one': 'ana 1* → 1=ana: demoted ana (admin)',
		});
	});

	describe('where more than three and more than a fifth are gone at once', () => {
		const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
		const ten = range(10, 20).join(' ');
		const four = range(10, 14).join(' ');
		const six = range(14, 20)
			.map((left) => `left ${left}`)
			.join(', ');

		examples({
			'the poll gives nothing at all': `${ten} → ${four} ana: `,
			'the next poll counts, if again as many are gone': `${ten} → ${four} → ${four}: ${six}`,
			'after that, the next poll counts as well': `${ten} → ${four} → ${four} → 10 11 12: ${six}, left 13`,
			'and are back in the next poll, nothing was': `${ten} → ${four} ana → ${ten} → ${four}: `,
			'a small group is no other': '1 2 3 4 5 6 7 → 1 2 3 → 1 2 3 4 5 6 7: ',
			'it counts at once of three': '1 2 3 4 5 6 7 → 1 2 3 4: left 5@lid, left 6@lid, left 7@lid',
			'it counts at once of a fifth': `${range(10, 30).join(' ')} → ${range(14, 30).join(' ')}: left 10, left 11, left 12, left 13`,
		});

		it('who cannot be told apart is not among them', () => {
			const ten = range(10, 20).map((number) => byNumber(`${number}`));
			const before = [...ten, ...Array.from({ length: 20 }, (_, i) => byBoth(`${i}`, `1202555${1000 + i}`))];
			const now = [...ten.map((_, i) => byHiddenId(`9${i}`)), ...before.slice(10, 26)];

			// Four of the twenty who are known by both, and perhaps some of the ten.
			expect(toldBetween(before, now)).toHaveLength(4);
			// Five of the twenty, and they would be a sixth of all thirty.
			expect(toldBetween(before, now.slice(0, 25))).toEqual([]);
		});
	});
});

/** People by the last digit of their number and hidden ID; those from 8 on have a number with two forms. */
const PEOPLE = Array.from({ length: 16 }, (_, i) => i);
const shortForm = (i: number) => (i < 8 ? `4915200000${100 + i}` : `553199990${100 + i}`);
const longForm = (i: number) => (i < 8 ? shortForm(i) : `5531999990${100 + i}`);
const hiddenIdOf = (i: number) => `${7_000 + i}`;

interface Turn {
	/** Who turns up, or is gone. */
	moves: number[];
	/** Who becomes an admin, or no longer is one. */
	ranks: number[];
	shown: Shown;
	/** Whether the gateway says numbers with the ninth digit of Brazil. */
	isLong: boolean;
	/** Whether it lists the members the other way around. */
	isReversed: boolean;
}

const some = fc.uniqueArray(fc.constantFrom(...PEOPLE), { maxLength: 6 });
const turns: fc.Arbitrary<Turn[]> = fc.array(
	fc.record({
		moves: some,
		ranks: some,
		shown: fc.constantFrom<Shown>('number', 'hiddenId', 'both'),
		isLong: fc.boolean(),
		isReversed: fc.boolean(),
	}),
	{ minLength: 2, maxLength: 12 },
);

function play(world: World, { moves, ranks }: Turn): void {
	for (const person of moves.map(String)) if (!world.members.delete(person)) world.members.set(person, false);
	for (const person of ranks.map(String)) {
		const isAdmin = world.members.get(person);
		if (isAdmin !== undefined) world.members.set(person, !isAdmin);
	}
}

function listed(world: World, { shown, isLong, isReversed }: Turn): Row[] {
	const rows = [...world.members].map(([person, isAdmin]) => {
		const i = Number(person);
		const number = isLong ? longForm(i) : shortForm(i);
		const admin = isAdmin ? 'admin' : null;
		if (shown === 'number') return byNumber(number, { admin });
		return shown === 'both' ? byBoth(hiddenIdOf(i), number, { admin }) : byHiddenId(hiddenIdOf(i), { admin });
	});
	return isReversed ? rows.reverse() : rows;
}

const personOf = (ids: readonly Identity[]) => {
	const digits = ids.map((id) => id.digits);
	return PEOPLE.find((i) => [shortForm(i), longForm(i), hiddenIdOf(i)].some((id) => digits.includes(id)));
};

test('every change that can be told apart is told exactly once, and none is invented', () => {
	fc.assert(
		fc.property(turns, ([first, ...others]) => {
			if (first === undefined) return;
			const world = new World();
			PEOPLE.slice(0, 12).forEach((i) => world.members.set(String(i), false));
			play(world, first);
			world.remember(first.shown);
			let snapshot: unknown = writeSnapshot({
				members: membersOf(listed(world, first)),
				seemedEmptied: false,
			});
			for (const turn of others) {
				play(world, turn);
				const before = readSnapshot(JSON.parse(JSON.stringify(snapshot)));
				if (before === undefined) throw new Error('The snapshot is not understood');
				const compared = compareMembers(before, membersOf(listed(world, turn)));
				const told = compared.changes.map(({ change, member }) => `${change} ${personOf(member.ids)}`);
				expect(told.sort()).toEqual(world.poll(turn.shown));
				snapshot = writeSnapshot(compared.snapshot);
			}
		}),
		runsOf(200),
	);
});

const textOf = (rows: Row[]) => JSON.stringify(writeSnapshot(snapshotOf(rows)));
const reread = (text: string) => readSnapshot(JSON.parse(text));

describe('a snapshot', () => {
	it.each<[string, Row]>([
		['all at once', byBoth('1', '5511990000001', { admin: 'admin', name: 'Ana' })],
		['a device', { id: '1:12@lid', phoneNumber: '5511990000001@s.whatsapp.net' }],
		[
			'more IDs than these, some of the same digits',
			{ id: '11@lid', phoneNumber: '11', jid: '22', lid: '22@lid' },
		],
		['an ID of a kind that is not known', { id: 'x@bot' }],
		['a number beside it', { id: 'x@bot', phoneNumber: '5511990000001' }],
	])('is read as it was written: %s', (_, row) => {
		const sorted = (snapshot = snapshotOf([])) =>
			snapshot.members.map(({ ids, ...member }) => ({ ...member, ids: ids.map(({ key }) => key).sort() }));

		expect(sorted(reread(textOf([row])))).toEqual(sorted(snapshotOf([row])));
	});

	it('is written without what is not known or said twice', () => {
		const rows = [
			byBoth('1', '5511990000001', { admin: 'admin', name: 'Ana' }),
			byHiddenId('2', { admin: 'superadmin' }),
			byHiddenId('3', { lid: '4@lid' }),
			byNumber('5511990000003'),
			byNumber('66', { phoneNumber: '77' }),
		];

		expect(writeSnapshot(snapshotOf(rows))).toEqual({
			members: [
				['1@lid', 1, '5511990000001', 0, 'Ana'],
				['2@lid', 2],
				['3@lid', 0, 0, '4@lid'],
				['5511990000003@s.whatsapp.net'],
				['66@s.whatsapp.net', 0, '77'],
			],
		});
	});

	it('is the same whatever order the members are listed in', () => {
		const rows = [byNumber('5511990000001'), byHiddenId('2'), byBoth('1', '5511990000003')];

		expect(textOf([...rows].reverse())).toBe(textOf(rows));
	});

	it('keeps that a role is not known', () => {
		const members = membersOf([byNumber('5511990000001')]).map(({ role: _, ...member }) => member);
		const written = writeSnapshot({ members, seemedEmptied: false });

		expect(reread(JSON.stringify(written))?.members).toMatchObject([
			{ number: '5511990000001', role: undefined },
		]);
	});

	it.each([true, false])('keeps whether most seemed gone: %p', (seemedEmptied) => {
		const written = writeSnapshot({ members: [], seemedEmptied });

		expect(readSnapshot(written)).toEqual({ members: [], seemedEmptied });
	});

	it('is read without IDs that are no text', () => {
		const stored = { members: [['1@lid', 0, 0, 0, 0, ['phone:5511990000001', 5]]] };

		const [member] = readSnapshot(stored)?.members ?? [];

		expect(member?.ids.map(({ key }) => key)).toEqual(['lid:1', 'phone:5511990000001']);
	});

	it.each([
		undefined,
		null,
		'text',
		{},
		{ members: {} },
		{ members: [1] },
		{ members: [[]] },
		{ members: [['1@lid', 7]] },
		{ members: [[5, 0]] },
	])('that is something else is not understood: %j', (stored) => {
		expect(readSnapshot(stored)).toBeUndefined();
	});
});

describe('statuses', () => {
	/** What a poll finds of `a open, b ?`. */
	const listedIn = (text: string) =>
		new Map(
			text
				.split(', ')
				.filter(Boolean)
				.map((one) => one.split(' '))
				.map(([name = '', status]) => [name, status === '?' ? undefined : status]),
		);

	/** What each of several polls in a row tells, as `a open>close`. @param chosen the statuses to tell: all if left out */
	function toldInTurn(polls: string[], chosen?: string[]): string[] {
		const isChosen = (status: string) => chosen?.includes(status) ?? true;
		let stored: object = {};
		return polls.map((poll) => {
			const before = readStatuses(JSON.parse(JSON.stringify(stored)));
			const { changes, snapshot } = compareStatuses(before, listedIn(poll), isChosen);
			stored = writeStatuses(snapshot);
			return changes
				.map(({ name, status, previousStatus }) => `${name} ${previousStatus}>${status}`)
				.join(', ');
		});
	}

	describe('the status of instances', () => {
		// What polls find in turn, and what each of them tells; with the statuses that are chosen.
		testExamples<string[]>(
			{
				'a new one counts at once': 'a open | a close → | a open>close',
				'an account that goes back and forth without being open is told once':
					'a open | a connecting | a close | a connecting | a open → | a open>connecting | | | a connecting>open',
				'and so is one that was never open': 'a close | a connecting | a close → | |',
				'of those, the first that is chosen is told': [
					'a open | a connecting | a close | a connecting | a close → | | a connecting>close | |',
					['close'],
				],
				'a status that is not chosen tells nothing, and is known': [
					'a open | a close | a connecting | a open → | | | a connecting>open',
					['open'],
				],
				'a newly listed instance is only remembered': 'a open | a open, b close → |',
				'one that is no longer listed is deleted': 'a open | | → | a open>deleted |',
				'one that comes back was deleted':
					'a open | | a connecting → | a open>deleted | a deleted>connecting',
				'one without a status is as it was': 'a open | a ? | a close → | | a open>close',
				'one that never had a status is not known': 'a ? | | a open → | |',
				'each instance has its own':
					'a open, b open | a close, b open | a close, b close → | a open>close | b open>close',
			},
			'→',
			([polls = '', expected = ''], chosen) => {
				const inTurn = (text: string) => text.split('|').map((one) => one.trim());
				expect(toldInTurn(inTurn(polls), chosen)).toEqual(inTurn(expected));
			},
		);

		it.each([
			undefined,
			null,
			[],
			{},
			{ statuses: {} },
			{ statuses: [1] },
			{ statuses: [['a']] },
			{ statuses: [[1, 'open']] },
		])('is not known from %j', (stored) => {
			expect(readStatuses(stored)).toEqual(new Map());
		});
	});
});

const GROUP: IDataObject = {
	event: 'participantsChanged',
	changes: ['joined', 'left'],
	instance: 'main',
	group: '1@g.us',
};
const STATUSES: IDataObject = { event: 'instanceStatusChanged', watch: 'all', statuses: ['close'] };

const people = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, i) => ({ id: `${5_511_990_000_000 + from + i}@s.whatsapp.net` }));

/** A trigger in a workflow, and a gateway that says who is in the group. */
class Setting {
	readonly data: IDataObject = {};

	/** How often the gateway was asked. */
	asked = 0;

	status = 200;

	list = people(0, 3);

	/** Ends before the gateway answers. */
	hold: () => Promise<void> = async () => await Promise.resolve();

	private readonly id = randomUUID();

	constructor(public parameters: IDataObject = GROUP) {}

	/** What n8n gives a trigger to poll with. */
	context(activation = 'init', mode = 'trigger'): IPollFunctions {
		const context = {
			getNode: () => ({ id: 'node', parameters: {}, type: 'trigger', typeVersion: 1 }),
			getWorkflow: () => ({ id: this.id }),
			getMode: () => mode,
			getActivationMode: () => activation,
			getNodeParameter: (name: string, fallback: unknown) => this.parameters[name] ?? fallback,
			getWorkflowStaticData: () => this.data,
			getCredentials: async () =>
				await Promise.resolve({ baseUrl: 'http://gateway.test', apiKey: 'key-0123456789' }),
			helpers: {
				httpRequestWithAuthentication: async () => {
					this.asked++;
					const isOfGroup = this.parameters.event === 'participantsChanged';
					const body = isOfGroup
						? { participants: this.list }
						: [{ instance: { instanceName: 'main', status: 'open' } }];
					await this.hold();
					return { statusCode: this.status, headers: {}, body: JSON.stringify(body) };
				},
			},
		};
		return context as unknown as IPollFunctions;
	}
}

const told = (result: Awaited<ReturnType<typeof poll>>) =>
	(result ?? []).flat().map(({ json }) => `${String(json.change)} ${String(json.participant)}`);

it('two polls that overlap tell nothing twice', async () => {
	const setting = new Setting({ ...GROUP, options: { shortestInterval: 0 } });
	await poll(setting.context());
	setting.list = people(0, 4);
	const releases: Array<() => void> = [];
	setting.hold = async () => await new Promise((resolve) => releases.push(resolve));
	const [first, second] = [poll(setting.context('update')), poll(setting.context('update'))];
	while (releases.length < 2) await new Promise(setImmediate);
	releases[0]?.();
	expect(told(await first)).toEqual(['joined 5511990000003']);
	releases[1]?.();
	expect(told(await second)).toEqual([]);
});

describe('the shortest interval', () => {
	/** By the process's clock, in minutes. */
	let minute = 0;
	beforeEach(() => {
		minute = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => minute * 60_000);
	});
	afterEach(() => jest.restoreAllMocks());

	/** The minutes of the polls that ask the gateway. */
	async function asksIn(
		setting: Setting,
		context: () => IPollFunctions,
		minutes: number[],
	): Promise<number[]> {
		const asks: number[] = [];
		for (minute of minutes) {
			const before = setting.asked;
			await poll(context()).catch(() => null);
			if (setting.asked > before) asks.push(minute);
		}
		return asks;
	}

	const everyMinute = [0, 1, 5, 10, 14, 15, 19, 20, 29, 30];
	it.each<[string, IDataObject, number[]]>([
		['of members is 15 minutes', GROUP, [0, 15, 30]],
		['of statuses is 5 minutes', STATUSES, [0, 5, 10, 15, 20, 29]],
		['is as the option says', { ...GROUP, options: { shortestInterval: 20 } }, [0, 20]],
		['may be none', { ...GROUP, options: { shortestInterval: 0 } }, everyMinute],
	])('%s', async (_, parameters, expected) => {
		const setting = new Setting(parameters);
		const context = setting.context();

		expect(await asksIn(setting, () => context, everyMinute)).toEqual(expected);
	});

	it('lets a poll count that comes a few seconds early', async () => {
		const setting = new Setting();
		const context = setting.context();

		expect(await asksIn(setting, () => context, [0.2, 15, 29.9, 45.1])).toEqual([0.2, 15, 29.9, 45.1]);
	});

	it('holds also where n8n makes a context for each poll, and after a poll that failed', async () => {
		const setting = new Setting();
		setting.status = 503;

		expect(await asksIn(setting, () => setting.context('update'), [0, 1, 14, 15, 16])).toEqual([0, 15]);
	});

	it('tells at the next read what has happened meanwhile', async () => {
		const setting = new Setting();
		const context = setting.context();
		await poll(context);
		setting.list = people(0, 4);
		minute = 14;
		expect(await poll(context)).toBeNull();
		minute = 15;

		expect(told(await poll(context))).toEqual(['joined 5511990000003']);
	});

	it('holds back no test event, no group that was just chosen and nobody who switches the workflow on', async () => {
		const setting = new Setting();
		await poll(setting.context());
		expect(told(await poll(setting.context('manual', 'manual')))).toHaveLength(1);
		setting.parameters = { ...GROUP, group: '2@g.us' };
		await poll(setting.context('update'));
		await poll(setting.context('activate'));

		expect(setting.asked).toBe(4);
	});
});
