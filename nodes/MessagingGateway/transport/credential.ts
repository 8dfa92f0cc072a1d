import { readBaseUrl } from '../domain/input/baseUrl';
import { isRecord, textOf } from '../domain/records/json';
import { Problem } from '../domain/failures/problem';

/** The credential, checked. */
export interface GatewayCredential {
	/** Without a trailing slash. */
	baseUrl: string;
	apiKey: string;
	allowUnauthorizedCerts: boolean;
}

/**
 * Reads the decrypted credential.
 *
 * @throws Problem for a base URL or key that can't be used
 */
export function readCredential(data: unknown): GatewayCredential {
	const { baseUrl, allowUnauthorizedCerts } = isRecord(data) ? data : {};
	const apiKey = readKey(data);
	if (apiKey === '')
		throw new Problem(
			'The API key is empty',
			"Enter 'API Key' in the credential: the gateway's own key, or the key of one instance",
		);
	return { baseUrl: readBaseUrl(baseUrl), apiKey, allowUnauthorizedCerts: allowUnauthorizedCerts === true };
}

/**
 * The key as it is sent: axios leaves out the line breaks and the space around it that come with a copied key.
 * Empty where there is none.
 */
export function readKey(data: unknown): string {
	const apiKey = isRecord(data) ? textOf(data.apiKey) : undefined;
	return (apiKey ?? '').replace(/[\r\n]/g, '').trim();
}
