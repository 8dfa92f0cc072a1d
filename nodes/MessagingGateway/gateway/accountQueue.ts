import { sleep } from 'n8n-workflow';
import { HOUR } from '../common/time';
import { accountKey, type GatewayCredential } from './credential';
import type { GatewayFailure } from './failures/gatewayFailure';

/** Longest sleep at once, in ms: the timer of a wait that ends early is left behind. */
export const LONGEST_SLEEP = 1000;

/** The time in ms, which goes on evenly also where the clock is set. */
const now = () => performance.now();

/** Those who change one account, and whose turn it is. */
class AccountQueue {
	/** For each run the time of its last reply, and the earliest time of its next request because of others. */
	private readonly runs = new Map<AccountTurns, { repliedAt: number; notBefore: number }>();

	/** Those who wait: when each lines up, which is after its own interval. */
	private readonly line: Array<{ since: number }> = [];

	private isBusy = false;

	private wake = () => {};

	/** Resolves when those who wait have to look again. */
	private changed = new Promise<void>((resolve) => (this.wake = resolve));

	join(run: AccountTurns): void {
		const ends = [...this.runs].map(([other, { repliedAt }]) => repliedAt + pauseBetween(run, other));
		this.runs.set(run, { repliedAt: -Infinity, notBefore: Math.max(0, ...ends) });
	}

	/** @returns whether nobody is left */
	leave(run: AccountTurns): boolean {
		this.runs.delete(run);
		return this.runs.size === 0;
	}

	/** @returns once it's the run's turn, or `false` as soon as nothing is sent for it any more */
	async wait(run: AccountTurns, isBlocked: () => boolean): Promise<boolean> {
		const place = { since: Math.max(run.readyAt, now()) };
		this.line.push(place);
		this.line.sort((one, other) => one.since - other.since);
		let isTurn = false;
		while (!isTurn && !isBlocked()) {
			// Only the first in line looks at the time: the others are woken by whoever ends a turn or leaves the line.
			if (this.isBusy || this.line[0] !== place) {
				await this.changed;
				continue;
			}
			const left = Math.max(place.since, this.runs.get(run)?.notBefore ?? 0) - now();
			isTurn = left <= 0;
			if (!isTurn) await Promise.race([this.changed, sleep(Math.min(left, LONGEST_SLEEP))]);
		}
		this.line.splice(this.line.indexOf(place), 1);
		if (isTurn) this.isBusy = true;
		else this.advance();
		return isTurn;
	}

	/** @param hasSent whether something was sent, so that a pause follows */
	endTurn(run: AccountTurns, hasSent: boolean): void {
		if (hasSent) this.pauseAfter(run);
		this.isBusy = false;
		this.advance();
	}

	private pauseAfter(run: AccountTurns): void {
		const repliedAt = now();
		for (const [other, times] of this.runs)
			if (other === run) times.repliedAt = repliedAt;
			else times.notBefore = Math.max(times.notBefore, repliedAt + pauseBetween(run, other));
	}

	stopOthers(run: AccountTurns, failure: GatewayFailure, instance: string): void {
		for (const other of this.runs.keys())
			if (other !== run && concerns(failure, run.credential, other.credential)) other.stop(failure, instance);
	}

	/** Has all who wait look whether it's their turn, or nothing is sent for them any more. */
	advance(): void {
		this.wake();
		this.changed = new Promise((resolve) => (this.wake = resolve));
	}
}

function pauseBetween(one: AccountTurns, other: AccountTurns): number {
	return Math.min(one.interval, other.interval);
}

/** Whether what one run met would be met with the credential of another: a refused key says nothing of other keys. */
function concerns(
	{ policy: { failureCause } }: GatewayFailure,
	own: GatewayCredential,
	other: GatewayCredential,
): boolean {
	if (failureCause === 'credential-invalid') return own.apiKey === other.apiKey;
	return (
		failureCause !== 'configuration-invalid' || own.allowUnauthorizedCerts === other.allowUnauthorizedCerts
	);
}

