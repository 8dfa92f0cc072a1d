import type { ContenderName } from './contenders/contenders';
import type { Network } from './gateway-host';
import type { JobSpec } from './jobs/jobs';
import { numberOf } from './text';

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

const group = (rows: number, how: { inTurn?: true; isComputed?: true } = {}): JobSpec => ({
	kind: 'group',
	rows,
	inTurn: false,
	isComputed: false,
	...how,
});
const list = (instances: number): JobSpec => ({ kind: 'list', instances });

const inside = ['thisNode', 'readsAll', 'expressions', 'limit'] as const;
const outside = ['httpRequest', 'httpRequestBatched'] as const;

/** Everything that is measured. Every section begins its figures from a fresh gateway and fresh processes. */
export const sections = {
	rows: {
		title: '1,000 rows into one group',
		text: 'Rows that each add somebody, by `{{ $json.phone }}`; in the last case by `{{ $json.phone.trim() }}`, which n8n has to work out for each row.',
		cases: [
			one('HTTP, 0 ms', group(1000), 0, false, ...inside, 'nothing', ...outside, 'oneByOne'),
			one('HTTP, 20 ms', group(1000), 20, false, ...inside, ...outside, { oneByOne: FEW }),
			one('TLS, 20 ms', group(1000), 20, true, ...inside, 'httpRequest'),
			one(
				'worked out, 0 ms',
				group(1000, { isComputed: true }),
				0,
				false,
				'thisNode',
				'expressions',
				'limit',
			),
		],
	},
	inTurn: {
		title: '1,000 rows that add and remove in turn',
		text: 'One group, HTTP, 20 ms. The limit knows that all removals can go first; this node finds out, and looks up the own account for it.',
		cases: [one('in turn', group(1000, { inTurn: true }), 20, false, 'thisNode', 'limit', { oneByOne: FEW })],
	},
	growth: {
		title: 'Growth',
		text: 'One group, HTTP, 0 ms, from 100 to 100,000 rows.',
		cases: [100, 1000, 10_000, 100_000].map((rows) =>
			one(`${numberOf(rows)} rows`, group(rows), 0, false, 'thisNode', 'expressions', 'limit', 'nothing'),
		),
	},
	listing: {
		title: 'Listing instances',
		text: 'All instances of a gateway for one item, HTTP, 0 ms. The limit is one fetch and a parse.',
		cases: [
			one('10,000 instances', list(10_000), 0, false, 'thisNode', 'expressions', 'limit', 'httpRequest'),
		],
	},
	members: {
		title: 'Sync and the trigger',
		text: 'HTTP, 0 ms. Sync has a row for each member, and nothing to do; of the trigger it is the second poll, and the first one and what happens in between are among the requests. The limit is one fetch of the members and a parse.',
		cases: [
			one('Sync, 1,000 rows', { kind: 'sync', members: 1000 }, 0, false, 'thisNode', 'expressions', 'limit'),
			...([0, 1] as const).map((joins) =>
				one(
					`a poll of 1,024 members, ${joins === 0 ? 'as before' : 'one of them new'}`,
					{ kind: 'watch', members: 1024, joins },
					0,
					false,
					'thisNode',
					'limit',
				),
			),
		],
	},
} satisfies Record<string, Section>;

export type SectionName = keyof typeof sections;

/** Those of which a profile is taken too: of this node, and not while they are measured. */
export const profiledCases: Case[] = [
	one('1,000 rows into one group', group(1000), 0, false, 'thisNode'),
	one('10,000 rows into one group', group(10_000), 0, false, 'thisNode'),
	one('listing 10,000 instances', list(10_000), 0, false, 'thisNode'),
	one('Sync, 1,000 rows', { kind: 'sync', members: 1000 }, 0, false, 'thisNode'),
];
