import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import { REFUSALS, type Facts } from '../../../../nodes/MessagingGateway/groups/memory/facts';
import {
	readAnswers,
	recall,
	remember,
	writeAnswers,
	type Answers,
} from '../../../../nodes/MessagingGateway/groups/sync/answers';
import type { Addition } from '../../../../nodes/MessagingGateway/groups/sync/plan';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 21, 8, 30, 15, 999);
const GROUP = '120363021345678901@g.us';
const NOBODY = readAnswers(undefined);
const idsOf = (...ids: string[]) => ids.map(identityFor);
const ana = idsOf('5531999990002');
const lid1 = idsOf('1@lid');

const refused: Facts = { refused: { at: NOW, outcome: 'blocked', code: '401' } };
type Remembered = Pick<Addition, 'ids' | 'facts'>;

const blocked: Remembered = { ids: ana, facts: refused };
const SECOND = Date.UTC(2026, 10, 21, 8, 30, 15);

function after(all: Remembered[], showsNumbers = true, before = NOBODY): Answers {
	return remember(before, [{ groupJid: GROUP, people: all, showsNumbers }]);
}

/** What n8n gives back of what it was given to keep. */
const kept = (answers: Answers) =>
	readAnswers(JSON.parse(JSON.stringify(writeAnswers(answers, NOW, 7))) as unknown);

describe('what is remembered of a person', () => {
	it.each(REFUSALS)('is a refusal, to the second: %s', (outcome) => {
		const facts = { refused: { at: NOW, outcome, code: '4' } };

		expect(recall(kept(after([{ ids: ana, facts }])), GROUP, ana, NOW)).toEqual({
			refused: { at: SECOND, outcome, code: '4' },
		});
	});

	it.each([false, true])('is that they were asked for, later than a refusal (numbers shown: %p)', (shown) => {
		const facts = { ...refused, asked: { at: NOW } };

		expect(recall(kept(after([{ ids: ana, facts }], shown)), GROUP, ana, NOW)).toEqual({
			asked: { at: SECOND },
		});
	});

	it('is that they are a member, where the group does not show it', () => {
		const facts = { member: { at: NOW } };

		expect(recall(kept(after([{ ids: ana, facts }], false)), GROUP, ana, NOW)).toEqual({
			member: { at: SECOND },
		});
		expect(after([{ ids: ana, facts }]).get(GROUP)?.size).toBe(0);
	});

	it.each([
		['another form of the number', idsOf('553199990002')],
		['the hidden ID of the reply', lid1],
	])('is known under %s', (_, ids) => {
		expect(recall(after([{ ...blocked, ids: [...ana, ...lid1] }]), GROUP, ids, NOW)).toHaveProperty(
			'refused',
		);
	});

	it('counts for its person and its group', () => {
		expect(recall(after([blocked]), GROUP, idsOf('5531999990003'), NOW)).toEqual({});
		expect(recall(after([blocked]), '1@g.us', ana, NOW)).toEqual({});
	});

	it('is of several IDs the newest', () => {
		const older = { refused: { at: NOW - DAY, outcome: 'notFound', code: '404' } } as const;
		const both = after([{ ids: lid1, facts: older }, blocked]);

		for (const ids of [
			[...lid1, ...ana],
			[...ana, ...lid1],
		])
			expect(recall(both, GROUP, ids, NOW)).toMatchObject({ refused: { outcome: 'blocked' } });
	});

	it('counts from its second on, since before it the clock is wrong', () => {
		expect(recall(kept(after([blocked])), GROUP, ana, SECOND)).toHaveProperty('refused');
		expect(recall(kept(after([blocked])), GROUP, ana, SECOND - 1)).toEqual({});
	});

	it('is forgotten with all forms once there is nothing to remember', () => {
		const before = after([{ ...blocked, ids: [...ana, ...lid1] }]);
		const now = after([{ ids: idsOf('553199990002', '1@lid'), facts: {} }], true, before);

		expect(recall(now, GROUP, [...ana, ...lid1], NOW)).toEqual({});
		expect(recall(before, GROUP, ana, NOW)).toHaveProperty('refused');
	});
});

describe('the memory', () => {
	const stored = (answers: Answers, days = 0, retryRefusedAfter = 7) =>
		JSON.parse(JSON.stringify(writeAnswers(answers, NOW + days * DAY, retryRefusedAfter)));

	it('is plain and short', () => {
		const others: Facts[] = [{ refused: { at: NOW, outcome: 'notFound' } }, { asked: { at: NOW } }];
		const all = [...others, { member: { at: NOW } }].map((facts, i) => ({ ids: idsOf(`${i}@lid`), facts }));
		const at = NOW / 1000 - 0.999;

		expect(stored(after([blocked, ...all], false)).groups[GROUP]).toEqual({
			'phone:553199990002': [at, 'blocked', '401'],
			'lid:0': [at, 'notFound', ''],
			'lid:1': [at, 'asked', ''],
			'lid:2': [at, 'member', ''],
		});
	});

	it('is read as it was written', () => {
		const answers = after([blocked, { ids: idsOf('5@lid'), facts: { member: { at: NOW } } }], false);

		expect(stored(readAnswers(stored(answers)))).toEqual(stored(answers));
	});

	it('is empty where there is nothing in it', () => {
		expect(stored(after([{ ids: ana, facts: {} }]))).toEqual({ version: 1, groups: {} });
	});

	it.each([
		[undefined],
		[{ version: 2, groups: { [GROUP]: { 'lid:1': [1, 'blocked', '401'] } } }],
		[{ version: 1, groups: { [GROUP]: { 'lid:1': null } } }],
		[{ version: 1, groups: { [GROUP]: { 'lid:1': ['1', 'blocked', '401'] } } }],
		[{ version: 1, groups: { [GROUP]: { 'lid:1': [1, 'done', '401'] } } }],
		[{ version: 1, groups: { [GROUP]: { 'lid:1': [1, 'blocked'] } } }],
	])('has nothing of what is not understood: %j', (value) => {
		expect(recall(readAnswers(value), GROUP, lid1, NOW)).toEqual({});
	});

	it('keeps what is understood beside what is not', () => {
		const groups = { a: 5, [GROUP]: { 'lid:1': 'x', 'lid:2': [NOW / 1000, 'blocked', '401'] } };

		expect(recall(readAnswers({ version: 1, groups }), GROUP, idsOf('2@lid'), NOW)).toHaveProperty('refused');
	});

	it.each([
		['29 days, so that those whom nobody asked yet come first', 29, 7, true],
		['30 days', 30, 7, false],
		['longer where people are asked again after longer', 59, 60, true],
		['not for ever', 60, 60, false],
		['not what is dated in the future', -1, 7, false],
	])('keeps an answer %s', (_, age, days, kept) => {
		expect(Object.keys(stored(after([blocked]), age, days).groups)).toHaveLength(kept ? 1 : 0);
	});

	it('has room for the newest 10,000', () => {
		const people = Array.from({ length: 10_002 }, (_, i): Remembered => ({
			ids: idsOf(`${i}@lid`),
			facts: { member: { at: i < 3 ? NOW - DAY : NOW } },
		}));
		const all = remember(NOBODY, [
			{ groupJid: GROUP, people: people.slice(0, 3), showsNumbers: false },
			{ groupJid: '1@g.us', people: people.slice(3), showsNumbers: false },
		]);
		const kept = readAnswers(stored(all));

		expect([kept.get(GROUP)?.size, kept.get('1@g.us')?.size]).toEqual([1, 9_999]);
	});
});
