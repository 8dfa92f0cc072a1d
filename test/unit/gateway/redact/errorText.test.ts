import { errorTextIn } from '../../../../nodes/MessagingGateway/gateway/redact/errorText';

const words = (body: unknown, secrets: string[] = []) => errorTextIn(body, secrets).message;
const recognized = (body: unknown) => errorTextIn(body, []).errorText;

it.each<[string, number, () => unknown]>([
	['texts', 1_000, () => ({ message: 'text' })],
	['empty texts', 5_100, () => ({ message: ' ' })],
	['empty lists', 5_100, () => []],
	['lists of texts', 1_000, () => [{ message: 'text' }]],
	['lists of empty lists', 1_000, () => [[], []]],
])('a list of %s is read no further than it is shown: %d', (_, most, element) => {
	const length = 20_000;
	let looked = 0;
	const list = new Proxy(Array.from({ length }, element), {
		get: (target, name): unknown => {
			if (/^\d+$/.test(String(name))) looked++;
			return Reflect.get(target, name);
		},
	});

	// Once as words, and once whole for the secrets in it.
	words({ response: { message: list } });
	expect(looked).toBeLessThan(length + most);
});

describe("the gateway's words", () => {
	it.each([
		['text', { response: { message: 'A' } }, 'A'],
		['a list of texts', { response: { message: ['A', 'B'] } }, 'A, B'],
		['a list of lists', { response: { message: [['A'], ['B', ['C']]] } }, 'A, B, C'],
		['a list of objects', { response: { message: [{ property: 'p', message: 'A' }] } }, 'A'],
		['text in the response', { response: 'A' }, 'A'],
		['message of the body', { message: 'A', error: 'B' }, 'A'],
		['error of the body', { status: 500, error: 'A' }, 'A'],
		['error in the body', { error: { message: 'A' } }, 'A'],
		['the next place where one is empty', { response: { message: [' '] }, error: 'A' }, 'A'],
		['a list with gaps', { message: ['', 'A', ' ', 'B'] }, 'A, B'],
		['a list alone', ['A', { message: 'B' }], 'A, B'],
		['a list of texts with space around them', { message: [' A\n', 'B '] }, 'A, B'],
		['a message that looks like a page', { message: 'a <b> c' }, 'a <b> c'],
		['plain text', ' A\n B ', 'A B'],
	])('may be %s', (_, body, expected) => {
		expect(words(body)).toBe(expected);
	});

	it.each([
		...[undefined, null, '', 5, true, {}, [], [[[]]], { response: null }],
		...[{ response: { message: 5 } }, { response: { message: {} } }],
		...[{ message: { message: { message: 'A' } } }, '<html></html>'],
	])('are empty in %j', (body) => {
		expect(words(body)).toBe('');
	});

	it('are the visible text of a page', () => {
		const page = `<!DOCTYPE html><html><head><title>x</title><style>a{}</style></head><body>
			<script>alert("<b>")</script><h1>502&nbsp;Bad Gateway</h1><hr><center>nginx</center></body></html>`;

		expect(words(page)).toBe('502 Bad Gateway nginx');
	});

	it('are the words of a page, apart', () => {
		expect(words('<p>502<script>x</script>Bad<br>Gateway</p>')).toBe('502 Bad Gateway');
	});

	it('are those of a page whole, however much space is around them', () => {
		const space = `<p>${' '.repeat(2200)}</p>`;

		expect(words(`${space}502 Bad Gateway${space}`)).toBe('502 Bad Gateway');
	});

	it('are one line without control characters', () => {
		expect(words({ message: 'a\r\nb\u001b[31m\u202ec' })).toBe('a b [31m c');
	});

	it('are at most 500 characters', () => {
		expect(words({ message: 'a'.repeat(501) })).toBe(`${'a'.repeat(499)}…`);
	});

	it('are read from fields and not from what every object inherits', () => {
		expect(words(JSON.parse('{"__proto__": {"message": "A"}}'))).toBe('');
	});
});

describe('secrets', () => {
	const KEY = 'TEST-KEY/0001';
	/** A part of a page that takes as many characters and shows nothing. */
	const nothing = (length: number) => `<${'x'.repeat(length - 102)}>${' '.repeat(100)}`;

	it.each([
		['in text', { message: `Key ${KEY} is wrong` }],
		['in a list', { message: [['a', KEY]] }],
		['percent-encoded', { message: `Cannot GET /x?k=${encodeURIComponent(KEY)}` }],
		['in a page', `<p>${KEY}</p>`],
		['in a text that is JSON', `{"message": "${KEY}"`],
		['next to the cut', { message: 'a'.repeat(495) + KEY }],
		['cut through in a page', `${nothing(4990)}${KEY}`],
		['cut through in a page, percent-encoded', `${nothing(4988)}${encodeURIComponent(KEY)}`],
		['as an address', { message: `https://user:${KEY}@x.example.com` }],
	])("of the credential are not in the gateway's words: %s", (_, body) => {
		const shown = words(body, [KEY]);

		expect(shown).not.toContain('TEST-KEY');
		expect(shown).not.toContain('0001');
	});

	it.each([
		['a field of the reply', { token: 'k3y-1', message: 'bad k3y-1' }],
		['a field of another depth', { a: [{ instance: { apikey: 'k3y-1' } }], message: 'bad k3y-1' }],
		['JSON in text', { a: '{"token":"k3y-1"}', message: 'bad k3y-1' }],
		['text itself', { message: 'bad token=k3y-1' }],
		['JSON inside the message', { message: 'bad {"token":"k3y-1"}' }],
		['a reply that broke off', '[{"name":"a","token":"k3y-1","n'],
		[
			'a reply that broke off, of generation 1',
			'[{"instance":{"apikey":"k3y-1","integration":{"token":"k3y-1"',
		],
		['a reply that broke off, with a longer name', '[{"access_token_wa_business":"k3y-1","n'],
		['a longer one that begins as another', { token: 'k3y-', secret: 'k3y-1', message: 'bad k3y-1!' }],
	])('of %s are not shown', (_, body) => {
		expect(words(body)).not.toMatch(/k3y|1/);
	});

	it('of any script are not shown where they are cut through, percent-encoded', () => {
		const secret = '鍵'.repeat(8);

		expect(words(`${nothing(4935)}${encodeURIComponent(secret)}`, [secret, KEY])).toBe('');
	});

	it('of several words are not shown where they are cut through', () => {
		expect(words(`${nothing(4990)}correct horse`, ['correct horse'])).toBe('');
	});

	it('do not shorten a page that is not cut', () => {
		expect(words(`${nothing(4989)}Bad Gateway`, [KEY])).toBe('Bad Gateway');
	});

	it('longer than the key are struck out whole', () => {
		expect(words({ token: `${KEY}-MORE`, message: `bad ${KEY}-MORE` }, [KEY])).toBe('bad **hidden**');
	});
});

