import { SECOND } from '../common/time';
import { GatewayFailure } from './failures/gatewayFailure';
import { readConnectionState } from './replies/instances';
import { addressOf, ROUTES } from './routes';
import type { Sender } from './sender';

/** The state is answered at once, or not at all; in ms. */
const STATE_TIMEOUT = 10 * SECOND;

/**
 * Asks whether an instance is connected, whatever was refused before.
 *
 * @param timeout of the call that it's asked for, in ms
 * @returns why nothing should be sent to it: it's closed or connecting, or the gateway gave no answer at all. `undefined`
 * for every other answer, also an error or a page
 */
export async function askWhetherOpen(
	sender: Sender,
	instance: string,
	timeout = STATE_TIMEOUT,
): Promise<GatewayFailure | undefined> {
	const request = {
		method: 'GET',
		url: addressOf(sender.credential.baseUrl, ROUTES.connectionState.forms[0], { instance }),
		timeout: Math.min(timeout, STATE_TIMEOUT),
	} as const;
	const answer = await sender.send('connectionState', request, readConnectionState);
	const failureWith = (state: string) => sender.failureOf({ route: 'connectionState', state });
	if (!(answer instanceof GatewayFailure))
		return /^(close|connecting)$/i.test(answer) ? failureWith(answer.toLowerCase()) : undefined;
	if (answer.call.status !== undefined) return undefined;
	// No question got as far as the instance.
	return answer.policy.stop === 'gateway' ? answer : failureWith('unknown');
}
