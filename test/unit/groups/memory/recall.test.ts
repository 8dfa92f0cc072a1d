import type { Facts } from '../../../../nodes/MessagingGateway/groups/memory/fact';
import {
	lastRunAmong,
	recall,
	recallForInvite,
	type Sources,
} from '../../../../nodes/MessagingGateway/groups/memory/recall';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 22, 5);

/** `member 1, out 0.5 by web`: facts so many days ago, and who noted them. */
function facts(text: string): Facts {
	const each = text.split(', ').filter(Boolean);
	return Object.fromEntries(
		each.map((fact) => {
			const [name = '', days, , by] = fact.split(' ');
			const outcome = name === 'refused' ? { outcome: 'blocked' } : {};
			return [name, { at: NOW - Number(days) * DAY, ...outcome, ...(by && { by }) }];
		}),
	);
}

/** What stores know, by store; the process has met the person an hour ago, n8n in the run before. */
const sources = (known: { rows?: string; n8n?: string; process?: string; met?: number }): Sources => ({
	rows: [facts(known.rows ?? '')],
	n8n: { facts: facts(known.n8n ?? ''), metAt: NOW - DAY * (known.met ?? 1) },
	process: { facts: facts(known.process ?? ''), metAt: NOW - DAY * (known.met ?? 1 / 24) },
});
const told = (known: Facts) =>
	Object.entries(known)
		.map(([name, { at }]) => `${name} ${(NOW - at) / DAY}`)
		.join(', ');
const rules = { now: NOW, lastRun: NOW - DAY, node: 'night' };

describe('what is remembered of a person', () => {
	it.each<[string, Parameters<typeof sources>[0], string]>([
		['is the newest fact, wherever it stands', { rows: 'member 1', n8n: 'left 3' }, 'member 1'],
		[
			'is all facts that do not contradict each other',
			{ rows: 'out 3', n8n: 'refused 1' },
			'out 3, refused 1',
		],
		[
			'begins with the first notice of who should leave',
			{ rows: 'toLeave 5', n8n: 'toLeave 1' },
			'toLeave 5',
		],
		['is no invite of before a removal', { rows: 'invited 9', process: 'out 5 by web' }, 'out 5'],
		['is no invite of before a membership', { n8n: 'invited 9', process: 'member 5 by web' }, ''],
		[
			'is a removal by another node after a membership',
			{ rows: 'member 1', process: 'out 0.5 by web' },
			'out 0.5',
		],
		[
			'is a removal on its way',
			{ rows: 'member 1', process: 'toLeave 0.5 by web, asked 0.5 by web' },
			'asked 0.5, toLeave 0.5',
		],
		['is no membership that another node saw', { process: 'member 1 by web' }, ''],
		[
			'is the own membership, though another node saw one, too',
			{ rows: 'member 1, invited 1', process: 'member 0.5 by web' },
			'member 1',
		],
		['is nobody who left by the word of another node', { process: 'left 1 by web' }, ''],
		['is who left by the own word in the process', { process: 'left 1 by night' }, 'left 1'],
		[
			'is no standing of more than 36 hours ago that only the process has',
			{ process: 'member 1.6 by night' },
			'',
		],
		[
			'is no end of a grace that only the process has, of somebody long unmet',
			{ process: 'toLeave 9 by night, refused 1 by night', met: 1.6 },
			'',
		],
		['is no end of a grace of somebody whom the run before did not meet', { n8n: 'toLeave 9', met: 2 }, ''],
		['is the end of a grace while runs meet the person', { n8n: 'toLeave 9' }, 'toLeave 9'],
		['is who left while the row was there', { n8n: 'left 2' }, 'left 2'],
		['is nobody who left before the row was missing', { n8n: 'left 3' }, ''],
		['is who left long ago by the word of a row', { rows: 'left 300', n8n: 'left 300' }, 'left 300'],
		[
			'is nothing that n8n knows of somebody unmet for a month',
			{ n8n: 'left 40, refused 40', met: 31.1 },
			'',
		],
		[
			'is still an invite of somebody unmet for two months',
			{ n8n: 'refused 40, invited 40', met: 60.9 },
			'invited 40',
		],
		[
			'is no invite of somebody unmet for longer',
			{ n8n: 'invited 70', process: 'invited 70 by web', met: 61.1 },
			'',
		],
		['is an invite as long as a row has it', { rows: 'invited 400' }, 'invited 400'],
		['is still a removal of long ago', { rows: 'invited 99', n8n: 'out 90', met: 31.1 }, 'out 90'],
		[
			'is a refusal of long ago in the process',
			{ process: 'out 90 by web, refused 90 by web', met: 90 },
			'out 90, refused 90',
		],
	])('%s', (_, known, expected) => {
		expect(told(recall(sources(known), rules))).toBe(expected);
	});
});