describe('words that are to be recognized', () => {
	it('are whole, also where the key is one of them', () => {
		const body = { response: { message: ['Error updating participants', 'Error: rate-overlimit'] } };

		expect(words(body, ['rate'])).toBe('Error updating participants, Error: **hidden**-overlimit');
		expect(recognized(body)).toBe('Error updating participants, Error: rate-overlimit');
	});

	it.each([
		[{ message: 'a\r\nb token=abc' }, 'a b token=abc'],
		['<p>502<br>Bad&nbsp;Gateway</p>', '502 Bad Gateway'],
		[{ message: 'a'.repeat(501) }, `${'a'.repeat(499)}…`],
		[undefined, ''],
	])('are read as those that are shown: %j', (body, expected) => {
		expect(recognized(body)).toBe(expected);
	});
});

it('words that stand too far behind are neither shown nor recognized', () => {
	const page = `<p>${' '.repeat(5000)}</p>502 Bad Gateway`;

	expect(words(page)).toBe('');
	expect(recognized(page)).toBe('');
});

describe('a reply that is made to be costly', () => {
	it.each(['<', '<script', '<script>', '<head ', '>', 'a', ' ', '&nbsp;', 'token=', '{', '['])(
		'is read in one go: 1 MB of %j as a page',
		(unit) => {
			expect(words(unit.repeat(1_000_000 / unit.length)).length).toBeLessThanOrEqual(500);
		},
	);

	it.each([['a'], [' '], ['\n'], ['token'], ['token='], ['{'], ['\u200b'], ['%']])(
		'is read in one go: 1 MB of %j as a message',
		(unit) => {
			expect(
				words({ message: unit.repeat(1_000_000 / unit.length) }, ['TEST-KEY']).length,
			).toBeLessThanOrEqual(500);
		},
	);

	it('is read in one go: a message of 100,000 parts', () => {
		expect(words({ message: Array.from({ length: 100_000 }, () => ['a']) }).length).toBe(500);
	});

	it('is read in one go: a long message and hundreds of secrets', () => {
		expect(words({ message: 'a'.repeat(1_000_000), tokens: tokens(500) }).length).toBe(500);
	});

	it.each([
		['many', tokens(1000)],
		['long', [{ token: 'x'.repeat(10_001) }]],
	])("isn't shown beside secrets so %s that finding them would take seconds", (_, all) => {
		const body = { message: 'Bad TEST-TOKEN-500', register_url: 'https://a.example', tokens: all };

		expect(words(body)).toBe('');
		expect(errorTextIn(body, []).registerUrl).toBeUndefined();
	});

	function tokens(amount: number): object[] {
		return Array.from({ length: amount }, (_, i) => ({ token: `TEST-TOKEN-${i}` }));
	}

	it('is read whatever its depth', () => {
		const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);

		expect(words({ message: deep, error: 'Bad Request' })).toBe('Bad Request');
	});
});

describe('where a license is registered', () => {
	const urlIn = (register_url: unknown, more: object = {}) =>
		errorTextIn({ code: 'LICENSE_REQUIRED', register_url, ...more }, ['K3Y-OF-GATEWAY']).registerUrl;

	it.each([
		['https://license.example.com/register?id=0a6f4f0e', 'https://license.example.com/register?id=0a6f4f0e'],
		[`https://${'x'.repeat(492)}`, `https://${'x'.repeat(492)}`],
		[' http://127.0.0.1:8080/manager ', 'http://127.0.0.1:8080/manager'],
	])('is read from %j', (url, expected) => {
		expect(urlIn(url)).toBe(expected);
	});

	it.each([
		['the key', 'https://x.example.com/?k=K3Y-OF-GATEWAY', 'https://x.example.com/?k=**hidden**'],
		[
			'a named secret',
			'https://x.example.com/?token=abc&id=1',
			'https://x.example.com/?token=**hidden**&id=1',
		],
		['a password', 'https://me:p4ss@x.example.com', 'https://me:**hidden**@x.example.com'],
		['a secret of the reply', 'https://x.example.com/S3CRET-OF-REPLY', 'https://x.example.com/**hidden**'],
	])('has nothing left of %s', (_, url, expected) => {
		expect(urlIn(url, { token: 'S3CRET-OF-REPLY' })).toBe(expected);
	});

	it.each([undefined, 5, '', 'javascript:x//https://a', 'https://a b', `https://${'x'.repeat(493)}`])(
		"isn't %j",
		(url) => {
			expect(urlIn(url)).toBeUndefined();
		},
	);
});
