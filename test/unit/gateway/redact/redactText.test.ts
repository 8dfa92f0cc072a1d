import { HIDDEN } from '../../../../nodes/MessagingGateway/gateway/redact/secretFields';
import { redactText } from '../../../../nodes/MessagingGateway/gateway/redact/redactText';
import { KEY_FORMS } from './keyForms';

describe('striking out', () => {
	it.each([
		['a secret', 'Key TEST-KEY-1 is wrong', ['TEST-KEY-1'], `Key ${HIDDEN} is wrong`],
		['it every time', 'TEST-KEY-1TEST-KEY-1', ['TEST-KEY-1'], `${HIDDEN}${HIDDEN}`],
		['several secrets', 'TEST-KEY-1 OTHER-KEY', ['OTHER-KEY', 'TEST-KEY-1'], `${HIDDEN} ${HIDDEN}`],
		['it percent-encoded', '?k=a%2Fb%20%C3%BC%2B', ['a/b ü+'], `?k=${HIDDEN}`],
		['it percent-encoded before one character', '"a%2Fb%20%C3%BC%2B"', ['a/b ü+'], `"${HIDDEN}"`],
		['it as a form has it', 'k=my+secret+key', ['my secret key'], `k=${HIDDEN}`],
		['it as JSON has it', '{"k":"a\\"b\\\\cd"}', ['a"b\\cd'], `{"k":"${HIDDEN}"}`],
		['it as JSON in JSON has it', JSON.stringify('"a\\"b\\\\c\\/d"'), ['a"b\\c/d'], `"\\"${HIDDEN}\\""`],
		[
			'it at the end of text in which JSON escapes a character',
			'a\\/TEST-KEY-1',
			['TEST-KEY-1'],
			`a\\/${HIDDEN}`,
		],
		['it without the space around it', 'bad TEST-KEY-1', [' TEST-KEY-1\n'], `bad ${HIDDEN}`],
		['it with characters of patterns', 'a.*$&b(', ['a.*$&b('], HIDDEN],
		['it with what looks like a cut', 'abcdef**gh', ['abcdef**gh'], HIDDEN],
		['one that holds another', 'TEST-KEY-0001', ['TEST-KEY', 'TEST-KEY-0001'], HIDDEN],
		['one that holds another, the longer first', 'TEST-KEY-0001', ['TEST-KEY-0001', 'TEST-KEY'], HIDDEN],
		['half a character', 'a\ud800bcd', ['a\ud800bcd'], HIDDEN],
		['nothing where there is none', 'text', ['TEST-KEY-1'], 'text'],
		['nothing for an empty secret', 'text', [''], 'text'],
		['a secret of four characters', 'bad abcd', ['abcd'], `bad ${HIDDEN}`],
		['nothing for a shorter one, which words may hold', 'bad abc', ['abc'], 'bad abc'],
		['nothing for a shorter one in base64 either', 'bad w6nDqcOp', ['ééé'], 'bad w6nDqcOp'],
		['nothing for what is short once it is decoded', 'bad abc', ['%61%62%63'], 'bad abc'],
		['a secret of five characters in base64', `bad ${btoa('abcde')}`, ['abcde'], `bad ${HIDDEN}`],
		['nothing for the few characters of a shorter one in base64', 'bad YWJjZA', ['abcd'], 'bad YWJjZA'],
	])('takes out %s', (_, text, secrets, expected) => {
		expect(redactText(text, secrets)).toBe(expected);
	});

	it('takes out a secret that is percent-encoded in lower case', () => {
		expect(redactText('?k=a%2fb%20%c3%bc%2b', ['a/b ü+'])).toBe(`?k=${HIDDEN}`);
	});
});

describe('a key', () => {
	it.each([
		['percent-encoded', (key: string) => encodeURIComponent(key)],
		['percent-encoded as Latin-1', (key: string) => key.replaceAll('ü', '%FC').replaceAll('ß', '%df')],
		['in base64', (key: string) => Buffer.from(key).toString('base64')],
		['in base64 as Latin-1', (key: string) => Buffer.from(key, 'latin1').toString('base64')],
	])('of other letters than English ones is struck out %s', (_, of) => {
		expect(redactText(`a ${of('Schlüssel-straße')} b`, ['Schlüssel-straße'])).toBe(`a ${HIDDEN} b`);
	});

	it('is struck out with what its base64 holds besides it', () => {
		expect(redactText(`Basic ${btoa('user:TEST-KEY-0001:more')}!`, ['TEST-KEY-0001'])).toBe(
			`Basic ${HIDDEN}!`,
		);
	});

	it.each([
		['another one', 'TEST-KEY-0002'],
		['a part of it', 'TEST-KEY-000'],
		['what nearly encodes it', '%54%45%53%54 VEVTVC1LRVk='],
		['what is left of it', 'TEST…0001 and TEST-KEY-00…'],
	])('leaves %s', (_, text) => {
		expect(redactText(text, ['TEST-KEY-0001'])).toBe(text);
	});

	it('of any length is struck out', () => {
		const key = '"a b/c&d\\e'.repeat(2000);

		for (const { of } of KEY_FORMS) expect(redactText(of(key), [key])).toMatch(/^(?:\*\*hidden\*\*)+$/);
	});

	it('is found where letters change their length in lower case', () => {
		expect(redactText('İİİ TEST-KEY-0001 İ', ['TEST-KEY-0001'])).toBe(`İİİ ${HIDDEN} İ`);
	});

	it.each(['%', '%41', '%2b', '%25', '\\', 'VEVTVC', 'TEST-KEY-000', 'TEST', ' ', '0001'])(
		'is looked for in one go: 300 kB of %j',
		(unit) => {
			const text = unit.repeat(300_000 / unit.length);

			expect(redactText(text, ['TEST-KEY-0001']).length).toBeGreaterThan(0);
		},
	);
});
