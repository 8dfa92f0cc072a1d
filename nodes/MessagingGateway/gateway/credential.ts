import { recordOf, textOf } from '../common/json';
import { Problem } from '../common/problem';
import { quote } from '../common/text';

export interface GatewayCredential {
	/** Without a trailing slash. */
	baseUrl: string;
	apiKey: string;
	allowUnauthorizedCerts: boolean;
}

/** Reads the decrypted credential. @throws Problem for a base URL or key that can't be used */
export function readCredential(data: unknown): GatewayCredential {
	const { baseUrl, allowUnauthorizedCerts } = recordOf(data);
	const apiKey = readKey(data);
	return { baseUrl: readBaseUrl(baseUrl), apiKey, allowUnauthorizedCerts: allowUnauthorizedCerts === true };
}

const TYPOGRAPHIC_QUOTES = /^[‘’‚‛“”„‟‹›«»]|[‘’‚‛“”„‟‹›«»]$/;
/** Signs that a header can't carry, or that axios would drop. */
const NOT_IN_A_HEADER = /[^ -~\u00a1-\u00ac\u00ae-\u00ff]/;

/** In characters: a shorter one is part of ordinary words, which can't be hidden. */
const SHORTEST_KEY = 8;

function readKey(data: unknown): string {
	const key = asSent(enteredKey(data));
	if (key.length < SHORTEST_KEY)
		throw new Problem(
			`The API key is ${key === '' ? 'empty' : 'too short'}`,
			"Enter 'API Key' in the credential: the gateway's own key, or the key of one instance",
		);
	const hasQuotes = TYPOGRAPHIC_QUOTES.test(key);
	if (hasQuotes || NOT_IN_A_HEADER.test(key))
		throw new Problem(
			`The API key contains ${hasQuotes ? 'typographic quotes' : "an invisible character, or one that can't be sent"}`,
			'Enter it again in the credential, without anything around it',
		);
	return key;
}

/** Gives the key of a credential as it was entered, valid or not. */
export function enteredKey(data: unknown): string {
	return textOf(recordOf(data).apiKey) ?? '';
}

/** Trims a key as axios does: line breaks and space around it come with a copied one. */
function asSent(key: string): string {
	return key.replace(/^[ \t\r\n]+|(?<![ \t\r\n])[ \t\r\n]+$/g, '');
}

// Looking behind, here too, so that a run of slashes is tried once.
const TRAILING_SLASHES = /(?<!\/)\/+$/;

const URL_EXPECTED =
	"Set 'Base URL' in the credential to the address of the gateway, such as https://gateway.example.com";

/** Reads the base URL, without trailing slashes and all from `manager` on, the gateway's own web page. */
export function readBaseUrl(value: unknown): string {
	if (typeof value !== 'string' || value.trim() === '')
		throw new Problem('The base URL is empty', URL_EXPECTED);
	const text = value.trim();
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !/^https?:\/\//i.test(text))
		throw new Problem(`The base URL${shown(text)} isn't a valid http or https address`, URL_EXPECTED);
	if (url.username !== '' || url.password !== '')
		throw new Problem('The base URL contains a username or password', `Remove them. ${URL_EXPECTED}`);
	const managerAt = url.pathname.search(/\/manager(?![^/])/);
	const isManager = managerAt >= 0 || (url.search === '' && /^#\/manager(?![^/?])/.test(url.hash));
	if (!isManager && /[?#]/.test(text))
		throw new Problem(
			`The base URL${shown(text)} has a query or fragment`,
			`Remove everything from the "?" or "#" on. ${URL_EXPECTED}`,
		);
	const path = managerAt >= 0 ? url.pathname.slice(0, managerAt) : url.pathname;
	return url.origin + path.replace(TRAILING_SLASHES, '');
}

/** Gives the address as it may be shown. People paste keys into queries, and passwords before an `@`. */
function shown(text: string): string {
	return text.includes('@') ? '' : ` ${quote(text.replace(/[?#].*/s, ''))}`;
}
