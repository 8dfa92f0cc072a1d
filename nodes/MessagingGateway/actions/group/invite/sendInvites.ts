import { recordOf, type JsonRecord } from '../../../common/json';
import { BlockedCall } from '../../../gateway/failures/blockedCall';
import { GatewayFailure } from '../../../gateway/failures/gatewayFailure';
import type { RequestOptions } from '../../../gateway/retry';
import { changeResult, groupKey, type ChangeResult, type Entry, type Journal } from '../../../groups/change';
import type { InviteMemory } from '../../../groups/invites/memory';
import type { Invite, InviteRow } from '../../../groups/invites/plan';
import { isPostponedReason, postponedText, type PostponedReason } from '../../../groups/invites/postponed';
import { explainRefusal } from '../../../groups/invites/refusal';
import { sentenceOf, WORDING, type Outcome } from '../../../groups/outcomes';
import { executionMemory } from '../../../run/executionMemory';
import { beforeSending } from '../../../run/items';
import type { Run } from '../../../run/operation';
import { failItem, isUncertain, wasSent } from '../../../run/report';
import { isRemembered } from '../../../run/staticMemory';
import type { Writer } from '../../../run/writer';
import type { InviteOptions } from './readInvites';

/** How often a read is sent again; a message never is. */
const READ_RETRIES = 2;

/** So many refusals without a reason in a row are no longer about one number. */
const MOST_IN_A_ROW = 2;

const MAYBE_INVITED =
	"An earlier run may have invited them: it isn't known whether that message was sent, so nothing was sent now. To send it again, turn off 'Only Once' for this row.";
const NO_LINK =
	"The gateway sent a message without a working link: the messaging network didn't give it the link. Nothing more is sent for this instance in this run. Tell this person: the next run invites them again.";

/**
 * Sends invites one at a time, few per run and nobody twice. Unless the node continues on fail, the first that fails is
 * the last.
 *
 * @param memory of earlier invites; it's told before each message and after
 * @returns what came of each row, and of each invite for which a request was made; how many messages there were to be
 * sent; how many a dry run would send without the limit, and for how many there was place
 */
export async function sendInvites(
	run: Run,
	writer: Writer,
	invites: readonly Invite[],
	options: InviteOptions,
	memory: InviteMemory,
): Promise<{
	journal: Journal<InviteRow>;
	tried: Entry[][];
	due: number;
	planned: number;
	placesLeft: number;
}> {
	const sender = new InviteSender(run, writer, options, memory);
	const areDue = await run.eventLoop.map(invites, ([row]) => sender.isDue(row));
	const due = Math.min(areDue.filter(Boolean).length, sender.placesLeft);
	const journal: Journal<InviteRow> = new Map();
	const tried: Entry[][] = [];
	for (const invite of invites) {
		await run.eventLoop.yieldIfDue();
		const [first] = invite;
		const entry = await sender.send(first);
		// Who occurs twice got one message, and every row its outcome.
		for (const row of invite) {
			const participant = row.participant.given;
			journal.set(row, 'result' in entry ? { result: { ...entry.result, participant } } : entry);
		}
		if (!('result' in entry) || wasSent(entry.result)) tried.push([entry]);
		if ('failure' in entry && !run.context.continueOnFail()) {
			const { failure: cause } = entry;
			// A run that ends before it has sent anything.
			if (tried.length === 1 && cause instanceof BlockedCall)
				failItem(run, first, { cause, sentences: [beforeSending(run, cause.reason.message)] });
			break;
		}
	}
	const { planned, placesLeft } = sender;
	return { journal, tried, due, planned, placesLeft };
}

class InviteSender {
	/** What n8n keeps for the node until the execution ends. */
	private readonly kept: JsonRecord;

	/** Messages of a dry run, with those beyond the limit. */
	planned = 0;

	/** How many messages the rounds before have left of the most in a run. */
	readonly placesLeft: number;

	/** Why nothing is sent to a group through an instance, for each that was asked for its link; `undefined` if there is one. */
	private readonly noLinks = new Map<string, unknown>();

	private readonly isKept: boolean;

	constructor(
		private readonly run: Run,
		private readonly writer: Writer,
		private readonly options: InviteOptions,
		private readonly memory: InviteMemory,
	) {
		this.isKept = isRemembered(run.context);
		this.kept = executionMemory(run.context);
		this.placesLeft = Math.max(0, options.maxPerRun - this.sent);
	}

	/** Whether a message is to be sent, if there is place. */
	isDue(row: InviteRow): boolean {
		return !row.dryRun && this.invitedBefore(row) === undefined;
	}

