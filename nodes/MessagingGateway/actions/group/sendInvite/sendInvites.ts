import { findOrMake } from '../../../common/findOrMake';
import { groupBy } from '../../../common/groupBy';
import { DAY } from '../../../common/time';
import { asUnsent, GatewayFailure, isUncertain } from '../../../gateway/failures/gatewayFailure';
import type { RequestOptions } from '../../../gateway/sender';
import { groupKey, type ChangeResult, type JournalEntry } from '../../../groups/change';
import type { Invite, InviteRow, InviteStop } from '../../../groups/invites';
import {
	explainRefusal,
	inviteEntry,
	linkSentText,
	MAYBE_INVITED,
	NO_LINK,
	pausedText,
	postponed,
	REFUSED_BY_NETWORK,
	stoppedText,
	WAS_MEMBER,
} from '../../../groups/invites';
import { consistent, only, withFacts, without } from '../../../groups/memory/fact';
import { decideInvite, factsAfterInvite } from '../../../groups/memory/meaning';
import { INVITES_KNOWN_FOR, recallForInvite } from '../../../groups/memory/recall';
import { dayOf, waitingText } from '../../../groups/memory/text';
import type { Outcome } from '../../../groups/outcomes';
import { recallerFor, store } from '../../../run/memory';
import { startChanges, type Run } from '../../../run/operation';
import { wasSent } from '../../../run/report';
import type { InviteOptions } from './readInvites';

/** Repeats of a read. A message is never repeated. */
const READ_RETRIES = 2;

/** Refusals in a row that stop the instance: they aren't about one number. */
const MOST_IN_A_ROW = 2;

/** Time before the status of a message is looked up, in ms: the network's refusal comes after the gateway's reply. */
const LONGEST_LOOKUP_WAIT = 5000;
const SHORTEST_LOOKUP_WAIT = 500;

/** The result of a message. `noted`: the outcome to remember, if it differs, `at`: its time, if it's an earlier one. */
type Sent = Pick<ChangeResult, 'outcome'> &
	Partial<Pick<ChangeResult, 'message' | 'applied'>> & { noted?: Outcome | 'noLink'; at?: number };

/** Sends invites one at a time, few in an execution, and to nobody twice. */
export class InviteSender {
	readonly tried: JournalEntry[] = [];

	/** Gives the memory of a group, which is read once. */
	private readonly recalled: ReturnType<typeof recallerFor>;

	private readonly memories = new Map<string, ReturnType<typeof this.recalled>>();

	/** By instance and group, the link's code, or why there is none. */
	private readonly links = new Map<string, ReturnType<typeof this.linkFor>>();

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

	/** Decides about an invite by all that is remembered now. @returns the time of the last try, or the result where nothing is to be sent */
	decide(invite: Invite): { triedAt: number } | { entry: JournalEntry } {
		const [{ groupJid, participant, onlyOnce }] = invite.rows;
		const memory = findOrMake(this.memories, groupJid, () => this.recalled(groupJid));
		const sources = memory.find([participant.identity]);
		const { startedAt: now } = this.run;
		invite.after = recallForInvite(sources, now);
		const step = decideInvite(invite.after, { now, number: participant.sentAs, onlyOnce });
		switch (step.do) {
			case 'send':
				return step;
			case 'alreadyInvited':
				return { entry: inviteEntry(invite, { outcome: 'alreadyInvited' }) };
			case 'maybeInvited': {
				const said = { outcome: 'alreadyInvited', message: MAYBE_INVITED, applied: null } as const;
				return { entry: inviteEntry(invite, said) };
			}
			case 'wait': {
				const why = waitingText(invite.after, 'invite', { until: step.until, now });
				return { entry: postponed(invite, why, 'refusedLately') };
			}
			default: {
				const { outcome, message } = WAS_MEMBER[step.do];
				return { entry: inviteEntry(invite, { outcome, message: message(dayOf(step.at)) }) };
			}
		}
	}

	/** Gives the result of an invite for which a limit or a stop leaves no room. */
	private withoutRoom(invite: Invite): JournalEntry | undefined {
		const [row] = invite.rows;
		const { invites, additions } = this.run.client.session.account(row.instance);
		const { activeFailure } = additions;
		if (activeFailure !== undefined) return postponed(invite, `${activeFailure.message}.`);
		const { stoppedUntil } = invites;
		if (stoppedUntil > Date.now()) return postponed(invite, pausedText(stoppedUntil));
		const { stopped } = this.run.execution.instance(row.instance).invites;
		if (stopped !== undefined) return postponed(invite, stoppedText(stopped));
		return this.remaining > 0 ? undefined : postponed(invite, undefined, 'maxPerRun');
	}

	/** Sends an invite that is due, and notes its result. A dry run only plans it. */
	async send(invite: Invite): Promise<void> {
		invite.entry = this.withoutRoom(invite);
		if (invite.entry !== undefined) return;
		if (this.options.dryRun) {
			this.planned++;
			invite.entry = inviteEntry(invite, { outcome: 'planned' });
			return;
		}
		const link = await this.linkFor(invite);
		invite.entry = 'failure' in link ? link : await this.sendNow(invite, link.inviteCode);
		if (!invite.entry.result || wasSent(invite.entry.result)) this.tried.push(invite.entry);
	}

