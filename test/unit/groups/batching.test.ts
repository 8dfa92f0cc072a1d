import fc from 'fast-check';
import { groupBy } from '../../../nodes/MessagingGateway/common/maps';
import {
	onePerParticipant,
	plannedJournal,
	planRequests,
} from '../../../nodes/MessagingGateway/groups/batching';
import type {
	Change,
	ChangeRequest,
	JournalEntry,
	Participant,
} from '../../../nodes/MessagingGateway/groups/change';
import {
	type Action,
	ACTIONS,
	type Outcome,
	sentenceOf,
	WORDING,
} from '../../../nodes/MessagingGateway/groups/outcomes';
import {
	estimateOf,
	failureSummary,
	type ItemFailure,
	partOf,
	progressOf,
	splitEntries,
	tallyOf,
} from '../../../nodes/MessagingGateway/groups/summary';
import { runsOf } from '../../thorough';
import { changesOf, type Examples, NUMBERS, person, resultOf, testExamples, type Wish } from '../support';

/** `A` is somebody with a number, `a` the same with a hidden ID; whatever else is sent as it is. */
const idOf = (name: string) =>
	/^[A-Z]$/.test(name)
		? String(4_915_200_000_000 + name.charCodeAt(0))
		: /^[a-z]$/.test(name)
			? `1000000000000${name.charCodeAt(0)}@lid`
			: name;
const nameOf = (id: string) =>
	[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].find((name) => idOf(name) === id) ?? id;

/** `g1 add A B`: what one item asks for; instances are named before a slash, `main` where there is none. */
function wish(item: number, text: string): Wish {
	const [where = '', action, ...participants] = text.split(' ');
	const [groupJid = '', instance = 'main'] = where.split('/').reverse();
	return {
		item,
		instance,
		groupJid,
		action: action as Action,
		participants: participants.map((name) => person(idOf(name))),
	};
}

const sentIn = ({ participants }: ChangeRequest) => participants.map(({ sentAs }) => sentAs);

const inNotation = (requests: ChangeRequest[]) =>
	requests.map((request) => {
		const { instance, groupJid, action, changes } = request;
		const mentions = changes.map(({ item, participant }) => `${item}${nameOf(participant.given)}`);
		const where = instance === 'main' ? groupJid : `${instance}/${groupJid}`;
		return `${where} ${action} ${sentIn(request).map(nameOf).join(' ')} (${mentions.join(' ')})`;
	});

const askedBy = (items: string[]) => changesOf(items.map((text, item) => wish(item, text)));

/** The requests in the same notation, with the items that they serve. */
function plan(items: string[], { batchSize = 50 } = {}): string[] {
	return inNotation(planRequests(askedBy(items), batchSize));
}

/** Examples as `items → requests`. */
function examples(all: Examples<Parameters<typeof plan>[1]>): void {
	testExamples(all, / → /, ([items = '', requests = ''], options) => {
		expect(plan(items.split(', '), options)).toEqual(requests.split(', '));
	});
}

describe('rounds', () => {
	examples({
		'are removals, additions, promotions, demotions':
			'g demote A, g promote B, g add C, g remove D, g demote E, g add F → g remove D (3D), g add C F (2C 5F), g promote B (1B), g demote A E (0A 4E)',
		'have several changes to one person, in order':
			'g remove A, g add A, g promote A, g add B, g promote C, g remove B → g remove A (0A), g add A B (1A 3B), g promote A C (2A 4C), g remove B (5B)',
		'follow each other where the next change to a person belongs before the last one':
			'g add A, g remove A, g add A, g remove B, g promote B → g remove B (3B), g add A (0A), g promote B (4B), g remove A (1A), g add A (2A)',
		'are left out where it takes fewer requests to leave all in order':
			'g promote A, g add A B → g promote A (0A), g add A B (1A 1B)',
	});
});

