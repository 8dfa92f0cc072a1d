import type { Facts } from '../../../../nodes/MessagingGateway/groups/memory/facts';
import type { RunLimits } from '../../../../nodes/MessagingGateway/groups/sync/limits';
import type { NextRun } from '../../../../nodes/MessagingGateway/groups/sync/nextRun';
import type { PlanRules, Row } from '../../../../nodes/MessagingGateway/groups/sync/rules';
import { sentenceFor } from '../../../../nodes/MessagingGateway/groups/sync/sentences';
import { identityFor, type Identity } from '../../../../nodes/MessagingGateway/groups/identity';
import { DAY, idOf, members, noted, NOW, plan, rows, rules, told, withinLimits } from './example';
import { testExamples } from '../../support';

/** How many days ago people were refused last. */
type Past = Record<string, number>;

function recallFrom(past: Past) {
	return ([id]: readonly Identity[]): Facts => {
		const known = Object.entries(past).find(([name]) => identityFor(idOf(name)).key === id?.key);
		return known ? { refused: { at: NOW - known[1] * DAY, outcome: 'blocked' } } : {};
	};
}

const ALONE =
	"it isn't known what came of the last request, and at most 10 such people are asked for in a run, one by one.";

const asked = (days: number) => () => ({ asked: { at: NOW - days * DAY } });

const danWasAsked = ([id]: readonly Identity[]) => (id?.digits === idOf('dan') ? asked(5)() : {});

/** The decisions within the limits, of groups whose rows are given as `0:ana 2:bo`, with the item of each. */
function capped(
	most: Partial<RunLimits>,
	groups: string[],
	recall: PlanRules['recall'] = () => ({}),
): string[][] {
	const plans = groups.map((list) => {
		const items = list.split(' ').map((one) => Number(one.split(':')[0]));
		const all = rows(list.replace(/\d+:/g, '')).map((row, i): Row => ({ ...row, item: items[i] ?? 0 }));
		return plan(all, members('me** eve'), rules({ recall }));
	});
	const limits = { maxAdditions: 50, maxRemovals: 50, ...most };
	return withinLimits(plans, limits).map(({ decisions }) => decisions.map(told));
}

