import { isRecord, listOf, textOf } from '../../common/json';
import { EMPTY } from '../routes';

/** Reads the reply to "invite code". If the network is silent, 2.3.6 makes a link that ends in `/undefined`. */
export function readInviteLink(
	reply: unknown,
): { inviteUrl: string; inviteCode: string } | typeof EMPTY | undefined {
	if (!isRecord(reply)) return undefined;
	const inviteUrl = textOf(reply.inviteUrl);
	if (inviteUrl === undefined) return undefined;
	const inviteCode = textOf(reply.inviteCode) || inviteUrl.split('/').at(-1);
	if (!inviteCode || inviteCode === 'undefined' || inviteUrl.endsWith('/undefined')) return EMPTY;
	return { inviteUrl, inviteCode };
}

/** Whether a reply names a link that works, also that of a message that was sent. */
export function hasInviteLink(reply: unknown): boolean {
	return typeof readInviteLink(reply) === 'object';
}

/** Reads the reply to "send invite" to one number: `{send: true}`, or `{sent: [{success}]}` of WhatsMiau. */
export function isInviteSent(reply: unknown): boolean | undefined {
	if (!isRecord(reply)) return undefined;
	const [sent, ...others] = listOf(reply.sent);
	const success = isRecord(sent) && others.length === 0 ? sent.success : undefined;
	return reply.send === true || (typeof success === 'boolean' ? success : undefined);
}

/** Reads the reply to "revoke invite code": `{revoked: true, inviteCode}`, or the link of WhatsMiau. */
export function readRevoked(reply: unknown): ReturnType<typeof readInviteLink> {
	if (!isRecord(reply)) return undefined;
	if (reply.revoked === undefined) return readInviteLink(reply);
	if (reply.revoked !== true) return undefined;
	const inviteCode = textOf(reply.inviteCode);
	if (!inviteCode || inviteCode === 'undefined') return EMPTY;
	return { inviteUrl: `https://chat.whatsapp.com/${inviteCode}`, inviteCode };
}
