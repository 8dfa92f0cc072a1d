import { Problem } from '../common/problem';
import { quote } from '../common/text';

// Looking behind, so that a run of slashes is tried once and not from each of them.
const TRAILING_SLASHES = /(?<!\/)\/+$/;

const URL_EXPECTED =
	"Set 'Base URL' in the credential to the address of the gateway, such as https://gateway.example.com";

/**
 * Reads the credential's base URL.
 *
 * @returns the address without trailing slashes; a sub-path stays. Everything from a path segment `manager` on goes, also
 * after a `#`: people copy the address of the gateway's own web page
 * @throws Problem for anything but a plain http or https address
 */
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

/**
 * Finds the base URL to set when the gateway redirects.
 *
 * @param location the `Location` header; empty where there is none
 * @param requested the address that was asked for
 * @param baseUrl the base URL in use
 * @returns the new base URL where the redirect keeps the rest of the path, otherwise its origin; `undefined` where
 * the header is not an http or https address, or leads to another page of the same gateway. Never a query or user name: those may hold secrets.
 */
export function redirectTarget(location: string, requested: string, baseUrl: string): string | undefined {
	if (!URL.canParse(location, requested)) return undefined;
	const target = new URL(location, requested);
	if (!['http:', 'https:'].includes(target.protocol)) return undefined;
	const route = new URL(requested).pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length);
	const kept = target.pathname.endsWith(route) ? target.pathname.slice(0, -route.length) : '';
	// A path with such signs may hold a secret, encoded or named.
	const found = target.origin + (/[;=%]/.test(kept) ? '' : kept);
	return [baseUrl, new URL(baseUrl).origin].includes(found) ? undefined : found;
}
