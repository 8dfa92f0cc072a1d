import { accountKey } from './credential';
import { wasSilent } from './failures/callFailure';
import { GatewayFailure } from './failures/gatewayFailure';
import { readConnectionState } from './replies/instances';
import { addressOf, ROUTES, type RouteName } from './routes';
import type { Asker, Sender } from './sender';

/** The state is answered at once, or not at all; in ms. */
const STATE_TIMEOUT = 10_000;

/** What a gateway takes to connect again, in ms: then the state is asked for once more before a change. */
const RECONNECTION = 5000;

/**
 * Accounts to check before their next change, by base URL and instance, and when each was last found not open (ms that go on
 * evenly). Kept as long as the process lives.
 */
const DOUBTS = new Map<string, number>();

/** The live states of the instances of one gateway, and which of them are in doubt. */
export class LiveStates {
	constructor(private readonly sender: Sender) {}

	/** Has the next change of an instance's account, of whatever run, ask first whether it's connected. */
	doubt(instance: string): void {
		const account = accountKey(this.sender.credential, instance);
		// It may have been asked since.
		if (!DOUBTS.has(account)) DOUBTS.set(account, -Infinity);
	}

	/**
	 * Asks for an instance's live state, whatever was refused before. One that is open is no longer in doubt, any other one
	 * is.
	 *
	 * @param timeout of the call that it's asked for, in ms
	 * @returns why nothing should be sent to it; `undefined` if it's open, also as far as is known where the gateway lacks
	 * that route or refuses the question
	 */
	async ask(instance: string, timeout = STATE_TIMEOUT): Promise<GatewayFailure | undefined> {
		const { credential } = this.sender;
		const account = accountKey(credential, instance);
		const wasInDoubt = DOUBTS.has(account);
		const request = {
			method: 'GET',
			url: addressOf(credential.baseUrl, ROUTES.connectionState.forms[0], { instance }),
			timeout: Math.min(timeout, STATE_TIMEOUT),
		} as const;
		const answer = await this.sender.send('connectionState', request, readConnectionState);
		const isUnanswered = answer instanceof GatewayFailure;
		if (isUnanswered ? isRefused(answer) : answer === 'open') {
			// What came up meanwhile, by a change of another run, is newer than the answer.
			if (wasInDoubt) DOUBTS.delete(account);
			return undefined;
		}
		// No question got as far as the instance.
		if (isUnanswered && answer.policy.stop === 'gateway') return answer;
		DOUBTS.set(account, performance.now());
		return this.sender.failureOf({ route: 'connectionState', state: isUnanswered ? 'unknown' : answer });
	}

	/**
	 * How long to wait before each question that is due before a change, in ms: an answer of a moment ago is the first, and
	 * none is due without a doubt.
	 */
	waitsFor(instance: string): number[] {
		const askedAt = DOUBTS.get(accountKey(this.sender.credential, instance));
		if (askedAt === undefined) return [];
		const elapsed = performance.now() - askedAt;
		return elapsed < RECONNECTION ? [RECONNECTION - elapsed] : [0, RECONNECTION];
	}
}

function isRefused({ call: { status = 0 }, policy: { certainlyNotApplied, stop } }: GatewayFailure): boolean {
	return stop !== 'gateway' && (certainlyNotApplied || (status >= 400 && status < 500 && status !== 408));
}

/** Whether an account may have lost its connection by a change that failed. An invite is looked into by itself. */
export function leavesDoubt({ policy, isInviteRefused }: GatewayFailure): boolean {
	return (!policy.certainlyNotApplied || policy.mayBeDisconnected) && !isInviteRefused;
}

/**
 * When the live state is asked after a call failed: before it's repeated, or at its end, to say more of a silence.
 *
 * @param asker a trigger never asks, and the editor only after a silence
 */
export function questionAfter(
	{ call, policy: { mayBeDisconnected } }: GatewayFailure,
	route: RouteName,
	asker?: Asker,
): 'beforeRepeat' | 'atEnd' | undefined {
	const { changes } = ROUTES[route];
	if (asker === 'trigger' || route === 'connectionState') return undefined;
	// The group is read to learn what became of a change, and once.
	const isRepeated = !changes && route !== 'groupInfo' && asker === undefined;
	if (isRepeated && mayBeDisconnected) return 'beforeRepeat';
	// After other failures of a change it's asked before the next one anyway.
	return wasSilent(call) && (!changes || call.unreadable !== undefined) ? 'atEnd' : undefined;
}
