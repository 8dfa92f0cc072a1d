import { BlockedCall } from '../../../gateway/failures/blockedCall';
import { GatewayFailure } from '../../../gateway/failures/gatewayFailure';
import type { RequestOptions } from '../../../gateway/retry';
import { changeResult, type ChangeResult, type Entry, type Journal } from '../../../groups/change';
import type { Identity } from '../../../groups/identity';
import type { InviteMemory } from '../../../groups/invites/memory';
import type { Invite, InviteRow } from '../../../groups/invites/plan';
import { explainRefusal } from '../../../groups/invites/refusal';
import type { RowInvites } from '../../../groups/invites/rowInvites';
import { sentenceOf, WORDING, type Outcome } from '../../../groups/outcomes';
import type { Run } from '../../../run/operation';
import { isUncertain } from '../../../run/report';
import { Writer } from '../../../run/writer';
import type { InviteOptions } from './readInvites';

/** Outcomes for which no request was made. */
const NOT_REQUESTED = new Set<Outcome>(['alreadyInvited', 'postponed', 'planned']);

/** How often a read is sent again; a message never is. */
const READ_RETRIES = 2;

/** So many refusals without a reason in a row are no longer about one number. */
const MOST_IN_A_ROW = 2;

const MAYBE_INVITED =
	"An earlier run may have invited them: it isn't known whether that message was sent, so nothing was sent now. To send it again, turn off 'Only Once' for this row.";
const NO_LINK =
	"The gateway sent a message without a working link: the messaging network didn't give it the link. Nothing more is sent for this instance in this run. Tell this person, then run this again.";

/** What is remembered of invites. */
export interface InviteMemories {
	/** By n8n; `save` keeps it, before each message and after. */
	memory: InviteMemory;
	save: () => void;
	rowInvites: RowInvites;
	/** When the run began, ms since 1970. */
	now: number;
}

/**
 * Sends invites one at a time, few per run and nobody twice. Unless the node continues on fail, the first that fails is
 * the last.
 *
 * @returns what came of each row, and of each invite for which a request was made
 */
export async function sendInvites(
	run: Run,
	invites: readonly Invite[],
	options: InviteOptions,
	memories: InviteMemories,
): Promise<{ journal: Journal<InviteRow>; tried: Entry[][] }> {
	const sender = new InviteSender(run, options, memories);
	const journal: Journal<InviteRow> = new Map();
	const tried: Entry[][] = [];
	for (const invite of invites) {
		await run.eventLoop.yieldIfDue();
		const [first] = invite;
		const entry = first.dryRun ? sender.tryOut(first) : await sender.send(first);
		for (const row of invite) journal.set(row, entryOf(entry, row));
		if (!('result' in entry && NOT_REQUESTED.has(entry.result.outcome))) tried.push([entry]);
		if ('failure' in entry && !run.context.continueOnFail()) break;
	}
	return { journal, tried };
}

/** Who occurs twice got one message, and every row its outcome. */
function entryOf(entry: Entry, { participant }: InviteRow): Entry {
	return 'result' in entry ? { result: { ...entry.result, participant: participant.given } } : entry;
}

/** Takes a note back, and keeps that unless another one follows at once. */
type Forget = (isReplaced?: boolean) => void;

class InviteSender {
	private sent = 0;

	private planned = 0;

	/** Instances for which nothing more is sent. */
	private readonly stopped = new Set<string>();

	/** Refusals without a reason since the last message that was sent, by instance; not those of numbers that aren't there. */
	private readonly refusals = new Map<string, number>();

	/** Why nothing is sent to a group through an instance, for each that was asked for its link; `undefined` if there is one. */
	private readonly noLinks = new Map<string, unknown>();

	private readonly writer: Writer;

	constructor(
		private readonly run: Run,
		private readonly options: InviteOptions,
		private readonly memories: InviteMemories,
	) {
		this.writer = new Writer(run.client, options);
	}

	/** What a dry run says. */
	tryOut(row: InviteRow): Entry {
		return (
			this.invitedBefore(row) ??
			entryWith(row, this.planned++ < this.options.maxPerRun ? 'planned' : 'postponed')
		);
	}

