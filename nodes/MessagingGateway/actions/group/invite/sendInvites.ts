import { GatewayFailure } from '../../../gateway/failures/gatewayFailure';
import type { ChangeResult } from '../../../groups/requestResults';
import { sentenceOf, WORDING, type Outcome } from '../../../groups/outcomes';
import type { InviteMemory } from '../../../groups/invites/memory';
import type { Invite } from '../../../groups/invites/plan';
import { readInviteLink } from '../../../gateway/replies/inviteLink';
import { isRecord } from '../../../common/json';
import { NotSent } from '../../../gateway/connection';
import type { Run } from '../../../run/operation';
import { isUncertain } from '../../../run/itemErrors';
import type { InvitePace } from './readInvites';

/** What a gateway says of every invite that it doesn't send, whatever the reason. */
const NO_REASON = /^No send invite$/;

/** What the run keeps between two invites. */
interface InviteRun {
	run: Run;
	pace: InvitePace;
	memory: InviteMemory;
	/** Keeps the memory, before each message and after. */
	save: () => void;
	goesOn: boolean;
}

/**
 * Sends invites one at a time, few per run and nobody twice.
 *
 * @returns what came of each; nothing for those after the failure that ends the run
 */
export async function sendInvites(
	invites: readonly Invite[],
	inviteRun: InviteRun,
): Promise<Map<Invite, ChangeResult>> {
	const { goesOn } = inviteRun;
	const sender = new InviteSender(inviteRun);
	const results = new Map<Invite, ChangeResult>();
	for (const invite of invites) {
		const result = invite.dryRun ? sender.tryOut(invite) : await sender.send(invite);
		results.set(invite, result);
		if ('failure' in result && !goesOn) break;
	}
	return results;
}

class InviteSender {
	private sent = 0;

	private planned = 0;

	/** Instances of which it isn't known whether the last message was sent. */
	private readonly uncertain = new Set<string>();

	/** Groups whose link was asked for, by instance; and why nothing is sent there any more, if they have none. */
	private readonly groups = new Map<string, NotSent | undefined>();

	constructor(private readonly inviteRun: InviteRun) {}

	/** What a dry run says. */
	tryOut(invite: Invite): ChangeResult {
		if (this.wasInvited(invite)) return resultOf(invite, 'alreadyInvited');
		return resultOf(invite, this.planned++ < this.inviteRun.pace.maxPerRun ? 'planned' : 'postponed');
	}

	async send(invite: Invite): Promise<ChangeResult> {
		const { run, pace, memory, save } = this.inviteRun;
		const { instance, groupJid, id } = invite;
		if (this.wasInvited(invite)) return resultOf(invite, 'alreadyInvited');
		const stopped = this.groups.get(keyOf(invite));
		if (stopped !== undefined) return { failure: stopped };
		if (this.uncertain.has(instance) || this.sent >= pace.maxPerRun) return resultOf(invite, 'postponed');
		if (this.sent > 0 && run.gateway.reasonNotToSend(instance) === undefined)
			await run.gateway.pause(pace.batchInterval);
		const takeBack = memory.note(groupJid, id, Date.now());
		save();
		try {
			if (run.gateway.reasonNotToSend(instance) === undefined) this.sent++;
			await this.request(invite);
			return resultOf(invite, 'sent');
		} catch (failure) {
			if (isUncertain(failure)) {
				this.uncertain.add(instance);
				const message = `${failure.message}. It's not known whether the message was sent.`;
				return resultOf(invite, 'unconfirmed', message);
			}
			takeBack();
			save();
			return await this.explain(failure, invite);
		}
	}

	private wasInvited({ onlyOnce, groupJid, id }: Invite): boolean {
		return onlyOnce && this.inviteRun.memory.has(groupJid, id);
	}

	private async request({ instance, groupJid, message, sentAs }: Invite): Promise<void> {
		const { run, pace } = this.inviteRun;
		const body = { groupJid, description: message, numbers: [sentAs] };
		await run.gateway.read(
			'sendInvite',
			{ path: { instance }, body },
			{ timeout: pace.timeout, maxRetries: 0 },
			{ read: (reply) => (isRecord(reply) && reply.send === true ? reply : undefined) },
		);
	}

	/** A refusal without a reason may be about the number or about the group: the group's link tells, asked once. */
	private async explain(failure: unknown, invite: Invite): Promise<ChangeResult> {
		const isUnexplained =
			failure instanceof GatewayFailure &&
			failure.observed.status === 404 &&
			NO_REASON.test(failure.observed.words);
		if (!isUnexplained) return { failure };
		const reason = await this.whyNoLink(invite);
		return resultOf(
			invite,
			'rejected',
			reason === undefined
				? 'The gateway gives no reason. The number may not be on the network.'
				: `Wasn't invited: ${reason.message}.`,
		);
	}

	private async whyNoLink(invite: Invite): Promise<GatewayFailure | undefined> {
		const { run, pace } = this.inviteRun;
		const { instance, groupJid } = invite;
		const key = keyOf(invite);
		if (this.groups.has(key)) return undefined;
		this.groups.set(key, undefined);
		try {
			const values = { path: { instance }, query: { groupJid } };
			const options = { timeout: pace.timeout, maxRetries: 0 };
			await run.gateway.read('inviteCode', values, options, {
				read: readInviteLink,
				isEmpty: ({ link }) => link === null,
			});
		} catch (reason) {
			// Whatever it was, nothing was sent for the others.
			if (!(reason instanceof GatewayFailure)) return undefined;
			this.groups.set(key, new NotSent(reason));
			return reason;
		}
		return undefined;
	}
}

/** An instance's group: another instance may well be an admin of the same one. */
function keyOf({ instance, groupJid }: Invite): string {
	return JSON.stringify([instance, groupJid]);
}

/** What is said to each row of an invite; the participant is the first row's. */
function resultOf(invite: Invite, outcome: Outcome, message?: string): ChangeResult {
	const { instance, groupJid, sentAs, rows } = invite;
	return {
		result: {
			participant: rows[0].participant.given,
			action: 'invite',
			outcome,
			message: message ?? sentenceOf(outcome, 'invite'),
			applied: WORDING[outcome].applied,
			sentAs,
			instance,
			groupJid,
		},
	};
}