	/** Sends an invite, if it is to be sent. @returns what came of it, or would in a dry run */
	async send(row: InviteRow): Promise<Entry> {
		const { instance, message, participant, dryRun } = row;
		if (dryRun) return this.invitedBefore(row) ?? this.plan(row);
		const unsent = this.unsent(row);
		if (unsent !== undefined) return unsent;
		const noLink = await this.whyNoLink(row);
		if (noLink !== undefined) return { failure: noLink };
		let forget = () => {};
		try {
			const hasLink = await this.writer.send(row, async (requestOptions) => {
				// Another call of an AI agent may have sent something while this one waited for its turn.
				const late = this.unsent(row);
				if (late !== undefined) return late;
				if (this.run.client.blockedBy(instance) === undefined) {
					this.kept.messagesSent = this.sent + 1;
					forget = this.note(row, 'maybeInvited');
				}
				return await this.run.client.sendInvite(row, { message, sentAs: participant.sentAs }, requestOptions);
			});
			if (typeof hasLink !== 'boolean') return hasLink;
			if (hasLink) {
				forget();
				this.note(row, 'invited');
				this.keep('refusedInARow', instance, 0);
				return entryWith(row, 'sent');
			}
			forget();
			this.keep('stoppedInvites', instance, 'noLink');
			return entryWith(row, 'rejected', { message: NO_LINK });
		} catch (failure) {
			if (!isUncertain(failure)) {
				forget();
				return { failure };
			}
			if (failure.isInviteRefused) return await this.refused(row, failure.message, forget);
			this.keep('stoppedInvites', instance, 'unknown');
			const unknown = `${failure.message}. It's not known whether the message was sent.`;
			return entryWith(row, 'unconfirmed', { message: unknown });
		}
	}

	/** Messages, also those of earlier rounds of a loop: the limit holds for all of them. */
	private get sent(): number {
		return Number(this.kept.messagesSent ?? 0);
	}

	/** What comes of a row for which nothing is sent; `undefined` if a message is to be sent. */
	private unsent(row: InviteRow): Entry | undefined {
		const before = this.invitedBefore(row);
		if (before !== undefined) return before;
		const stop = this.keptFor('stoppedInvites', row.instance);
		const limit = this.sent >= this.options.maxPerRun ? 'maxPerRun' : undefined;
		const reason = isPostponedReason(stop) ? stop : limit;
		return reason && this.postponed(row, reason);
	}

	/**
	 * By instance: why nothing more is sent, or how many messages were refused without a reason since the last one that was
	 * sent, but for numbers that aren't there.
	 */
	private keptFor(name: 'stoppedInvites' | 'refusedInARow', instance: string): unknown {
		const all = recordOf(this.kept[name]);
		// An instance may be called `constructor`.
		return Object.hasOwn(all, instance) ? all[instance] : undefined;
	}

	private keep(name: 'stoppedInvites' | 'refusedInARow', instance: string, value: unknown): void {
		this.kept[name] = { ...recordOf(this.kept[name]), [instance]: value };
	}

	private plan(row: InviteRow): Entry {
		const hasPlace = this.planned < this.placesLeft;
		this.planned++;
		return hasPlace ? entryWith(row, 'planned') : this.postponed(row, 'maxPerRun');
	}

	private postponed(row: InviteRow, reason: PostponedReason): Entry {
		return entryWith(row, 'postponed', { message: postponedText(reason, row, this.isKept) });
	}

	/** What is said of a person who was invited by an earlier run, or in this one through another instance. */
	private invitedBefore(row: InviteRow): Entry | undefined {
		const { groupJid, participant } = row;
		const facts = row.onlyOnce ? this.memory.find(groupJid, participant.identity) : undefined;
		if (facts?.invited) return entryWith(row, 'alreadyInvited');
		if (facts?.maybeInvited === undefined) return undefined;
		return entryWith(row, 'alreadyInvited', { message: MAYBE_INVITED, applied: null });
	}

	private note({ groupJid, participant }: InviteRow, name: 'invited' | 'maybeInvited'): () => void {
		return this.memory.note(groupJid, participant.identity, name, this.run.startedAt);
	}

	/** Why a group has no link for an instance; asked before the first message, since gateways send one without a link. */
	private async whyNoLink(row: InviteRow): Promise<unknown> {
		// Another instance may well be an admin of the same group.
		const key = groupKey(row);
		if (this.noLinks.has(key)) return this.noLinks.get(key);
		let problem: unknown;
		try {
			await this.run.client.inviteLink(row, this.readOptions);
		} catch (reason) {
			// Whatever it was, no message was sent.
			const cause = reason instanceof BlockedCall ? reason.reason : reason;
			problem = cause instanceof GatewayFailure ? new BlockedCall(cause) : cause;
		}
		this.noLinks.set(key, problem);
		return problem;
	}

	/** A refusal without a reason is about the number, or else about all: the second one in a row ends it. */
	private async refused(row: InviteRow, reason: string, forget: () => void): Promise<Entry> {
		const { instance, participant } = row;
		// Where that can't be known either, nothing is sure.
		const found = await this.run.client
			.findNumber(instance, participant, this.readOptions)
			.catch(() => undefined);
		const { outcome, message } = explainRefusal(participant.identity, found, reason);
		if (outcome === 'unconfirmed') this.run.client.suspect(instance);
		else forget();
		if (outcome !== 'notFound') {
			const inARow = Number(this.keptFor('refusedInARow', instance) ?? 0) + 1;
			this.keep('refusedInARow', instance, inARow);
			if (inARow >= MOST_IN_A_ROW) this.keep('stoppedInvites', instance, 'refused');
		}
		return entryWith(row, outcome, { message });
	}

	private get readOptions(): RequestOptions {
		return { timeout: this.options.timeout, maxRetries: READ_RETRIES };
	}
}

function entryWith(
	row: InviteRow,
	outcome: Outcome,
	{
		message = sentenceOf(outcome, 'invite'),
		applied = WORDING[outcome].applied,
	}: Partial<Pick<ChangeResult, 'message' | 'applied'>> = {},
): Entry {
	return { result: changeResult({ ...row, action: 'invite' }, { outcome, message, applied }) };
}
