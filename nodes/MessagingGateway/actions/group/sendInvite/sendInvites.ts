import { findOrMake, groupBy } from '../../../common/maps';
import { DAY } from '../../../common/time';
import { asUnsent, BlockedCall, GatewayFailure, isUncertain } from '../../../gateway/failures/gatewayFailure';
import type { RequestOptions } from '../../../gateway/sender';
import { groupKey, type JournalEntry } from '../../../groups/change';
import {
	explainRefusal,
	inviteEntry,
	linkSentText,
	NO_LINK,
	messageKey,
	pausedText,
	REFUSED_BY_NETWORK,
	STOPS,
	whyNot,
	type Invite,
	type InviteAnswer,
	type InviteRow,
} from '../../../groups/invites';
import { consistent, only, withFacts, without } from '../../../groups/memory/fact';
import { decideInvite, factsAfterInvite } from '../../../groups/memory/meaning';
import { INVITES_KNOWN_FOR, recallForInvite } from '../../../groups/memory/recall';
import { dayOf } from '../../../groups/memory/text';
import { recallerFor, store } from '../../../run/memory';
import type { Run } from '../../../run/operation';
import { wasSent } from '../../../run/report';
import type { InviteOptions } from './readInvites';

/** Repeats of a read. A message is never repeated. */
const READ_RETRIES = 2;

/** Refusals in a row that stop the instance: they aren't about one number. */
const MOST_IN_A_ROW = 2;

/** Time before a message's status is looked up, in ms: the network refuses after the gateway's reply. */
const LONGEST_LOOKUP_WAIT = 5000;
const SHORTEST_LOOKUP_WAIT = 500;

/** Sends invites one at a time, few in an execution, and to nobody twice. A dry run plans them. */
export class InviteSender {
	readonly tried: JournalEntry[] = [];

	/** Gives the memory of a group, which is read once. */
	private readonly recalled: ReturnType<typeof recallerFor>;

	private readonly memories = new Map<string, ReturnType<typeof this.recalled>>();

	private readonly links = new Map<string, Promise<{ inviteCode: string }>>();

	/** Messages of the execution; those of a dry run are forgotten. */
	private readonly counted: { sent: number; withoutStatus: boolean };

	constructor(
		private readonly run: Pick<Run, 'client' | 'session' | 'account' | 'people' | 'execution'> &
			Pick<Run, 'context' | 'node' | 'startedAt' | 'giveWay'>,
		private readonly options: InviteOptions,
	) {
		this.recalled = recallerFor(run);
		const { invites } = run.execution;
		this.counted = options.dryRun ? { ...invites } : invites;
	}

	/** Number of messages that the execution may still send. */
	get remaining(): number {
		return Math.max(0, this.options.maxPerRun - this.counted.sent);
	}

	/** Decides by all that is remembered now. @returns the last try, or an answer where nothing is to be sent */
	decide(invite: Invite): { triedAt: number } | InviteAnswer {
		const [{ groupJid, participant, onlyOnce }] = invite.rows;
		const memory = findOrMake(this.memories, groupJid, () => this.recalled(groupJid));
		const { startedAt: now } = this.run;
		invite.after = recallForInvite(memory.find([participant.identity]), now);
		// Without Only Once, too: a second try, round or call would write again to everybody who has it.
		const isOnce = onlyOnce || this.run.execution.written.invites.has(messageKey(invite));
		const step = decideInvite(invite.after, { now, number: participant.sentAs, onlyOnce: isOnce });
		return step.do === 'send' ? step : whyNot(step, invite.after, now);
	}

	/** Sends an invite that is due, and notes its result. A dry run only plans it. */
	async send(invite: Invite): Promise<void> {
		try {
			const answer =
				this.withoutRoom(invite) ?? (this.options.dryRun ? this.plan() : await this.invite(invite));
			invite.entry = inviteEntry(invite, answer);
		} catch (failure) {
			invite.entry = { failure };
		}
		if (!invite.entry.result || wasSent(invite.entry.result)) this.tried.push(invite.entry);
	}

	private plan(): InviteAnswer {
		this.counted.sent++;
		return { outcome: 'planned' };
	}

	/** Answers an invite for which a stop or the maximum leaves no room. */
	private withoutRoom({ rows: [{ instance }] }: Invite): InviteAnswer | undefined {
		const message = this.run.session.postpones('invite', instance);
		if (message !== undefined) return { outcome: 'postponed', message };
		return this.remaining > 0 ? undefined : { outcome: 'postponed', reason: 'maxPerRun' };
	}