describe('additions of a run', () => {
	testExamples<Partial<RunLimits>>(
		{
			'are as many as allowed, in input order; the others are postponed': [
				'0:ana 1:bo 2:cleo → ana: add ana, bo: add bo, cleo: postponed maxAdditions',
				{ maxAdditions: 2 },
			],
			'count over all groups, in the order of the input': [
				'0:ana 2:cleo | 1:bo 3:dan → ana: add ana, cleo: postponed maxAdditions | bo: add bo, dan: postponed maxAdditions',
				{ maxAdditions: 2 },
			],
			'count somebody who is added to several groups once, under whatever form': [
				'0:gil 2:ana | 1:gilShort → gil: add gil, ana: postponed maxAdditions | gilShort: add gilShort',
				{ maxAdditions: 1 },
			],
			'count several rows about one person once': [
				'0:ana 1:ana 2:bo → ana ana: add ana, bo: add bo',
				{ maxAdditions: 2 },
			],
			'take no places from removals': [
				'0:ana 1:bo 2:-eve → ana: add ana, bo: add bo, -eve: remove eve',
				{ maxRemovals: 1 },
			],
			'count somebody who is postponed in several groups in each': [
				'0:ana 1:bo | 2:bo → ana: add ana, bo: postponed maxAdditions | bo: postponed maxAdditions',
				{ maxAdditions: 1 },
			],
			'and removals are as many as allowed, in the order of the plan, over all groups': [
				'0:-ana 1:-eve | 2:-eve → -ana: unchanged, -eve: remove eve | -eve: postponed maxRemovals',
				{ maxRemovals: 1 },
			],
		},
		' → ',
		([lists = '', expected = ''], most = {}) => {
			const decided = capped(most, lists.split(' | ')).map((group) => group.join(', '));
			expect(decided).toEqual(expected.split(' | '));
		},
	);

	it('begin with those who were never refused, then go on with the oldest refusal', () => {
		expect(capped({ maxAdditions: 3 }, ['0:ana 1:bo 2:cleo 3:dan'], recallFrom({ ana: 20, bo: 30 }))).toEqual(
			[['ana: postponed maxAdditions', 'bo: add bo', 'cleo: add cleo', 'dan: add dan']],
		);
	});

	it('leave the places of those who were refused lately to others', () => {
		expect(capped({ maxAdditions: 1 }, ['0:ana 1:bo'], recallFrom({ ana: 2 }))).toEqual([
			['ana: postponed refusedLately', 'bo: add bo'],
		]);
	});

	it('can be none', () => {
		expect(capped({ maxAdditions: 0 }, ['0:ana 1:-eve 2:eve'])[0]?.[0]).toBe('ana: postponed maxAdditions');
	});

	it('are all that is held back', () => {
		expect(capped({ maxAdditions: 0 }, ['0:-eve'], asked(5))).toEqual([['-eve: remove eve']]);
		expect(capped({ maxAdditions: 0 }, ['0:eve'])).toEqual([['eve: unchanged']]);
	});

	it('that it is not known what came of take no place, and are ten at most, the oldest first', () => {
		const list = Array.from({ length: 11 }, (_, i) => `${i}:lid${i + 1}`).join(' ');
		const recall = ([id]: readonly Identity[]) => asked(id?.digits === '3' ? 1 : 5)();
		const [decisions] = capped({ maxAdditions: 1 }, [list], recall);

		expect(decisions?.filter((one) => one.includes('add '))).toHaveLength(10);
		expect(decisions).toContain('lid3: postponed maxAdditions');
		expect(capped({ maxAdditions: 0 }, [list], recall).flat().join()).not.toContain(': add ');
	});
});

const OVER = "over 'Maximum Additions per Run'.";
const ADDITIONS = `Postponed: ${OVER}`;
const REMOVALS = "Postponed: over 'Maximum Removals per Run'.";
const REPEAT = 'The next run may start with the same people:';

it.each<[string, NextRun, string]>([
	['dan', 'hasRoom', `Postponed: ${ALONE} Run it again to go on.`],
	['dan', 'mayRepeat', `Postponed: ${ALONE} ${REPEAT} add the option 'Row Memory'.`],
	['dan', 'hasNone', `${ADDITIONS} Raise it to go on.`],
	['dan', 'isReal', `Would be postponed: ${ALONE} Dry run: nothing was sent.`],
	['dan', 'isRealWithoutRoom', `Would be postponed: ${OVER} Raise it to go on. Dry run: nothing was sent.`],
	['ana', 'mayRepeat', `${ADDITIONS} ${REPEAT} add the option 'Row Memory', or raise it.`],
	['ana ana', 'mayRepeat', `${ADDITIONS} ${REPEAT} check their messages, or raise it.`],
	['-eve', 'hasRoom', `${REMOVALS} Run it again to go on.`],
	['-eve', 'mayRepeat', `${REMOVALS} ${REPEAT} check their messages, or raise it.`],
])('who is held back (%s) is told so where the next run %s', (list, next, sentence) => {
	// One of several rows has a memory.
	const all = rows(list).map((row, i, { length }) => (i < length - 1 ? noted(row, '') : row));
	const plans = [plan(all, members('me** eve'), rules({ recall: danWasAsked }))];
	const held = withinLimits(plans, { maxAdditions: 0, maxRemovals: 0 }).flatMap(({ decisions }) => decisions);

	expect(
		held.map((one) => sentenceFor(one, { showsNumbers: true, now: NOW, nextRunFor: () => next })),
	).toEqual([sentence]);
});

it('take no places from each other where there are enough', () => {
	const twelve = Array.from({ length: 12 }, (_, i) => `${i}:lid${i + 1}`).join(' ');

	expect(capped({}, [twelve])[0]?.filter((one) => one.includes(': add '))).toHaveLength(12);
});
