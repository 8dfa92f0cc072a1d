import { Problem } from '../../common/problem';
import { uncapitalized } from '../../common/text';
import { ROUTES, type RouteName } from '../routes';
import type { GatewayFailure } from './gatewayFailure';

/** A request that wasn't sent, because the gateway or instance said no before, or the execution was canceled. */
export class BlockedCall extends Problem {
	/** True for changes and invites. Their message says that nothing was sent. */
	readonly isUnsent: boolean;

	/** @param route left out if it's known that something was to be sent */
	constructor(
		readonly reason: GatewayFailure,
		route?: RouteName,
	) {
		const subject = route && ROUTES[route].subject;
		const wasAsked = reason.call.route === 'connectionState' && reason.call.state !== undefined;
		const unsent = wasAsked
			? `Nothing was sent: ${uncapitalized(reason.message)}`
			: `Nothing was sent for this item: ${reason.message}`;
		super(
			subject === undefined ? unsent : `${subject} couldn't be read: ${reason.message}`,
			reason.description,
		);
		this.name = 'BlockedCall';
		this.isUnsent = subject === undefined;
	}
}
