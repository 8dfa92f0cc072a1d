import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import {
	readRefusals,
	recall,
	remember,
	writeRefusals,
	type Answer,
	type Refusals,
} from '../../../../nodes/MessagingGateway/groups/sync/memory';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 21, 8, 30, 15, 999);
const GROUP = '120363021345678901@g.us';
const NOBODY = readRefusals(undefined);
const idsOf = (...ids: string[]) => ids.map(identityFor);
const ana = idsOf('5531999990002');
const lid1 = idsOf('1@lid');

const blocked: Answer = { ids: ana, outcome: 'blocked', code: '401' };
const time = (days = 0, retryRefusedAfter = 7) => ({ now: NOW + days * DAY, retryRefusedAfter });
const after = (...answers: Answer[]): Refusals => remember(NOBODY, GROUP, answers, NOW);

describe('a refusal', () => {
	it.each([
		['inviteRequired', '403'],
		['blocked', '401'],
		['notFound', '404'],
		['recentlyLeft', '408'],
		['pendingApproval', '421'],
		['rejected', '500'],
	] as const)('is remembered with date and words: %s', (outcome, code) => {
		expect(recall(after({ ids: ana, outcome, code }), GROUP, ana, time(1))).toEqual({
			at: Date.UTC(2026, 10, 21, 8, 30, 15),
			outcome,
			code,
			retryAt: Date.UTC(2026, 10, 28, 8, 30, 15),
			isRecent: true,
		});
	});

	it.each(['done', 'unchanged', 'groupFull', 'accepted', 'unconfirmed', 'planned'] as const)(
		'is not what %s is',
		(outcome) => {
			expect(recall(after({ ids: ana, outcome, code: '1' }), GROUP, ana, time())).toBeUndefined();
		},
	);

	it('is not what the group alone showed when it was read again', () => {
		expect(recall(after({ ids: ana, outcome: 'rejected' }), GROUP, ana, time())).toBeUndefined();
	});

	it.each([
		['another form of the number', idsOf('553199990002')],
		['the hidden ID of the reply', lid1],
	])('is known under %s', (_, ids) => {
		expect(recall(after({ ...blocked, ids: [...ana, ...lid1] }), GROUP, ids, time())).toMatchObject({
			outcome: 'blocked',
		});
	});

	it('counts for its person and its group', () => {
		expect(recall(after(blocked), GROUP, idsOf('5531999990003'), time())).toBeUndefined();
		expect(recall(after(blocked), '1@g.us', ana, time())).toBeUndefined();
	});

	it('of several IDs is the newest', () => {
		const older = remember(NOBODY, GROUP, [{ ...blocked, ids: lid1 }], NOW - DAY);
		const both = remember(older, GROUP, [{ ids: ana, outcome: 'notFound', code: '404' }], NOW);

		expect(recall(both, GROUP, [...lid1, ...ana], time())).toMatchObject({ outcome: 'notFound' });
		expect(recall(both, GROUP, [...ana, ...lid1], time())).toMatchObject({ outcome: 'notFound' });
	});

	it.each([
		[6.9, 7, true],
		[7, 7, false],
		[0, 0, false],
		[20, 60, true],
	])('%d days old is recent where people are asked again after %d: %p', (age, days, isRecent) => {
		expect(recall(after(blocked), GROUP, ana, time(age, days))).toMatchObject({ isRecent });
	});

	it('is recent until the time from which on they are asked again', () => {
		const { retryAt = 0 } = recall(after(blocked), GROUP, ana, time()) ?? {};
		const isRecentAt = (now: number) =>
			recall(after(blocked), GROUP, ana, { now, retryRefusedAfter: 7 })?.isRecent;

		expect([isRecentAt(retryAt - 1), isRecentAt(retryAt)]).toEqual([true, false]);
	});

	it('that is dated in the future holds nobody back', () => {
		expect(recall(after(blocked), GROUP, ana, time(-1))).toBeUndefined();
	});

	it.each(['done', 'unchanged'] as const)('is forgotten once they are in the group (%s)', (outcome) => {
		const before = after({ ...blocked, ids: [...ana, ...lid1] });
		const now = remember(before, GROUP, [{ ids: idsOf('553199990002', '1@lid'), outcome }], NOW + DAY);

		expect(recall(now, GROUP, [...ana, ...lid1], time(1))).toBeUndefined();
		expect(recall(before, GROUP, ana, time(1))).toBeDefined();
	});

	it.each(['accepted', 'groupFull'] as const)('stays where nothing new is said (%s)', (outcome) => {
		const now = remember(after(blocked), GROUP, [{ ids: ana, outcome, code: '1' }], NOW + DAY);

		expect(recall(now, GROUP, ana, time(1))).toMatchObject({ outcome: 'blocked' });
	});
});

