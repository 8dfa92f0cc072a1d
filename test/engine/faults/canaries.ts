import { seedWith } from '../support';
import type { Seed } from '../../gateway/gateway';

const MARK = 'CANARY';

/** A text that occurs nowhere else, in place of a key or token. */
export function canary(place: string): string {
	return `${MARK}-${place}-4f1d`;
}

/** The key in the credential. */
export const KEY = canary('credential');

/** Text of a field that is no secret, beside the secrets: it must come through. */
export const OPEN = 'open-text-beside-the-secrets';

/** The canaries in a value of any kind, each once, also where only a part of one is left. */
export function canariesIn(value: unknown): string[] {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	return [...new Set(text.match(new RegExp(`${MARK}[\\w-]*`, 'gi')) ?? [])].sort();
}

/** Secrets under every kind of name and at every depth, each with a canary of its own. */
export function secretFields(place: string): Record<string, unknown> {
	const secret = (name: string) => canary(`${place}-${name}`);
	return {
		note: OPEN,
		maxTokens: 300,
		tokenless: OPEN,
		emptyToken: '',
		noToken: null,
		token: secret('token'),
		apiKey: secret('apiKey'),
		api_key: secret('api_key'),
		'x-api-key': secret('x-api-key'),
		APIKEY: secret('APIKEY'),
		JWT: secret('JWT'),
		jwtSecret: secret('jwtSecret'),
		wavoipToken: secret('wavoipToken'),
		access_token_wa_business: secret('access_token_wa_business'),
		passwordHash: secret('passwordHash'),
		Chatwoot: { url: OPEN, token: secret('Chatwoot') },
		Proxy: { host: OPEN, password: secret('Proxy') },
		headers: [{ name: OPEN, secret: secret('list') }, [[{ clientSecret: secret('list-of-lists') }]]],
		secretParts: { value: secret('inside'), more: [secret('list-inside')] },
		stored: JSON.stringify({ deep: [{ apikey: secret('json-in-text') }] }),
		storedTwice: JSON.stringify({ inner: JSON.stringify({ jwt: secret('json-in-json') }) }),
	};
}

/** The usual seed, with a canary wherever a key or token can be. */
export function canarySeed(): Seed {
	return seedWith((seed) => {
		seed.apiKey = KEY;
		for (const instance of seed.instances) {
			instance.apikey = canary(`instance-${instance.status}`);
			instance.extra = {
				...instance.extra,
				...secretFields(`extra-${instance.status}`),
				Setting: secretFields('setting'),
				disconnectionObject: JSON.stringify({ error: OPEN, token: canary('disconnection') }),
				token: instance.apikey,
			};
		}
		for (const { record } of seed.bots) Object.assign(record, secretFields('bot'));
	});
}
