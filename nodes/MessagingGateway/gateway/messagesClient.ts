import { isRecord } from '../common/json';
import { SECOND } from '../common/time';
import type { GroupRef, Participant } from '../groups/change';
import { jidsOf, type Identity } from '../groups/identity';
import { GatewayConnection } from './connection';
import { isInstanceMissing, isRouteMissing, type CallFailure } from './failures/callFailure';
import { hasInviteLink, readInviteSent } from './replies/inviteLink';
import {
	readLinkSent,
	readMessageStatus,
	readNumberLookup,
	readSentId,
	type MessageStatus,
} from './replies/messages';
import type { ReplyReader } from './routes';
import type { RequestOptions } from './sender';

/** Options of a question without which a run goes on: one try, for at most 15 seconds. */
export const once = (timeout: number) => ({ timeout: Math.min(timeout, 15_000), maxRetries: 0 });

/** Functions of a gateway for messages, and for whom they reach. */
export class MessagesClient extends GatewayConnection {
	/** Sends a message to a group. @returns the ID of the message */
	async sendText(
		{ instance, groupJid }: GroupRef,
		message: { text: string; mentionEveryone: boolean },
		options: RequestOptions,
	): Promise<string> {
		const body = messageBody(groupJid, message);
		return await this.call('sendText', { instance, body }, options, readSentId);
	}

	/** Finds the ID under which the network has a person's number. @returns `null` if it hasn't */
	async findNumber(
		instance: string,
		{ sentAs, identity: { kind, digits } }: Participant,
		options: RequestOptions,
	): Promise<Identity | null> {
		// Of a full ID gateways look up that form alone.
		const asked = kind === 'phone' ? digits : sentAs;
		const values = { instance, body: { numbers: [asked] } };
		return await this.call('findNumbers', values, options, (body) => readNumberLookup(body, asked));
	}

	/** Sends a group's public link in a message. @returns `noLink` if it went out without one (2.3.6) */
	async sendInvite(
		{ instance, groupJid }: GroupRef,
		{ message, sentAs }: { message: string; sentAs: string },
		options: RequestOptions,
	): Promise<'sent' | 'noLink' | 'refusedByNetwork'> {
		const body = { groupJid, description: message, numbers: [sentAs] };
		return await this.call('sendInvite', { instance, body }, options, (reply, isSilent) => {
			if (isRecord(reply) && 'sent' in reply) this.session.gateway.writesToAnybody = true;
			const sent = readInviteSent(reply);
			if (sent !== 'sent') return sent === 'failed' ? undefined : sent;
			if (hasInviteLink(reply)) return sent;
			if (isSilent) this.session.noteSilence(instance, 'sendInvite');
			return 'noLink';
		});
	}

	/** Looks up what the network did with a message. */
	async messageStatus(
		instance: string,
		sent: { participant: Participant; message: string; sentAt: number },
		options: RequestOptions,
	) {
		const read: ReplyReader<MessageStatus> = (body) => readMessageStatus(body, sent);
		return await this.findMessages(instance, { ...sent, offset: 1 }, read, options);
	}

	/** Looks up when a group's link went to a person last, ms since 1970. @param link since when it counts */
	async linkSentAt(
		instance: string,
		link: { participant: Participant; inviteCode: string; since: number },
		options: RequestOptions,
	) {
		const read: ReplyReader<number | MessageStatus> = (body) => readLinkSent(body, link);
		return await this.findMessages(instance, { ...link, offset: 20 }, read, options);
	}

	/** Looks up the last messages to a person, in each form until one has some. It never fails or stops. */
	private async findMessages<T>(
		instance: string,
		{ participant, offset }: { participant: Participant; offset: number },
		read: ReplyReader<T | MessageStatus>,
		{ timeout, maxRetries }: RequestOptions,
	): Promise<T | MessageStatus> {
		// An answer for the connection, since a failed read stops the instance.
		const readFailure = (failure: CallFailure): MessageStatus => {
			const { status = 500 } = failure;
			if (isRouteMissing(failure) || (status === 404 && !isInstanceMissing(failure))) return 'noRoute';
			return status >= 500 ? 'noAnswer' : 'unknown';
		};
		for (const remoteJid of jidsOf(participant.identity)) {
			const values = { instance, body: { where: { key: { remoteJid, fromMe: true } }, offset } };
			for (let retries = 0; ; retries++) {
				const asked = this.call('findMessages', values, once(timeout), read, readFailure);
				const status = await asked.catch(() => 'unknown' as const);
				if (status === 'none') break;
				if (status !== 'noAnswer') return status;
				if (retries >= maxRetries) return 'unknown';
				await this.session.pause(SECOND * 2 ** retries);
			}
		}
		return 'unknown';
	}
}

/** Gives the body of a message to a group: each generation reads its own fields. */
function messageBody(
	groupJid: string,
	{ text, mentionEveryone }: { text: string; mentionEveryone: boolean },
) {
	const everyone = { mentionsEveryOne: true, options: { mentions: { everyOne: true } } };
	return { number: groupJid, text, textMessage: { text }, ...(mentionEveryone && everyone) };
}
