import { FAILURES, OTHER_FAILURE } from './failureTable';
import { Problem } from '../../common/problem';
import type { FailureCause, FailureRow, Observed, Retry, Stop } from './callFailure';

/** A call to the gateway that couldn't be completed. */
export class GatewayFailure extends Problem {
	readonly retry: Retry;

	readonly stop: Stop;

	/** Whether it is certain that a change was not carried out. */
	readonly notCarriedOut: boolean;

	readonly failureCause: FailureCause;

	constructor(
		readonly observed: Observed,
		private readonly row: Omit<FailureRow, 'when'>,
	) {
		super(row.message(observed), row.description);
		this.name = 'GatewayFailure';
		this.retry = row.retry;
		this.stop = row.stop;
		this.notCarriedOut = row.notCarriedOut;
		this.failureCause = row.failureCause;
	}

	/** The same failure, with one more sentence in its message. */
	saying(sentence: string): GatewayFailure {
		const more = (observed: Observed) => `${this.row.message(observed)}. ${sentence}`;
		return new GatewayFailure(this.observed, { ...this.row, message: more });
	}
}

/** Explains what was seen, by the table of failures. */
export function explain(observed: Observed): GatewayFailure {
	return new GatewayFailure(observed, FAILURES.find(({ when }) => when(observed)) ?? OTHER_FAILURE);
}
