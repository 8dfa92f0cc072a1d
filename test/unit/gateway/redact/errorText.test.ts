import { errorTextIn } from '../../../../nodes/MessagingGateway/gateway/redact/errorText';
import { testReplies } from '../../support';

const words = (body: unknown, secrets: string[] = []) => errorTextIn(body, secrets).message;
const recognized = (body: unknown) => errorTextIn(body, []).errorText;

const SCRIPT = '<style>a{}</style></head><body><script>alert(1)</script>';
testReplies(
	"the gateway's words are those of its message, in one line",
	words,
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
	expect(words(body, ['rate'])).toBe('Error updating participants, Error: **hidden**-overlimit');
	expect(recognized(body)).toBe('Error updating participants, Error: rate-overlimit');
});

describe('secrets', () => {
	const KEY = 'TEST-KEY/0001';

	it.each([
		['in text', { message: `Key ${KEY} is wrong` }],
		['in a list', { message: [['a', KEY]] }],
		['percent-encoded', { message: `Cannot GET /x?k=${encodeURIComponent(KEY)}` }],
		['in a page', `<p>${KEY}</p>`],
		['in a text that is JSON', `{"message": "${KEY}"`],
		['next to the cut', { message: 'a'.repeat(495) + KEY }],
		['as an address', { message: `https://user:${KEY}@x.example.com` }],
	])("of the credential are not in the gateway's words: %s", (_, body) => {
		expect(words(body, [KEY])).not.toMatch(/TEST-KEY|0001/);
	});

	it.each([
		['a field of the reply', { token: 'k3y-1', message: 'bad k3y-1' }],
		['a field of another depth', { a: [{ instance: { apikey: 'k3y-1' } }], message: 'bad k3y-1' }],
		['JSON in text', { a: '{"token":"k3y-1"}', message: 'bad k3y-1' }],
		['text itself', { message: 'bad token=k3y-1' }],
		['JSON inside the message', { message: 'bad {"token":"k3y-1"}' }],
		['a reply that broke off', '[{"name":"a","token":"k3y-1","n'],
		['a broken one of generation 1', '[{"instance":{"apikey":"k3y-1","integration":{"token":"k3y-1"'],
		['a broken one with a longer name', '[{"access_token_wa_business":"k3y-1","n'],
		['a longer one that begins as another', { token: 'k3y-', secret: 'k3y-1', message: 'bad k3y-1!' }],
	])('of %s are not shown', (_, body) => {
		expect(words(body)).not.toMatch(/k3y|1/);
	});

	it('longer than the key are struck out whole', () => {
		expect(words({ token: `${KEY}-MORE`, message: `bad ${KEY}-MORE` }, [KEY])).toBe('bad **hidden**');
	});
});

describe('a reply that is made to be costly', () => {
	const tokens = (amount: number) => Array.from({ length: amount }, (_, i) => ({ token: `TEST-TOKEN-${i}` }));

	it.each(['<', '<script', '<script>', '<head ', '>', 'a', ' ', '&nbsp;', 'token=', '{', '[', '\n', '%'])(
		'is read in one go: 1 MB of %j as a page, and as a message',
		(unit) => {
			const text = unit.repeat(1_000_000 / unit.length);
			expect(words(text).length).toBeLessThanOrEqual(500);
			expect(words({ message: text }, ['TEST-KEY']).length).toBeLessThanOrEqual(500);
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
		words({ response: { message: list } });
		expect(looked).toBeLessThan(length + most);
	});

	it('is read in one go: many parts, a long message with hundreds of secrets, any depth', () => {
		expect(words({ message: Array.from({ length: 100_000 }, () => ['a']) }).length).toBe(500);
		expect(words({ message: 'a'.repeat(1_000_000), tokens: tokens(500) }).length).toBe(500);
		const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
		expect(words({ message: deep, error: 'Bad Request' })).toBe('Bad Request');
	});

	it.each([
		['many', tokens(1000)],
		['long', [{ token: 'x'.repeat(10_001) }]],
	])("isn't shown beside secrets so %s that finding them would take seconds", (_, all) => {
		const body = { message: 'Bad TEST-TOKEN-500', register_url: 'https://a.example', tokens: all };
		expect(words(body)).toBe('');
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
