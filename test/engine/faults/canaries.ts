import { seedWith } from '../support';
import type { Seed } from '../../gateway/gateway';
import { KEY_FORMS } from '../../unit/gateway/redact/keyForms';

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

/** The names of the forms in which the key is in a value of any kind, upper and lower case alike. */
export function formsIn(value: unknown): string[] {
	const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toLowerCase();
	const shown = (form: string) => text.includes(form) || text.includes(JSON.stringify(form).slice(1, -1));
	return KEY_FORMS.filter(({ of }) => shown(of(KEY).toLowerCase())).map(({ name }) => name);
}

/** Fields that are no secret ones, with the key in every form in their values. */
export function keyInFields(): Record<string, unknown> {
	const texts = KEY_FORMS.map(({ of }) => `https://x.example.com/?a=${of(KEY)}&b=1`);
	return {
		note: OPEN,
		serverUrl: texts.join(' '),
		profileName: texts,
		Webhook: { url: texts, headers: { authorization: texts.join(), other: [[KEY]] } },
		functionUrl: texts.join('\n'),
		stored: JSON.stringify({ texts }),
		storedNames: JSON.stringify(Object.fromEntries(texts.map((text) => [text, OPEN]))),
	};
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