	async send(row: InviteRow): Promise<Entry> {
		const { instance } = row;
		const before = this.invitedBefore(row);
		if (before !== undefined) return before;
		if (this.stopped.has(instance) || this.sent >= this.options.maxPerRun) return entryWith(row, 'postponed');
		const noLink = await this.whyNoLink(row);
		if (noLink !== undefined) return { failure: noLink };
		let forget: Forget = () => {};
		try {
			const hasLink = await this.writer.send(row, async (requestOptions) => {
				if (this.run.client.blockedBy(instance) === undefined) {
					this.sent++;
					forget = this.note(row, false);
				}
				const { message, participant } = row;
				return await this.run.client.sendInvite(row, { message, sentAs: participant.sentAs }, requestOptions);
			});
			if (hasLink) {
				forget(true);
				this.note(row, true);
				this.refusals.delete(instance);
				return entryWith(row, 'sent');
			}
			forget();
			this.stopped.add(instance);
			return entryWith(row, 'rejected', { message: NO_LINK });
		} catch (failure) {
			if (!isUncertain(failure)) {
				forget();
				return { failure };
			}
			if (failure.isInviteRefused) return await this.refused(row, failure.message, forget);
			this.stopped.add(instance);
			const message = `${failure.message}. It's not known whether the message was sent.`;
			return entryWith(row, 'unconfirmed', { message });
		}
	}

	/** What is said of a person who was invited by an earlier run, or in this one through another instance. */
	private invitedBefore(row: InviteRow): Entry | undefined {
		const { groupJid, participant } = row;
		const note = row.onlyOnce ? this.memoryOf(row).find(groupJid, participant.identity) : undefined;
		if (note === undefined) return undefined;
		return entryWith(row, 'alreadyInvited', note.isSure ? {} : { message: MAYBE_INVITED, applied: null });
	}

	private memoryOf({ groupJid, participant }: InviteRow): InviteMemory | RowInvites {
		const { rowInvites, memory } = this.memories;
		return rowInvites.has(groupJid, participant.identity) ? rowInvites : memory;
	}

	private note(row: InviteRow, isSure: boolean): Forget {
		const { save, memory, now } = this.memories;
		const { groupJid, participant } = row;
		const noted = this.memoryOf(row);
		const takeBack = noted.note(groupJid, participant.identity, { at: now, isSure });
		if (noted === memory) save();
		return (isReplaced = false) => {
			takeBack();
			if (noted === memory && !isReplaced) save();
		};
	}

	/** Why a group has no link for an instance; asked before the first message, since gateways send one without a link. */
	private async whyNoLink(row: InviteRow): Promise<unknown> {
		// Another instance may well be an admin of the same group.
		const key = JSON.stringify([row.instance, row.groupJid]);
		if (!this.noLinks.has(key)) this.noLinks.set(key, await this.askForLink(row));
		return this.noLinks.get(key);
	}

	private async askForLink(row: InviteRow): Promise<unknown> {
		try {
			await this.run.client.inviteLink(row, this.readOptions);
			return undefined;
		} catch (reason) {
			// Whatever it was, no message was sent.
			const cause = reason instanceof BlockedCall ? reason.reason : reason;
			return cause instanceof GatewayFailure ? new BlockedCall(cause) : cause;
		}
	}

	/** A refusal without a reason is about the number, or else about all: the second one in a row ends it. */
	private async refused(row: InviteRow, reason: string, forget: Forget): Promise<Entry> {
		const { instance, participant } = row;
		const found = await this.findNumber(row);
		const { outcome, message } = explainRefusal(participant.identity, found, reason);
		if (outcome === 'unconfirmed') this.run.client.doubtConnection(instance);
		else forget();
		if (outcome !== 'notFound') {
			const inARow = (this.refusals.get(instance) ?? 0) + 1;
			this.refusals.set(instance, inARow);
			if (inARow >= MOST_IN_A_ROW) this.stopped.add(instance);
		}
		return entryWith(row, outcome, { message });
	}

	/** Under which ID the network has a person's number; `undefined` if it can't be known. */
	private async findNumber({ instance, participant }: InviteRow): Promise<Identity | null | undefined> {
		try {
			return await this.run.client.findNumber(instance, participant, this.readOptions);
		} catch {
			return undefined;
		}
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
