import { isRecord } from '../common/json';
import { Problem } from '../common/problem';
import { SECOND } from '../common/time';
import type { ChangeRequest, ChangeResult, GroupRef, Participant } from '../groups/change';
import { identityOf, jidsOf, type Identity } from '../groups/identity';
import { noteChanges } from '../groups/memory/noteChanges';
import type { Member } from '../groups/people';
import { GatewayConnection } from './connection';
import { keysIn, readCredential } from './credential';
import { isErrorBody, isInstanceMissing, isRouteMissing, type CallFailure } from './failures/callFailure';
import { GatewayFailure } from './failures/gatewayFailure';
import { httpOf, type RequestContext } from './http';
import { keyRedactor } from './redact/redactText';
import { readBot, readBots, type Bot } from './replies/bots';
import { isUnnamed, resultsOf } from './replies/changeResults';
import { isErrorReply, readRows } from './replies/changeRows';
import { readGroups, type Group } from './replies/groups';
import { readConnectionState, readInstances, type Instance } from './replies/instances';
import { hasInviteLink, readInviteLink, readInviteSent, readRevoked } from './replies/inviteLink';
import { readMembers } from './replies/members';
import { readMessageStatus, readNumberLookup, type MessageStatus } from './replies/messages';
import { readQrCode, type QrCode } from './replies/qrCode';
import type { RequestOptions } from './retry';
import { EMPTY, type ReplyReader } from './routes';
import type { ConnectionSettings } from './sender';

const NOT_CONNECTED =
	"The gateway didn't say what became of this participant: the instance isn't connected. Check the group once it is, before you try again.";

/** Options of a question without which a run goes on: one try, for at most 15 seconds. */
const once = (timeout: number) => ({ timeout: Math.min(timeout, 15_000), maxRetries: 0 });

/** Reads the failure of a missing instance as a value, if that is allowed. */
const missingAs = <T>(value: T, isAllowed: boolean) => {
	return (failure: CallFailure) => (isAllowed && isInstanceMissing(failure) ? value : undefined);
};

/** The settings of a group: the gateway's words for them, and the field of the group that shows each. */
const GROUP_SETTINGS = {
	sendMessages: { admins: 'announcement', everyone: 'not_announcement', field: 'announce' },
	editInfo: { admins: 'locked', everyone: 'unlocked', field: 'restrict' },
} as const;

/** Gives the failure of a change that lost the connection, or found none, and may have been made. @throws all others */
function lostConnection(problem: unknown): GatewayFailure {
	if (!(problem instanceof GatewayFailure) || problem.call.status === undefined) throw problem;
	const { certainlyNotApplied, checkAfter } = problem.policy;
	if (certainlyNotApplied || checkAfter === undefined) throw problem;
	return problem;
}

/** Functions of a gateway. They throw GatewayFailure, or BlockedCall if nothing is sent after an earlier failure. */
export class GatewayClient extends GatewayConnection {
	/** Opens a client for the node's credential. @param secrets gets the key first, since no error may show it */
	static async open(
		context: RequestContext,
		secrets: string[],
		settings: ConnectionSettings = {},
	): Promise<GatewayClient> {
		const data = await context.getCredentials('messagingGatewayApi');
		secrets.push(...keysIn(data));
		const credential = readCredential(data);
		// A workflow stores the chosen entry of a picker, and the texts of a trigger's snapshot.
		const redactReply = settings.caller && keyRedactor(secrets);
		return new GatewayClient(credential, httpOf(context, credential), { ...settings, redactReply });
	}

	/** Lists instances. Asked for one, some gateways give others. @param allowMissing gives none for a missing name */
	async instances(
		options: RequestOptions,
		{ name, allowMissing = false }: { name?: string | undefined; allowMissing?: boolean } = {},
	): Promise<Instance[]> {
		const values = name === undefined ? {} : { instanceName: name };
		const readFailure = missingAs([], allowMissing);
		return await this.call<Instance[]>('listInstances', values, options, readInstances, readFailure);
	}

	/** Finds an instance, with its live state where the list has no status (WhatsMiau). */
	async instance(name: string, options: RequestOptions): Promise<Instance | undefined> {
		const all = await this.instances(options, { name });
		// Some gateways ignore the filter, or take `constructor` for no filter.
		const found = all.find((instance) => instance.name === name);
		if (found === undefined || found.status !== undefined) return found;
		const asking = this.connectionState(name, once(options.timeout), { allowMissing: true });
		const status = (await asking.catch(() => null)) ?? undefined;
		return { ...found, status, record: { ...found.record, ...(status && { status }) } };
	}