	private async sendNow(invite: Invite, inviteCode: string): Promise<JournalEntry> {
		const [row] = invite.rows;
		let sent: Sent | undefined;
		try {
			const known = await this.run.client.session.inTurn(row, this.options, async (requestOptions) => {
				// Another run may have sent something while this one waited for its turn.
				const decided = this.decide(invite);
				if ('entry' in decided) return decided.entry;
				return (
					this.withoutRoom(invite) ??
					(await this.sentBefore(invite, inviteCode)) ??
					(await this.notFound(row)) ??
					(await this.attempt(invite, requestOptions))
				);
			});
			if (!('outcome' in known)) return known;
			sent = known;
		} catch (failure) {
			sent = await this.explain(row, failure);
			if (sent === undefined) return { failure };
		}
		const { noted, at = Date.now(), ...result } = sent;
		invite.after = factsAfterInvite(invite.after, noted ?? result.outcome, row.participant.sentAs, at);
		this.note(invite);
		return inviteEntry(invite, result);
	}

	/**
	 * Looks up whether the group's link went to the person: the gateway knows what other workers, copies of the workflow and people
	 * themselves have sent. An invite of before a removal doesn't count: whoever pays again would never get one.
	 */
	private async sentBefore({ rows: [row], after }: Invite, inviteCode: string) {
		const { instance, participant, onlyOnce } = row;
		const { invites } = this.run.execution;
		if (!onlyOnce || invites.withoutStatus) return undefined;
		// Who was taken out since, and is wanted again, would get neither a place nor a link.
		const since = Math.max(this.run.startedAt - INVITES_KNOWN_FOR, after.out?.at ?? 0);
		const link = { participant, inviteCode, since };
		const at = await this.run.client.linkSentAt(instance, link, this.readOptions);
		if (at === 'noRoute') invites.withoutStatus = true;
		if (typeof at === 'string') return undefined;
		return { outcome: 'alreadyInvited', message: linkSentText(dayOf(at)), noted: 'sent', at } as const;
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
			throw asUnsent(reason);
		}
	}

	/** Notes a message, then sends it: if the process ends meanwhile, nobody knows whether it went out. */
	private async attempt(invite: Invite, requestOptions: RequestOptions): Promise<Sent> {
		const { client } = this.run;
		const [row] = invite.rows;
		const { instance, groupJid, participant, message } = row;
		const isBlocked = client.session.blockedBy(instance) !== undefined;
		const sentAt = Date.now();
		if (!isBlocked) {
			invite.sentAt = sentAt;
			this.run.execution.invites.sent++;
			const { people } = client.session.gateway;
			people.note(groupJid, [participant.identity], this.run.node, (facts) =>
				withFacts(facts, { maybeInvited: { at: sentAt } }),
			);
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
			if (!isUncertain(failure)) this.note(invite);
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
		if (status === 'notRefused') client.session.account(instance).invites.refusedInARow = 0;
		return { outcome: 'sent' };
	}

	/** Ends the run's invites of an instance, since the network refused a message; from the second in a row on, those of all runs for a day. */
	private noteRefused(instance: string): Sent {
		const { invites } = this.run.client.session.account(instance);
		if (++invites.refusedInARow >= MOST_IN_A_ROW) invites.stoppedUntil = Date.now() + DAY;
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
	private note({ rows: [row], after, sentAt }: Invite): void {
		const { client } = this.run;
		const invites = (['refused', 'invited', 'maybeInvited'] as const).map((name) => only(after, name));
		client.session.gateway.people.note(row.groupJid, [row.participant.identity], this.run.node, (facts) => {
			const isUnderWay = facts.maybeInvited?.at === sentAt;
			return consistent([isUnderWay ? without(facts, ['maybeInvited']) : facts, ...invites]);
		});
	}

	/** Reads a group's link for an instance; asked before the first message, since gateways send one without a link. */
	private async linkFor({ rows: [row] }: Invite): Promise<{ inviteCode: string } | { failure: unknown }> {
		// Another instance may well be an admin of the same group.
		return await findOrMake(this.links, groupKey(row), () =>
			this.run.client
				.inviteLink(row, this.readOptions)
				.catch((failure: unknown) => ({ failure: asUnsent(failure) })),
		);
	}

	/** Notes at the end of a run whom it met, sent or not: an invite counts for as long as runs meet its person. */
	async remember(invites: readonly Invite[]): Promise<void> {
		if (this.options.dryRun) return;
		for (const invite of invites) {
			await this.run.giveWay();
			this.note(invite);
		}
		const byPerson = groupBy(
			invites,
			({ rows: [{ groupJid, participant }] }) => `${groupJid} ${participant.identity.canonical}`,
		);
		const met = [...byPerson.values()].map((ofPerson) => {
			const { groupJid, participant } = ofPerson[0].rows[0];
			return { groupJid, ids: [participant.identity], facts: consistent(ofPerson.map(({ after }) => after)) };
		});
		await store(this.run, met);
	}

	private stop(instance: string, reason: InviteStop): void {
		this.run.execution.instance(instance).invites.stopped ??= reason;
	}

	private get readOptions(): RequestOptions {
		return { timeout: this.options.timeout, maxRetries: READ_RETRIES };
	}
}
