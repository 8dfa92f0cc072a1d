import { isRecord } from '../common/json';
import { groupKey, type ChangeRequest, type GroupRef } from '../groups/change';
import { identityOf } from '../groups/identity';
import type { Member } from '../groups/people';
import { enteredKey, readCredential } from './credential';
import { isInstanceMissing, isRouteMissing, wasSilent, type CallFailure } from './failures/callFailure';
import { httpOf, type RequestContext } from './http';
import { MessagesClient, once } from './messagesClient';
import { keyRedactor } from './redact/redactText';
import { readBot, readBots, type Bot } from './replies/bots';
import { isUnnamed, resultsOf } from './replies/changeResults';
import { isErrorReply, readRows } from './replies/changeRows';
import { isErrorBody } from './replies/errorBody';
import {
	readCreatedGroup,
	readGroup,
	readGroups,
	readGroupWithMembers,
	type Group,
	type GroupWithMembers,
} from './replies/groups';
import {
	readConnectionState,
	readInstances,
	type Instance,
	readQrCode,
	type QrCode,
} from './replies/instances';
import { readInviteLink, readRevoked } from './replies/inviteLink';
import { readMembers } from './replies/members';
import { EMPTY, UPDATES, type ReplyReader, type RouteName } from './routes';
import type { RequestOptions, ConnectionSettings } from './sender';

const NOT_CONNECTED =
	"The gateway didn't say what became of this participant: the instance isn't connected. Check the group once it is, before you try again.";

/** Reads the failure of a missing instance as a value, if that is allowed. */
const missingAs = <T>(value: T, isAllowed: boolean) => {
	return (failure: CallFailure) => (isAllowed && isInstanceMissing(failure) ? value : undefined);
};

/** Functions of a gateway. They throw GatewayFailure, or BlockedCall if nothing is sent. */
export class GatewayClient extends MessagesClient {
	/** Groups that couldn't be read before a change. */
	private readonly unread = new Map<string, Promise<GroupWithMembers | null>>();

	/** Opens a client for the node's credential. @param secrets gets the key first: no error may show it */
	static async open(context: RequestContext, secrets: string[], settings: ConnectionSettings = {}) {
		const data = await context.getCredentials('messagingGatewayApi');
		secrets.push(enteredKey(data));
		const credential = readCredential(data);
		// A workflow stores the chosen entry of a picker, and the texts of a trigger's snapshot.
		const redactReply = settings.caller && keyRedactor(secrets);
		return new GatewayClient(credential, httpOf(context, credential), { ...settings, redactReply });
	}

	/** Lists instances. Asked for one, some gateways give others. @param allowMissing gives none if missing */
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

	/** Finds the accounts of instances, if it can. Generation 1 asks the network first: one short try. */
	async ownAccounts(instances: readonly string[], timeout: number) {
		const [instanceName, ...others] = instances;
		const values = instanceName !== undefined && others.length === 0 ? { instanceName } : {};
		const listing = this.call<Instance[]>('listInstances', values, once(timeout), readInstances, () => []);
		const all = await listing.catch(() => []);
		const owners = new Map(all.map(({ name, owner }) => [name, identityOf(owner)]));
		return new Map(instances.map((instance) => [instance, owners.get(instance)]));
	}

	/** Asks for the live state of an instance. @returns e.g. `open`, or `null` for one that may be missing */
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

	/** Lists the groups that an account is in. After a minute of silence an empty list is a failure. */
	async groups(instance: string, options: RequestOptions): Promise<Group[]> {
		const values = { instance, getParticipants: 'false' } as const;
		return await this.call('listGroups', values, options, (body, isSilent) => {
			const groups = readGroups(body);
			return isSilent && groups?.length === 0 ? EMPTY : groups;
		});
	}

	/** Reads the members of a group, each once. An empty list is a failure: no group is without members. */
	async members({ instance, groupJid }: GroupRef, options: RequestOptions): Promise<Member[]> {
		return await this.call('listParticipants', { instance, groupJid }, options, (body) => {
			const members = readMembers(body);
			return members?.length === 0 ? EMPTY : members;
		});
	}

