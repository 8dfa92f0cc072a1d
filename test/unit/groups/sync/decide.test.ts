import {
	decideMissing,
	factsAfter,
	factsSeen,
	staysUntil,
	type Finding,
	type MemoryRules,
	type Presence,
	type WhoLeft,
} from '../../../../nodes/MessagingGateway/groups/sync/decide';
import type { FactName, Facts } from '../../../../nodes/MessagingGateway/groups/memory/facts';
import { DAY, NOW } from './example';

/** Facts in words: `member 3`, so many days ago; `refused` is `blocked`. */
function facts(text: string): Facts {
	return Object.fromEntries(
		text
			.split(', ')
			.filter(Boolean)
			.map((one) => {
				const [name = '', days] = one.split(' ');
				return [name, { at: NOW - Number(days) * DAY, ...(name === 'refused' && { outcome: 'blocked' }) }];
			}),
	);
}

function told(some: Facts): string {
	return Object.entries(some)
		.map(([name, fact]) => `${name} ${(NOW - fact.at) / DAY}`)
		.join(', ');
}

const rules = (some: Partial<MemoryRules> = {}): MemoryRules => ({
	now: NOW,
	retryRefusedAfter: 7,
	whoLeft: 'keepOut',
	removeAfter: 0,
	...some,
});

describe('the members show of what is remembered', () => {
	it.each<[string, Presence, boolean, string]>([
		['left 3', 'found', true, ''],
		['out 3', 'found', false, ''],
		['member 3, refused 9', 'found', true, 'member 3, refused 9'],
		['toLeave 3', 'found', false, 'toLeave 3'],
		['toLeave 3', 'found', true, ''],
		['toLeave 3', 'absent', true, ''],
		['member 3', 'absent', true, 'left 0'],
		['member 3', 'absent', false, 'left 0'],
		['left 3', 'absent', true, 'left 3'],
		['out 3', 'absent', true, 'out 3'],
		['member 3', 'unsure', true, 'member 3'],
		['', 'absent', true, ''],
	])('%s, %s, should be a member %p: %s', (before, presence, shouldBeMember, expected) => {
		expect(told(factsSeen(facts(before), presence, { shouldBeMember, now: NOW }))).toBe(expected);
	});
});

describe('a person who should be a member and is not found', () => {
	it.each<[string, 'absent' | 'unsure', WhoLeft, string]>([
		['', 'absent', 'keepOut', 'add'],
		['', 'unsure', 'keepOut', 'add'],
		['left 0', 'absent', 'keepOut', 'left'],
		['left 99', 'absent', 'keepOut', 'left'],
		['left 9, refused 1', 'absent', 'keepOut', 'left'],
		['member 9', 'unsure', 'keepOut', 'mayHaveLeft'],
		['left 9', 'unsure', 'keepOut', 'mayHaveLeft'],
		['left 0', 'absent', 'addAgain', 'add'],
		['left 9', 'unsure', 'addAgain', 'add'],
		['left 9, refused 1', 'absent', 'addAgain', 'refusedLately until 6'],
		['member 6', 'unsure', 'addAgain', 'askedLately until 1'],
		['member 7', 'unsure', 'addAgain', 'add'],
		['out 1', 'absent', 'keepOut', 'add'],
		['refused 6', 'absent', 'keepOut', 'refusedLately until 1'],
		['refused 7', 'unsure', 'keepOut', 'add'],
		['asked 1', 'absent', 'keepOut', 'add'],
		['refused 8, asked 1', 'absent', 'keepOut', 'add'],
		['invited 1, maybeInvited 1', 'absent', 'keepOut', 'add'],
	])('%s, %s, %s: %s', (before, presence, whoLeft, expected) => {
		const verdict = decideMissing(facts(before), presence, rules({ whoLeft }));
		const until = verdict.until === undefined ? '' : ` until ${(verdict.until - NOW) / DAY}`;

		expect(verdict.do + until).toBe(expected);
	});

	it('is asked in every run where refusals do not count', () => {
		expect(decideMissing(facts('refused 0'), 'absent', rules({ retryRefusedAfter: 0 })).do).toBe('add');
	});
});

