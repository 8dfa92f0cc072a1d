import { byTurn, takeWithin } from '../../../../nodes/MessagingGateway/groups/sync/plan';
import { DAY, idOf, NOW, planOf, told } from './example';
import { testExamples } from '../../support';

/** The changes that have room, in their turn. `ana` was tried 20 days ago, `bo` 30; nobody else ever. */
function taken(list: string, most: number, counted: readonly string[] = []): string[] {
	const tried = new Map([
		[idOf('ana'), 20],
		[idOf('bo'), 30],
	]);
	const { decisions } = planOf(list, 'me** eve', {
		recall: ([id]) => {
			const days = tried.get(id?.digits ?? '');
			return days === undefined ? {} : { refused: { at: NOW - days * DAY, outcome: 'blocked' } };
		},
	});
	return takeWithin([...decisions].reverse().sort(byTurn), new Set(counted), most).map(told);
}

describe('a limit', () => {
	testExamples<readonly string[]>(
		{
			'has room for so many, in input order': '2 of cleo dan lid1 → cleo: add cleo, dan: add dan',
			'has room for nobody where it is 0': '0 of cleo → ',
			'begins with people never tried, then goes on with those tried longest ago':
				'3 of ana bo cleo dan → cleo: add cleo, dan: add dan, bo: add bo',
			'counts several rows about one person once': '2 of cleo cleo dan → cleo cleo: add cleo, dan: add dan',
			'counts who was sent before in the execution': [
				'2 of cleo dan → cleo: add cleo',
				['phone:4915200000001'],
			],
			'has room for who was sent before, under whatever form of the number, and for nobody else': [
				'1 of dan gil → gil: add gil',
				['phone:553199990006'],
			],
		},
		/ of | → /,
		([most = '', list = '', expected = ''], counted) => {
			expect(taken(list, Number(most), counted).join(', ')).toBe(expected);
		},
	);

	it('takes the changes of one person in several groups as one', () => {
		const [ofOne, ofOther] = ['gil', 'gilShort cleo'].map((list) => planOf(list, 'me**').decisions);

		expect(takeWithin([...(ofOne ?? []), ...(ofOther ?? [])], new Set(), 1).map(told)).toEqual([
			'gil: add gil',
			'gilShort: add gilShort',
		]);
	});
});
