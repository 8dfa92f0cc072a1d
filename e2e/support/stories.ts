import { CUSTOMERS, defaultSeed } from '../../test/gateway/seed';
import type { Change } from './scheduled';
import type { Row, Table } from './tables';

export const INSTANCE = 'main';
const OWN = '+5511990000001';
const PAYER = '+5511990000002';
const LEAVER = '+5521990000003';
const STAYER = '+447700900004';
const ANA = '+5511990000100';
/** Joins without a row. */
const STRANGER = '+5511990000105';
const BIA = '+5511990000101';
const BLOCKED = '+5511990000401';
/** Can't be added by others, only invited. */
const INVITE_ONLY = '+5511990000403';
const LEFT_LATELY = '+5511990000408';

const PAID = '2999-12-31';
const NOT_PAID = '2020-01-31';

export const DAY = 86_400_000;

/** A memory as it would be if it had been written that much earlier (ms). */
export function older(memory: unknown, time: number): string {
	return String(memory ?? '').replaceAll(/\d{4}-\S+Z/g, (date) =>
		new Date(Date.parse(date) - time).toISOString().replace(/:\d\d\.\d+/, ''),
	);
}

/** What people do between two runs. */
interface Day {
	/** The table of the example, once it is made. */
	list(): Promise<Table>;
	join(phone: string): void;
	leave(phone: string): void;
	/** Has a webhook sync one row that remembers nothing yet. Gives what it is to remember. */
	alone(phone: string): Promise<string>;
}

/** Six nights of an example that keeps a list in a Data Table; in the last one n8n loses a run of the first story. */
export interface Story {
	example: string;
	table: string;
	group: string;
	/** What a person has changed in the example's nodes. */
	change?: Change;
	/** Rows don't say what is so. */
	forgets?: boolean;
	/** Members at first, besides those of the gateway's seed. */
	members: string[];
	/** What happens before a night. */
	days: Record<number, (day: Day) => Promise<void>>;
	/** The outcome in each row after each night; null where there is no row. */
	outcomes: Record<string, Array<string | null>>;
	/** What the gateway is asked for in each night, in the order of the alphabet. */
	asked: string[][];
}

const GROUP_TO_PAY_FOR = '120363000000000002@g.us';

export const STORIES: Story[] = [
	{
		example: 'keep-a-group-equal-to-a-data-table',
		table: `Group Customers ${CUSTOMERS}`,
		group: CUSTOMERS,
		members: [],
		days: {
			1: async ({ list, leave }) => {
				leave(LEAVER);
				const table = await list();
				await table.remove('phone', PAYER);
				await table.add({ phone: ANA }, { phone: BLOCKED }, { phone: INVITE_ONLY });
			},
			3: async ({ list, join, leave }) => {
				leave(ANA);
				join(INVITE_ONLY);
				join(STRANGER);
				await (await list()).add({ phone: PAYER });
			},
			4: async ({ join }) => join(LEAVER),
			5: async ({ list }) => await (await list()).add({ phone: BIA }, { phone: LEFT_LATELY }),
		},
		outcomes: {
			[OWN]: ['unchanged', 'unchanged', 'unchanged', 'unchanged', 'unchanged', 'unchanged'],
			[PAYER]: ['unchanged', null, null, 'done', 'unchanged', 'unchanged'],
			[LEAVER]: ['unchanged', 'left', 'left', 'left', 'unchanged', 'unchanged'],
			[STAYER]: ['unchanged', 'unchanged', 'unchanged', 'unchanged', 'unchanged', 'unchanged'],
			[ANA]: [null, 'done', 'unchanged', 'left', 'left', 'left'],
			[BLOCKED]: [null, 'blocked', 'postponed', 'postponed', 'postponed', 'postponed'],
			[INVITE_ONLY]: [null, 'sent', 'alreadyInvited', 'unchanged', 'unchanged', 'unchanged'],
			[BIA]: [null, null, null, null, null, 'unchanged'],
			[LEFT_LATELY]: [null, null, null, null, null, 'recentlyLeft'],
		},
		asked: [
			[],
			[`add ${ANA}`, `add ${BLOCKED}`, `add ${INVITE_ONLY}`, `invite ${INVITE_ONLY}`, `remove ${PAYER}`],
			[],
			[`add ${PAYER}`, `remove ${STRANGER}`],
			[],
			// The first run that asks for them is lost.
			[`add ${BIA}`, `add ${LEFT_LATELY}`, `add ${LEFT_LATELY}`],
		],
	},
	{
		example: 'members-while-paid',
		table: `Paid members Customers ${GROUP_TO_PAY_FOR}`,
		group: GROUP_TO_PAY_FOR,
		members: [PAYER, LEAVER],
		days: {
			1: async ({ list, leave }) => {
				leave(LEAVER);
				const table = await list();
				await table.change('phone', PAYER, { paidUntil: NOT_PAID });
				await table.add({ phone: ANA, paidUntil: PAID }, { phone: INVITE_ONLY, paidUntil: PAID });
			},
			3: async ({ list }) => {
				const table = await list();
				const row = (await table.rows()).find(({ phone }) => phone === PAYER);
				await table.change('phone', PAYER, { memory: older(row?.memory, 8 * DAY) });
			},
			4: async ({ list }) => await (await list()).change('phone', PAYER, { paidUntil: PAID }),
		},
		outcomes: {
			[OWN]: ['unchanged', 'unchanged', 'unchanged', 'unchanged', 'unchanged', 'unchanged'],
			[PAYER]: ['unchanged', 'postponed', 'postponed', 'done', 'done', 'unchanged'],
			[LEAVER]: ['unchanged', 'left', 'left', 'left', 'left', 'left'],
			[ANA]: [null, 'done', 'unchanged', 'unchanged', 'unchanged', 'unchanged'],
			[INVITE_ONLY]: [null, 'inviteRequired', 'postponed', 'postponed', 'postponed', 'postponed'],
		},
		asked: [[], [`add ${ANA}`, `add ${INVITE_ONLY}`], [], [`remove ${PAYER}`], [`add ${PAYER}`], []],
	},
	paid('120363000000000011@g.us'),
];

