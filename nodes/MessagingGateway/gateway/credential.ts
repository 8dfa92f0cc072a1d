import { isRecord, recordOf, textOf } from '../common/json';
import { Problem } from '../common/problem';
import { readBaseUrl } from './baseUrl';

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
	const { baseUrl, allowUnauthorizedCerts } = recordOf(data);
	const apiKey = readKey(data);
	return { baseUrl: readBaseUrl(baseUrl), apiKey, allowUnauthorizedCerts: allowUnauthorizedCerts === true };
}

/**
 * Gives the credential's key in the forms in which it may come back: as it was entered and as it is sent.
 *
 * @param data the decrypted credential, whether it can be used or not
 */
export function keysIn(data: unknown): string[] {
	const entered = enteredKey(data);
	return [entered, asSent(entered), asSent(entered.replace(UNSENDABLE, ''))];
}

/** Signs that can't be in a key, since a header can't carry them or axios would drop them, and the words for them. */
const NOT_IN_A_KEY: ReadonlyArray<[RegExp, string]> = [
	[/\p{Default_Ignorable_Code_Point}|\p{Cf}|[\u2800\p{Zl}\p{Zp}]|(?! )\p{Zs}/u, 'an invisible character'],
	[/^[‘’‚‛“”„‟‹›«»]|[‘’‚‛“”„‟‹›«»]$/u, 'typographic quotes'],
	[/[\r\n]/, 'a line break'],
	[/\p{Cc}/u, 'a control character'],
	[/[^ -\u00ff]/, "a character that can't be sent"],
];

const UNSENDABLE = /[^ !-~]/g;

function readKey(data: unknown): string {
	const key = asSent(enteredKey(data));
	if (key === '')
		throw new Problem(
			'The API key is empty',
			"Enter 'API Key' in the credential: the gateway's own key, or the key of one instance",
		);
	const [, what] = NOT_IN_A_KEY.find(([pattern]) => pattern.test(key)) ?? [];
	if (what !== undefined)
		throw new Problem(
			`The API key contains ${what}`,
			'Enter it again in the credential, without anything around it',
		);
	return key;
}

function enteredKey(data: unknown): string {
	return (isRecord(data) ? textOf(data.apiKey) : undefined) ?? '';
}

/** Trims a key as axios does: line breaks and space around it come with a copied one. */
function asSent(key: string): string {
	return key.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}