describe('a participant who occurs twice', () => {
	it('is sent once in a request, and every mention is of it', () => {
		const requests = planRequests(askedBy(['g add A A', 'g add B A']), 50);
		const oneByOne = requests.flatMap(onePerParticipant);

		expect(inNotation(requests)).toEqual(['g add A B (0A 0A 1A 1B)']);
		expect(inNotation(oneByOne)).toEqual(['g add A (0A 0A 1A)', 'g add B (1B)']);
	});

	examples({
		'goes with the first mention, also where that was followed by another request': [
			'g add A, g add B, g add A → g add A (0A 2A), g add B (1B)',
			{ batchSize: 1 },
		],
		'is sent once where only changes to others come in between':
			'g remove A, g add B, g remove A, g promote B → g remove A (0A 2A), g add B (1B), g promote B (3B)',
		'is sent again after another change':
			'g add A, g remove A, g add A → g add A (0A), g remove A (1A), g add A (2A)',
	});

	const sentTogether = (...ids: string[]) => {
		const requests = planRequests(
			changesOf(ids.map((sentAs, item) => ({ ...wish(item, 'g add'), participants: [person(sentAs)] }))),
			50,
		);
		const [request, ...others] = requests;
		expect(others).toEqual([]);
		if (request === undefined) throw new Error('A request was expected');
		return request;
	};
	/** What a result of each change shows as sent. */
	const shownAsSent = (request: ChangeRequest) =>
		[...plannedJournal(request).values()].map((entry) => 'result' in entry && entry.result.sentAs);

	it('is sent as the first mention has it where all gateways take the others for the same number', () => {
		const jid = '4915200000001@s.whatsapp.net';
		const request = sentTogether('4915200000001', jid, '4915200000001');

		expect(sentIn(request)).toEqual(['4915200000001']);
		expect(shownAsSent(request)).toEqual(Array(3).fill('4915200000001'));
		expect(request.changes.map(({ participant }) => participant.given)).toContain(jid);
		expect(sentIn(sentTogether(jid, '4915200000001'))).toEqual([jid]);
	});

	it.each([
		['5531999990002', '5531999990002@s.whatsapp.net'],
		['5215512345678@s.whatsapp.net', '5215512345678'],
		['5511999990002', '551199990002'],
		['4915200000001', '4915200000001@lid'],
	])('is sent twice, in order, where a gateway may take %s and %s for different ones', (one, other) => {
		const request = sentTogether(one, other);

		expect(sentIn(request)).toEqual([one, other]);
		expect(shownAsSent(request)).toEqual([one, other]);
	});
});

describe('nothing is reordered, and only what follows each other shares a request,', () => {
	examples({
		'where rows of a group name numbers and hidden IDs':
			'g promote a, g add B, g promote c, h promote A, h add B, h promote C → g promote a (0a), g add B (1B), g promote c (2c), h add B (4B), h promote A C (3A 5C)',
		'where an ID is neither':
			'g promote A, g add 1@newsletter, g promote C → g promote A (0A), g add 1@newsletter (11@newsletter), g promote C (2C)',
		'where rows of a group name several instances':
			'one/g add A, two/g add A, one/g add B, one/h add B, two/i add A → one/g add A (0A), two/g add A (1A), one/g add B (2B), one/h add B (3B), two/i add A (4A)',
	});
});

describe('plan: properties', () => {
	/** Few people in several spellings, some of which gateways take for the same number; that all is well in a group is tried in test/engine/group/requests. */
	const NUMBERS = ['4915200000001', '4915200000001@s.whatsapp.net', '5511999990002', '551199990002'];
	const LIDS = ['100000000000001@lid', '100000000000002@lid'];

	/** Often all in one way and in one place, since otherwise nothing may be reordered. */
	const changes: fc.Arbitrary<Change[]> = fc
		.record({
			ids: fc.constantFrom(NUMBERS, NUMBERS, LIDS, [...NUMBERS, ...LIDS]),
			instances: fc.constantFrom<string[][]>(['one'], ['one', 'two']),
			most: fc.constantFrom(1, 1, 4),
		})
		.chain(({ ids, instances, most }) =>
			fc.array(
				fc.record({
					instance: fc.constantFrom(...instances),
					groupJid: fc.constantFrom('1@g.us', '1@g.us', '2@g.us'),
					action: fc.constantFrom(...ACTIONS),
					participants: fc.array(fc.constantFrom(...ids).map(person), { minLength: 1, maxLength: most }),
				}),
				{ maxLength: 25 },
			),
		)
		// Items that are not valid leave gaps.
		.map((all) => changesOf(all.map((wish, i) => ({ ...wish, item: i * 2 }))));

	const batchSizes = fc.integer({ min: 1, max: 6 });

	const check = (property: (all: Change[], batchSize: number, requests: ChangeRequest[]) => void) =>
		fc.assert(
			fc.property(changes, batchSizes, (all, batchSize) => {
				property(all, batchSize, planRequests(all, batchSize));
			}),
			runsOf(500),
		);

	const digitsIn = ({ sentAs }: Participant) => sentAs.replace(/@.*/, '');

	it('each change is made by exactly one request, in its own instance and group, as asked or with the same digits', () => {
		check((all, _batchSize, requests) => {
			const places = requests.flatMap((request) => request.changes).map((change) => all.indexOf(change));
			expect(places.sort((a, b) => a - b)).toEqual(all.map((_, place) => place));
			for (const { instance, groupJid, action, participants, changes: made } of requests) {
				for (const change of made) expect(change).toMatchObject({ instance, groupJid, action });
				expect(made.map(({ participant }) => participant)).toEqual(expect.arrayContaining(participants));
				const sent = participants.map(digitsIn);
				for (const { participant } of made) expect(sent).toContain(digitsIn(participant));
			}
		});
	});

	it('no request is empty, or larger than allowed', () => {
		check((_all, batchSize, requests) => {
			for (const { participants } of requests) {
				expect(participants.length).toBeGreaterThanOrEqual(1);
				expect(participants.length).toBeLessThanOrEqual(batchSize);
			}
		});
	});

	it('groups follow in order of first mention', () => {
		check((all, _batchSize, requests) => {
			const mentioned = [...new Set(all.map(({ groupJid }) => groupJid))];
			const order = requests.map(({ groupJid }) => mentioned.indexOf(groupJid));
			expect(order).toEqual([...order].sort((a, b) => a - b));
		});
	});

	it('it never takes more requests than item by item', () => {
		check((all, batchSize, requests) => {
			const items = [...groupBy(all, ({ item }) => item).values()];
			const single = items.flatMap((ofItem) => planRequests(ofItem, batchSize));
			expect(requests.length).toBeLessThanOrEqual(single.length);
		});
	});
});

