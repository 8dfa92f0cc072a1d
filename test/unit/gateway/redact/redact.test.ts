import fc from 'fast-check';
import { errorTextIn, redactNamedSecrets } from '../../../../nodes/MessagingGateway/gateway/redact/errorText';
import { keyRedactor, redactText } from '../../../../nodes/MessagingGateway/gateway/redact/redactText';
import {
	HIDDEN,
	isSecretField,
	secretRedactor,
	secretsIn,
} from '../../../../nodes/MessagingGateway/gateway/redact/secretFields';
import { runsOf } from '../../../thorough';
import { testReplies } from '../../support';
import { KEY_FORMS } from './keyForms';

const linesOf = (table: string) => table.trim().split(/\n\s*/);
/** Splits an example in which the secrets stand between « and »: what is given, and what is left of it. */
const marked = (line: string) => [line.replaceAll(/[«»]/g, ''), line.replaceAll(/«.*?»/g, HIDDEN)] as const;

describe('a secret in text', () => {
	it.each([
		['it every time', 'TEST-KEY-1TEST-KEY-1 a', ['TEST-KEY-1'], `${HIDDEN}${HIDDEN} a`],
		['several secrets', 'TEST-KEY-1 OTHER-KEY', ['OTHER-KEY', 'TEST-KEY-1'], `${HIDDEN} ${HIDDEN}`],
		['it as JSON in JSON has it', JSON.stringify('"a\\"b\\\\c\\/d"'), ['a"b\\c/d'], `"\\"${HIDDEN}\\""`],
		['it behind an escape of JSON', 'a\\/TEST-KEY-1', ['TEST-KEY-1'], `a\\/${HIDDEN}`],
		['it without the space around it', 'bad TEST-KEY-1', [' TEST-KEY-1\n'], `bad ${HIDDEN}`],
		['one that holds another', 'TEST-KEY-0001', ['TEST-KEY', 'TEST-KEY-0001'], HIDDEN],
		['half a character', 'a\ud800bcd', ['a\ud800bcd'], HIDDEN],
		['nothing where there is none', 'text', ['TEST-KEY-1', ''], 'text'],
		['a secret of four characters', 'bad abcd', ['abcd'], `bad ${HIDDEN}`],
		['nothing for a shorter one, which words may hold', 'bad abc', ['abc'], 'bad abc'],
		['nothing for a shorter one in base64 either', 'bad w6nDqcOp', ['ééé'], 'bad w6nDqcOp'],
		['nothing for what is short once it is decoded', 'bad abc', ['%61%62%63'], 'bad abc'],
		['a secret of five characters in base64', `bad ${btoa('abcde')}`, ['abcde'], `bad ${HIDDEN}`],
		[
			'it where letters change their length in lower case',
			'İİİ TEST-KEY-1 İ',
			['TEST-KEY-1'],
			`İİİ ${HIDDEN} İ`,
		],
	])('is struck out: %s', (_, text, secrets, expected) => {
		expect(redactText(text, secrets)).toBe(expected);
	});

	it.each([
		['percent-encoded', (key: string) => encodeURIComponent(key)],
		['in base64', (key: string) => Buffer.from(key).toString('base64')],
	])('of other letters than English ones is struck out %s', (_, of) => {
		expect(redactText(`a ${of('Schlüssel-straße')} b`, ['Schlüssel-straße'])).toBe(`a ${HIDDEN} b`);
	});

	it('of any length is struck out', () => {
		const key = '"a b/c&d\\e'.repeat(2000);
		for (const { of } of KEY_FORMS)
			expect(redactText(of(key), [key])).toMatch(/^\w{0,16}(?:\*\*hidden\*\*)+\w{0,16}$/);
	});

	it.each(['%25', 'VEVTVC', 'TEST-KEY-000'])('is looked for in one go: 300 kB of %j', (unit) => {
		const text = unit.repeat(300_000 / unit.length);
		expect(redactText(text, ['TEST-KEY-0001']).length).toBeGreaterThan(0);
	});
});