	/** Lists all instances. An empty reply is a failure, but an empty list isn't. */
	async allInstances(options: RequestOptions): Promise<Instance[]> {
		const read = (body: unknown) => (body === null ? undefined : readInstances(body));
		return await this.call('listInstances', {}, options, read);
	}

	/** Finds the accounts of instances, if it can. Generation 1 asks the network first, so there is one short try. */
	async ownAccounts(
		instances: readonly string[],
		{ timeout }: RequestOptions,
	): Promise<Map<string, Identity | undefined>> {
		const [instanceName, ...others] = instances;
		const values = instanceName !== undefined && others.length === 0 ? { instanceName } : {};
		const listing = this.call<Instance[]>('listInstances', values, once(timeout), readInstances, () => []);
		const all = await listing.catch(() => []);
		const owners = new Map(all.map(({ name, owner }) => [name, identityOf(owner)]));
		return new Map(instances.map((instance) => [instance, owners.get(instance)]));
	}

	/** Asks for the live state of an instance's connection. @returns e.g. `open`, or `null` for one that may be missing */
	async connectionState(
		instance: string,
		options: RequestOptions,
		{ allowMissing }: { allowMissing: boolean },
	): Promise<string | null> {
		const read: ReplyReader<string | null> = readConnectionState;
		return await this.call('connectionState', { instance }, options, read, missingAs(null, allowMissing));
	}

	/** Starts a connection of the instance, unless it's open. */
	async connect(instance: string, options: RequestOptions): Promise<QrCode> {
		// CodeChat.
		const isOpen = ({ status, errorText }: CallFailure) =>
			status === 400 && /already connected/i.test(errorText);
		return await this.call<QrCode>('connect', { instance }, options, readQrCode, (failure) =>
			isOpen(failure) ? { status: 'open' } : undefined,
		);
	}

	/** Lists the groups that the instance's account is in. After a minute of silence an empty list is a failure. */
	async groups(instance: string, options: RequestOptions): Promise<Group[]> {
		const values = { instance, getParticipants: 'false' } as const;
		return await this.call('listGroups', values, options, (body, isSilent) => {
			const groups = readGroups(body);
			return isSilent && groups?.length === 0 ? EMPTY : groups;
		});
	}

	/** Reads the members of a group, each once. An empty list is a failure, since no group is without members. */
	async members({ instance, groupJid }: GroupRef, options: RequestOptions): Promise<Member[]> {
		return await this.call('listParticipants', { instance, groupJid }, options, (body) => {
			const members = readMembers(body);
			return members?.length === 0 ? EMPTY : members;
		});
	}

	/** Changes members of a group. @returns a result for each change, and whether the reply doesn't tell whose codes it has */
	async changeParticipants(
		request: ChangeRequest,
		options: RequestOptions,
	): Promise<{ results: ChangeResult[]; isUnnamed: boolean }> {
		const { instance, groupJid, action } = request;
		const participants = request.participants.map(({ sentAs }) => sentAs);
		const values = { instance, groupJid, body: { action, participants } };
		const noteResults = noteChanges(this.session.people, request, this.session.part);
		const changing = this.call('updateParticipants', values, options, (reply, slow) => {
			if (isErrorReply(reply)) return undefined;
			const rows = readRows(reply);
			const results = resultsOf(request, rows);
			return { results, isUnnamed: isUnnamed(rows ?? [], results), isSilent: slow };
		});
		const { isSilent, ...change } = await changing.catch((failure: unknown) => {
			const isUnknown = failure instanceof GatewayFailure && !failure.policy.certainlyNotApplied;
			noteResults(isUnknown ? 'unknown' : 'notSent');
			throw failure;
		});
		noteResults(change.results);
		if (!isSilent || change.results.some(({ applied }) => applied !== null)) return change;
		this.session.noteSilence(instance, 'updateParticipants');
		if ((await this.session.checkOpen(instance))?.closedState === undefined) return change;
		return { ...change, results: change.results.map((result) => ({ ...result, message: NOT_CONNECTED })) };
	}

	async inviteLink({ instance, groupJid }: GroupRef, options: RequestOptions) {
		return await this.call('inviteCode', { instance, groupJid }, options, readInviteLink);
	}

