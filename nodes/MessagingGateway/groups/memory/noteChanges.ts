import type { ChangeRequest, ChangeResult } from '../change';
import { distinct, identityOf } from '../identity';
import { toMinute, withAuthor, without, withFacts, type Facts } from './fact';
import type { KnownPeople } from './knownPeople';
import { factsAfter } from './meaning';

/**
 * Notes the changes of a request that is sent now. A removal counts from then on: whoever is wanted after it didn't leave.
 *
 * @returns a function that notes what became of them: a result for each; or what {@link factsAfter} takes
 */
export function noteChanges(
	people: KnownPeople,
	{ groupJid, action, changes }: ChangeRequest,
	{ node, startedAt }: { node: string; startedAt: number },
): (results: readonly ChangeResult[] | 'unknown' | 'onTheWay' | 'notSent') => void {
	if (action !== 'add' && action !== 'remove') return () => {};
	const shouldBeMember = action === 'add';
	const at = Date.now();
	const sent = changes.map(({ participant }) => {
		const { identity, sentAs } = participant;
		const before = people.find(groupJid, [identity]).facts;
		people.note(groupJid, [identity], node, (facts) => factsOnceSent(facts, shouldBeMember, at));
		return { identity, before, number: sentAs };
	});
	const presence = shouldBeMember ? 'absent' : 'found';
	return (results) => {
		// Not the time of sending: a run that reads the group meanwhile would see a member after the removal.
		const times = { now: toMinute(startedAt), at: Date.now() };
		sent.forEach(({ identity, before, number }, i) => {
			const result = typeof results === 'string' ? results : (results[i] ?? 'unknown');
			const answer = typeof result === 'string' ? result : { ...result, action };
			const ids = distinct([identity, typeof result === 'string' ? undefined : identityOf(result.jid)]);
			const after = factsAfter(before, { shouldBeMember, presence, number, metAt: 0 }, answer, times);
			const isTakenOut = typeof result !== 'string' && result.outcome === 'done';
			// Who wasn't in the group was taken out by nobody, or earlier.
			const by = isTakenOut ? node : before.out?.by;
			people.note(groupJid, ids, node, () => withAuthor(after, by));
		});
	};
}

/** Gives the facts of a change that is under way. If its result never comes, they stay. */
function factsOnceSent(facts: Facts, shouldBeMember: boolean, at: number): Facts {
	if (!shouldBeMember) return withFacts(facts, { toLeave: { at }, asked: { at } });
	// Beside an earlier notice to leave, its refusal would be a removal's.
	return withFacts(without(facts, ['toLeave']), { asked: { at } });
}
