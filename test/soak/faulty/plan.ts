import type { Fault, FaultKind } from '../../gateway/gateway';
import type { Random } from '../random';
import { actions, spelled, type PlannedRun, type SheetRow } from '../hostile/plan';

/** What goes wrong, and how often among the others. */
interface Trouble extends Pick<Fault, 'kind' | 'applied' | 'body'> {
	weight: number;
}

/** What can go wrong with a request. Refusals that end a run are rare, so that runs stay long; so are long waits. */
export const troubles: Trouble[] = [
	...among(6, 'wrong-content-type', 'forbidden'),
	...among(3, '403', '404-instance'),
	...among(2, '503-license', '409', '413', 'redirect'),
	...among(0.3, '401', '429', 'rate-overlimit'),
	...among(0.2, 'hang', 'hang-after', 'slow-body'),
	...among(10, 'reset-before', 'reset-after'),
	{ kind: 'truncated-body', weight: 8 },
	{ kind: '503', weight: 4 },
	...[...among(6, '500', '502', '504'), ...among(4, 'html', 'empty'), ...among(3, 'wrong-shape')].flatMap(
		(one): Trouble[] => [one, { ...one, applied: true }],
	),
	...[{ updateParticipants: [] }, '{"updateParticipants":[{"status":"200","j'].map((body): Trouble => ({
		kind: 'wrong-shape',
		applied: true,
		body,
		weight: 3,
	})),
];

function among(weight: number, ...kinds: FaultKind[]): Trouble[] {
	return kinds.map((kind) => ({ kind, weight }));
}

const groups = [1, 2, 3, 4, 5, 6, 7].map((n) => `12036300000000000${n}@g.us`);
const silentGroup = groups[6];
// The last two are the same person: gateways drop the fifth digit of the first one.
const people = [
	...Array.from({ length: 8 }, (_, i) => String(4_915_200_000_000 + i)),
	...['5511990000002', '5511990000401', '5511990000403', '5511990000404', '5511990000408', '5511990000500'],
	...['5531999990002', '553199990002'],
];

/** A run of random rows: few people and groups, so that rows often are about the same ones. */
export function planRun(random: Random): Pick<PlannedRun, 'rows' | 'options'> {
	const row = (): SheetRow => ({
		instance: 'main',
		group: (random.chance(0.02) ? silentGroup : random.of(groups.slice(0, 6))) ?? '',
		action: random.weighted(actions).action,
		phones: Array.from({ length: random.chance(0.6) ? 1 : random.from(2, 6) }, () =>
			spelled(random.of(people), random),
		),
	});
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