	private async invite(invite: Invite): Promise<InviteAnswer> {
		const [row] = invite.rows;
		const code = await this.codeFor(row);
		const answer = await this.run.session
			.inTurn(row, this.options, async (options) => await this.inviteNow(invite, code, options))
			.catch(async (failure: unknown) => await this.explain(row, failure));
		const { noted = answer.outcome, at = Date.now() } = answer;
		invite.after = factsAfterInvite(invite.after, noted, row.participant.sentAs, at);
		this.note(invite);
		return answer;
	}

	/** Sends an invite in its turn, unless another run has sent something while this one waited for it. */
	private async inviteNow(invite: Invite, code: string, options: RequestOptions): Promise<InviteAnswer> {
		const decided = this.decide(invite);
		if ('outcome' in decided) return decided;
		return (
			this.withoutRoom(invite) ??
			(await this.sentBefore(invite, code)) ??
			(await this.notFound(invite)) ??
			(await this.attempt(invite, options))
		);
	}

	/**
	 * Looks up whether the group's link went to the person: the gateway knows what other workers, copies of the
	 * workflow and people themselves have sent.
	 */
	private async sentBefore({ rows: [row], after }: Invite, inviteCode: string) {
		const { instance, participant, onlyOnce } = row;
		if (!onlyOnce || this.counted.withoutStatus) return undefined;
		// Who was taken out since, and pays again, would get neither a place nor a link.
		const since = Math.max(this.run.startedAt - INVITES_KNOWN_FOR, after.out?.at ?? 0);
		const link = { participant, inviteCode, since };
		const at = await this.run.client.linkSentAt(instance, link, this.readOptions);
		if (at === 'noRoute') this.counted.withoutStatus = true;
		if (typeof at === 'string') return undefined;
		return { outcome: 'alreadyInvited', message: linkSentText(dayOf(at)), noted: 'sent', at } as const;
	}

	/** Looks a number up where messages go to anybody. @returns an answer if there is nobody */
	private async notFound({ rows: [{ instance, participant }] }: Invite): Promise<InviteAnswer | undefined> {
		const { client, session } = this.run;
		if (!session.gateway.writesToAnybody || participant.identity.kind !== 'phone') return undefined;
		try {
			const found = await client.findNumber(instance, participant, this.readOptions);
			return found === null ? { outcome: 'notFound' } : undefined;
		} catch (reason) {
			if (reason instanceof GatewayFailure && reason.isRouteMissing) return undefined;
			throw asUnsent(reason);
		}
	}

	/** Notes a message, then sends it: if the process ends meanwhile, nobody knows whether it went out. */
	private async attempt(invite: Invite, options: RequestOptions): Promise<InviteAnswer> {
		const { client, session, people, node, execution } = this.run;
		const [row] = invite.rows;
		const { instance, groupJid, participant, message } = row;
		const stop = session.blockedBy(instance);
		if (stop !== undefined) throw new BlockedCall(stop);
		const sentAt = Date.now();
		invite.sentAt = sentAt;
		this.counted.sent++;
		execution.written.invites.add(messageKey(invite));
		people.note(groupJid, [participant.identity], node, (facts) =>
			withFacts(facts, { maybeInvited: { at: sentAt } }),
		);
		const text = { message, sentAs: participant.sentAs };
		const sent = await client.sendInvite(row, text, options).catch((failure: unknown) => {
			if (!isUncertain(failure)) {
				execution.written.invites.delete(messageKey(invite));
				this.note(invite);
			}
			throw failure;
		});
		if (sent === 'sent') return await this.lookUp(row, sentAt);
		if (sent === 'refusedByNetwork') return this.noteRefused(instance);
		this.stop(instance, 'noLink');
		return { outcome: 'rejected', message: NO_LINK, noted: 'noLink' };
	}

	/** Finds out what a failure says of a person. @throws it if it's about nobody, and nothing was sent */
	private async explain(row: InviteRow, failure: unknown): Promise<InviteAnswer> {
		if (failure instanceof GatewayFailure && failure.isNumberRefused)
			return { outcome: 'rejected', message: `${failure.message}.` };
		if (!isUncertain(failure)) throw failure;
		if (failure.isInviteRefused) return await this.explainRefused(row, failure.message);
		// Others say why, and until when.
		if (failure.policy.stopsFor === undefined) this.stop(row.instance, 'unknown');
		const message = `${failure.message}. It's not known whether the message was sent.`;
		return { outcome: 'unconfirmed', message };
	}

