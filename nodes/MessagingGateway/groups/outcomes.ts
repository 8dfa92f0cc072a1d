export const ACTIONS = ['add', 'remove', 'promote', 'demote'] as const;
export type Action = (typeof ACTIONS)[number];

/** An action of a result: `none` if nothing is sent. */
export type AnyAction = Action | 'invite' | 'none';

/** Whether the group is now as requested. `null`: not known. */
export type Applied = boolean | null;

/** An ID goes out as it is, while gateways rewrite numbers with several forms. */
const TRY_EXACTLY = 'To try the number as given, write its ID, such as 5215512345678@s.whatsapp.net.';
const NOT_A_MEMBER = 'Not a member under the number that the gateway asked about.';

/** The sentence for an unknown result once the group was read again: no advice to check it. */
export const NO_CLEAR_RESULT = 'The gateway gave no clear result for this participant.';

/** The sentences behind all that a dry run plans. */
export const DRY_RUN = 'Dry run: nothing was sent. Turn off Dry Run to do it.';

/** Makes the sentence for a change that a dry run plans. */
function sayPlanned(change: string): string {
	return `Would ${change}. ${DRY_RUN}`;
}

const OUTCOMES = {
	done: { applied: true, message: 'Done.' },
	unchanged: { applied: true, message: 'Already up to date.' },
	inviteRequired: {
		applied: false,
		message: "Couldn't be added because of their privacy settings. Send an invite instead.",
	},
	notFound: { applied: false, message: 'Not on the network. Check the number.' },
	recentlyLeft: { applied: false, message: 'Left the group recently. Try again later, or send an invite.' },
	groupFull: { applied: false, message: 'The group is full.' },
	pendingApproval: { applied: false, message: 'Waiting for an admin of the group to approve.' },
	blocked: {
		applied: false,
		message: "This person has blocked the instance's account, or is blocked by it.",
	},
	rejected: { applied: false, message: 'The gateway rejected this participant.' },
	accepted: {
		applied: null,
		message: 'The gateway accepted the request but gave no result for this participant.',
	},
	unconfirmed: { applied: null, message: `${NO_CLEAR_RESULT} Check the group before you try again.` },
	kept: { applied: null, message: 'Kept in the group.' },
	left: { applied: false, message: 'Was a member and left. Not added again.' },
	postponed: { applied: false, message: 'Postponed. Run this again to go on.' },
	sent: {
		applied: true,
		message: "A message with the group's link was handed to the gateway. Whether it arrives isn't known.",
	},
	alreadyInvited: { applied: true, message: 'Was invited before, so nothing was sent.' },
	planned: { applied: null, message: sayPlanned('be sent') },
} satisfies Record<string, { applied: Applied; message: string }>;

export type Outcome = keyof typeof OUTCOMES;

/** The meaning of an outcome, and its sentence for an item. */
export const WORDING: Record<Outcome, { applied: Applied; message: string }> = OUTCOMES;

/**
 * Sentences that replace the outcome's after some actions. `rewritten`: the gateway looked up another number
 * than the one sent. `ambiguous`: it's unknown which people of a request were changed just now.
 */
const AFTER_ACTION: Readonly<
	Partial<Record<`${Outcome} ${AnyAction}${'' | ' rewritten' | ' ambiguous'}`, string>>
> = {
	'done add': 'Added to the group.',
	'done remove': 'Removed from the group.',
	'done promote': 'Made an admin of the group.',
	'done demote': 'No longer an admin of the group.',
	'unchanged add': 'Was already a member of the group.',
	'unchanged remove': 'Was not a member of the group.',
	'unchanged add ambiguous': 'Is in the group.',
	'unchanged remove ambiguous': "Isn't in the group.",
	'notFound promote': 'Not a member of the group.',
	'notFound demote': 'Not a member of the group.',
	'notFound add rewritten': `The number that the gateway asked about is not on the network. ${TRY_EXACTLY}`,
	'notFound promote rewritten': `${NOT_A_MEMBER} ${TRY_EXACTLY}`,
	'notFound demote rewritten': `${NOT_A_MEMBER} ${TRY_EXACTLY}`,
	'unconfirmed remove rewritten': `${NOT_A_MEMBER} They may still be a member under the number as given. ${TRY_EXACTLY}`,
	'planned add': sayPlanned('be added to the group'),
	'planned remove': sayPlanned('be removed from the group'),
	'planned promote': sayPlanned('become an admin of the group'),
	'planned demote': sayPlanned('stop being an admin of the group'),
	'planned invite': sayPlanned('be invited'),
	'rejected invite': 'The message was refused.',
};

/** Gives the sentence for an outcome after an action, in one of the cases of the table. */
export function sentenceOf(outcome: Outcome, action: AnyAction, inCase?: 'rewritten' | 'ambiguous'): string {
	const ofCase = inCase && AFTER_ACTION[`${outcome} ${action} ${inCase}`];
	return ofCase ?? AFTER_ACTION[`${outcome} ${action}`] ?? WORDING[outcome].message;
}

/** The sentence for each of several people who were refused together with `inviteRequired`. */
export const REFUSED_TOGETHER =
	"Couldn't be added, and neither could anybody else in this request: the group may be a community or its announcements, which people are added to through its other groups. Send an invite instead.";

/** Describes a 404 for a number that has another form, which the gateway didn't look up. */
export function openNotFound(action: Action, other: string): { outcome: Outcome; message: string } {
	if (action === 'add')
		return {
			outcome: 'notFound',
			message: `Not on the network under this form of the number. Try its other form, ${other}.`,
		};
	const notThere = `Not a member under this form of the number. They may be one under its other form, ${other}.`;
	return { outcome: action === 'remove' ? 'unconfirmed' : 'notFound', message: notThere };
}
