import { redactNamedSecrets } from '../../../../nodes/MessagingGateway/gateway/redact/errorText';
import { HIDDEN } from '../../../../nodes/MessagingGateway/gateway/redact/secretFields';

describe('a secret that text itself names', () => {
	it.each([
		['token=abc', `token=${HIDDEN}`],
		['?apikey=abc&b=1', `?apikey=${HIDDEN}&b=1`],
		['api_key: abc', `api_key: ${HIDDEN}`],
		['API-KEY = abc', `API-KEY = ${HIDDEN}`],
		['{"token":"abc","b":1}', `{"token":"${HIDDEN}","b":1}`],
		["{'password': 'abc'}", `{'password': '${HIDDEN}'}`],
		['accessToken=abc', `accessToken=${HIDDEN}`],
		['wavoipToken":"abc"', `wavoipToken":"${HIDDEN}"`],
		['{"token":["abc","def"]}', `{"token":${HIDDEN}`],
		['{"token":{"a":{"x":1},"b":"abc"}} and more\nbelow', `{"token":${HIDDEN}\nbelow`],
		['token: Bearer abc', `token: ${HIDDEN}`],
		['Incorrect API key provided: sk-abc. Next', `Incorrect API key provided: ${HIDDEN} Next`],
		['Invalid api key: abc', `Invalid api key: ${HIDDEN}`],
		["'token' => 'abc'", `'token' => '${HIDDEN}'`],
		['apikey%3Dabc', `apikey%3D${HIDDEN}`],
		['<error><apikey>abc</apikey></error>', `<error><apikey>${HIDDEN}</apikey></error>`],
		['{"token":"it\'s abc","b":1}', `{"token":"${HIDDEN}","b":1}`],
		['token="a password=b c"', `token="${HIDDEN}"`],
		['token="" b=1', 'token="" b=1'],
	])('is hidden: %s', (text, expected) => {
		expect(redactNamedSecrets(text)).toBe(expected);
	});

	it.each([
		['with words after the secret one', '{"access_token_wa_business":"abc123"'],
		['with words after it in camel case', '{"apiKeyId":"abc123"'],
		['with a key after it', '{"secretKey":"abc123"'],
		['in JSON in text', '{"a":"{\\"token\\":\\"abc123\\"'],
		['of several words', '{"token":"two abc123 words"}'],
		['with a comma', '{"token":"two,abc123"}'],
		['with an escaped slash', '{"token":"two\\/abc123"'],
		['with an escaped quote', '{"token":"two\\"abc123"'],
		['with an escaped character', '{"token":"two\\u002fabc123"'],
		['in a list', '{"token":["abc123"'],
	])('is hidden in a reply that broke off, in a field %s', (_, text) => {
		expect(redactNamedSecrets(text)).not.toContain('abc123');
	});

	it.each([
		['Authorization: Bearer abc', `Authorization: ${HIDDEN}`],
		['authorization: Basic dXNlcjpwYXNz', `authorization: ${HIDDEN}`],
		['"Proxy-Authorization":"Basic abc", "b"', `"Proxy-Authorization":"${HIDDEN}", "b"`],
		['Authorization: Token abc', `Authorization: ${HIDDEN}`],
		['Cookie: session=abc; b', `Cookie: ${HIDDEN}; b`],
		['set-cookie: abc', `set-cookie: ${HIDDEN}`],
		['sent Bearer eyJhbGciOi.x-1 to it', `sent Bearer ${HIDDEN} to it`],
		['with basic dXNlcjpwYXNz.', `with basic ${HIDDEN}`],
	])('is hidden in a header: %s', (text, expected) => {
		expect(redactNamedSecrets(text)).toBe(expected);
	});

	it.each([
		['postgres://user:pass@host:5432/db', `postgres://user:${HIDDEN}@host:5432/db`],
		['(https://user:pa:ss@x.example.com)', `(https://user:${HIDDEN}@x.example.com)`],
		['redis://:pass@host', `redis://:${HIDDEN}@host`],
		['amqp://user:p@ss/w@host', `amqp://user:${HIDDEN}@host`],
		['mongodb+srv://u:1234@host', `mongodb+srv://u:${HIDDEN}@host`],
	])('is hidden in an address: %s', (text, expected) => {
		expect(redactNamedSecrets(text)).toBe(expected);
	});

	it.each([
		...['The token is not valid', 'hashtag', 'maxTokens: 300', 'tokens=5', 'passwords'],
		...['The key is required', 'The API key is REQUIRED!', 'Token is Invalid.'],
		...['Unknown key "instanceName"', 'key instance_name is missing', 'token is not-authorized'],
		...['The password is too short, 8 characters', 'Basic authentication required'],
		...['https://x.example.com:8080/group/a?groupJid=1@g.us', 'https://user@x.example.com', 'a:b@c'],
	])('is not made of %j', (text) => {
		expect(redactNamedSecrets(text)).toBe(text);
	});

	it.each([
		...['token', 'token ', 'token="', 'token is ', 'token "', '://a:', '://', 'key a.', 'api'],
		...['api_', ' ', '=', '"', 'a'],
	])('is looked for in one go: 100 kB of %j', (unit) => {
		// Not `toMatch`: jest takes long to show that a text of this length does not.
		expect(/^[a-z\s_="*:/.]+$/.test(redactNamedSecrets(unit.repeat(100_000 / unit.length)))).toBe(true);
	});

	it('is looked for in one go behind much space', () => {
		const text = `token${' '.repeat(100_000)}`.repeat(3);

		expect(redactNamedSecrets(text) === text).toBe(true);
	});
});
