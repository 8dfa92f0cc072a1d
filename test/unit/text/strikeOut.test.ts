import { HIDDEN } from '../../../nodes/MessagingGateway/domain/text/secrets';
import { hideNamedSecrets, strikeOut } from '../../../nodes/MessagingGateway/domain/text/strikeOut';

describe('striking out', () => {
	it.each([
		['a secret', 'Key TEST-KEY-1 is wrong', ['TEST-KEY-1'], `Key ${HIDDEN} is wrong`],
		['it every time', 'TEST-KEY-1TEST-KEY-1', ['TEST-KEY-1'], `${HIDDEN}${HIDDEN}`],
		['several secrets', 'TEST-KEY-1 OTHER-KEY', ['OTHER-KEY', 'TEST-KEY-1'], `${HIDDEN} ${HIDDEN}`],
		['it percent-encoded', '?k=a%2Fb%20%C3%BC%2B', ['a/b ü+'], `?k=${HIDDEN}`],
		['it as a form has it', 'k=my+secret+key', ['my secret key'], `k=${HIDDEN}`],
		['it as JSON has it', '{"k":"a\\"b\\\\cd"}', ['a"b\\cd'], `{"k":"${HIDDEN}"}`],
		['it as a page has it', 'Tom&amp;J&lt;&#39;', ["Tom&J<'"], HIDDEN],
		['it without the space around it', 'bad TEST-KEY-1', [' TEST-KEY-1\n'], `bad ${HIDDEN}`],
		[
			'what is left of it before an ellipsis',
			'The "0123456789a…" and abcdefg…',
			['0123456789abc', 'abcdefgh'],
			`The "${HIDDEN}…" and abcdefg…`,
		],
		[
			'what is left of it where that is eight characters',
			'abcdefgh… bcdefghi…',
			['abcdefghijk'],
			`${HIDDEN}… bcdefghi…`,
		],
		['it with characters of patterns', 'a.*$&b(', ['a.*$&b('], HIDDEN],
		['one that holds another', 'TEST-KEY-0001', ['TEST-KEY', 'TEST-KEY-0001'], HIDDEN],
		['one that holds another, the longer first', 'TEST-KEY-0001', ['TEST-KEY-0001', 'TEST-KEY'], HIDDEN],
		['half a character', 'a\ud800bcd', ['a\ud800bcd'], HIDDEN],
		['nothing where there is none', 'text', ['TEST-KEY-1'], 'text'],
		['nothing for an empty secret', 'text', [''], 'text'],
		['a secret of four characters', 'bad abcd', ['abcd'], `bad ${HIDDEN}`],
		['nothing for a shorter one, which words may hold', 'bad abc', ['abc'], 'bad abc'],
	])('takes out %s', (_, text, secrets, expected) => {
		expect(strikeOut(text, secrets)).toBe(expected);
	});

	it('takes out a secret that is percent-encoded in lower case', () => {
		expect(strikeOut('?k=a%2fb%20%c3%bc%2b', ['a/b ü+'])).toBe(`?k=${HIDDEN}`);
	});
});

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
		expect(hideNamedSecrets(text)).toBe(expected);
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
		expect(hideNamedSecrets(text)).not.toContain('abc123');
	});

	it.each([['The token is not valid'], ['hashtag'], ['maxTokens: 300'], ['tokens=5'], ['passwords']])(
		'is not made of %j',
		(text) => {
			expect(hideNamedSecrets(text)).toBe(text);
		},
	);

	it.each([['token'], ['token '], ['token="'], ['api'], ['api_'], [' '], ['='], ['"'], ['a']])(
		'is looked for in one go: 100 kB of %j',
		(unit) => {
			// Not `toMatch`: jest takes long to show that a text of this length does not.
			expect(/^[a-z\s_="*]+$/.test(hideNamedSecrets(unit.repeat(100_000 / unit.length)))).toBe(true);
		},
	);

	it('is looked for in one go behind much space', () => {
		const text = `token${' '.repeat(100_000)}`.repeat(3);

		expect(hideNamedSecrets(text) === text).toBe(true);
	});
});
