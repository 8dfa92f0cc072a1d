import { BlockedCall, GatewayFailure } from '../../../gateway/failures/gatewayFailure';
import type { RequestOptions } from '../../../gateway/retry';
import { changeResult, groupKey, type ChangeResult, type JournalEntry } from '../../../groups/change';
import type { Invite, InviteRow, InviteStop } from '../../../groups/invites';
import {
	explainRefusal,
	MAYBE_INVITED,
	NO_LINK,
	pausedText,
	REFUSED_BY_NETWORK,
	stoppedText,
} from '../../../groups/invites';
import { consistent, only } from '../../../groups/memory/fact';
import { decideInvite, factsAfterInvite, type InviteStep } from '../../../groups/memory/meaning';
import { recall } from '../../../groups/memory/recall';
import { waitingText } from '../../../groups/memory/text';
import type { Outcome } from '../../../groups/outcomes';
import { recallerFor, store } from '../../../run/memory';
import { startChanges, type Run } from '../../../run/operation';
import { isUncertain, wasSent } from '../../../run/report';
import type { InviteOptions } from './readInvites';

/** Repeats of a read. A message is never repeated. */
const READ_RETRIES = 2;

/** Refusals without a reason in a row that stop the instance: they aren't about one number. */
const MOST_IN_A_ROW = 2;

/** Time before the status of a message is looked up, in ms: the network's refusal comes after the gateway's reply. */
const LONGEST_LOOKUP_WAIT = 5000;
const SHORTEST_LOOKUP_WAIT = 500;

/** The result of a message. `noted`: the outcome to remember, if it differs. */
type Sent = Pick<ChangeResult, 'outcome'> &
	Partial<Pick<ChangeResult, 'message' | 'applied'>> & { noted?: Outcome | 'noLink' };

/** Sends invites one at a time, few in an execution, and to nobody twice. */
export class InviteSender {
	readonly tried: JournalEntry[][] = [];

	/** Finds facts that n8n and the process remember. */
	private readonly recalled: ReturnType<typeof recallerFor>;

	/** By instance and group, why there is no link; `undefined` if there is one. */
	private readonly noLinks = new Map<string, Promise<unknown>>();

	/** Number of messages that a dry run would send. */
	planned = 0;

	constructor(
		private readonly run: Run,
		private readonly options: InviteOptions,
		rows: readonly InviteRow[],
	) {
		startChanges(run, options, rows);
		this.recalled = recallerFor(run);
	}

	/** Number of messages that the execution may still send. */
	get remaining(): number {
		return Math.max(0, this.options.maxPerRun - this.run.execution.invites.sent - this.planned);
	}

	/** Decides about an invite by all that is remembered now. */
	decide(invite: Invite): InviteStep {
		const { rows, before } = invite;
		const [{ groupJid, participant, onlyOnce }] = rows;
		const sources = { rows: [before], ...this.recalled(groupJid, [participant.identity]) };
		const { startedAt: now, node } = this.run;
		invite.after = recall(sources, { now, lastRun: undefined, node });
		return decideInvite(invite.after, { now, retryRefusedAfter: this.options.retryRefusedAfter, onlyOnce });
	}

	/** Gives the result of an invite that isn't sent; `undefined` if it's due. */
	private unsent(invite: Invite): JournalEntry | undefined {
		const [row] = invite.rows;
		const step = this.decide(invite);
		if (step.do === 'alreadyInvited') return inviteEntry(invite, { outcome: 'alreadyInvited' });
		if (step.do === 'maybeInvited')
			return inviteEntry(invite, { outcome: 'alreadyInvited', message: MAYBE_INVITED, applied: null });
		if (step.do === 'wait') {
			const times = { until: step.until, now: this.run.startedAt };
			return postponed(invite, waitingText(invite.after, 'invite', times), 'refusedLately');
		}
		const { invites, additions } = this.run.client.session.account(row.instance);
		const { activeFailure } = additions;
		if (activeFailure !== undefined) return postponed(invite, `${activeFailure.message}.`);
		const { stoppedUntil } = invites;
		if (stoppedUntil !== undefined) return postponed(invite, pausedText(stoppedUntil));
		const { stopped } = this.run.execution.instance(row.instance).invites;
		if (stopped !== undefined) return postponed(invite, stoppedText(stopped));
		return this.remaining > 0 ? undefined : postponed(invite, undefined, 'maxPerRun');
	}

