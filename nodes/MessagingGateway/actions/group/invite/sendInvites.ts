import { BlockedCall } from '../../../gateway/connection';
import { GatewayFailure } from '../../../gateway/failures/gatewayFailure';
import { changeResult, type Entry, type GroupRef, type Journal } from '../../../groups/change';
import type { InviteMemory } from '../../../groups/invites/memory';
import type { Invite, InviteRow } from '../../../groups/invites/plan';
import { sentenceOf, WORDING, type Outcome } from '../../../groups/outcomes';
import type { Run } from '../../../run/operation';
import { isUncertain } from '../../../run/report';
import { Writer } from '../../../run/writer';
import type { InviteOptions } from './readInvites';

/** Outcomes for which no request was made. */
const NOT_REQUESTED = new Set<Outcome>(['alreadyInvited', 'postponed', 'planned']);

/**
 * Sends invites one at a time, few per run and nobody twice. Unless the node continues on fail, the first that fails is
 * the last.
 *
 * @param memory who was invited; `save` keeps it, before each message and after
 * @returns what came of each row, and of each invite for which a request was made
 */
export async function sendInvites(
	run: Run,
	invites: readonly Invite[],
	options: InviteOptions,
	memory: InviteMemory,
	save: () => void,
): Promise<{ journal: Journal<InviteRow>; tried: Entry[][] }> {
	const sender = new InviteSender(run, options, memory, save);
	const journal: Journal<InviteRow> = new Map();
	const tried: Entry[][] = [];
	for (const invite of invites) {
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

class InviteSender {
	private sent = 0;

	private planned = 0;

	/** Instances of which it isn't known whether the last message was sent. */
	private readonly uncertain = new Set<string>();

	/** Groups whose link was asked for, by instance; and why nothing is sent there any more, if they have none. */
	private readonly groups = new Map<string, BlockedCall | undefined>();

	private readonly writer: Writer;

	constructor(
		private readonly run: Run,
		private readonly options: InviteOptions,
		private readonly memory: InviteMemory,
		private readonly save: () => void,
	) {
		this.writer = new Writer(run.client, options);
	}

	/** What a dry run says. */
	tryOut(row: InviteRow): Entry {
		if (this.wasInvited(row)) return entryWith(row, 'alreadyInvited');
		return entryWith(row, this.planned++ < this.options.maxPerRun ? 'planned' : 'postponed');
	}

	async send(row: InviteRow): Promise<Entry> {
		const { instance } = row;
		if (this.wasInvited(row)) return entryWith(row, 'alreadyInvited');
		const stopped = this.groups.get(groupKeyOf(row));
		if (stopped !== undefined) return { failure: stopped };
		if (this.uncertain.has(instance) || this.sent >= this.options.maxPerRun)
			return entryWith(row, 'postponed');
		let forget = () => {};
		try {
			const isSent = await this.writer.send(instance, async (requestOptions) => {
				forget = this.note(row);
				return await this.run.client.sendInvite(
					row,
					{ message: row.message, sentAs: row.participant.sentAs },
					requestOptions,
				);
			});
			if (isSent) return entryWith(row, 'sent');
			forget();
			return entryWith(row, 'rejected', await this.whyRefused(row));
		} catch (failure) {
			if (isUncertain(failure)) {
				this.uncertain.add(instance);
				const message = `${failure.message}. It's not known whether the message was sent.`;
				return entryWith(row, 'unconfirmed', message);
			}
			forget();
			return { failure };
		}
	}

	private wasInvited({ onlyOnce, groupJid, participant }: InviteRow): boolean {
		return onlyOnce && this.memory.has(groupJid, participant.identity);
	}

	/** Counts and notes a message right before it is sent. @returns takes the note back */
	private note({ instance, groupJid, participant }: InviteRow): () => void {
		if (this.run.client.blockedBy(instance) === undefined) this.sent++;
		const takeBack = this.memory.note(groupJid, participant.identity, Date.now());
		this.save();
		return () => {
			takeBack();
			this.save();
		};
	}

	/** A refusal without a reason may be about the number or about the group: the group's link tells, asked once. */
	private async whyRefused(row: InviteRow): Promise<string> {
		const key = groupKeyOf(row);
		const unknown = 'The gateway gives no reason. The number may not be on the network.';
		if (this.groups.has(key)) return unknown;
		this.groups.set(key, undefined);
		try {
			await this.run.client.inviteLink(row, { timeout: this.options.timeout, maxRetries: 0 });
		} catch (reason) {
			// Whatever it was, nothing was sent for the others.
			if (!(reason instanceof GatewayFailure)) return unknown;
			this.groups.set(key, new BlockedCall(reason));
			return `Wasn't invited: ${reason.message}.`;
		}
		return unknown;
	}
}

/** An instance's group: another instance may well be an admin of the same one. */
function groupKeyOf({ instance, groupJid }: GroupRef): string {
	return JSON.stringify([instance, groupJid]);
}

function entryWith(row: InviteRow, outcome: Outcome, message = sentenceOf(outcome, 'invite')): Entry {
	const { applied } = WORDING[outcome];
	return { result: changeResult({ ...row, action: 'invite' }, { outcome, message, applied }) };
}