describe('the memory', () => {
	const stored = (refusals: Refusals, at = time()) => JSON.parse(JSON.stringify(writeRefusals(refusals, at)));

	it('is plain and short', () => {
		expect(stored(after(blocked))).toEqual({
			version: 1,
			groups: { [GROUP]: { 'phone:553199990002': [NOW / 1000 - 0.999, 'blocked', '401'] } },
		});
	});

	it('is read as it was written', () => {
		const refusals = after(blocked, { ids: idsOf('5@lid'), outcome: 'rejected', code: '500' });

		expect(readRefusals(stored(refusals))).toEqual(refusals);
	});

	it('is empty where there is nothing in it', () => {
		expect(stored(after({ ids: ana, outcome: 'done' }))).toEqual({ version: 1, groups: {} });
	});

	it.each([
		[undefined],
		[null],
		['text'],
		[[]],
		[{}],
		[{ version: 2, groups: { [GROUP]: { 'lid:1': [1, 'blocked', '401'] } } }],
		[{ version: 1 }],
		[{ version: 1, groups: [] }],
		[{ version: 1, groups: { [GROUP]: null } }],
		[{ version: 1, groups: { [GROUP]: { 'lid:1': null } } }],
		[{ version: 1, groups: { [GROUP]: { 'lid:1': ['1', 'blocked', '401'] } } }],
		[{ version: 1, groups: { [GROUP]: { 'lid:1': [1, 'done', '401'] } } }],
		[{ version: 1, groups: { [GROUP]: { 'lid:1': [1, 'blocked'] } } }],
	])('has nothing of what is not understood: %j', (value) => {
		expect(recall(readRefusals(value), GROUP, lid1, time())).toBeUndefined();
	});

	it('keeps what is understood beside what is not', () => {
		const groups = { a: 5, [GROUP]: { 'lid:1': 'x', 'lid:2': [NOW / 1000, 'blocked', '401'] } };

		expect(recall(readRefusals({ version: 1, groups }), GROUP, idsOf('2@lid'), time())).toBeDefined();
	});

	it.each([
		['29 days, so that those whom nobody asked yet come first', 29, 7, true],
		['30 days', 30, 7, false],
		['longer where people are asked again after longer', 59, 60, true],
		['not for ever', 60, 60, false],
		['not what is dated in the future', -1, 7, false],
	])('keeps a refusal %s', (_, age, days, kept) => {
		expect(Object.keys(stored(after(blocked), time(age, days)).groups)).toHaveLength(kept ? 1 : 0);
	});

	it('has room for the newest 10,000', () => {
		const people = Array.from({ length: 10_002 }, (_, i): Answer => ({ ...blocked, ids: idsOf(`${i}@lid`) }));
		const older = remember(NOBODY, GROUP, people.slice(0, 3), NOW - DAY);
		const kept = readRefusals(stored(remember(older, '1@g.us', people.slice(3), NOW)));

		expect([kept.get(GROUP)?.size, kept.get('1@g.us')?.size]).toEqual([1, 9_999]);
	});
});
