import { Problem } from '../../common/problem';
import type { GatewayFailure } from './gatewayFailure';

/** A request was not sent, because the gateway or instance said no before, or the execution was canceled. */
export class BlockedCall extends Problem {
	/** @param reason the failure that ended it */
	constructor(readonly reason: GatewayFailure) {
		const wasAsked = reason.call.route === 'connectionState' && reason.call.state !== undefined;
		super(
			wasAsked
				? "Nothing was sent: the instance isn't connected"
				: `Nothing was sent for this item: ${reason.message}`,
			reason.description,
		);
		this.name = 'BlockedCall';
	}
}
