import { sleep } from 'n8n-workflow';
import { SECOND } from '../common/time';
import { groupKey, type GroupRef } from '../groups/change';
import type { AnyAction } from '../groups/outcomes';
import { gatewayAt, type Account, type Gateway } from './account';
import { CircuitBreaker } from './circuitBreaker';
import type { NodePart } from './execution';
import { isAway } from './failures/callFailure';
import { GatewayFailure } from './failures/gatewayFailure';
import type { RouteName } from './routes';
import type { RequestOptions, ConnectionSettings, Sender } from './sender';
import { LONGEST_SLEEP } from './turns';

/** Waits for a gateway that may have been restarted, in ms: a nightly update takes 25 to 41 s. */
export const RESTART = [10 * SECOND, 30 * SECOND];

/** The part of one run in the accounts of a gateway: the turns of its changes, and its stops. */
export class GatewaySession {
	readonly part: NodePart;

	breaker: CircuitBreaker;

	/** Number of requests that change something, with their repeats. */
	changesSent = 0;

	/** The silence in which the change of this turn ended: a success with nothing in it. */
	private silence: GatewayFailure | undefined;

	/** Time from a reply to the next change, in ms. */
	private interval = 0;

	private isEnded = false;

	private unlockGroups = () => {};

	constructor(
		readonly baseUrl: string,
		private readonly sender: Sender,
		private readonly settings: ConnectionSettings,
	) {
		// It outlives the run, and keeps nothing else of it.
		this.breaker = new CircuitBreaker(() => gatewayAt(baseUrl));
		this.part = this.gateway.executions.find(settings.execution);
	}

	/** Has the stops of accounts hold for the run. @param interval from a reply to the next change, in ms */
	startChanges(groups: readonly GroupRef[], interval: number): void {
		this.interval = interval;
		this.part.breaker?.startRound();
		this.breaker = this.part.breaker ??= this.breaker;
		for (const { instance } of groups) this.breaker.joinStops(instance);
		this.part.isReal ||= groups.length > 0;
	}

	/** Sends a change in this run's turn. Checks a suspected account's connection first. @throws BlockedCall */
	async inTurn<T>(
		{ instance, groupJid }: GroupRef,
		{ timeout, maxRetries }: RequestOptions,
		send: (options: RequestOptions) => Promise<T>,
	): Promise<T> {
		const { part, interval, settings } = this;
		this.breaker.joinStops(instance);
		const isBlocked = () => this.blockedBy(instance, groupJid) !== undefined;
		let sentBefore = Infinity;
		const hasSent = () => this.changesSent > sentBefore;
		const ticket = { part, interval, isBlocked, hasSent, cancelSignal: settings.cancelSignal };
		return await this.account(instance).turns.take(ticket, async () => {
			if (!isBlocked()) {
				// An instance that stays away stops for this run.
				const { waitsToCheck } = this.account(instance);
				const failure = await this.awaitOpen(instance, waitsToCheck, { waitsIfAway: RESTART });
				if (failure) this.breaker.stop(failure, instance);
			}
			sentBefore = this.changesSent;
			// A repeat is a request too.
			const options = { timeout, maxRetries, shortestWait: interval };
			return await this.observe(instance, hasSent, async () => await send(options));
		});
	}

	/** Sends a change and looks at how it ends: it may have cost the connection, or leave its result unknown. */
	private async observe<T>(instance: string, hasSent: () => boolean, send: () => Promise<T>): Promise<T> {
		this.silence = undefined;
		let unknown: GatewayFailure | undefined;
		const noteFailure = (failure: unknown) => {
			if (failure instanceof GatewayFailure && !failure.isInviteRefused && !failure.isNumberRefused) {
				const { certainlyNotApplied, checkAfter } = failure.policy;
				if (!certainlyNotApplied) unknown = failure;
				if (!certainlyNotApplied || checkAfter !== undefined) this.account(instance).suspect();
			}
			throw failure;
		};
		const noteEnd = () => {
			if (hasSent()) this.breaker.countChange(instance, unknown ?? this.silence);
		};
		return await send().catch(noteFailure).finally(noteEnd);
	}

	/** Locks groups until this run ends. Runs of one execution take turns for all: they share limits. */
	async lockGroups(groups: readonly GroupRef[]): Promise<void> {
		const { ready, release } = this.gateway.locks.lock([this.part.execution, ...groups.map(groupKey)]);
		this.unlockGroups = release;
		await this.unlessCanceled(ready);
	}

