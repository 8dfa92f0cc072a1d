import {
	HIDDEN,
	isSecretField,
	secretRedactor,
	secretsIn,
} from '../../../../nodes/MessagingGateway/gateway/redact/secretFields';

const redactSecrets = secretRedactor();
const words = (text: string) => text.split(' ');

describe('a field holds a secret', () => {
	it.each([
		...words('token Token TOKEN wavoipToken accessTOKEN ACCESS_TOKEN _token token_1 %token%'),
		...words('access_token_wa_business apikey apiKey ApiKey APIKey APIKEY api_key API_KEY api-key'),
		...words('x-api-key openaiApiKey apiKeyId myAPIkey x.api.key webhook_apikey'),
		...words('password PASSWORD proxyPassword password2 passwordHash hash'),
		...words('secret clientSecret client_secret SECRET_KEY jwt JWT JWTSecret webhookJwt'),
	])('named %s', (name) => {
		expect(isSecretField(name)).toBe(true);
	});

	it.each([
		...words('maxTokens tokens tokenizer key keyword keywordFinish api apiUrl keyApi apiPublicKey'),
		...words('passwords secretary hashtag rehash  __proto__ constructor'),
	])('but not where it is named %s', (name) => {
		expect(isSecretField(name)).toBe(false);
	});
});

function nested(inner: unknown, levels: number, wrap: (value: unknown) => unknown): unknown {
	return levels === 0 ? inner : wrap(nested(inner, levels - 1, wrap));
}

describe('hiding secrets', () => {
	it.each([
		['text in a secret field', { token: 'abc' }, { token: HIDDEN }],
		['text of spaces', { token: ' ' }, { token: HIDDEN }],
		['at any depth', { a: [{ b: { apiKey: 'abc', c: 'd' } }] }, { a: [{ b: { apiKey: HIDDEN, c: 'd' } }] }],
		['in a list', { token: ['abc', '', 5] }, { token: [HIDDEN, '', 5] }],
		['in an object', { token: { value: 'abc' } }, { token: { value: HIDDEN } }],
		['in JSON in text', { a: '{"token":"abc","b":1}' }, { a: `{"token":"${HIDDEN}","b":1}` }],
		['in a list in text', { a: ' [{"token":"abc"}]' }, { a: `[{"token":"${HIDDEN}"}]` }],
		[
			'in JSON in text in JSON in text',
			{ a: JSON.stringify({ b: JSON.stringify({ token: 'abc' }) }) },
			{ a: JSON.stringify({ b: JSON.stringify({ token: HIDDEN }) }) },
		],
		['that are JSON themselves', { token: '{"a":"b"}' }, { token: HIDDEN }],
		[
			'in a field whose words are apart',
			{ api__key: 'abc', 'api - key': 'abc' },
			{ api__key: HIDDEN, 'api - key': HIDDEN },
		],
	])('hides %s', (_, value, expected) => {
		expect(redactSecrets(value)).toEqual(expected);
	});

	it.each([
		...[{ token: '' }, { token: null }, { maxTokens: 300 }, { token: 300, password: false }],
		...[{ token: [] }, { a: 'token' }, { a: '{"b": 1, "c":  [1]}' }, { a: '{"token": ' }],
		...[{ a: '[not JSON]' }, 'text', 5, null, [], [1, 'a', null]],
	])('leaves %j as it is', (value) => {
		expect(redactSecrets(value)).toEqual(value);
	});

	it('does not change the value itself', () => {
		const value = { token: 'abc', list: [{ token: 'abc' }] };
		redactSecrets(value);

		expect(value).toEqual({ token: 'abc', list: [{ token: 'abc' }] });
	});

	it('keeps a field named __proto__ a field', () => {
		const hidden = redactSecrets(JSON.parse('{"__proto__": {"token": "abc", "a": 1}}'));

		expect(JSON.stringify(hidden)).toBe(`{"__proto__":{"token":"${HIDDEN}","a":1}}`);
		expect(Object.getPrototypeOf(hidden)).toBe(Object.prototype);
	});

	it.each<[string, (inner: unknown, levels: number) => unknown]>([
		['lists', (inner, levels) => nested(inner, levels, (value) => [value])],
		['objects', (inner, levels) => nested(inner, levels, (a) => ({ a }))],
	])('goes down 100 levels of %s and hides what is deeper as a whole', (_, nest) => {
		expect(redactSecrets(nest({ a: 1, token: 'abc' }, 100))).toEqual(nest({ a: 1, token: HIDDEN }, 100));
		expect(redactSecrets(nest({ a: 1, token: 'abc' }, 101))).toEqual(nest(HIDDEN, 101));
		expect(secretsIn(nest({ token: 'abc' }, 100))).toEqual(new Set(['abc']));
		expect(secretsIn(nest({ token: 'abc' }, 101))).toEqual(new Set());
	});

	it('hides what is too deep in JSON in text too', () => {
		const deep = `{"token":"abc","x":${'['.repeat(50_000)}"abc"${']'.repeat(50_000)}}`;

		expect(JSON.stringify(redactSecrets({ deep }))).not.toContain('abc');
	});

	it('goes into JSON that was made text twice', () => {
		const twice = JSON.stringify(JSON.stringify({ token: 'abc' }));

		expect(redactSecrets({ twice })).toEqual({ twice: JSON.stringify(JSON.stringify({ token: HIDDEN })) });
		expect(redactSecrets({ text: '"abc"', broken: '"abc' })).toEqual({ text: '"abc"', broken: '"abc' });
	});
});

it('lists the texts in secret fields', () => {
	const value = {
		token: 'one',
		a: [{ api_key: 'two' }, '{"jwt":"three","name":"six"}'],
		password: { b: ['four'] },
		name: 'five',
		maxTokens: 300,
		secret: 'one',
	};
	expect([...secretsIn(value)].sort()).toEqual(['four', 'one', 'three', 'two']);
});
