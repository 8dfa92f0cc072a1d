import { countPeople, journalOfRows } from '../../../nodes/MessagingGateway/actions/group/sync/syncReport';
import { Problem } from '../../../nodes/MessagingGateway/common/problem';
import type { Row } from '../../../nodes/MessagingGateway/groups/sync/rules';
import { EventLoop } from '../../../nodes/MessagingGateway/run/eventLoop';
import { members, plan, rows, rules } from '../groups/sync/example';

/** How often the memories of rows are looked at that all name one person, who is a member already. */
async function looksFor(amount: number): Promise<number> {
	let looks = 0;
	const [row] = rows('ana');
	const all = Array.from({ length: amount }, (_, item) =>
		Object.defineProperty({ ...row, item } as Row, 'memory', { get: () => void looks++ }),
	);
	const group = {
		instance: 'main',
		groupJid: '120363000000000001@g.us',
		items: [],
		firstItem: 0,
		rules: rules(),
	};
	const applied = {
		entries: new Map(),
		joined: new Set<never>(),
		progress: { tried: [], requests: 0 },
		failedRequest: undefined,
	};
	const made = plan(all, members('me** ana'), rules());
	looks = 0;
	const findings = { applied, facts: new Map(), nextRunFor: () => 'hasRoom' as const, now: 0 };
	const journal = await journalOfRows(
		{ eventLoop: new EventLoop() },
		[{ ...group, plan: made, wouldStop: false }],
		findings,
	);
	expect(journal.size).toBe(amount);
	return looks;
}

it('what is said of a person grows as their rows do, and no faster', async () => {
	const few = await looksFor(50);

	expect(few).toBeGreaterThanOrEqual(50);
	expect(await looksFor(500)).toBeLessThan(few * 11);
});

it('everybody whose request failed is counted once, by what became of it, whatever items name them', () => {
	const [ana, bo, again, gone] = rows('ana bo ana cleo');
	const [ofAna, ofBo] = [
		{ failure: new Problem('Away', 'Wait') },
		{ failure: new Problem('Broken', 'Wait') },
	];
	const journal = new Map([ana, bo, again].flatMap((row, i) => (row ? [[row, i === 1 ? ofBo : ofAna]] : [])));
	const asked = [[ana, bo], [again], [gone]].map((some) => some.flatMap((row) => row ?? []));
	const items = asked.map((some, item) => ({ item, asked: some }));
	const failed = [...items.keys()].map((item) => ({
		item,
		reason: 'Of the item',
		amount: 1,
		state: 'unsent' as const,
	}));

	expect(countPeople(failed, items, journal)).toEqual([
		{ reason: 'Away', amount: 1, state: 'failed' },
		{ reason: 'Broken', amount: 1, state: 'failed' },
		{ item: 2, reason: 'Of the item', amount: 1, state: 'unsent' },
	]);
});
