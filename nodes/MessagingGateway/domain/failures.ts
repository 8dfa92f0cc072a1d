import { FAILURES, OTHER_FAILURE } from './failureTable';
import { Problem } from './problem';
import type { FailureRow, Retry, Seen, Stop } from './seen';

/** A call to the gateway that did not work out. */
export class GatewayFailure extends Problem {
	readonly retry: Retry;

	readonly stop: Stop;

	/** Whether it is certain that a change was not carried out. */
	readonly notCarriedOut: boolean;

	constructor(
		readonly seen: Seen,
		row: Omit<FailureRow, 'when'>,
	) {
		super(row.message(seen), row.description);
		this.name = 'GatewayFailure';
		this.retry = row.retry;
		this.stop = row.stop;
		this.notCarriedOut = row.notCarriedOut;
	}
}

/** Explains what was seen, by the table of failures. */
export function explain(seen: Seen): GatewayFailure {
	return new GatewayFailure(seen, FAILURES.find(({ when }) => when(seen)) ?? OTHER_FAILURE);
}
