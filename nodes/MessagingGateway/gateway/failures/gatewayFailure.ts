import { Problem } from '../../common/problem';
import {
	isInviteRefused,
	isRouteMissing,
	type CallFailure,
	type FailureCause,
	type FailureRow,
	type Retry,
	type Stop,
} from './callFailure';
import { FAILURES, OTHER_FAILURE } from './failureTable';

/** A call to the gateway that couldn't be completed. */
export class GatewayFailure extends Problem {
	readonly retry: Retry;

	readonly stop: Stop;

	/** Whether the change was certainly not carried out. */
	readonly certainlyNotApplied: boolean;

	readonly failureCause: FailureCause;

	constructor(
		readonly call: CallFailure,
		private readonly row: Omit<FailureRow, 'when'>,
	) {
		const { message, description } = row;
		super(message(call), typeof description === 'string' ? description : description(call));
		this.name = 'GatewayFailure';
		this.retry = row.retry;
		this.stop = row.stop;
		this.certainlyNotApplied = row.certainlyNotApplied;
		this.failureCause = row.failureCause;
	}

	/** Whether the instance may have no connection. */
	get mayBeDisconnected(): boolean {
		return this.row.mayBeDisconnected ?? false;
	}

	/** The status of the reply as text, if there was one. */
	get httpCode(): string | undefined {
		return this.call.status?.toString();
	}

	/** Seconds that the gateway asks to wait, if it does. */
	get retryAfter(): number | undefined {
		return this.call.retryAfter;
	}

	/** Whether the gateway has no such function. */
	get isRouteMissing(): boolean {
		return isRouteMissing(this.call);
	}

	/** Whether an invite was refused without a reason, which says nothing of the instance or the group. */
	get isInviteRefused(): boolean {
		return isInviteRefused(this.call);
	}

	/** The same failure, with one more sentence in its message. */
	withNote(sentence: string): GatewayFailure {
		const message = (call: CallFailure) => `${this.row.message(call)}. ${sentence}`;
		return new GatewayFailure(this.call, { ...this.row, message });
	}
}

/** Turns what is known of a failed call into what to tell and how to go on, by the table of failures. */
export function toGatewayFailure(call: CallFailure): GatewayFailure {
	return new GatewayFailure(call, FAILURES.find(({ when }) => when(call)) ?? OTHER_FAILURE);
}
