import { sleep } from 'n8n-workflow';
import { SECOND } from '../common/time';
import type { NodePart } from './execution';

/** Longest sleep at once, in ms: the timer of a wait that ends early is left behind. */
export const LONGEST_SLEEP = SECOND;

interface Ticket {
	/** The run: all rounds of a loop and all calls of an agent in one execution are one. */
	part: NodePart;
	/** Time from a reply to the run's next change, in ms. */
	interval: number;
	/** Whether nothing is sent any more, which ends the wait. */
	isBlocked: () => boolean;
	/** Whether the turn has sent something, so that a pause follows. */
	hasSent: () => boolean;
	cancelSignal?: AbortSignal | undefined;
}

/** The turns of one account: its changes go one at a time, over all runs in the process. */
export class Turns {
	/** The tickets in order of arrival. */
	private readonly waiting: Ticket[] = [];

	/** Last reply of each run, as long as others keep a pause to it. */
	private readonly replies = new Map<NodePart, { repliedAt: number; interval: number }>();

	private isBusy = false;

	private wakeAll = () => {};

	/** Resolves when waiting tickets have to look again. */
	private changed = new Promise<void>((resolve) => (this.wakeAll = resolve));

	/**
	 * Waits for the turn of a ticket, then calls `send` once. If the ticket is blocked meanwhile, it does so at
	 * once, without a turn: only to say why nothing is sent. The next turn begins when `send` has ended.
	 */
	async take<T>(ticket: Ticket, send: () => Promise<T>): Promise<T> {
		const wake = () => this.wake();
		ticket.cancelSignal?.addEventListener('abort', wake);
		this.waiting.push(ticket);
		while (!ticket.isBlocked() && !this.isTurnOf(ticket)) {
			const left = this.dueAt(ticket) - performance.now();
			// A ticket that is due waits for others, and looks now and then whether it's blocked.
			await Promise.race([this.changed, sleep(left > 0 ? Math.min(left, LONGEST_SLEEP) : LONGEST_SLEEP)]);
		}
		const isTurn = this.isTurnOf(ticket);
		this.waiting.splice(this.waiting.indexOf(ticket), 1);
		ticket.cancelSignal?.removeEventListener('abort', wake);
		if (isTurn) this.isBusy = true;
		else this.wake();
		try {
			return await send();
		} finally {
			if (isTurn) {
				if (ticket.hasSent()) this.noteReply(ticket);
				this.isBusy = false;
				this.wake();
			}
		}
	}

	private isTurnOf(ticket: Ticket): boolean {
		const now = performance.now();
		return !this.isBusy && this.waiting.find((other) => this.dueAt(other) <= now) === ticket;
	}

	/** Gives the time after the run's own interval and the pauses to others: the shorter interval of both. */
	private dueAt({ part, interval }: Ticket): number {
		let dueAt = part.repliedAt + interval;
		for (const [other, last] of this.replies)
			if (other !== part) dueAt = Math.max(dueAt, last.repliedAt + Math.min(last.interval, interval));
		return dueAt;
	}

	private noteReply({ part, interval }: Ticket): void {
		const repliedAt = performance.now();
		for (const [run, last] of this.replies)
			if (last.repliedAt + last.interval <= repliedAt) this.replies.delete(run);
		this.replies.set(part, { repliedAt, interval });
		part.repliedAt = repliedAt;
	}

	private wake(): void {
		this.wakeAll();
		this.changed = new Promise((resolve) => (this.wakeAll = resolve));
	}
}

/** The groups that runs have locked, or wait for, in order of arrival: so no two wait for each other. */
export class GroupLocks {
	private readonly locks = new Set<{ groups: ReadonlySet<unknown>; ended: Promise<void> }>();

	/** Locks groups, or whatever one run may have. @returns when it has them, and a function to unlock them */
	lock(groups: readonly unknown[]): { ready: Promise<unknown>; release: () => void } {
		const before = [...this.locks].filter((lock) => groups.some((group) => lock.groups.has(group)));
		let end = () => {};
		const lock = { groups: new Set(groups), ended: new Promise<void>((resolve) => (end = resolve)) };
		this.locks.add(lock);
		const release = () => {
			this.locks.delete(lock);
			end();
		};
		return { ready: Promise.all(before.map(({ ended }) => ended)), release };
	}
}
