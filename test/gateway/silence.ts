import type { Unanswered } from './network';
import type { Reply } from './reply';
import type { Target } from './target';

/** How a call says that the network did not do as it was asked. */
export interface Failing {
	/** The call's own error, with the network's words. */
	refuse(why: string): Reply;
	/** What a generation that takes silence for success says; otherwise it does not reply at all. */
	onSilence?: Reply;
}

const SILENCE_MS = 60_000;

/** The reply where the network refused or was silent. */
export function unanswered(
	{ rules, backend }: Target,
	found: Unanswered,
	{ refuse, onSilence }: Failing,
): Reply {
	if ('refused' in found) return refuse(found.refused);
	const timedOut = refuse('Error: Timed Out');
	const reply = rules.silence === 'emptySuccess' ? onSilence : timedOut;
	const replies = rules.silence !== 'noReply' && reply !== undefined;
	return { ...(reply ?? timedOut), afterMs: replies ? (backend.seed.silenceMs ?? SILENCE_MS) : Infinity };
}