describe('for any key and any text around it', () => {
	const text = fc.string({ maxLength: 40 });
	/** Eight or more printable characters; a header has no space around its value. */
	const keys = fc
		.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 60 })
		.filter((key) => key.trim() === key);

	it.each(KEY_FORMS)('nothing of it is left that stands there $name', ({ of }) => {
		fc.assert(
			fc.property(keys, text, text, (key, left, right) => {
				const form = of(key);
				const shown = redactText(left + form + right, [key]).toLowerCase();
				expect(shown).not.toContain(form.toLowerCase());
				expect(shown).not.toContain(key.toLowerCase());
			}),
			runsOf(1_000, 50),
		);
	});

	it('a value loses just what its text loses', () => {
		const forms = fc.constantFrom(...KEY_FORMS, { of: () => '' });
		fc.assert(
			fc.property(keys, forms, fc.string({ maxLength: 40 }), text, (key, { of }, left, right) => {
				const shown = left + of(key) + right;
				expect(keyRedactor([key])({ shown })).toEqual({ shown: redactText(shown, [key]) });
			}),
			runsOf(5_000, 200),
		);
	});

	it('text that does not hold it stays as it is, also beside a part of it', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[\da-f]{16,40}$/), fc.string({ maxLength: 200 }), (key, text) => {
				// A text may end with the digit that is missing.
				const other = `${text}-${key.slice(1)}`;
				expect(redactText(other, [key])).toBe(other);
			}),
			runsOf(1_000, 50),
		);
	});
});

