import { SECOND } from '../common/time';
import { GatewayFailure } from './failures/gatewayFailure';
import { readConnectionState } from './replies/instances';
import { addressOf, ROUTES } from './routes';
import type { Sender } from './sender';

/** The state is answered at once, or not at all; in ms. */
const STATE_TIMEOUT = 10 * SECOND;

/** An instance that isn't connected, or a gateway that gave no answer at all. */
export interface Unconnected {
	state: 'notOpen' | 'noAnswer';
	/** Says why nothing should be sent to the instance. */
	failure: GatewayFailure;
}

/**
 * Asks whether an instance is connected, whatever was refused before.
 *
 * @param timeout of the call that it's asked for, in ms
 * @returns `undefined` if it's connected, and for every answer that doesn't tell: another state, an error or a page
 */
export async function askWhetherOpen(
	sender: Sender,
	instance: string,
	timeout = STATE_TIMEOUT,
): Promise<Unconnected | undefined> {
	const request = {
		method: 'GET',
		url: addressOf(sender.credential.baseUrl, ROUTES.connectionState.forms[0], { instance }),
		timeout: Math.min(timeout, STATE_TIMEOUT),
	} as const;
	const answer = await sender.send('connectionState', request, readConnectionState);
	const failureWith = (state: string) => sender.failureOf({ route: 'connectionState', state });
	if (!(answer instanceof GatewayFailure)) {
		const isClosed = /^(close|connecting)$/i.test(answer);
		return isClosed ? { state: 'notOpen', failure: failureWith(answer.toLowerCase()) } : undefined;
	}
	if (answer.call.status !== undefined) return undefined;
	// No question got as far as the instance.
	const isAway = answer.policy.stop === 'gateway';
	return { state: 'noAnswer', failure: isAway ? answer : failureWith('unknown') };
}
