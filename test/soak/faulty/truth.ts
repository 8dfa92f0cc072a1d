import type { NodeRun } from '../../engine/support';
import { toJid, type GroupSnapshot } from '../../gateway/gateway';
import { toLid } from '../../gateway/jid';
import { readClaims, type Claim } from '../hostile/claims';
import type { PlannedRun } from '../hostile/plan';
import { after, asAsked, type Action, type Standing } from '../network/network';

const hiddenNumbers = '120363000000000003@g.us';

/** How somebody can stand after a change, given how they could before it, and what the run says of it. */
function possible(before: readonly Standing[], action: Action, claim: Claim): Standing[] {
	const change = (is: Standing): Standing => {
		const stays = action === 'add' ? is !== 'out' : action !== 'remove' && is === 'out';
		return stays ? is : after[action];
	};
	const changed = before.map(change);
	switch (claim) {
		case 'applied':
			return changed.filter((standing) => asAsked[action].includes(standing));
		case 'rejected':
			// A person who is not a member can't be demoted.
			return before.filter((standing) => !asAsked[action].includes(standing) || action === 'demote');
		case 'not carried out':
		case 'not sent':
			return [...before];
		default:
			return [...new Set([...before, ...changed])];
	}
}

/** The standing of everybody in the groups, by `group jid`. */
function standingsIn(snapshot: readonly GroupSnapshot[]): Map<string, Standing> {
	return new Map(
		snapshot.flatMap(({ groupJid, members, admins }) =>
			members.map((jid) => [`${groupJid} ${jid}`, admins.includes(jid) ? 'admin' : 'member'] as const),
		),
	);
}

/** What a run says that the groups contradict, given how they were before it and are now. */
export function compare(
	plan: Pick<PlannedRun, 'rows' | 'options'>,
	run: NodeRun,
	before: readonly GroupSnapshot[],
	now: readonly GroupSnapshot[],
): string[] {
	const { entries, contradictions } = readClaims(plan, run);
	const is = standingsIn(now);
	const could = new Map([...is.keys()].map((person): [string, Standing[]] => [person, ['out']]));
	for (const [person, standing] of standingsIn(before)) could.set(person, [standing]);
	const history = new Map<string, string>();
	for (const { item, row, sent, claim, said } of entries) {
		const jid = toJid(sent);
		const person = `${row.group} ${row.group === hiddenNumbers ? toLid(jid) : jid}`;
		could.set(person, possible(could.get(person) ?? ['out'], row.action, claim));
		history.set(person, `${history.get(person) ?? ''}; item ${item}: ${row.action}, ${said} (${claim})`);
	}
	for (const [person, standings] of could) {
		const standing = is.get(person) ?? 'out';
		if (standings.includes(standing)) continue;
		const words = history.get(person) ?? '; not mentioned by any item';
		contradictions.push(`not as said. ${person} is ${standing}, but could be ${standings.join('/')}${words}`);
	}
	return contradictions;
}
