import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { keysIn, readCredential } from './credential';
import { Gateway, type GatewaySettings } from './connection';
import { httpOf } from './http';

/**
 * The gateway of the credential that the node uses.
 *
 * @param secrets where the key is noted, before anything can go wrong that would have to be told without it
 * @throws Problem for a credential that can't be used
 */
export async function openGateway(
	context: IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions,
	secrets: string[],
	settings: GatewaySettings = {},
): Promise<Gateway> {
	const data = await context.getCredentials('messagingGatewayApi');
	secrets.push(...keysIn(data));
	const credential = readCredential(data);
	return new Gateway(credential, httpOf(context, credential), settings);
}