/** What the runs in this process know of accounts, by base URL and instance. */
interface Accounts {
	/** Those that are changed now. */
	queues: Map<string, AccountQueue>;
	/** What stopped them last, and when. */
	stops: Map<string, { failure: GatewayFailure; credential: GatewayCredential; at: number }>;
}

const ACCOUNTS: Accounts = { queues: new Map(), stops: new Map() };

/**
 * The turns of one run of the node. An account is changed one request at a time and in order of arrival, over all runs
 * in the process. Between two requests lies the interval of their run, or, if they are of two runs under way at the same
 * time, the shorter one of both. A run waits for one account at a time, so no two can wait for each other.
 */
export class AccountTurns {
	/** Time from a reply to the run's next request, in ms. */
	interval = 0;

	/** When that is over. */
	readyAt = 0;

	/** Those that the run is in, by instance. */
	private readonly joined = new Map<string, AccountQueue>();

	private readonly startedAt = now();

	/**
	 * @param onStop is told what stops an account for another run
	 * @param cancelSignal ends waits
	 */
	constructor(
		readonly credential: GatewayCredential,
		private readonly onStop: (failure: GatewayFailure, instance: string) => void,
		private readonly cancelSignal?: AbortSignal,
		private readonly accounts = ACCOUNTS,
	) {}

	/** To be called before the first request. @param wait until that one, in ms */
	start(interval: number, wait: number): void {
		this.interval = interval;
		this.readyAt = now() + wait;
	}

	/**
	 * Takes part: from now on the run is stopped with the others, and they keep the pause to its requests. What stopped the
	 * account while the run was still reading its items stops it, too.
	 */
	join(instance: string): AccountQueue {
		const joined = this.joined.get(instance);
		if (joined !== undefined) return joined;
		const { queues, stops } = this.accounts;
		const account = accountKey(this.credential, instance);
		const queue = queues.get(account) ?? new AccountQueue();
		queues.set(account, queue);
		this.joined.set(instance, queue);
		queue.join(this);
		const last = stops.get(account);
		if (last && last.at > this.startedAt && concerns(last.failure, last.credential, this.credential))
			this.onStop(last.failure, instance);
		return queue;
	}

	/**
	 * Sends one request, with its repeats, once it's the run's turn.
	 *
	 * @param turn `isBlocked`: whether nothing is sent any more: then the wait ends, and `send` is left to say why;
	 * `hasSent`: whether `send` has sent something, so that a pause follows
	 */
	async take<T>(
		{ instance, isBlocked, hasSent }: { instance: string; isBlocked: () => boolean; hasSent: () => boolean },
		send: () => Promise<T>,
	): Promise<T> {
		const queue = this.join(instance);
		const advance = () => queue.advance();
		this.cancelSignal?.addEventListener('abort', advance);
		const isTurn = await queue.wait(this, isBlocked);
		this.cancelSignal?.removeEventListener('abort', advance);
		try {
			return await send();
		} finally {
			if (isTurn) {
				if (hasSent()) this.readyAt = now() + this.interval;
				queue.endTurn(this, hasSent());
			}
		}
	}

	/** Stops an account for all other runs that change it, or are about to. */
	stopOthers(failure: GatewayFailure, instance: string): void {
		const { credential } = this;
		const queue = this.joined.get(instance);
		if (queue === undefined) return;
		const { stops } = this.accounts;
		for (const [account, { at }] of stops) if (now() - at > HOUR) stops.delete(account);
		stops.set(accountKey(credential, instance), { failure, credential, at: now() });
		queue.stopOthers(this, failure, instance);
	}

	/** @param failure what stops the account for a run that shares it */
	stop(failure: GatewayFailure, instance: string): void {
		this.onStop(failure, instance);
		// It may wait for another account of a gateway that is stopped.
		for (const queue of this.joined.values()) queue.advance();
	}

	/** Leaves all accounts at the end of the run: nothing of it stays. */
	end(): void {
		for (const [instance, queue] of this.joined)
			if (queue.leave(this)) this.accounts.queues.delete(accountKey(this.credential, instance));
		this.joined.clear();
	}
}
