import { contradictionsIn } from '../../../../nodes/MessagingGateway/groups/sync/matchList';
import { rows } from './example';

describe('items that say the opposite about one person', () => {
	it.each<[string, string, number[]]>([
		['both are refused', 'ana bo -ana', [0, 2]],
		['under another form, too', 'gil -gilShort', [0, 1]],
		['all of them', 'ana -ana ana bo', [0, 1, 2]],
		['nor those that agree', 'ana ana -bo -bo', []],
	])('%s', (_, list, items) => {
		expect([...contradictionsIn(rows(list))]).toEqual(items);
	});
});
