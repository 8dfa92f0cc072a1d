import { isRecord, listOf, recordOf, textOf } from '../../common/json';
import { EMPTY } from '../routes';

/** The end of a link that leads nowhere: a value that a gateway doesn't have, as text. */
const NO_CODE = /^(?:.*\/)?(?:undefined|null)?$/;

/** Reads the reply to "invite code". After a silence, 2.3.6 makes a link that ends in `/undefined`. */
export function readInviteLink(
	reply: unknown,
): { inviteUrl: string; inviteCode: string } | typeof EMPTY | undefined {
	if (!isRecord(reply)) return undefined;
	const inviteUrl = textOf(reply.inviteUrl);
	if (inviteUrl === undefined) return undefined;
	const inviteCode = textOf(reply.inviteCode) || inviteUrl.split('/').at(-1);
	if (inviteCode === undefined || NO_CODE.test(inviteCode) || NO_CODE.test(inviteUrl)) return EMPTY;
	return { inviteUrl, inviteCode };
}

/** Whether a reply names a link that works, also that of a message that was sent. */
export const hasInviteLink = (reply: unknown): boolean => typeof readInviteLink(reply) === 'object';

/** Reads the reply to "send invite": `{send: true}`, or WhatsMiau's `{sent: [{success, error}]}`. */
export function readInviteSent(reply: unknown): 'sent' | 'failed' | 'refusedByNetwork' | undefined {
	if (!isRecord(reply)) return undefined;
	const [row, ...others] = listOf(reply.sent);
	const { success, error } = recordOf(others.length === 0 ? row : undefined);
	if (reply.send === true || success === true) return 'sent';
	if (success !== false) return undefined;
	// It waits for the network's answer to the message, e.g. 463.
	return /\bserver returned error \d+$/.test(textOf(error) ?? '') ? 'refusedByNetwork' : 'failed';
}

/** Reads the reply to "revoke invite code": `{revoked: true, inviteCode}`, or the link of WhatsMiau. */
export function readRevoked(reply: unknown): ReturnType<typeof readInviteLink> {
	if (!isRecord(reply)) return undefined;
	if (reply.revoked === undefined) return readInviteLink(reply);
	if (reply.revoked !== true) return undefined;
	const inviteCode = textOf(reply.inviteCode);
	if (inviteCode === undefined || NO_CODE.test(inviteCode)) return EMPTY;
	return { inviteUrl: `https://chat.whatsapp.com/${inviteCode}`, inviteCode };
}
