import { Problem } from '../../common/problem';
import { uncapitalized } from '../../common/text';
import type { RouteName } from '../routes';
import type { GatewayFailure } from './gatewayFailure';

/** What people ask for that changes nothing: of that they are told that it couldn't be read, and not what wasn't sent. */
const READS: Partial<Record<RouteName, string>> = {
	listInstances: 'The instances',
	listGroups: 'The groups',
	listParticipants: 'The members of the group',
	inviteCode: 'The invite link',
	findBot: 'The bot',
	listBots: 'The bots',
	connectionState: 'The state of the connection',
};

/** A request was not sent, because the gateway or instance said no before, or the execution was canceled. */
export class BlockedCall extends Problem {
	/**
	 * @param reason the failure that ended it
	 * @param route what was to be called; left out if it's known that something was to be sent
	 */
	constructor(
		readonly reason: GatewayFailure,
		route?: RouteName,
	) {
		const read = route && READS[route];
		const wasAsked = reason.call.route === 'connectionState' && reason.call.state !== undefined;
		const unsent = wasAsked
			? `Nothing was sent: ${uncapitalized(reason.message)}`
			: `Nothing was sent for this item: ${reason.message}`;
		super(read === undefined ? unsent : `${read} couldn't be read: ${reason.message}`, reason.description);
		this.name = 'BlockedCall';
	}
}