describe('a member who should not be one stays', () => {
	it.each([
		['', 0, undefined],
		['toLeave -0.5', 0, undefined],
		['', 7, 7],
		['member 30', 7, 7],
		['toLeave 6', 7, 1],
		['toLeave 7', 7, undefined],
	])('%s, removed after %d days: so many days more: %p', (before, removeAfter, days) => {
		const until = staysUntil(facts(before), rules({ removeAfter }));

		expect(until && (until - NOW) / DAY).toBe(days);
	});
});

describe('after a run is remembered', () => {
	const add = (
		outcome: Finding['outcome'],
		applied: boolean | null,
		some: Partial<Finding> = {},
	): Finding => ({ action: 'add', outcome, applied, code: '1', source: 'reply', ...some });
	const none = (outcome: Finding['outcome'], applied: boolean | null): Finding =>
		add(outcome, applied, { action: 'none', code: undefined });
	const remove = (outcome: Finding['outcome'], applied: boolean | null, reason?: string): Finding =>
		add(outcome, applied, { action: 'remove', reason });

	it.each<[string, string, Finding, string]>([
		['who is in the group', '', none('unchanged', true), 'member 0'],
		['since when', 'member 9', none('unchanged', true), 'member 9'],
		['nothing else then', 'refused 9, asked 9, invited 9', none('unchanged', true), 'member 0'],
		['who was added', 'out 9, refused 9, maybeInvited 1', add('done', true), 'member 0'],
		["the gateway's last answer", 'member 9', add('unchanged', true), 'member 0'],
		['who was refused', '', add('blocked', false), 'refused 0'],
		['who was refused again', 'refused 9, asked 8, out 7', add('notFound', null), 'refused 0'],
		['who was refused after they left', 'left 9', add('blocked', false), 'left 9, refused 0'],
		['who was invited and refused', 'invited 9', add('inviteRequired', false), 'invited 9, refused 0'],
		['who was asked for', '', add('unconfirmed', null), 'asked 0'],
		['who was asked for after a refusal', 'refused 9', add('accepted', null), 'refused 9, asked 0'],
		['who was asked for and was a member', 'member 9', add('unconfirmed', null), 'asked 0'],
		['whom the members show not to be there', '', add('rejected', false, { source: 'reread' }), 'asked 0'],
		['what is not the word of the gateway', '', add('rejected', false, { code: undefined }), ''],
		['nothing of a full group', 'refused 9', add('groupFull', false), 'refused 9'],
		['nothing of what waits', 'out 9', add('postponed', false), 'out 9'],
		['nothing new of who left', 'left 9', none('left', false), 'left 9'],
		['nothing new of who may have left', 'member 9', none('unconfirmed', null), 'member 9'],
	])('%s: %s', (_, before, finding, expected) => {
		expect(told(factsAfter(facts(before), true, finding, NOW))).toBe(expected);
	});

	it.each<[string, string, Finding, string]>([
		['who was removed', 'toLeave 9, refused 20', remove('done', true), 'out 0'],
		['who was removed by somebody else', 'member 9', remove('unchanged', true), 'out 0'],
		['who is not in it', '', none('unchanged', true), 'out 0'],
		['since when', 'out 9', none('unchanged', true), 'out 9'],
		['who is to go', 'member 9', remove('postponed', false, 'removeAfter'), 'toLeave 0'],
		['since when', 'toLeave 5', remove('postponed', false, 'removeAfter'), 'toLeave 5'],
		['nothing of too many', 'member 9', remove('postponed', false, 'maxRemovals'), 'member 9'],
		['nothing of who is kept', 'member 9', none('kept', null), 'member 9'],
		['nothing of what is not known', 'toLeave 9', remove('unconfirmed', null), 'toLeave 9'],
	])('of people who should not be members %s: %s', (_, before, finding, expected) => {
		expect(told(factsAfter(facts(before), false, finding, NOW))).toBe(expected);
	});

	it('at most one of four', () => {
		const four: FactName[] = ['member', 'left', 'toLeave', 'out'];
		for (const before of four) {
			const after = factsAfter(facts(`${before} 1`), false, remove('done', true), NOW);
			expect(four.filter((one) => after[one])).toEqual(['out']);
		}
	});
});
