import type { ContenderName } from './contenders/contenders';
import type { Network } from './gateway-host';
import type { JobSpec } from './jobs/jobs';

/** How often each contender of a case does its job, unless the case says otherwise. */
export const ROUNDS = 7;
/** For those whose rounds take many seconds. */
const FEW = 3;

/** Contenders that do the same job over the same network, in turn. */
export interface Case extends Network {
	/** What makes it differ from the section's other cases. */
	label: string;
	spec: JobSpec;
	/** Who takes part, and in how many rounds. */
	contenders: Partial<Record<ContenderName, number>>;
}

/** Cases that belong together. */
export interface Section {
	title: string;
	/** What there is to know about all of them. */
	text: string;
	cases: Case[];
}

type Participants = Array<ContenderName | Case['contenders']>;

function one(label: string, spec: JobSpec, latency: number, tls: boolean, ...who: Participants): Case {
	const rounds = who.map((name) => (typeof name === 'string' ? { [name]: ROUNDS } : name));
	return { label, spec, latency, tls, contenders: Object.assign({}, ...rounds) };
}

const group = (rows: number, groups = 1): JobSpec => ({ kind: 'group', rows, groups });
const list = (instances: number): JobSpec => ({ kind: 'list', instances });
const bots = (amount: number): JobSpec => ({ kind: 'bots', lookups: 500, bots: amount });

const both = ['httpRequest', 'httpRequestBatched'] as const;
const inside = ['thisNode', 'engineOnly', 'limit'] as const;

/** Everything that is measured. Every section begins its figures from a fresh gateway and fresh processes. */
export const sections = {
	rows1000: {
		title: '1,000 rows into one group',
		text: 'One by one at 100 ms is left out: 1,000 waits of 100 ms are 100 s a round, whatever the node does.',
		cases: [
			one('HTTP, 0 ms', group(1000), 0, false, ...inside, 'nothing', 'parse', ...both, 'oneByOne'),
			one('HTTP, 20 ms', group(1000), 20, false, ...inside, ...both, { oneByOne: FEW }),
			one('HTTP, 100 ms', group(1000), 100, false, ...inside, ...both),
			one('TLS, 0 ms', group(1000), 0, true, ...inside, 'httpRequest'),
			one('TLS, 20 ms', group(1000), 20, true, ...inside, 'httpRequest'),
			one('TLS, 100 ms', group(1000), 100, true, 'thisNode', 'limit', 'httpRequest'),
		],
	},
	rows10000: {
		title: '10,000 rows, and 20 groups',
		text: 'The rows of 20 groups alternate. 10,000 rows at 100 ms are left out: 200 waits of 100 ms are 20 s a round for the limit too, and one by one they are 1,000 s.',
		cases: [
			one('1,000 rows, 20 groups, 0 ms', group(1000, 20), 0, false, ...inside, 'httpRequest'),
			one('1,000 rows, 20 groups, 20 ms', group(1000, 20), 20, false, ...inside, 'httpRequest'),
			one('10,000 rows, 1 group, 0 ms', group(10_000), 0, false, ...inside, { httpRequest: FEW }),
			one('10,000 rows, 1 group, 20 ms', group(10_000), 20, false, 'thisNode', 'limit', { httpRequest: FEW }),
			one('10,000 rows, 20 groups, 0 ms', group(10_000, 20), 0, false, ...inside),
			one('10,000 rows, 20 groups, TLS, 0 ms', group(10_000, 20), 0, true, ...inside),
		],
	},
	growth: {
		title: 'Growth',
		text: 'One group, HTTP, 0 ms, from 100 to 100,000 rows.',
		cases: [100, 1000, 10_000, 100_000].map((rows) =>
			one(`${rows.toLocaleString('en-US')} rows`, group(rows), 0, false, ...inside, 'nothing'),
		),
	},
	listing: {
		title: 'Listing instances',
		text: 'All instances of a gateway for one item, HTTP, 0 ms. The limit is one fetch and a parse.',
		cases: [10, 1000, 10_000].map((amount) =>
			one(
				`${amount.toLocaleString('en-US')} instances`,
				list(amount),
				0,
				false,
				...inside,
				'parse',
				'nothing',
				'httpRequest',
			),
		),
	},
	lookups: {
		title: '500 lookups of bots',
		text: 'Rows that each name a bot, HTTP, 20 ms. The limit asks once for each bot, in sequence; this node has up to five requests under way.',
		cases: [1, 500].map((amount) =>
			one(
				amount === 1 ? 'of one bot' : `of ${amount} bots`,
				bots(amount),
				20,
				false,
				'thisNode',
				'httpRequest',
				{ oneByOne: FEW, limit: amount === 1 ? ROUNDS : FEW },
			),
		),
	},
} satisfies Record<string, Section>;

export type SectionName = keyof typeof sections;

/** Those of which a profile is taken too: of this node, and not while they are measured. */
export const profiledCases: Case[] = [
	one('1,000 rows into one group', group(1000), 0, false, 'thisNode'),
	one('10,000 rows into one group', group(10_000), 0, false, 'thisNode'),
	one('listing 10,000 instances', list(10_000), 0, false, 'thisNode'),
];
