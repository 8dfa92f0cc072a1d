import type { ChangeRequest, ChangeResult } from '../change';
import { distinct, identityOf } from '../identity';
import { toMinute, type Facts } from './fact';
import type { Author, KnownPeople } from './knownPeople';
import { factsAfter } from './meaning';

/**
 * Notes the changes of a request that is sent now. A removal counts from then on: whoever is wanted after it didn't leave.
 *
 * @returns a function that notes what became of them: a result for each; or what {@link factsAfter} takes
 */
export function noteChanges(
	people: KnownPeople,
	{ groupJid, action, changes }: ChangeRequest,
	author: Author,
): (results: readonly ChangeResult[] | 'unknown' | 'onTheWay' | 'notSent') => void {
	if (action !== 'add' && action !== 'remove') return () => {};
	const asked = { at: Date.now() };
	const underWay = action === 'add' ? { asked } : { toLeave: asked, asked };
	for (const { participant } of changes) people.begin(groupJid, [participant.identity], author, underWay);
	const shouldBeMember = action === 'add';
	const situation = { shouldBeMember, presence: shouldBeMember ? 'absent' : 'found' } as const;
	return (results) => {
		// Not the time of sending: a run that reads the group meanwhile would see a member after the removal.
		const times = { now: toMinute(author.startedAt), at: Date.now() };
		changes.forEach(({ participant }, i) => {
			const result = typeof results === 'string' ? results : (results[i] ?? 'unknown');
			const answer = typeof result === 'string' ? result : { ...result, action };
			const ids = distinct([
				participant.identity,
				typeof result === 'string' ? undefined : identityOf(result.jid),
			]);
			const hasTakenOut = typeof result !== 'string' && result.outcome === 'done';
			const change = (facts: Facts) => factsAfter(facts, situation, answer, times);
			people.note(groupJid, ids, author, change, hasTakenOut);
		});
	};
}
