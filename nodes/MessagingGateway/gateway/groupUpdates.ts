import type { RouteName } from './routes';

/** The calls that update a group, by the field that each sets, and their bodies. */
export const UPDATES = {
	subject: (subject: string) => ['updateSubject', { subject }],
	description: (description: string) => ['updateDescription', { description }],
	picture: (image: string) => ['updatePicture', { image }],
	sendMessages: (who: string) => [
		'updateSetting',
		{ action: who === 'admins' ? 'announcement' : 'not_announcement' },
	],
	editInfo: (who: string) => ['updateSetting', { action: who === 'admins' ? 'locked' : 'unlocked' }],
	disappearingMessages: (time: string) => ['toggleEphemeral', { expiration: LIFETIMES[time] }],
} satisfies Record<string, (value: string) => [RouteName, Record<string, unknown>]>;

export type GroupField = keyof typeof UPDATES;

/** The lives of messages, in seconds. */
const LIFETIMES: Partial<Record<string, number>> = { off: 0, day: 86_400, week: 604_800, quarter: 7_776_000 };

/** Gives the body of a message to a group: each generation reads its own fields. */
export function messageBody(
	groupJid: string,
	{ text, mentionEveryone }: { text: string; mentionEveryone: boolean },
) {
	const everyone = { mentionsEveryOne: true, options: { mentions: { everyOne: true } } };
	return { number: groupJid, text, textMessage: { text }, ...(mentionEveryone && everyone) };
}
