import { lowerCase, decodingsOf } from './decodings';

/** A secret in the forms that text is searched for, all in lower case. */
export interface Encodings {
	/** As it is, as a form has it, and with encodings undone that it seems to have. */
	plain: string[];
	/** What of its base64 does not depend on what stands around it. */
	base64: string[];
}

/** Shorter text is no key, and striking it out of a sentence would garble it. */
export const SHORTEST_SECRET = 4;
/** Less of a base64 text is found in words too. */
const SHORTEST_BASE64 = 6;

/** The forms of secrets without the space around them; none of those that are too short to be one. */
export function encodingsOf(secrets: Iterable<string>): Encodings[] {
	return [...new Set([...secrets].map((secret) => secret.trim()))]
		.filter((secret) => secret.length >= SHORTEST_SECRET)
		.map((secret) => ({ plain: plainEncodingsOf(secret), base64: base64Of(secret) }));
}

function plainEncodingsOf(secret: string): string[] {
	const read = decodingsOf(secret).map(({ text }) => text);
	const forms = read.flatMap((text) => [text, text.replaceAll(' ', '+')]);
	return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET);
}

/** Where a secret begins in a group of three octets, its base64 has one of three forms. */
function base64Of(secret: string): string[] {
	const texts = new Set([secret, secret.toLowerCase(), secret.toUpperCase()]);
	const octets = [...texts].flatMap((text) => [Buffer.from(text), Buffer.from(text, 'latin1')]);
	const cores = octets.flatMap((all) => [0, 1, 2].map((before) => base64At(all, before)));
	const forms = cores.map(lowerCase).flatMap((core) => [core, core.replace(/\+/g, '-').replace(/\//g, '_')]);
	return [...new Set(forms)].filter((form) => form.length >= SHORTEST_BASE64);
}

function base64At(octets: Buffer, before: number): string {
	const encoded = Buffer.concat([Buffer.alloc(before), octets]).toString('base64');
	// A character holds six bits; those that hold bits of other octets too are left out.
	return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + octets.length) * 8) / 6));
}
