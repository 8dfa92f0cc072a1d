import { limitDryRun } from '../../../../nodes/MessagingGateway/actions/group/sync/applySync';
import type { PlannedGroup } from '../../../../nodes/MessagingGateway/actions/group/sync/planSync';
import type { SyncOptions } from '../../../../nodes/MessagingGateway/actions/group/sync/readSync';
import { DAY, idOf, kept, NOW, planOf, told } from './example';
import { contextWith } from '../../run/context';
import { testExamples } from '../../support';

/** The decisions of a dry run over a limit. `ana` was tried 20 days ago, `bo` 30; nobody else ever. */
function limited(lists: readonly string[], maxAdditions: number): string {
	const tried = new Map([
		[idOf('ana'), 20],
		[idOf('bo'), 30],
	]);
	const groups = lists.map((list, i) => ({
		instance: 'main',
		groupJid: `${i}@g.us`,
		items: [],
		wouldStop: false,
		plan: planOf(list, 'me** eve', {
			recalled: ([id, ...others]) => {
				const days = tried.get(id?.digits ?? '');
				const facts = { refused: { at: NOW - (days ?? 0) * DAY, outcome: 'blocked' } } as const;
				return kept(days === undefined ? {} : facts)(others);
			},
		}),
	}));
	const { run } = contextWith({});
	const limits = { maxAdditions, maxRemovals: 0 } as SyncOptions;
	limitDryRun(run, groups as unknown as PlannedGroup[], limits);
	return groups.flatMap(({ plan }) => plan.decisions.map(told)).join(', ');
}

describe('a limit', () => {
	testExamples(
		{
			'has room for so many, in input order':
				'2 of cleo dan lid1 → cleo: add cleo, dan: add dan, lid1: postponed maxAdditions',
			'has room for nobody where it is 0': '0 of cleo → cleo: postponed maxAdditions',
			'begins with people never tried, then goes on with those tried longest ago':
				'3 of ana bo cleo dan → ana: postponed maxAdditions, bo: add bo, cleo: add cleo, dan: add dan',
			'counts several rows about one person once': '2 of cleo cleo dan → cleo cleo: add cleo, dan: add dan',
			'counts a person in several groups once, under whatever form of the number':
				'1 of gil in gilShort cleo → gil: add gil, gilShort: add gilShort, cleo: postponed maxAdditions',
		},
		/ of | → /,
		([most = '', lists = '', expected = '']) => {
			expect(limited(lists.split(' in '), Number(most))).toBe(expected);
		},
	);
});
