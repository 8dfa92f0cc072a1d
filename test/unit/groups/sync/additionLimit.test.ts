import { limitAdditions } from '../../../../nodes/MessagingGateway/groups/sync/additionLimit';
import type { PastRefusal } from '../../../../nodes/MessagingGateway/groups/sync/memory';
import { plan } from '../../../../nodes/MessagingGateway/groups/sync/plan';
import type { Row } from '../../../../nodes/MessagingGateway/groups/sync/rules';
import { sentenceFor } from '../../../../nodes/MessagingGateway/groups/sync/sentences';
import { identityFor, type Identity } from '../../../../nodes/MessagingGateway/groups/identity';
import { idOf, members, rows, rules, told } from './example';

/** When people were refused last, in days; those of `recent` lately. */
interface Past {
	refused?: Record<string, number>;
	recent?: string[];
}

function recallFrom({ refused = {}, recent = [] }: Past) {
	return ([id]: readonly Identity[]): PastRefusal | undefined => {
		const isPerson = (name: string) => identityFor(idOf(name)).key === id?.key;
		const [, at] = Object.entries(refused).find(([name]) => isPerson(name)) ?? [];
		const isRecent = recent.some(isPerson);
		if (at === undefined && !isRecent) return undefined;
		return { at: at ?? 9, outcome: 'blocked', code: '401', retryAt: 10, isRecent };
	};
}

/** The decisions after the cap, of groups whose rows are given as `0:ana 2:bo`, with the item of each. */
function capped(most: number, groups: string[], past: Past = {}): string[][] {
	const plans = groups.map((list) => {
		const items = list.split(' ').map((one) => Number(one.split(':')[0]));
		const all = rows(list.replace(/\d+:/g, '')).map((row, i): Row => ({ ...row, item: items[i] ?? 0 }));
		return plan(all, members('me** eve'), rules({ recall: recallFrom(past) }));
	});
	return limitAdditions(plans, most).map(({ decisions }) => decisions.map(told));
}

describe('additions of a run', () => {
	it('are as many as allowed, in input order; the others are postponed', () => {
		expect(capped(2, ['0:ana 1:bo 2:cleo'])).toEqual([
			['ana: add ana', 'bo: add bo', 'cleo: postponed maxAdditions'],
		]);
	});

	it('count over all groups, in the order of the input', () => {
		expect(capped(2, ['0:ana 2:cleo', '1:bo 3:dan'])).toEqual([
			['ana: add ana', 'cleo: postponed maxAdditions'],
			['bo: add bo', 'dan: postponed maxAdditions'],
		]);
	});

	it('count somebody who is added to several groups once, under whatever form', () => {
		expect(capped(1, ['0:gil 2:ana', '1:gilShort'])).toEqual([
			['gil: add gil', 'ana: postponed maxAdditions'],
			['gilShort: add gilShort'],
		]);
	});

	it('count several rows about one person once', () => {
		expect(capped(2, ['0:ana 1:ana 2:bo'])).toEqual([['ana ana: add ana', 'bo: add bo']]);
	});

	it('begin with those who were never refused, then go on with the oldest refusal', () => {
		expect(capped(3, ['0:ana 1:bo 2:cleo 3:dan'], { refused: { ana: 5, bo: 3 } })).toEqual([
			['ana: postponed maxAdditions', 'bo: add bo', 'cleo: add cleo', 'dan: add dan'],
		]);
	});

	it('leave the places of those who were refused lately to others', () => {
		expect(capped(1, ['0:ana 1:bo'], { recent: ['ana'] })).toEqual([
			['ana: postponed refusedLately', 'bo: add bo'],
		]);
	});

	it('can be none', () => {
		expect(capped(0, ['0:ana 1:-eve 2:eve'])[0]?.[0]).toBe('ana: postponed maxAdditions');
	});

	it('are all that is held back', () => {
		expect(capped(0, ['0:-eve'])).toEqual([['-eve: remove eve']]);
		expect(capped(0, ['0:eve'])).toEqual([['eve: unchanged']]);
	});

	it('that are held back are told so', () => {
		const plans = [plan(rows('ana'), members('me**'), rules())];
		const [decision] = limitAdditions(plans, 0).flatMap(({ decisions }) => decisions);

		expect(decision && sentenceFor(decision)).toBe(
			"Postponed: this run has made as many additions as 'Maximum Additions per Run' allows. Run it again to go on.",
		);
	});
});