	/** Changes members of a group. @returns a result for each change, and whether the reply names nobody */
	async changeParticipants(request: ChangeRequest, options: RequestOptions) {
		const { instance, groupJid, action } = request;
		const participants = request.participants.map(({ sentAs }) => sentAs);
		const values = { instance, groupJid, body: { action, participants } };
		const { isSilent, ...change } = await this.call('updateParticipants', values, options, (reply, slow) => {
			if (isErrorReply(reply)) return undefined;
			const rows = readRows(reply);
			const results = resultsOf(request, rows);
			return { results, isUnnamed: isUnnamed(rows ?? [], results), isSilent: slow };
		});
		const postponed = change.results.filter(({ outcome }) => outcome === 'postponed');
		const accountCode = postponed[0]?.code;
		if (accountCode !== undefined) {
			this.session.stopAdditions(instance, accountCode);
			for (const result of postponed)
				result.message = this.session.postpones('add', instance) ?? result.message;
		}
		if (!isSilent || change.results.some(({ applied }) => applied !== null)) return change;
		this.session.noteSilence(instance, 'updateParticipants');
		if ((await this.session.awaitOpen(instance))?.closedState === undefined) return change;
		for (const result of change.results) result.message = NOT_CONNECTED;
		return change;
	}

	async inviteLink({ instance, groupJid }: GroupRef, options: RequestOptions) {
		return await this.call('inviteCode', { instance, groupJid }, options, readInviteLink);
	}

	/** Makes a new public link for a group. The one before no longer works. */
	async resetInviteLink({ instance, groupJid }: GroupRef, options: RequestOptions) {
		return await this.call('revokeInviteCode', { instance, groupJid }, options, readRevoked);
	}

	/** Reads one group. A reply with nothing in it is a failure: the instance may ignore groups. */
	async group({ instance, groupJid }: GroupRef, options: RequestOptions): Promise<Group> {
		return await this.call('groupInfo', { instance, groupJid }, options, readGroup);
	}

	/** Gives a group as {@link groupNow} does, but asks once a run for one that can't be read. */
	async groupBefore(group: GroupRef, options: RequestOptions): Promise<GroupWithMembers | null> {
		const key = groupKey(group);
		const reading = this.unread.get(key) ?? this.groupNow(group, options);
		return await reading.catch((failure: unknown) => {
			this.unread.set(key, reading);
			throw failure;
		});
	}

	/** Gives a group as this execution has read it, unless it changed it since. @returns `null` for nothing */
	async groupNow({ instance, groupJid }: GroupRef, options: RequestOptions) {
		const { readings } = this.session.part.execution;
		const key = groupKey({ instance, groupJid });
		const known = readings.get(key);
		if (known !== undefined) return await known;
		const isNothing = (failure: CallFailure) =>
			isRouteMissing(failure) || (failure.unreadable === 'empty' && !wasSilent(failure)) ? null : undefined;
		const read: ReplyReader<GroupWithMembers | null> = readGroupWithMembers;
		const reading = this.call('groupInfo', { instance, groupJid }, options, read, isNothing);
		readings.set(key, reading);
		return await reading.catch((failure: unknown) => {
			readings.delete(key);
			throw failure;
		});
	}

	/** Sets a field of a group. @param value a choice, a text, or base64 */
	async updateGroup(group: GroupRef, field: keyof typeof UPDATES, value: string, options: RequestOptions) {
		const [route, body] = UPDATES[field](value);
		await this.changeGroup(route, group, options, body);
	}

	/** Takes the account out of a group. */
	async leaveGroup(group: GroupRef, options: RequestOptions): Promise<void> {
		await this.changeGroup('leaveGroup', group, options);
	}

	/** Changes a group by a call whose reply tells nothing. A success after a minute of silence isn't one. */
	private async changeGroup(
		route: RouteName,
		{ instance, groupJid }: GroupRef,
		options: RequestOptions,
		body?: Record<string, unknown>,
	): Promise<void> {
		const values = { instance, groupJid, ...(body && { body }) };
		const isSilent = await this.call<boolean>(route, values, options, (reply, slow) =>
			isRecord(reply) && !isErrorBody(reply) ? slow : undefined,
		);
		if (isSilent) throw this.session.noteSilence(instance, route);
	}

	/** Creates a group. @returns it with its members, as far as the reply shows them */
	async createGroup(
		instance: string,
		body: { subject: string; participants: string[] },
		options: RequestOptions,
	): Promise<GroupWithMembers> {
		return await this.call('createGroup', { instance, body }, options, readCreatedGroup);
	}

	/** Reads a bot. @returns `null` if there is none; some gateways give the bot of another instance, too */
	async bot(instance: string, bot: string, options: RequestOptions): Promise<Bot | null> {
		return await this.call('findBot', { instance, bot }, options, readBot);
	}

	async bots(instance: string, options: RequestOptions) {
		return await this.call('listBots', { instance }, options, readBots);
	}
}