it('counts all that the process knows of members where nobody is kept out, but no old grace', () => {
	const known = sources({ process: 'member 5 by web' });
	expect(told(recall(known, { ...rules, whoLeft: 'addAgain' }))).toBe('member 5');
	const unmet = sources({ process: 'toLeave 7 by night, refused 7 by night', met: 5 });
	expect(told(recall(unmet, { ...rules, whoLeft: 'addAgain' }))).toBe('');
});

it('counts for an invite by the word of any node, and as long as runs meet the person', () => {
	const rules = (known: Parameters<typeof sources>[0]) => told(recallForInvite(sources(known), NOW));
	expect(rules({ rows: 'invited 9', process: 'member 5 by web' })).toBe('member 5');
	expect(rules({ n8n: 'invited 90', process: 'invited 90 by web', met: 59.9 })).toBe('invited 90');
	expect(rules({ n8n: 'invited 90, out 99', process: 'invited 90 by web', met: 60.1 })).toBe('out 99');
	expect(rules({ rows: 'invited 400' })).toBe('invited 400');
});

/** So many people who are members since so many days. */
const shared = (...dates: Array<[people: number, days: number]>) =>
	dates.flatMap(([people, days]) => Array.from({ length: people }, () => ({ rows: `member ${days}` })));

describe('the run before', () => {
	it.each<[string, Array<Parameters<typeof sources>[0]>, number | undefined]>([
		['is the date that most share', [{ rows: 'member 1' }, { rows: 'member 1' }, { rows: 'member 0.5' }], 1],
		['is the newest of equally many', [{ rows: 'member 2' }, { rows: 'member 1' }], 1],
		['is no earlier list that more share', shared([60, 90], [10, 1]), 1],
		['is the night, not a handful at noon', shared([30, 1], [5, 0.5]), 1],
		['is the newest that enough share, if all is older than 36 hours', shared([30, 2.1], [5, 0.5]), 0.5],
		['is no date of fewer than three people', shared([9, 9], [2, 1]), 9],
		['is no date of less than a tenth', shared([60, 9], [6, 1]), 9],
		['is no date of so few people, though it is near', shared([5, 1], [4, 0.5], [2, 0.2]), 1],
		[
			'is a date of a person once, in rows and n8n together',
			[
				...[1, 2, 3].map(() => ({ rows: 'member 1' })),
				...[1, 2].map(() => ({ rows: 'member 0.5', n8n: 'member 0.5' })),
			],
			1,
		],
		['counts rows and n8n apart', [{ rows: 'member 0.5', n8n: 'member 1' }, { n8n: 'member 1' }], 1],
		['is no date of this execution', [{ rows: 'member 0' }, { rows: 'member 0' }, { rows: 'member 2' }], 2],
		['is nothing of who left', [{ rows: 'left 1' }, { rows: 'left 1' }, { rows: 'member 2' }], 2],
		[
			'is in the process only where nothing else tells',
			[{ process: 'member 1 by night', rows: 'member 3' }],
			3,
		],
		['is the own one there', [{ process: 'member 1 by night' }, { process: 'member 2 by web' }], 1],
		['is unknown without any', [{ n8n: 'refused 1' }], undefined],
	])('%s', (_, known, days) => {
		const at = lastRunAmong(known.map(sources), rules);
		expect(at && (NOW - at) / DAY).toBe(days);
	});
});