	/** Makes a new public link for a group. The one before no longer works. */
	async resetInviteLink({ instance, groupJid }: GroupRef, options: RequestOptions) {
		return await this.call('revokeInviteCode', { instance, groupJid }, options, readRevoked);
	}

	/**
	 * Changes a setting of a group. Then the group is read, since gateways take what the network doesn't do. After a lost
	 * connection, or an empty success after a minute of silence (generation 2), only that tells what became of it.
	 *
	 * @throws Problem if the group shows that the setting wasn't changed
	 */
	async updateSetting(
		group: GroupRef,
		setting: keyof typeof GROUP_SETTINGS,
		who: 'admins' | 'everyone',
		options: RequestOptions,
	): Promise<void> {
		const { instance, groupJid } = group;
		const { field, [who]: action } = GROUP_SETTINGS[setting];
		const values = { instance, groupJid, body: { action } };
		const changing = this.call('updateSetting', values, options, (body, isSilent) =>
			isRecord(body) && !isErrorBody(body) ? isSilent : undefined,
		);
		const sent = await changing.catch(lostConnection);
		const uncertain = sent === true ? this.session.noteSilence(instance, 'updateSetting') : sent;
		const isSet =
			uncertain === false
				? // It's set for all the gateway says, so a group that can't be read changes nothing.
					await this.shownSetting(group, field, once(options.timeout), () => null).catch(() => null)
				: await this.settleSetting(group, field, uncertain, options);
		if (isSet === null || isSet === (who === 'admins')) return;
		throw new Problem(
			`The setting wasn't changed: the group was read again. ${uncertain ? uncertain.message : 'The gateway took it without a word'}`,
			uncertain
				? 'Check that the instance is connected, then run this again'
				: 'Look at the group. A community and its announcements refuse some settings: set them on its other groups',
		);
	}

	private async shownSetting(
		{ instance, groupJid }: GroupRef,
		field: string,
		options: RequestOptions,
		readFailure?: () => null,
	): Promise<boolean | null> {
		const read = (body: unknown) =>
			isRecord(body) && typeof body[field] === 'boolean' ? body[field] : undefined;
		return await this.call<boolean | null>('groupInfo', { instance, groupJid }, options, read, readFailure);
	}

	/** Reads a setting after a change of which nobody knows. @throws the failure of the change where that isn't known now */
	private async settleSetting(
		group: GroupRef,
		field: string,
		uncertain: GatewayFailure,
		options: RequestOptions,
	): Promise<boolean | null> {
		const state = (await this.session.awaitOpen(group.instance, uncertain.policy.checkAfter))?.closedState;
		if (state !== undefined) throw uncertain.withState(state);
		return await this.shownSetting(group, field, { ...options, maxRetries: 0 }).catch((failure: unknown) => {
			const later = failure instanceof GatewayFailure ? failure.closedState : undefined;
			throw later === undefined ? uncertain : uncertain.withState(later);
		});
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

	/** Sends a group's public link in a message. @returns `noLink` for one that was sent without it, too (2.3.6) */
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

	/** Looks up what the network did with a message. It asks the network nothing, never fails, and stops nothing. */
	async messageStatus(
		instance: string,
		{ participant, ...sent }: { participant: Participant; message: string; sentAt: number },
		{ timeout, maxRetries }: RequestOptions,
	) {
		const read: ReplyReader<MessageStatus> = (body) => readMessageStatus(body, sent);
		// An answer for the connection, since a failed read stops the instance.
		const readFailure = (failure: CallFailure) => {
			const { status = 500 } = failure;
			if (isRouteMissing(failure) || (status === 404 && !isInstanceMissing(failure))) return 'noRoute';
			return status >= 500 ? 'noAnswer' : 'unknown';
		};
		for (const remoteJid of jidsOf(participant.identity)) {
			const values = { instance, body: { where: { key: { remoteJid, fromMe: true } }, offset: 1 } };
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

	/** Reads a bot. @returns `null` if there is none; some gateways give the bot of another instance, too */
	async bot(instance: string, bot: string, options: RequestOptions): Promise<Bot | null> {
		return await this.call('findBot', { instance, bot }, options, readBot);
	}

	async bots(instance: string, options: RequestOptions) {
		return await this.call('listBots', { instance }, options, readBots);
	}
}