	/** Sends an invite if it's due, and notes its result. A dry run only plans it. */
	async send(invite: Invite): Promise<void> {
		const { dryRun } = this.options;
		invite.entry = this.unsent(invite);
		if (invite.entry !== undefined) {
			// The process remembers an invite for as long as runs ask about it.
			if (!dryRun) this.note(invite);
			return;
		}
		if (dryRun) {
			this.planned++;
			invite.entry = inviteEntry(invite, { outcome: 'planned' });
			return;
		}
		const noLink = await this.whyNoLink(invite);
		invite.entry = noLink === undefined ? await this.sendNow(invite) : { failure: noLink };
		if (!invite.entry.result || wasSent(invite.entry.result)) this.tried.push([invite.entry]);
	}

	private async sendNow(invite: Invite): Promise<JournalEntry> {
		const [row] = invite.rows;
		let sent: Sent | undefined;
		try {
			const known = await this.run.client.session.inTurn(row, this.options, async (requestOptions) => {
				// Another run may have sent something while this one waited for its turn.
				return this.unsent(invite) ?? (await this.notFound(row)) ?? (await this.attempt(row, requestOptions));
			});
			if (!('outcome' in known)) return known;
			sent = known;
		} catch (failure) {
			sent = await this.explain(row, failure);
			if (sent === undefined) return { failure };
		}
		const { noted, ...result } = sent;
		const lengthensWait = this.options.retryRefusedAfter > 0;
		const times = { at: Date.now(), lengthensWait };
		invite.after = factsAfterInvite(invite.after, noted ?? result.outcome, times);
		this.note(invite);
		const known = [{ ids: [row.participant.identity], facts: invite.after }];
		await store(this.run, [{ groupJid: row.groupJid, people: known }]);
		return inviteEntry(invite, result);
	}

	/** Looks a number up where messages go to anybody. @returns the result if there is nobody @throws if that isn't known */
	private async notFound({ instance, participant }: InviteRow): Promise<Sent | undefined> {
		const { client } = this.run;
		if (!client.session.gateway.writesToAnybody || participant.identity.kind !== 'phone') return undefined;
		try {
			const found = await client.findNumber(instance, participant, this.readOptions);
			return found === null ? { outcome: 'notFound' } : undefined;
		} catch (reason) {
			if (reason instanceof GatewayFailure && reason.isRouteMissing) return undefined;
			throw unsentFor(reason);
		}
	}

	/** Notes a message, then sends it: if the process ends meanwhile, nobody knows whether it went out. */
	private async attempt(row: InviteRow, requestOptions: RequestOptions): Promise<Sent> {
		const { client } = this.run;
		const { instance, groupJid, participant, message } = row;
		const ids = [participant.identity];
		const isBlocked = client.session.blockedBy(instance) !== undefined;
		const sentAt = Date.now();
		if (!isBlocked) {
			this.run.execution.invites.sent++;
			client.session.people.begin(groupJid, ids, this.run, { maybeInvited: { at: sentAt } });
		}
		try {
			const sent = await client.sendInvite(row, { message, sentAs: participant.sentAs }, requestOptions);
			if (sent === 'sent') return await this.lookUp(row, sentAt);
			if (sent === 'refusedByNetwork') return this.noteRefused(instance);
			this.stop(instance, 'noLink');
			return { outcome: 'rejected', message: NO_LINK, noted: 'noLink' };
		} catch (problem) {
			// n8n's scan of packages wants no caught value thrown by its own name.
			const failure = problem;
			if (!isUncertain(failure)) client.session.people.note(groupJid, ids, this.run, (facts) => facts);
			throw failure;
		}
	}

