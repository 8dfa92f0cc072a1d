import type { Fault, Seed } from '../gateway/gateway';
import { seedWith } from '../engine/support';
import type { Random } from './random';

/** What goes wrong, and how often among the others. */
interface Trouble extends Pick<Fault, 'kind' | 'applied' | 'body'> {
	weight: number;
}

/** What can go wrong with a request. Refusals that end a run are rare, so that runs stay long; so are long waits. */
export const troubles: Trouble[] = [
	{ kind: 'reset-before', weight: 10 },
	{ kind: 'reset-after', weight: 10 },
	{ kind: 'truncated-body', weight: 8 },
	{ kind: 'hang', weight: 0.2 },
	{ kind: 'hang-after', weight: 0.2 },
	{ kind: 'slow-body', weight: 0.2 },
	{ kind: '500', weight: 6 },
	{ kind: '500', applied: true, weight: 6 },
	{ kind: '502', weight: 6 },
	{ kind: '502', applied: true, weight: 6 },
	{ kind: '504', weight: 6 },
	{ kind: '504', applied: true, weight: 6 },
	{ kind: '503', weight: 4 },
	{ kind: '503-license', weight: 2 },
	{ kind: 'html', weight: 4 },
	{ kind: 'html', applied: true, weight: 4 },
	{ kind: 'empty', weight: 4 },
	{ kind: 'empty', applied: true, weight: 4 },
	{ kind: 'wrong-shape', weight: 3 },
	{ kind: 'wrong-shape', applied: true, weight: 3 },
	{ kind: 'wrong-shape', applied: true, body: { updateParticipants: [] }, weight: 3 },
	{ kind: 'wrong-shape', applied: true, body: '{"updateParticipants":[{"status":"200","j', weight: 3 },
	{ kind: 'wrong-content-type', weight: 6 },
	{ kind: 'forbidden', weight: 6 },
	{ kind: '403', weight: 3 },
	{ kind: '404-instance', weight: 3 },
	{ kind: '409', weight: 2 },
	{ kind: '413', weight: 2 },
	{ kind: 'redirect', weight: 2 },
	{ kind: '401', weight: 0.3 },
	{ kind: '429', weight: 0.3 },
	{ kind: 'rate-overlimit', weight: 0.3 },
];
/** The share of requests that something goes wrong with. */
export const troubleShare = 0.9;

export type Action = 'add' | 'remove' | 'promote' | 'demote';

/** A row of somebody's sheet. */
export interface SheetRow {
	group: string;
	action: Action;
	phones: string[];
}

/** A run of the node: its rows and its options. */
export interface PlannedRun {
	rows: SheetRow[];
	options: Record<string, number | boolean>;
}

const groups = [1, 2, 3, 4, 5, 6, 7].map((n) => `12036300000000000${n}@g.us`);
const silentGroup = groups[6];
// The last two are the same person: gateways drop the fifth digit of the first one.
const people = [
	...Array.from({ length: 8 }, (_, i) => String(4_915_200_000_000 + i)),
	'5511990000002',
	'5511990000401',
	'5511990000403',
	'5511990000404',
	'5511990000408',
	'5511990000500',
	'5531999990002',
	'553199990002',
];
const actions: Array<{ action: Action; weight: number }> = [
	{ action: 'add', weight: 45 },
	{ action: 'remove', weight: 25 },
	{ action: 'promote', weight: 15 },
	{ action: 'demote', weight: 15 },
];

/** The usual seed with so many instances like `main`, and a network that is not silent for long. */
export function soakSeed(instances: readonly string[]): Seed {
	return seedWith((seed) => {
		const [main] = seed.instances;
		if (main === undefined) throw new Error('The seed has no instance');
		seed.instances = instances.map((instanceName) => ({ ...structuredClone(main), instanceName }));
		seed.silenceMs = 20;
	});
}

/** A run of random rows: few people and groups, so that rows often are about the same ones. */
export function planRun(random: Random): PlannedRun {
	const spell = (phone: string): string =>
		random.of([phone, `+${phone}`, `00${phone}`, `${phone.slice(0, 4)} ${phone.slice(4)}`]);
	const row = (): SheetRow => {
		const group = random.chance(0.02) ? silentGroup : random.of(groups.slice(0, 6));
		const phones = Array.from({ length: random.chance(0.6) ? 1 : random.from(2, 6) }, () =>
			spell(random.of(people)),
		);
		return { group: group ?? '', action: random.weighted(actions).action, phones };
	};
	return {
		rows: Array.from({ length: random.from(20, 80) }, row),
		options: {
			timeout: 300,
			maxRetries: random.chance(0.05) ? 1 : 0,
			batchInterval: 0,
			batchSize: random.from(1, 4),
			combineItems: random.chance(0.7),
			failOnRejected: random.chance(0.15),
		},
	};
}
