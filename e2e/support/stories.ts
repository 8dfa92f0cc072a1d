import { CUSTOMERS, defaultSeed } from '../../test/gateway/seed';
import type { Change } from './scheduled';
import type { Table } from './tables';

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

/** What people do between two runs. */
interface Day {
	/** The table of the example, once it is made. */
	list(): Promise<Table>;
	join(phone: string): void;
	leave(phone: string): void;
	/** Has a webhook sync one person. */
	alone(phone: string): Promise<void>;
}

/** Six nights of an example with a list in a Data Table; in the last one n8n loses a run of the first story. */
export interface Story {
	example: string;
	table: string;
	group: string;
	/** What a person has changed in the example's nodes. */
	change?: Change;
	/** Members at first, besides those of the gateway's seed. */
	members: string[];
	/** What happens before a night. */
	days: Record<number, (day: Day) => Promise<void>>;
	/** What each night says of each person; null where it says nothing. */
	outcomes: Record<string, Array<string | null>>;
	/** What the gateway is asked for in each night, in the order of the alphabet. */
	asked: string[][];
}

const STILL_THERE = Array<string>(3).fill('unchanged');

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
			[PAYER]: ['unchanged', 'postponed', 'done', 'done', 'unchanged', 'unchanged'],
			[LEAVER]: ['unchanged', 'left', 'left', 'left', 'unchanged', 'unchanged'],
			[STAYER]: ['unchanged', 'unchanged', 'unchanged', 'unchanged', 'unchanged', 'unchanged'],
			[ANA]: [null, 'done', 'unchanged', 'left', 'left', 'left'],
			[BLOCKED]: [null, 'blocked', 'postponed', 'postponed', 'postponed', 'postponed'],
			[INVITE_ONLY]: [null, 'inviteRequired', 'postponed', 'unchanged', 'unchanged', 'unchanged'],
			[STRANGER]: [null, null, null, 'postponed', 'done', null],
			[BIA]: [null, null, null, null, null, 'unchanged'],
			[LEFT_LATELY]: [null, null, null, null, null, 'recentlyLeft'],
		},
		asked: [
			[],
			[`add ${ANA}`, `add ${BLOCKED}`, `add ${INVITE_ONLY}`],
			[`remove ${PAYER}`],
			[`add ${PAYER}`],
			[`remove ${STRANGER}`],
			// The first run that asks for them is lost.
			[`add ${BIA}`, `add ${LEFT_LATELY}`, `add ${LEFT_LATELY}`],
		],
	},
	{
		example: 'members-while-paid',
		table: `Paid members Customers ${GROUP_TO_PAY_FOR}`,
		group: GROUP_TO_PAY_FOR,
		change: ({ parameters, ...node }) => ({
			...node,
			parameters: { ...parameters, ...(parameters.limits !== undefined && { limits: { removeAfter: 2 } }) },
		}),
		members: [PAYER, LEAVER],
		days: {
			0: async ({ list }) => {
				const table = await list();
				// The first run has filled it.
				for (const phone of [OWN, PAYER, LEAVER]) await table.change('phone', phone, { paidUntil: PAID });
			},
			1: async ({ list, leave }) => {
				leave(LEAVER);
				const table = await list();
				await table.change('phone', PAYER, { paidUntil: NOT_PAID });
				await table.add({ phone: ANA, paidUntil: PAID }, { phone: INVITE_ONLY, paidUntil: PAID });
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

/** The gateway's usual seed, with the groups of the stories. */
export const storiesSeed = structuredClone(defaultSeed);
for (const { group: jid } of STORIES.slice(2))
	storiesSeed.instances[0]?.groups.push({ jid, subject: 'Paid', members: [OWN], admins: [OWN] });

/** Nights of a list of 100 people. One leaves, 15 rows aren't there for a night, a webhook adds somebody, and one more leaves. */
function paid(group: string): Story {
	const members = Array.from({ length: 100 }, (_, i) => `+4477009${10_000 + i}`);
	const [leaver = '', lateLeaver = ''] = members;
	const missing = members.slice(85);
	return {
		example: 'keep-a-group-equal-to-a-data-table',
		table: `Group Customers ${group}`,
		group,
		members,
		days: {
			1: async ({ list, leave }) => {
				await (await list()).add({ phone: ANA });
				leave(leaver);
			},
			2: async ({ list }) => {
				const table = await list();
				for (const phone of missing) await table.remove('phone', phone);
			},
			3: async ({ list }) => await (await list()).add(...missing.map((phone) => ({ phone }))),
			4: async ({ list, alone }) => {
				await alone(BIA);
				await (await list()).add({ phone: BIA });
			},
			5: async ({ leave }) => leave(lateLeaver),
		},
		outcomes: {
			...Object.fromEntries([OWN, ...members].map((phone) => [phone, Array<string>(6).fill('unchanged')])),
			[leaver]: ['unchanged', ...Array<string>(5).fill('left')],
			...Object.fromEntries(
				missing.map((phone) => [phone, ['unchanged', 'unchanged', 'postponed', ...STILL_THERE]]),
			),
			[lateLeaver]: [...Array<string>(5).fill('unchanged'), 'left'],
			[ANA]: [null, 'done', 'unchanged', ...STILL_THERE],
			[BIA]: [null, null, null, null, 'unchanged', 'unchanged'],
		},
		asked: [[], [`add ${ANA}`], [], [], [`add ${BIA}`], []],
	};
}