	/** Finds out what a failure says of a person; `undefined` if it isn't about the person and certainly no message was sent. */
	private async explain(row: InviteRow, failure: unknown): Promise<Sent | undefined> {
		const { instance } = row;
		if (failure instanceof GatewayFailure && failure.isNumberRefused)
			return { outcome: 'rejected', message: `${failure.message}.` };
		if (!isUncertain(failure)) return undefined;
		if (failure.isInviteRefused) return await this.explainRefused(row, failure.message);
		// Others say why, and until when.
		if (failure.policy.stopsFor === undefined) this.stop(instance, 'unknown');
		return {
			outcome: 'unconfirmed',
			message: `${failure.message}. It's not known whether the message was sent.`,
		};
	}

	/** Looks up what the network did with a message, before anything else is sent. */
	private async lookUp({ instance, participant, message }: InviteRow, sentAt: number): Promise<Sent> {
		const { client } = this.run;
		this.run.execution.instance(instance).invites.refusedInARow.clear();
		if (this.run.execution.invites.withoutStatus) return { outcome: 'sent' };
		const { batchInterval } = this.options;
		await client.session.pause(Math.max(SHORTEST_LOOKUP_WAIT, Math.min(LONGEST_LOOKUP_WAIT, batchInterval)));
		const status = await client.messageStatus(instance, { participant, message, sentAt }, this.readOptions);
		if (status === 'noRoute') this.run.execution.invites.withoutStatus = true;
		if (status === 'refused') return this.noteRefused(instance);
		if (status === 'notRefused') client.session.account(instance).invites.endRefusals();
		return { outcome: 'sent' };
	}

	/** Ends the run's invites of an instance, since the network refused a message. */
	private noteRefused(instance: string): Sent {
		this.run.client.session.account(instance).invites.recordRefused();
		this.stop(instance, 'refusedByNetwork');
		return { outcome: 'rejected', message: REFUSED_BY_NETWORK };
	}

	/** Explains a refusal without a reason. If it isn't about the number, the second one in a row stops the instance. */
	private async explainRefused({ instance, participant }: InviteRow, reason: string): Promise<Sent> {
		const { client } = this.run;
		// If the look-up fails, too, nothing is certain.
		const found = await client.findNumber(instance, participant, this.readOptions).catch(() => undefined);
		const { outcome, message } = explainRefusal(participant, found, reason);
		if (outcome === 'unconfirmed') {
			client.session.account(instance).suspect();
			const { refusedInARow } = this.run.execution.instance(instance).invites;
			refusedInARow.add(participant.identity.canonical);
			if (refusedInARow.size >= MOST_IN_A_ROW) this.stop(instance, 'refused');
		}
		return { outcome, message };
	}

	/** Notes in the process what is known of invites, beside what other nodes know of the person. */
	private note({ rows: [row], after }: Invite): void {
		const { client } = this.run;
		const invites = (['refused', 'invited', 'maybeInvited'] as const).map((name) => only(after, name));
		client.session.people.note(row.groupJid, [row.participant.identity], this.run, (before) =>
			consistent([before, ...invites]),
		);
	}

	/** Says why a group has no link for an instance; asked before the first message, since gateways send one without a link. */
	private async whyNoLink({ rows: [row] }: Invite): Promise<unknown> {
		// Another instance may well be an admin of the same group.
		const key = groupKey(row);
		const reading =
			this.noLinks.get(key) ??
			this.run.client.inviteLink(row, this.readOptions).then(() => undefined, unsentFor);
		this.noLinks.set(key, reading);
		return await reading;
	}

	private stop(instance: string, reason: InviteStop): void {
		this.run.execution.instance(instance).invites.stopped ??= reason;
	}

	private get readOptions(): RequestOptions {
		return { timeout: this.options.timeout, maxRetries: READ_RETRIES };
	}
}

/** Makes of the failure of a look-up the reason why no message was sent. */
function unsentFor(reason: unknown): unknown {
	const cause = reason instanceof BlockedCall ? reason.reason : reason;
	return cause instanceof GatewayFailure ? new BlockedCall(cause) : cause;
}

function postponed(invite: Invite, message?: string, reason?: string): JournalEntry {
	return inviteEntry(invite, {
		outcome: 'postponed',
		...(message && { message }),
		...(reason && { reason }),
	});
}

function inviteEntry({ rows: [row] }: Invite, said: Parameters<typeof changeResult>[1]): JournalEntry {
	return { result: changeResult({ ...row, action: 'invite' }, said) };
}
