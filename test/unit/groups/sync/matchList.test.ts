import { contradictionsIn } from '../../../../nodes/MessagingGateway/groups/sync/matchList';
import { rows } from './example';

describe('items that say the opposite about one person', () => {
	it.each<[string, string, boolean, number[]]>([
		['both are refused', 'ana bo -ana', false, [0, 2]],
		['under another form, too', 'gil -gilShort', false, [0, 1]],
		['all of them', 'ana -ana ana bo', false, [0, 1, 2]],
		['but not under another form where numbers count as they are spelled', 'gil -gilShort', true, []],
		['nor those that agree', 'ana ana -bo -bo', false, []],
	])('%s', (_, list, exact, items) => {
		expect([...contradictionsIn(rows(list), exact).keys()]).toEqual(items);
	});

	it('are told so, each from its side', () => {
		const problems = [...contradictionsIn(rows('ana -ana'), false).values()];

		expect(problems.map(({ message }) => message)).toEqual([
			'"ana" should be a member by this item and shouldn\'t by another',
			'"-ana" shouldn\'t be a member by this item and should by another',
		]);
		expect(problems[0]?.description).toMatch(/^Make 'Should Be Member' the same/);
	});
});
