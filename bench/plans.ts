import { performance } from 'node:perf_hooks';
import { readMembers } from '../nodes/MessagingGateway/gateway/replies/members';
import { identityFor } from '../nodes/MessagingGateway/groups/identity';
import { check } from '../nodes/MessagingGateway/groups/sync/safetyChecks';
import { plan } from '../nodes/MessagingGateway/groups/sync/plan';
import { writeSnapshot } from '../nodes/MessagingGateway/groups/watch/groupSnapshot';
import { upTo } from '../test/engine/group/people';
import { ROUNDS } from './cases';
import { phoneOf } from './jobs/seed';
import { spreadOf, type Spread } from './statistics';

/** As many rows as members. */
export const PLANNED_SIZES = [5000, 10_000, 20_000];

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
	recall: () => undefined,
} as const;

/** Sync's plan and its check, by size, in ms. */
export function timePlans(): Map<number, Spread> {
	for (let warmUp = 0; warmUp < ROUNDS; warmUp++) timePlan(1000);
	return new Map(PLANNED_SIZES.map((size) => [size, spreadOf(upTo(ROUNDS).map(() => timePlan(size)))]));
}

function timePlan(size: number): number {
	const members = readMembers({ participants: upTo(size).map(memberRow) }) ?? [];
	const rows = upTo(size).map((item) => {
		const phone = phoneOf(item + DIFFERING);
		const participant = { given: phone, sentAs: phone, identity: identityFor(phone) };
		return { item, shouldBeMember: true, participant };
	});
	const started = performance.now();
	const made = plan(rows, members, RULES);
	const { stop } = check(made, RULES);
	const time = performance.now() - started;
	const planned = made.decisions.filter(({ outcome }) => outcome === 'planned').length;
	if (stop !== undefined || planned !== 2 * DIFFERING) throw new Error(`${planned} changes are planned`);
	return time;
}

/** What the trigger stores of a group whose members all have a number and a hidden ID, in bytes. */
export function snapshotSize(size: number): number {
	const members = readMembers({ participants: upTo(size).map(memberRow) }) ?? [];
	return Buffer.byteLength(JSON.stringify(writeSnapshot({ members, seemedEmptied: false })));
}

function memberRow(person: number): object {
	return { id: `${1e14 + person}@lid`, phoneNumber: `${phoneOf(person)}@s.whatsapp.net`, admin: null };
}
