/** Changes of a group's members. */
export const ACTIONS = ['add', 'remove', 'promote', 'demote'] as const;
export type Action = (typeof ACTIONS)[number];

/** Whether the group is now as requested. `null`: not known. */
export type Applied = boolean | null;

/** An outcome in words, for its item and for the summary after a run. */
interface Wording {
	applied: Applied;
	message: string;
	/** Words after a number: "1 needs an invite", "2 need an invite". */
	summary: Tally;
}

/** Words after a number, or a singular and a plural form. */
export type Tally = string | readonly [one: string, several: string];

/** Advice for numbers with several forms, as part of a sentence. */
export const EXACTLY = "turn on 'Keep Numbers Exact'";
const TRY_EXACTLY = `To try the number as given, ${EXACTLY}.`;
const NOT_A_MEMBER = 'Not a member under the number that the gateway asked about.';

/** The sentence for an unknown result once the group was read again: no advice to check it. */
export const NO_CLEAR_RESULT = 'The gateway gave no clear result for this participant.';

/** Makes the sentence for a change that a dry run plans. */
function sayPlanned(change: string): string {
	return `Would ${change}. Dry run: nothing was sent.`;
}

const OUTCOMES = {
	done: { applied: true, message: 'Done.', summary: 'done' },
	unchanged: { applied: true, message: 'Already up to date.', summary: 'unchanged' },
	inviteRequired: {
		applied: false,
		message: "Couldn't be added because of their privacy settings. Send an invite instead.",
		summary: ['needs an invite', 'need an invite'],
	},
	notFound: { applied: false, message: 'Not on the network. Check the number.', summary: 'not found' },
	recentlyLeft: {
		applied: false,
		message: 'Left the group recently. Try again later, or send an invite.',
		summary: 'left recently',
	},
	groupFull: { applied: false, message: 'The group is full.', summary: "didn't fit in the group" },
	pendingApproval: {
		applied: false,
		message: 'Waiting for an admin of the group to approve.',
		summary: ['waits for approval', 'wait for approval'],
	},
	blocked: {
		applied: false,
		message: "This person has blocked the instance's account, or is blocked by it.",
		summary: 'blocked',
	},
	rejected: { applied: false, message: 'The gateway rejected this participant.', summary: 'rejected' },
	accepted: {
		applied: null,
		message: 'The gateway accepted the request but gave no result for this participant.',
		summary: 'accepted without a result',
	},
	unconfirmed: {
		applied: null,
		message: `${NO_CLEAR_RESULT} Check the group before you try again.`,
		summary: 'not confirmed',
	},
	kept: { applied: null, message: 'Kept in the group.', summary: 'kept' },
	left: {
		applied: false,
		message: 'Was a member and left. Not added again.',
		summary: ['left and stays out', 'left and stay out'],
	},
	postponed: { applied: false, message: 'Postponed. Run this again to go on.', summary: 'postponed' },
	sent: {
		applied: true,
		message: "A message with the group's link was handed to the gateway. Whether it arrives isn't known.",
		summary: 'invited',
	},
	alreadyInvited: {
		applied: true,
		message: 'Was invited before, so nothing was sent.',
		summary: ['was invited before', 'were invited before'],
	},
	planned: { applied: null, message: sayPlanned('be sent'), summary: 'would be sent' },
} satisfies Record<string, Wording>;

/** The outcome of a change for one participant. */
export type Outcome = keyof typeof OUTCOMES;

export const WORDING: Record<Outcome, Wording> = OUTCOMES;

/**
 * Words that replace the outcome's after some actions, and in a few cases. `rewritten`: the gateway looked up another
 * number than the one sent. `ambiguous`: it's unknown which people of a request were changed just now. `unknown`: `applied`
 * is `null`, against the outcome's rule.
 */
const AFTER_ACTION: Partial<Record<string, Partial<Pick<Wording, 'message' | 'summary'>>>> = {
	'done add': { message: 'Added to the group.', summary: 'added' },
	'done remove': { message: 'Removed from the group.', summary: 'removed' },
	'done promote': { message: 'Made an admin of the group.', summary: 'promoted' },
	'done demote': { message: 'No longer an admin of the group.', summary: 'demoted' },
	'unchanged add': {
		message: 'Was already a member of the group.',
		summary: ['was a member already', 'were members already'],
	},
	'unchanged remove': {
		message: 'Was not a member of the group.',
		summary: ["wasn't a member", "weren't members"],
	},
	'unchanged add ambiguous': {
		message: 'Is in the group.',
		summary: ['is in the group', 'are in the group'],
	},
	'unchanged remove ambiguous': {
		message: "Isn't in the group.",
		summary: ["isn't in the group", "aren't in the group"],
	},
	'notFound promote': { message: 'Not a member of the group.' },
	'notFound demote': { message: 'Not a member of the group.' },
	'notFound add rewritten': {
		message: `The number that the gateway asked about is not on the network. ${TRY_EXACTLY}`,
	},
	'notFound promote rewritten': { message: `${NOT_A_MEMBER} ${TRY_EXACTLY}` },
	'notFound demote rewritten': { message: `${NOT_A_MEMBER} ${TRY_EXACTLY}` },
	'unconfirmed remove rewritten': {
		message: `${NOT_A_MEMBER} They may still be a member under the number as given. ${TRY_EXACTLY}`,
	},
	'alreadyInvited invite unknown': { summary: 'may have been invited before' },
	'planned add': { message: sayPlanned('be added to the group'), summary: 'would be added' },
	'planned remove': { message: sayPlanned('be removed from the group'), summary: 'would be removed' },
	'planned promote': { message: sayPlanned('become an admin of the group'), summary: 'would be promoted' },
	'planned demote': { message: sayPlanned('stop being an admin of the group'), summary: 'would be demoted' },
	'planned invite': { message: sayPlanned('be invited'), summary: 'would be invited' },
	'rejected invite': { message: 'The message was refused.' },
};

/** Gives the sentence for an outcome. @param wasRewritten whether the code may be about another number than the one sent */
export function sentenceOf(outcome: Outcome, action: string, code?: string, wasRewritten = false): string {
	if (outcome === 'rejected' && code) return `The gateway rejected this participant with code ${code}.`;
	return wordsFor(outcome, action, wasRewritten && code === '404' ? 'rewritten' : undefined).message;
}

/** Gives the words for an outcome after an action, in one of the cases of the table. */
export function wordsFor(
	outcome: Outcome,
	action: string,
	inCase?: 'rewritten' | 'ambiguous' | 'unknown',
): Wording {
	const ofAction = AFTER_ACTION[`${outcome} ${action}`];
	return { ...WORDING[outcome], ...ofAction, ...AFTER_ACTION[`${outcome} ${action} ${inCase}`] };
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

/** Describes an amount of results: `1 needs an invite`, `3 added`. @param applied if it may differ from the outcome's rule */
export function tallyOf(
	outcome: Outcome,
	action: string,
	amount: number,
	{ applied, isAmbiguous }: { applied?: Applied; isAmbiguous?: boolean } = {},
): string {
	const ifUnknown = applied === null ? 'unknown' : undefined;
	return countOf(amount, wordsFor(outcome, action, isAmbiguous ? 'ambiguous' : ifUnknown).summary);
}

/** Writes an amount and the words that follow it: `1 needs an invite`. */
export function countOf(amount: number, words: Tally): string {
	return `${amount} ${typeof words === 'string' ? words : words[amount === 1 ? 0 : 1]}`;
}