/** The results of participants who have these outcomes. */
const results = (...outcomes: Outcome[]) => outcomes.map((outcome, i) => resultOf(outcome, NUMBERS[i]));

const known = (outcome: Outcome, i = 0): JournalEntry => ({ result: resultOf(outcome, NUMBERS[i]) });
const failed = (failure: string): JournalEntry => ({ failure });

describe('the entries of an item', () => {
	it('are split into results, in their order, and each reason once why there are no more, in theirs', () => {
		const entries = [
			failed('broken'),
			known('done'),
			failed('not sent'),
			failed('broken'),
			undefined,
			known('blocked'),
		];

		expect(splitEntries(entries)).toStrictEqual({
			results: [resultOf('done'), resultOf('blocked')],
			failures: ['broken', 'not sent'],
		});
	});

	it('are neither results nor reasons where nothing was tried', () => {
		expect(splitEntries([undefined, undefined])).toStrictEqual({ results: [], failures: [] });
	});
});

describe('what was changed before a run ended', () => {
	const kept: JournalEntry = { result: { ...resultOf('kept'), action: 'none', applied: true } };
	const changed = 'Some changes were made before this';
	const notKnown = "It's not known what became of 2 participants";

	it.each<[string, JournalEntry[], string[]]>([
		['is said', [known('done'), known('rejected', 1), failed('x')], [changed]],
		['is nothing where everybody was rejected or kept', [known('rejected'), kept, failed('x')], []],
		['is nothing where no request was tried', [], []],
		['is not known', [known('accepted'), known('unconfirmed', 1)], [notKnown]],
		[
			'is not known of some',
			[known('accepted'), known('unconfirmed', 1), known('done', 2)],
			[changed, notKnown],
		],
	])('%s', (_, tried, expected) => {
		expect(progressOf(tried)).toEqual(expected);
	});
});

describe('what was applied of an item that failed', () => {
	it('is a sentence', () => {
		expect(partOf(4, results('done', 'unchanged', 'rejected', 'accepted'))).toEqual([
			'1 of the 4 participants of this item was changed',
			"It's not known what became of 1 participant",
		]);
	});

	it.each([
		['it is nothing', results('rejected', 'planned')],
		['a number may be there under another form', [{ ...resultOf('notFound'), applied: null }]],
		['somebody was kept', [{ ...resultOf('kept'), action: 'none' as const, applied: true }]],
	])('is not mentioned where %s', (_, all) => {
		expect(partOf(2, all)).toEqual([]);
	});
});

const OUTCOMES = Object.keys(WORDING) as Outcome[];

describe('an outcome', () => {
	it.each([
		['is as asked', true, 'done unchanged sent alreadyInvited'],
		["isn't known to be as asked", null, 'accepted unconfirmed kept planned'],
	])('says that the group %s only after these', (_, applied, expected) => {
		expect(OUTCOMES.filter((outcome) => WORDING[outcome].applied === applied).join(' ')).toBe(expected);
	});

	it.each(OUTCOMES)('%s has a plain sentence on each action', (outcome) => {
		for (const action of ACTIONS) expect(sentenceOf(outcome, action)).toMatch(/^[A-Z][^\n]*[a-z]\.$/);
	});

	it('says that another number was asked about, of the outcomes that this can explain', () => {
		expect(sentenceOf('notFound', 'promote', 'rewritten')).toContain(
			'the number that the gateway asked about',
		);
		expect(sentenceOf('unchanged', 'remove', 'rewritten')).toBe(sentenceOf('unchanged', 'remove'));
		expect(sentenceOf('notFound', 'add')).toBe('Not on the network. Check the number.');
	});
});

