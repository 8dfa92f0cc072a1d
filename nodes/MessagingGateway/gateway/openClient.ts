import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { keysIn, readCredential } from './credential';
import { GatewayClient } from './client';
import type { ConnectionSettings } from './connection';
import { httpOf } from './http';

/**
 * The client for the gateway of the credential that the node uses.
 *
 * @param secrets where the key is noted, before anything can go wrong that would have to be told without it
 * @throws Problem for a credential that can't be used
 */
export async function openClient(
	context: IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions,
	secrets: string[],
	settings: ConnectionSettings = {},
): Promise<GatewayClient> {
	const data = await context.getCredentials('messagingGatewayApi');
	secrets.push(...keysIn(data));
	const credential = readCredential(data);
	return new GatewayClient(credential, httpOf(context, credential), settings);
}
