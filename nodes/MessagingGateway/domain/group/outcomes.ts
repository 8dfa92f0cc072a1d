/** What can be done to a group's members. */
export const ACTIONS = ['add', 'remove', 'promote', 'demote'] as const;
export type Action = (typeof ACTIONS)[number];

/** What became of one participant. */
export type Outcome =
	| 'done'
	| 'unchanged'
	| 'inviteRequired'
	| 'notFound'
	| 'recentlyLeft'
	| 'groupFull'
	| 'pendingApproval'
	| 'blocked'
	| 'rejected'
	| 'accepted'
	| 'unconfirmed'
	| 'planned';

/** Whether the group is now as asked: `true`, `false`, or `null` where that is not known. */
export type Applied = boolean | null;

/** An outcome in the words of a sentence, and of the summary after a run. */
interface Wording {
	applied: Applied;
	message: string | Record<Action, string>;
	/** Follows a number, one and several: "1 needs an invite", "2 need an invite". */
	summary: string | [one: string, several: string];
}

const CODES: Array<{ code: string; actions?: Action[]; outcome: Outcome }> = [
	{ code: '200', outcome: 'done' },
	{ code: '409', actions: ['add'], outcome: 'unchanged' },
	{ code: '404', actions: ['remove'], outcome: 'unchanged' },
	{ code: '404', outcome: 'notFound' },
	{ code: '403', actions: ['add'], outcome: 'inviteRequired' },
	{ code: '417', actions: ['add'], outcome: 'inviteRequired' },
	{ code: '408', outcome: 'recentlyLeft' },
	{ code: '419', outcome: 'groupFull' },
	{ code: '421', outcome: 'pendingApproval' },
	{ code: '401', outcome: 'blocked' },
];

export const WORDING: Record<Outcome, Wording> = {
	done: {
		applied: true,
		message: {
			add: 'Added to the group.',
			remove: 'Removed from the group.',
			promote: 'Made an admin of the group.',
			demote: 'No longer an admin of the group.',
		},
		summary: 'applied',
	},
	unchanged: {
		applied: true,
		message: {
			add: 'Was already a member of the group.',
			remove: 'Was not a member of the group.',
			promote: 'Was already an admin of the group.',
			demote: 'Was not an admin of the group.',
		},
		summary: 'unchanged',
	},
	inviteRequired: {
		applied: false,
		message: "Can't be added because of their privacy settings. Send them an invite instead.",
		summary: ['needs an invite', 'need an invite'],
	},
	notFound: {
		applied: false,
		message: {
			add: 'This number is not on the network.',
			remove: 'Not found.',
			promote: 'Is not a member of the group.',
			demote: 'Is not a member of the group.',
		},
		summary: 'not found',
	},
	recentlyLeft: {
		applied: false,
		message: 'Left the group a short time ago. Try again later, or send them an invite.',
		summary: 'left recently',
	},
	groupFull: { applied: false, message: 'The group is full.', summary: 'did not fit in the group' },
	pendingApproval: {
		applied: false,
		message: 'Waits for an admin of the group to approve.',
		summary: ['waits for approval', 'wait for approval'],
	},
	blocked: {
		applied: false,
		message:
			'Blocked: either this person has blocked the account of the instance, or the account has blocked them.',
		summary: 'blocked',
	},
	rejected: { applied: false, message: 'The gateway rejected this participant.', summary: 'rejected' },
	accepted: {
		applied: null,
		message: 'The gateway accepted the request but did not say what became of this participant.',
		summary: 'accepted without a result',
	},
	unconfirmed: {
		applied: null,
		message:
			'The gateway did not say clearly what became of this participant. Check the group before you repeat the change.',
		summary: 'not confirmed',
	},
	planned: { applied: null, message: 'Would be sent. Dry run, nothing was sent.', summary: 'planned' },
};

/**
 * The outcome that a participant's code stands for.
 *
 * @param code the gateway's code, e.g. `403` (the codes of the network, as gateways pass them on)
 */
export function outcomeOf(code: string, action: Action): Outcome {
	return (
		CODES.find((row) => row.code === code && (row.actions ?? ACTIONS).includes(action))?.outcome ?? 'rejected'
	);
}

/** The sentence that goes with an outcome; a code that has no outcome of its own is named. */
export function sentenceOf(outcome: Outcome, action: Action, code?: string): string {
	const { message } = WORDING[outcome];
	const sentence = typeof message === 'string' ? message : message[action];
	if (outcome !== 'rejected' || !code) return sentence;
	return `${sentence.slice(0, -1)} with code ${code}.`;
}

/** `1 needs an invite`, `2 need an invite`. */
export function tallyOf(outcome: Outcome, amount: number): string {
	const { summary } = WORDING[outcome];
	return `${amount} ${typeof summary === 'string' ? summary : summary[amount === 1 ? 0 : 1]}`;
}