const counted = (...pairs: Array<[Outcome, Action | 'invite']>) =>
	tallyOf(pairs.map(([outcome, action]) => ({ outcome, action, applied: true, code: '409' })));

describe('what a run has changed, at a glance', () => {
	it('names what was done by its action, then what was so already, then what was refused', () => {
		expect(
			counted(
				['inviteRequired', 'add'],
				['done', 'add'],
				['unchanged', 'add'],
				['done', 'remove'],
				['done', 'add'],
				['unchanged', 'add'],
			),
		).toBe('2 added, 1 removed, 2 were members already, 1 needs an invite');
	});

	it('counts actions together that an outcome has no words of their own for', () => {
		expect(counted(['blocked', 'add'], ['blocked', 'promote'])).toBe('2 blocked');
	});

	it.each([
		['inviteRequired', 'add', '1 needs an invite', '2 need an invite'],
		['groupFull', 'add', "1 didn't fit in the group", "2 didn't fit in the group"],
		['done', 'promote', '1 promoted', '2 promoted'],
		['unchanged', 'add', '1 was a member already', '2 were members already'],
		['unchanged', 'promote', '1 unchanged', '2 unchanged'],
		['planned', 'promote', '1 would be promoted', '2 would be promoted'],
		['planned', 'demote', '1 would be demoted', '2 would be demoted'],
		['unchanged', 'invite', '1 was in the group', '2 were in the group'],
		['left', 'invite', '1 left', '2 left'],
	] as const)('counts %s after %s in plain words: %s, %s', (outcome, action, one, several) => {
		const pair: [Outcome, typeof action] = [outcome, action];
		expect([counted(pair), counted(pair, pair)]).toEqual([one, several]);
	});

	it("doesn't say of several that they were members before where it isn't known who of them was added", () => {
		const added = { outcome: 'unchanged', action: 'add', applied: true } as const;
		const removed = { ...added, action: 'remove' } as const;

		expect(tallyOf([added, removed, added, { ...added, code: '409' }])).toBe(
			"2 are in the group, 1 isn't in the group, 1 was a member already",
		);
	});

	it('counts apart who was invited before, and who may have been', () => {
		const invited = { outcome: 'alreadyInvited', action: 'invite' } as const;

		expect(tallyOf([true, null, true].map((applied) => ({ ...invited, applied })))).toBe(
			'2 were invited before, 1 may have been invited before',
		);
	});
});

describe('why items failed, at a glance', () => {
	/** A reason for each item, and in brackets its state, if not `failed`. */
	const failures = (all: string[]) =>
		all.map((text): ItemFailure => {
			const [, reason = '', state = 'failed'] = /^(.*?)(?: \((unsent|unknown)\))?$/.exec(text) ?? [];
			return { reason, state: state as ItemFailure['state'] };
		});

	testExamples(
		{
			'nothing if none did': ' → ',
			'the reason': "Couldn't connect. → 1 failed: couldn't connect",
			'the reason alone, where nothing was sent for want of an earlier one':
				'It stopped (unsent) → 1 failed: it stopped',
			'one reason for several': 'It stopped (unsent) | It stopped → 2 failed: it stopped',
			'that there are others':
				'It stopped | It is gone | It hangs → 3 failed: it stopped (and 2 other reasons)',
			'what is not known apart from one that was not sent':
				"It hangs (unknown) | It stopped (unsent) → 1 failed: it hangs, not known whether carried out | 1 wasn't sent: it stopped",
			'what is not known apart from several that were not sent':
				"It hangs (unknown) | It is shut (unsent) | It is shut (unsent) → 1 failed: it hangs, not known whether carried out | 2 weren't sent: it is shut",
			'what is not known apart from what failed':
				'It hangs (unknown) | No number | It stopped (unsent) → 1 failed: it hangs, not known whether carried out | 2 failed: no number (and 1 other reason)',
		},
		' → ',
		([texts = '', expected = '']) => {
			const inTurn = (all: string) => all.split(' | ').filter(Boolean);
			expect(failureSummary(failures(inTurn(texts)))).toEqual(inTurn(expected));
		},
	);
});

test.each([
	[0, 1000, 'Nothing would be sent'],
	[1, 1000, 'It would be 1 request. To do it, turn off Dry Run'],
	[20, 1000, 'It would be 20 requests and take at least 19 seconds. To do it, turn off Dry Run'],
	[121, 1000, 'It would be 121 requests and take at least 2 minutes. To do it, turn off Dry Run'],
])('%d requests with pauses of %d ms: %s', (requests, interval, words) => {
	expect(estimateOf(requests, interval)).toBe(words);
});
