import { isRecord, listOf, recordOf } from '../../common/json';
import { NothingSent, Problem, sayNothingMore } from '../../common/problem';
import { uncapitalized } from '../../common/text';
import { minuteOf } from '../../common/time';
import { ROUTES, type RouteName } from '../routes';
import { isInviteRefused, isRouteMissing, type CallFailure, type FailurePolicy } from './callFailure';
import { rowFor } from './failureTable';

export class GatewayFailure extends Problem {
	constructor(
		readonly call: CallFailure,
		message: string,
		/** Advice, and its end if one can run this again after it. */
		private readonly advice: readonly [first: string, again?: string],
		readonly policy: FailurePolicy,
		/** Whether its subject was looked at since, and didn't tell more. */
		readonly isChecked = false,
	) {
		super(message, advice.join(''));
		this.name = 'GatewayFailure';
		// A stop is remembered for up to a day, and a trace would keep all data of the run that met it.
		this.stack = `${this.name}: ${message}`;
	}

	/** Gives the advice without "then run this again". */
	get firstAdvice(): string {
		return this.advice[0];
	}

	/** Tells what a change became: `onTheWay` if it's unknown, and a proxy may have answered, or nobody. */
	get certainty(): 'unknown' | 'onTheWay' | 'notSent' {
		if (this.policy.certainlyNotApplied) return 'notSent';
		const { status = 502, body } = this.call;
		return status >= 500 || status === 403 || status === 413 || !isRecord(body) ? 'onTheWay' : 'unknown';
	}

	get isRouteMissing(): boolean {
		return isRouteMissing(this.call);
	}

	/** Gives the state of an instance that turned out not to be connected. */
	get closedState(): string | undefined {
		const { state } = this.call;
		return state === 'unknown' ? undefined : state;
	}

	withState(state: string): GatewayFailure {
		return toGatewayFailure({ ...this.call, state });
	}

	get isInviteRefused(): boolean {
		return isInviteRefused(this.call);
	}

	/** Whether an invite was refused because of its number: 400 names it, or gives `{exists: false}`. */
	get isNumberRefused(): boolean {
		const { status, route, errorText, body } = this.call;
		if (status !== 400 || route !== 'sendInvite') return false;
		const [row] = listOf(recordOf(recordOf(body).response).message);
		return /\bnumbers?\b/i.test(errorText) || recordOf(row).exists === false;
	}

	/** Whether a group can't be read since the account isn't in it. */
	get isNotInGroup(): boolean {
		const { route, errorText } = this.call;
		return route === 'groupInfo' && /^not a member of this group\b|\bforbidden$/.test(errorText);
	}

	/** Gives the failure as it's remembered, without its reply. @param time end of a stop, ms since 1970 */
	remembered(time: number): GatewayFailure {
		const call = { ...this.call, errorText: '', body: undefined };
		const end = time === Infinity ? '' : `until ${minuteOf(time)}`;
		const said = call.accountCode === undefined ? sayNothingMore(end) : `Nobody is added or invited ${end}`;
		const until = end && `. ${said}`;
		return new GatewayFailure(call, this.message + until, this.advice, this.policy);
	}

	/** Adds a sentence to the failure after a look at its subject. */
	withNote(sentence: string): GatewayFailure {
		return new GatewayFailure(this.call, `${this.message}. ${sentence}`, this.advice, this.policy, true);
	}
}

/** The words of WhatsMiau for what it reads before a change or a message. */
const BEFORE_THE_CHANGE = /\bfailed to get (?:group (?:metadata before updating|members)|privacy token)\b/;

/** Turns a failed call into what to tell and how to go on, by the table of failures. */
export function toGatewayFailure(call: CallFailure): GatewayFailure {
	const { policy, messageOf, adviceOf } = rowFor(call);
	const advice = adviceOf(call);
	return new GatewayFailure(call, messageOf(call), typeof advice === 'string' ? [advice] : advice, {
		...policy,
		certainlyNotApplied: policy.certainlyNotApplied || BEFORE_THE_CHANGE.test(call.errorText),
	});
}

/** A request that wasn't sent: the gateway or instance said no before, or the execution was canceled. */
export class BlockedCall extends Problem {
	/** Nothing was sent for it, if that was a change or an invite. A read's message says what it's about. */
	readonly unsent: 'item' | 'instance' | undefined;

	/** @param route left out if it's known that something was to be sent */
	constructor(
		readonly reason: GatewayFailure,
		route?: RouteName,
	) {
		const { message, description, call } = reason;
		const subject = route && ROUTES[route].subject;
		const wasAsked = call.route === 'connectionState' && call.state !== undefined;
		const unsent = wasAsked ? 'instance' : 'item';
		const reasonOfUnsent = wasAsked ? uncapitalized(message) : message;
		super(subject === undefined ? reasonOfUnsent : `${subject} couldn't be read: ${message}`, description);
		this.name = 'BlockedCall';
		this.unsent = subject === undefined ? unsent : undefined;
	}
}

/** Gives the failure of a call, or the one behind a reason to send nothing. */
export function failureBehind(problem: unknown): GatewayFailure | undefined {
	const reason = problem instanceof BlockedCall ? problem.reason : problem;
	const failure = reason instanceof NothingSent ? reason.cause : reason;
	return failure instanceof GatewayFailure ? failure : undefined;
}

/** Makes a look-up's failure the reason to send nothing. @param unread e.g. `the groups couldn't be read` */
export function asUnsent(problem: unknown, unread?: string): unknown {
	const failure = failureBehind(problem);
	if (failure === undefined) return problem;
	if (unread === undefined) return new BlockedCall(failure);
	return new NothingSent(`${unread}. ${failure.message}`, failure.description, failure);
}

/** Tells what became of a change whose request failed, or wasn't sent. */
export const certaintyOf = (failure: unknown): GatewayFailure['certainty'] =>
	failure instanceof GatewayFailure ? failure.certainty : 'notSent';

/** Whether a change may have been carried out although its request failed. */
export const isUncertain = (failure: unknown): failure is GatewayFailure =>
	failure instanceof GatewayFailure && !failure.policy.certainlyNotApplied;
