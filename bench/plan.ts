import { performance } from 'node:perf_hooks';
import { identityFor } from '../nodes/MessagingGateway/groups/identity';
import { check } from '../nodes/MessagingGateway/groups/sync/safetyChecks';
import { upTo } from '../test/engine/group/people';
import { plan } from '../test/unit/groups/sync/example';
import { phoneOf } from './jobs';
import { finished, readMembers } from '../test/unit/support';

/** So many people are in the list and not in the group, and as many the other way around. */
const DIFFERING = 50;

const RULES = {
	unlisted: 'remove',
	removeAdmins: false,
	protected: [],
	own: [identityFor(phoneOf(DIFFERING))],
	exactNumbers: false,
	badRow: false,
	maxRemovalPercent: 20,
	dryRun: false,
	overLimit: 'stop',
	now: 0,
	retryRefusedAfter: 7,
	removedBefore: 0,
	recall: () => ({}),
} as const;

/** Times of Sync's plan and its check for 5,000 and for 20,000 rows, with as many members, in ms. */
export type PlanTimes = Record<'few' | 'many', number[]>;

/** Makes plans of both sizes in turn. @throws Error where one isn't right */
export function timePlans(rounds: number): PlanTimes {
	for (let warmUp = 0; warmUp < rounds; warmUp++) timePlan(1000);
	const times: PlanTimes = { few: [], many: [] };
	for (let round = 0; round < rounds; round++) {
		times.few.push(timePlan(5000));
		times.many.push(timePlan(20_000));
	}
	return times;
}

function timePlan(size: number): number {
	const participants = upTo(size).map((person) => ({
		id: `${1e14 + person}@lid`,
		phoneNumber: `${phoneOf(person)}@s.whatsapp.net`,
		admin: person === DIFFERING ? 'admin' : null,
	}));
	const members = readMembers({ participants }) ?? [];
	const rows = upTo(size).map((item) => {
		const phone = phoneOf(item + DIFFERING);
		return {
			item,
			shouldBeMember: true,
			participant: { given: phone, sentAs: phone, identity: identityFor(phone) },
		};
	});
	global.gc?.();
	const started = performance.now();
	const made = plan(rows, members, RULES);
	const { stop } = finished(check(made, RULES));
	const time = performance.now() - started;
	const planned = made.decisions.filter(({ outcome }) => outcome === 'planned').length;
	if (stop !== undefined || planned !== 2 * DIFFERING) throw new Error(`${planned} changes are planned`);
	return time;
}
