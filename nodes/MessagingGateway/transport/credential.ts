import { readBaseUrl } from '../domain/baseUrl';
import { isRecord } from '../domain/json';
import { Problem } from '../domain/problem';

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
	const { baseUrl, apiKey, allowUnauthorizedCerts } = isRecord(data) ? data : {};
	if (typeof apiKey !== 'string' || apiKey.trim() === '')
		throw new Problem(
			'The API key is empty',
			"Enter 'API Key' in the credential: the gateway's own key, or the key of one instance",
		);
	return { baseUrl: readBaseUrl(baseUrl), apiKey, allowUnauthorizedCerts: allowUnauthorizedCerts === true };
}