describe('a secret that text itself names', () => {
	it.each(
		linesOf(`token=«abc»
		api_key: «abc»
		API-KEY = «abc»
		{"token":"«abc»","b":1}
		{'password': '«abc»'}
		wavoipToken":"«abc»"
		{"token":«["abc","def"]}»
		Incorrect API key provided: «sk-abc.» Next
		Invalid api key: «abc»
		'token' => '«abc»'
		apikey%3D«abc»
		<error><apikey>«abc»</apikey></error>
		{"token":"«it's abc»","b":1}
		token="«a password=b c»"
		token="" b=1
		Authorization: «Bearer abc»
		"Proxy-Authorization":"«Basic abc»", "b"
		Authorization: «Token abc»
		set-cookie: «abc»
		(https://user:«pa:ss»@x.example.com)
		redis://:«pass»@host
		amqp://user:«p@ss/w»@host
		mongodb+srv://u:«1234»@host`),
	)('is hidden, of words, of headers and of addresses: %s', (line) => {
		const [text, expected] = marked(line);
		expect(redactNamedSecrets(text)).toBe(expected);
	});

	it('is hidden with all that is in its braces, to the end of the line', () => {
		const text = '{"token":{"a":{"x":1},"b":"abc"}} and more\nbelow';
		expect(redactNamedSecrets(text)).toBe(`{"token":${HIDDEN}\nbelow`);
	});

	it.each([
		'{"access_token_wa_business":"abc123"',
		...['{"a":"{\\"token\\":\\"abc123\\"', '{"token":"two abc123 words"}', '{"token":"two,abc123"}'],
		...['{"token":"two\\/abc123"', '{"token":"two\\"abc123"', '{"token":"two\\u002fabc123"'],
		'{"token":["abc123"',
	])('is hidden in a reply that broke off: %s', (text) => {
		expect(redactNamedSecrets(text)).not.toContain('abc123');
	});

	it.each([
		...['The token is not valid', 'hashtag', 'maxTokens: 300', 'The API key is REQUIRED!'],
		...['Unknown key "instanceName"', 'Basic authentication required'],
		'failed to get privacy token: dial tcp db:5432: connect: connection refused',
		...['https://x.example.com:8080/group/a?groupJid=1@g.us', 'https://user@x.example.com', 'a:b@c'],
	])('is not made of %j', (text) => {
		expect(redactNamedSecrets(text)).toBe(text);
	});

	it.each([...['token', 'token="', '://a:', 'key a.', 'api_', ' ', 'a']])(
		'is looked for in one go: 100 kB of %j',
		(unit) => {
			// Not `toMatch`: jest takes long to show that a text of this length does not.
			expect(/^[a-z\s_="*:/.]+$/.test(redactNamedSecrets(unit.repeat(100_000 / unit.length)))).toBe(true);
		},
	);

	it('is looked for in one go behind much space', () => {
		const text = `token${' '.repeat(100_000)}`.repeat(3);
		expect(redactNamedSecrets(text) === text).toBe(true);
	});
});

const nested = (inner: unknown, levels: number, wrap: (value: unknown) => unknown): unknown =>
	levels === 0 ? inner : wrap(nested(inner, levels - 1, wrap));
const WRAPS: Array<[string, (inner: unknown) => unknown]> = [
	['lists', (inner) => [inner]],
	['objects', (a) => ({ a })],
];

describe('the key in a JSON value', () => {
	const KEY = 'TEST-KEY-0001';
	const hide = keyRedactor([`${KEY}\n`, KEY]);

	it.each<[string, unknown, unknown]>([
		['a text alone', KEY, HIDDEN],
		['JSON in text', { a: JSON.stringify({ b: KEY }) }, { a: JSON.stringify({ b: HIDDEN }) }],
		['lists of lists', [[1, [KEY]], null, true], [[1, [HIDDEN]], null, true]],
		[
			'a field named __proto__',
			JSON.parse(`{"__proto__":"${KEY}"}`),
			JSON.parse(`{"__proto__":"${HIDDEN}"}`),
		],
	])('is struck out of %s, and of nothing given', (_, value, expected) => {
		const before = JSON.stringify(value);
		expect(hide(value)).toEqual(expected);
		expect(JSON.stringify(hide(value))).toBe(JSON.stringify(expected));
		expect(JSON.stringify(value)).toBe(before);
	});

	it('is struck out of a number', () => {
		const value = { a: 429683429683, b: 42968342968 };
		expect(keyRedactor(['429683429683'])(value)).toEqual({ ...value, a: HIDDEN });
	});

	it.each(WRAPS)('is hidden with all that nests deeper than 100 levels of %s', (_, wrap) => {
		const deep = nested([1], 100, wrap);
		expect(hide(deep)).toBe(deep);
		expect(hide(nested({ a: KEY, b: 1 }, 100, wrap))).toEqual(nested({ a: HIDDEN, b: 1 }, 100, wrap));
		expect(hide(nested([1], 101, wrap))).toEqual(nested(HIDDEN, 101, wrap));
	});

	it.each([
		...[{ a: 'TEST', b: ['100%25', 5, null, 'a&amp;b', '\\'], token: 'other' }, 'text', null],
		...[undefined, 5, true],
	])('costs no copy where it is not there, or too short: %j', (value) => {
		expect(hide(value)).toBe(value);
		expect(keyRedactor(['', 'a&'])(value)).toBe(value);
	});
});

describe('a secret in a field', () => {
	const redactSecrets = secretRedactor();
	const words = (text: string) => text.split(' ');

	it.each([
		...words('token Token TOKEN wavoipToken accessTOKEN ACCESS_TOKEN _token token_1 %token%'),
		...words('access_token_wa_business apikey apiKey ApiKey APIKey APIKEY api_key API_KEY api-key'),
		...words('x-api-key openaiApiKey apiKeyId myAPIkey x.api.key webhook_apikey'),
		...words('password PASSWORD proxyPassword password2 passwordHash hash api__key'),
		...words('secret clientSecret client_secret SECRET_KEY jwt JWT JWTSecret webhookJwt'),
		'api - key',
	])('is known by its name: %s', (name) => {
		expect(isSecretField(name)).toBe(true);
		expect(redactSecrets({ [name]: 'abc' })).toEqual({ [name]: HIDDEN });
	});

	it.each([
		...words('maxTokens tokens tokenizer key keyword keywordFinish api apiUrl keyApi apiPublicKey'),
		...words('passwords secretary hashtag rehash  __proto__ constructor'),
	])('is none where it is named %s', (name) => {
		expect(isSecretField(name)).toBe(false);
	});

	const twice = (value: string) => JSON.stringify(JSON.stringify({ token: value }));
	it.each<[string, unknown, unknown]>([
		['text of spaces', { token: ' ' }, { token: HIDDEN }],
		['at any depth', { a: [{ b: { apiKey: 'abc', c: 'd' } }] }, { a: [{ b: { apiKey: HIDDEN, c: 'd' } }] }],
		['in a list', { token: ['abc', '', 5] }, { token: [HIDDEN, '', 5] }],
		['in an object', { token: { value: 'abc' } }, { token: { value: HIDDEN } }],
		['in JSON in text', { a: '{"token":"abc","b":1}' }, { a: `{"token":"${HIDDEN}","b":1}` }],
		['in a list in text', { a: ' [{"token":"abc"}]' }, { a: `[{"token":"${HIDDEN}"}]` }],
		['in JSON in JSON', { a: `{"b":${twice('abc')}}` }, { a: `{"b":${twice(HIDDEN)}}` }],
		['in JSON that was made text twice', { a: twice('abc') }, { a: twice(HIDDEN) }],
		['that is JSON itself', { token: '{"a":"b"}' }, { token: HIDDEN }],
	])('is hidden %s', (_, value, expected) => {
		expect(redactSecrets(value)).toEqual(expected);
	});

	it.each([
		...[{ token: '' }, { token: null }, { maxTokens: 300 }, { token: 300, password: false }],
		...[{ token: [] }, { a: 'token' }, { a: '{"b": 1, "c":  [1]}' }, { a: '{"token": ' }, { a: '"abc"' }],
		...[{ a: '[not JSON]' }, { a: '"abc' }, 'text', 5, null, [], [1, 'a', null]],
	])('is not in %j', (value) => {
		expect(redactSecrets(value)).toEqual(value);
	});

	it('is hidden in a copy', () => {
		const value = { token: 'abc', list: [{ token: 'abc' }] };
		redactSecrets(value);
		expect(value).toEqual({ token: 'abc', list: [{ token: 'abc' }] });
	});

	it('leaves a field named __proto__ a field', () => {
		const hidden = redactSecrets(JSON.parse('{"__proto__": {"token": "abc", "a": 1}}'));
		expect(JSON.stringify(hidden)).toBe(`{"__proto__":{"token":"${HIDDEN}","a":1}}`);
		expect(Object.getPrototypeOf(hidden)).toBe(Object.prototype);
	});

	it.each(WRAPS)('is found 100 levels of %s deep, and what is deeper is hidden as a whole', (_, wrap) => {
		const deep = (inner: unknown, levels: number) => nested(inner, levels, wrap);
		expect(redactSecrets(deep({ a: 1, token: 'abc' }, 100))).toEqual(deep({ a: 1, token: HIDDEN }, 100));
		expect(redactSecrets(deep({ a: 1, token: 'abc' }, 101))).toEqual(deep(HIDDEN, 101));
		expect(secretsIn(deep({ token: 'abc' }, 100))).toEqual(new Set(['abc']));
		expect(secretsIn(deep({ token: 'abc' }, 101))).toEqual(new Set());
	});

	it('is hidden too deep in JSON in text, too', () => {
		const deep = `{"token":"abc","x":${'['.repeat(50_000)}"abc"${']'.repeat(50_000)}}`;
		expect(JSON.stringify(redactSecrets({ deep }))).not.toContain('abc');
	});

	it('is listed with all others', () => {
		const value = {
			...{ token: 'one', name: 'five', maxTokens: 300, secret: 'one', password: { b: ['four'] } },
			a: [{ api_key: 'two' }, '{"jwt":"three","name":"six"}'],
		};
		expect([...secretsIn(value)].sort()).toEqual(['four', 'one', 'three', 'two']);
	});
});

const shown = (body: unknown, secrets: string[] = []) => errorTextIn(body, secrets).message;
const recognized = (body: unknown) => errorTextIn(body, []).errorText;

const SCRIPT = '<style>a{}</style></head><body><script>alert(1)</script>';
testReplies(
	"the gateway's words are those of its message, in one line",
	shown,
	`{"response":{"message":"A"}} | {"response":"A"} | {"message":"A","error":"B"} | {"status":500,"error":"A"} → "A"
	{"error":{"message":"A"}} | {"response":{"message":[{"property":"p","message":"A"}]}} → "A"
	{"response":{"message":[" "]},"error":"A"} → "A"
	{"response":{"message":["A","B"]}} | {"message":["","A"," ","B"]} | ["A",{"message":"B"}] → "A, B"
	{"message":[" A\\n","B "]} → "A, B"
	{"response":{"message":[["A"],["B",["C"]]]}} → "A, B, C"
	{"message":"a <b> c"} → "a <b> c"
	{"message":["No participants","PrismaClientKnownRequestError: \\nInvalid \`this.prismaRepository.contact.findMany()\` invocation in\\n/a.js:1\\n\\n  106 }\\n→ 107 find(\\nCan't reach database server at \`db:5432\`"]} → "No participants, Can't reach database server at \`db:5432\`"
	{"message":"\\nInvalid \`prisma.x()\` invocation:\\n\\nUnique constraint failed"} → "Unique constraint failed"
	" A\\n B " → "A B"
	{"message":"a\\r\\nb\\u001b[31m\\u202ec"} → "a b [31m c"
	{"message":"${'a'.repeat(501)}"} → "${'a'.repeat(499)}…"
	"<!DOCTYPE html><html><head><title>x</title>${SCRIPT}<h1>502&nbsp;Bad Gateway</h1><hr><center>nginx</center>" → "502 Bad Gateway nginx"
	"<p>502<script>x</script>Bad<br>Gateway</p>" → "502 Bad Gateway"
	"<p>${' '.repeat(2200)}</p>502 Bad Gateway<p>${' '.repeat(2200)}</p>" → "502 Bad Gateway"
	- | null | "" | 5 | true | {} | [] | [[[]]] | {"response":null} | {"response":{"message":5}} → ""
	{"response":{"message":{}}} | {"message":{"message":{"message":"A"}}} | "<html></html>" → ""
	{"__proto__":{"message":"A"}} | "<p>${' '.repeat(5000)}</p>502 Bad Gateway" → ""`,
);

testReplies(
	'words to be recognized are read as those that are shown',
	recognized,
	`{"message":"a\\r\\nb token=abc"} → "a b token=abc"
	"<p>502<br>Bad&nbsp;Gateway</p>" → "502 Bad Gateway"
	{"message":"${'a'.repeat(501)}"} → "${'a'.repeat(499)}…"
	- | "<p>${' '.repeat(5000)}</p>502 Bad Gateway" → ""`,
);

it('words to be recognized are whole, also where the key is one of them', () => {
	const body = { response: { message: ['Error updating participants', 'Error: rate-overlimit'] } };
	expect(shown(body, ['rate'])).toBe('Error updating participants, Error: **hidden**-overlimit');
	expect(recognized(body)).toBe('Error updating participants, Error: rate-overlimit');
});

describe('in an error, secrets', () => {
	const KEY = 'TEST-KEY/0001';

	it.each([
		['in a list', { message: [['a', KEY]] }],
		['in a page', `<p>${KEY}</p>`],
		['next to the cut', { message: 'a'.repeat(495) + KEY }],
	])("of the credential are not in the gateway's words: %s", (_, body) => {
		expect(shown(body, [KEY])).not.toMatch(/TEST-KEY|0001/);
	});

	it.each([
		['a field of another depth', { a: [{ instance: { apikey: 'k3y-1' } }], message: 'bad k3y-1' }],
		['JSON in text', { a: '{"token":"k3y-1"}', message: 'bad k3y-1' }],
		['text itself', { message: 'bad token=k3y-1' }],
		['a reply that broke off', '[{"name":"a","token":"k3y-1","n'],
	])('of %s are not shown', (_, body) => {
		expect(shown(body)).not.toMatch(/k3y|1/);
	});

	it('longer than the key are struck out whole', () => {
		expect(shown({ token: `${KEY}-MORE`, message: `bad ${KEY}-MORE` }, [KEY])).toBe('bad **hidden**');
	});
});

describe('a reply that is made to be costly', () => {
	const tokens = (amount: number) => Array.from({ length: amount }, (_, i) => ({ token: `TEST-TOKEN-${i}` }));

	it.each(['<script', '&nbsp;', 'token=', '['])(
		'is read in one go: 1 MB of %j as a page, and as a message',
		(unit) => {
			const text = unit.repeat(1_000_000 / unit.length);
			expect(shown(text).length).toBeLessThanOrEqual(500);
			expect(shown({ message: text }, ['TEST-KEY']).length).toBeLessThanOrEqual(500);
		},
	);

	it.each<[string, number, () => unknown]>([
		['texts', 1_000, () => ({ message: 'text' })],
		['empty texts', 5_100, () => ({ message: ' ' })],
		['empty lists', 5_100, () => []],
		['lists of texts', 1_000, () => [{ message: 'text' }]],
		['lists of empty lists', 1_000, () => [[], []]],
	])('is read no further than it is shown: a list of %s, %d', (_, most, element) => {
		const length = 20_000;
		let looked = 0;
		const list = new Proxy(Array.from({ length }, element), {
			get: (target, name): unknown => {
				if (/^\d+$/.test(String(name))) looked++;
				return Reflect.get(target, name);
			},
		});
		// Once as words, and once whole for the secrets in it.
		shown({ response: { message: list } });
		expect(looked).toBeLessThan(length + most);
	});

	it('is read in one go: many parts, a long message with hundreds of secrets, any depth', () => {
		expect(shown({ message: Array.from({ length: 100_000 }, () => ['a']) }).length).toBe(500);
		expect(shown({ message: 'a'.repeat(1_000_000), tokens: tokens(500) }).length).toBe(500);
		const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
		expect(shown({ message: deep, error: 'Bad Request' })).toBe('Bad Request');
	});

	it.each([
		['many', tokens(1000)],
		['long', [{ token: 'x'.repeat(10_001) }]],
	])("isn't shown beside secrets so %s that finding them would take seconds", (_, all) => {
		const body = { message: 'Bad TEST-TOKEN-500', register_url: 'https://a.example', tokens: all };
		expect(shown(body)).toBe('');
		expect(errorTextIn(body, []).registerUrl).toBeUndefined();
	});
});

testReplies(
	'a license is registered at an address, without secrets in it',
	(register_url) =>
		errorTextIn({ code: 'LICENSE_REQUIRED', register_url, token: 'S3CRET-OF-REPLY' }, ['K3Y-OF-GATEWAY'])
			.registerUrl,
	`"https://license.example.com/register?id=0a6f4f0e" → "https://license.example.com/register?id=0a6f4f0e"
	"https://${'x'.repeat(492)}" → "https://${'x'.repeat(492)}"
	" http://127.0.0.1:8080/manager " → "http://127.0.0.1:8080/manager"
	"https://x.example.com/?k=K3Y-OF-GATEWAY" → "https://x.example.com/?k=**hidden**"
	"https://x.example.com/?token=abc&id=1" → "https://x.example.com/?token=**hidden**&id=1"
	"https://me:p4ss@x.example.com" → "https://me:**hidden**@x.example.com"
	"https://x.example.com/S3CRET-OF-REPLY" → "https://x.example.com/**hidden**"
	- | 5 | "" | "javascript:x//https://a" | "https://a b" | "https://${'x'.repeat(493)}" → -`,
);