	/** Looks up what the network did with a message, before anything else is sent. */
	private async lookUp({ instance, participant, message }: InviteRow, sentAt: number): Promise<InviteAnswer> {
		const { client, session, account, execution } = this.run;
		execution.instance(instance).gatewayRefusals.clear();
		if (this.counted.withoutStatus) return { outcome: 'sent' };
		const { batchInterval } = this.options;
		await session.pause(Math.max(SHORTEST_LOOKUP_WAIT, Math.min(LONGEST_LOOKUP_WAIT, batchInterval)));
		const status = await client.messageStatus(instance, { participant, message, sentAt }, this.readOptions);
		if (status === 'noRoute') this.counted.withoutStatus = true;
		if (status === 'refused') return this.noteRefused(instance);
		if (status === 'notRefused') account(instance).networkRefusals = 0;
		return { outcome: 'sent' };
	}

	/** Ends the run's invites of an instance, which the network refused; after two in a row all, for a day. */
	private noteRefused(instance: string): InviteAnswer {
		const account = this.run.account(instance);
		if (++account.networkRefusals >= MOST_IN_A_ROW) account.invites.begin(pausedText, DAY);
		this.stop(instance, 'refusedByNetwork');
		return { outcome: 'rejected', message: REFUSED_BY_NETWORK };
	}

	/** Explains a refusal without a reason. Two in a row that aren't about the number stop the instance. */
	private async explainRefused({ instance, participant }: InviteRow, reason: string): Promise<InviteAnswer> {
		const { client, account, execution } = this.run;
		// If the look-up fails, too, nothing is certain.
		const found = await client.findNumber(instance, participant, this.readOptions).catch(() => undefined);
		const answer = explainRefusal(participant, found, reason);
		if (answer.outcome !== 'unconfirmed') return answer;
		account(instance).suspect();
		const { gatewayRefusals } = execution.instance(instance);
		gatewayRefusals.add(participant.identity.canonical);
		if (gatewayRefusals.size >= MOST_IN_A_ROW) this.stop(instance, 'refused');
		return answer;
	}

	/** Notes in the process what is known of invites, beside what other nodes know of the person. */
	private note({ rows: [{ groupJid, participant }], after, sentAt }: Invite): void {
		const invites = (['refused', 'invited', 'maybeInvited'] as const).map((name) => only(after, name));
		this.run.people.note(groupJid, [participant.identity], this.run.node, (facts) => {
			const isUnderWay = facts.maybeInvited?.at === sentAt;
			return consistent([isUnderWay ? without(facts, ['maybeInvited']) : facts, ...invites]);
		});
	}

	/** Reads the code of a group's link, before the first message: gateways send one without a link. */
	private async codeFor(row: InviteRow): Promise<string> {
		// Another instance may well be an admin of the same group.
		const ask = async () => await this.run.client.inviteLink(row, this.readOptions);
		const link = findOrMake(this.links, groupKey(row), ask);
		const { inviteCode } = await link.catch((failure: unknown) => {
			throw asUnsent(failure);
		});
		return inviteCode;
	}

	/** Notes at the end of a run whom it met, sent or not: an invite counts as long as runs meet its person. */
	async remember(invites: readonly Invite[]): Promise<void> {
		if (this.options.dryRun) return;
		for (const invite of invites) {
			await this.run.giveWay();
			this.note(invite);
		}
		const personOf = ({ rows: [row] }: Invite) => `${row.groupJid} ${row.participant.identity.canonical}`;
		const met = [...groupBy(invites, personOf).values()].map((ofPerson) => {
			const { groupJid, participant } = ofPerson[0].rows[0];
			return { groupJid, ids: [participant.identity], facts: consistent(ofPerson.map(({ after }) => after)) };
		});
		await store(this.run, met);
	}

	private stop(instance: string, reason: keyof typeof STOPS): void {
		this.run.execution.instance(instance).invites.begin(() => STOPS[reason]);
	}

	private get readOptions(): RequestOptions {
		return { timeout: this.options.timeout, maxRetries: READ_RETRIES };
	}
}