/** Stories of rows without a memory: people who left are added again, and nobody else is tried or written to twice. */
export const FORGETFUL: Story[] = [
	{
		...paid('120363000000000012@g.us', true),
		// The column is never written back.
		change: (node) =>
			JSON.parse(
				JSON.stringify(node, (key, value: unknown) => (key === 'memory' ? undefined : value)),
			) as typeof node,
	},
	{
		...paid('120363000000000013@g.us', true),
		// There is no such column.
		change: ({ parameters, ...node }) => {
			const remembers = /^(sync|sendInvite)/.test(String(parameters.operation));
			return { ...node, parameters: { ...parameters, ...(remembers && { memory: '={{ $json.nothing }}' }) } };
		},
	},
];

/** The gateway's usual seed, with the groups of the stories. */
export const storiesSeed = structuredClone(defaultSeed);
for (const { group: jid } of [...STORIES.slice(2), ...FORGETFUL])
	storiesSeed.instances[0]?.groups.push({ jid, subject: 'Paid', members: [OWN], admins: [OWN] });

/**
 * Nights of a list of 100 people who have paid. One leaves, 15 rows aren't there for a night, a cell comes from a backup,
 * a row runs alone at noon, and one more leaves.
 */
function paid(group: string, forgets = false): Story {
	const members = Array.from({ length: 100 }, (_, i) => `+4477009${10_000 + i}`);
	const [leaver = '', restored = '', lateLeaver = ''] = members;
	const missing = members.slice(85);
	const went = forgets ? ['done', 'unchanged'] : ['left', 'left'];
	const addedAgain = (phone: string) => (forgets ? [`add ${phone}`] : []);
	let backup: Row[] = [];
	return {
		example: 'keep-a-group-equal-to-a-data-table',
		table: `Group Customers ${group}`,
		group,
		forgets,
		members,
		days: {
			1: async ({ list, leave }) => {
				await (await list()).add({ phone: ANA }, { phone: INVITE_ONLY });
				leave(leaver);
			},
			2: async ({ list }) => {
				const table = await list();
				backup = await table.rows();
				for (const phone of missing) await table.remove('phone', phone);
			},
			3: async ({ list }) => {
				const rows = backup.filter(({ phone }) => missing.includes(String(phone)));
				const again = rows.map(({ phone, memory }) => ({ phone, memory: older(memory, DAY) }));
				await (await list()).add(...again);
			},
			4: async ({ list, alone }) => {
				const table = await list();
				const memory = older(backup.find(({ phone }) => phone === restored)?.memory, 2 * DAY);
				await table.change('phone', restored, { memory });
				const atNoon = older(await alone(BIA), DAY / 2);
				await table.add({ phone: BIA, memory: forgets ? '' : atNoon });
			},
			5: async ({ leave }) => leave(lateLeaver),
		},
		outcomes: {
			...Object.fromEntries([OWN, ...members].map((phone) => [phone, Array<string>(6).fill('unchanged')])),
			[leaver]: ['unchanged', ...went, ...Array<string>(3).fill(went[1] ?? '')],
			...Object.fromEntries(
				missing.map((phone) => [phone, ['unchanged', 'unchanged', null, 'done', 'unchanged', 'unchanged']]),
			),
			[lateLeaver]: [...Array<string>(5).fill('unchanged'), went[0] ?? ''],
			[ANA]: [null, 'done', 'unchanged', 'unchanged', 'unchanged', 'unchanged'],
			[INVITE_ONLY]: [null, 'sent', ...Array<string>(4).fill('alreadyInvited')],
			[BIA]: [null, null, null, null, 'unchanged', 'unchanged'],
		},
		asked: [
			[],
			[`add ${ANA}`, `add ${INVITE_ONLY}`, ...addedAgain(leaver), `invite ${INVITE_ONLY}`].sort(),
			missing.map((phone) => `remove ${phone}`),
			missing.map((phone) => `add ${phone}`),
			[`add ${BIA}`],
			addedAgain(lateLeaver),
		],
	};
}
