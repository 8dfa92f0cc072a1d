import { contradictionsIn } from '../../../../nodes/MessagingGateway/groups/sync/matchList';
import { groupRulesOf } from '../../../../nodes/MessagingGateway/groups/sync/rules';
import { identities, rows } from './example';

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

describe('the rules of a group', () => {
	const rules = {
		unlisted: 'keep',
		removeAdmins: false,
		protected: [],
		maxRemovalPercent: 20,
		overLimit: 'stop',
		dryRun: false,
	} as const;

	it('are those of the first item for members who are not in the list and for admins', () => {
		const first = { ...rules, unlisted: 'remove', removeAdmins: true } as const;

		expect(groupRulesOf([first, rules])).toMatchObject({ unlisted: 'remove', removeAdmins: true });
		expect(groupRulesOf([rules, first])).toMatchObject({ unlisted: 'keep', removeAdmins: false });
	});

	it('remove nobody where the first item can not be read', () => {
		expect(groupRulesOf([{}, { ...rules, unlisted: 'remove', removeAdmins: true }])).toMatchObject({
			unlisted: 'keep',
			removeAdmins: false,
		});
		expect(groupRulesOf([])).toEqual({ ...rules, maxRemovalPercent: 0, overLimit: 'stop' });
	});

	it('unite the protected people, take the smallest percentage, and are dry if any item is', () => {
		const other = { ...rules, protected: identities('lid1 lid2'), maxRemovalPercent: 5, dryRun: true };

		expect(groupRulesOf([{ ...rules, protected: identities('lid1') }, {}, other])).toEqual({
			...rules,
			protected: identities('lid1 lid2'),
			maxRemovalPercent: 5,
			dryRun: true,
		});
		expect(groupRulesOf([rules, rules])).toEqual(rules);
	});

	it('stop the group over the limit, unless every item says that it goes on without removals', () => {
		const hold = { ...rules, overLimit: 'hold' } as const;

		expect(groupRulesOf([hold, hold])).toEqual(hold);
		expect(groupRulesOf([hold, rules])).toEqual(rules);
	});
});