	/** Ends the run: it keeps no lock or ticket, and sends nothing more. */
	end(): void {
		this.isEnded = true;
		this.part.execution.calledAt = Date.now();
		this.unlockGroups();
	}

	/** Forgets what a group showed before a change. */
	changed({ instance, groupJid }: { [Field in keyof GroupRef]: string | undefined }): void {
		if (instance !== undefined && groupJid !== undefined)
			this.part.execution.readings.delete(groupKey({ instance, groupJid }));
	}

	/** Notes that a change succeeded with nothing in it after a minute of silence. @returns that as a failure */
	noteSilence(instance: string, route: RouteName): GatewayFailure {
		this.account(instance).suspect();
		this.silence = this.sender.failureOf({ route, unreadable: 'empty', elapsed: Infinity });
		return this.silence;
	}

	/** Has an account add and invite nobody for a time. @param accountCode that of an addition */
	stopAdditions(instance: string, accountCode: string): void {
		const failure = this.sender.failureOf({ route: 'updateParticipants', accountCode });
		const { additions } = this.account(instance);
		additions.begin((end) => `${failure.remembered(end).message}.`, failure.policy.stopsFor);
	}

	/** Says why whoever is to be added, or invited, is postponed. */
	postpones(action: AnyAction, instance: string): string | undefined {
		const { additions, invites } = this.account(instance);
		if (action !== 'invite') return action === 'add' ? additions.active : undefined;
		return additions.active ?? invites.active ?? this.part.execution.instance(instance).invites.active;
	}

	/**
	 * Asks whether an instance is connected after each of some waits, in ms, as long as it isn't. Without an
	 * answer, nothing more is sent to it in this run.
	 *
	 * @param timeout in ms @param waitsIfAway before each further question while the gateway is away
	 */
	async awaitOpen(
		instance: string,
		waits: readonly number[] = [0],
		{ timeout, waitsIfAway = [] }: { timeout?: number; waitsIfAway?: readonly number[] } = {},
	): Promise<GatewayFailure | undefined> {
		let failure: GatewayFailure | undefined;
		for (const wait of waits) {
			await this.pause(wait);
			failure = await this.checkOpen(instance, timeout, waitsIfAway);
			if (failure?.closedState === undefined) break;
		}
		return failure;
	}

	private async checkOpen(instance: string, timeout: number | undefined, waitsIfAway: readonly number[]) {
		if (this.blockedBy(instance) !== undefined) return undefined;
		const noteState = this.account(instance).startCheck();
		let failure = await this.sender.askWhetherOpen(instance, timeout);
		for (const wait of waitsIfAway) {
			if (failure === undefined || !isAway(failure.call)) break;
			await this.pause(wait);
			if (!this.isCanceled) failure = await this.sender.askWhetherOpen(instance, timeout);
		}
		if (this.isCanceled) return undefined;
		const isClosed = failure?.closedState !== undefined;
		noteState(!isClosed);
		if (failure !== undefined && !isClosed) this.breaker.stop(failure, instance);
		return failure;
	}

	/** Gives the reason why nothing is sent to this instance, or no change to its group, any more. */
	blockedBy(instance: string | undefined, groupJid?: string): GatewayFailure | undefined {
		if (this.isCanceled || this.isEnded) return this.sender.failureOf({ network: 'ERR_CANCELED' });
		return this.breaker.blockedBy(instance, groupJid);
	}

	/** Waits, in ms; ends early when the execution is canceled. */
	async pause(ms: number): Promise<void> {
		const end = performance.now() + ms;
		for (let left = ms; left > 0 && !this.isCanceled; left = end - performance.now())
			await this.unlessCanceled(sleep(Math.min(left, LONGEST_SLEEP)));
	}

	/** Waits for something, or until the execution is canceled: n8n 1.x has no sleep that a signal ends. */
	private async unlessCanceled(wait: Promise<unknown>): Promise<void> {
		if (this.isCanceled) return;
		const { cancelSignal } = this.settings;
		let wake = () => {};
		const canceled = new Promise<void>((resolve) => (wake = resolve));
		cancelSignal?.addEventListener('abort', wake, { once: true });
		await Promise.race([wait, canceled]);
		cancelSignal?.removeEventListener('abort', wake);
	}

	get isCanceled(): boolean {
		return this.settings.cancelSignal?.aborted === true;
	}

	get gateway(): Gateway {
		return gatewayAt(this.baseUrl);
	}

	account(instance: string): Account {
		return this.gateway.account(instance);
	}
}
