import { keysIn, readCredential } from '../../../nodes/MessagingGateway/gateway/credential';
import { problemOf } from '../support';

const dataWith = (apiKey: unknown) => ({ baseUrl: 'https://x.example.com', apiKey });

describe('the API key', () => {
	it.each([
		['TEST-KEY-0001', 'TEST-KEY-0001'],
		[' \tTEST-KEY-0001\r\n', 'TEST-KEY-0001'],
		['TEST KEY', 'TEST KEY'],
		['"schlüssel" «a» b', '"schlüssel" «a» b'],
	])('%j is sent as %j', (entered, sent) => {
		expect(readCredential(dataWith(entered)).apiKey).toBe(sent);
	});

	it.each([
		['\u200bTEST-KEY', 'an invisible character'],
		['TEST\u200dKEY', 'an invisible character'],
		['TEST-KEY\ufeff', 'an invisible character'],
		['TEST-KEY\u00a0', 'an invisible character'],
		['TEST\u00adKEY', 'an invisible character'],
		['TEST\u2028KEY', 'an invisible character'],
		['TEST\u3000KEY', 'an invisible character'],
		['TEST\u2800KEY', 'an invisible character'],
		['“TEST-KEY”', 'typographic quotes'],
		['«TEST-KEY»', 'typographic quotes'],
		['TEST-KEY’', 'typographic quotes'],
		['TEST\nKEY', 'a line break'],
		['TEST\tKEY', 'a control character'],
		['TEST\u0000KEY', 'a control character'],
		['TEST\u0085KEY', 'a control character'],
		['ключ-0000', "a character that can't be sent"],
		['TEST–KEY', "a character that can't be sent"],
		['TEST-KEY-😀', "a character that can't be sent"],
	])('%j is refused for %s', (entered, what) => {
		const { message, description } = problemOf(() => readCredential(dataWith(entered)));

		expect(message).toBe(`The API key contains ${what}`);
		expect(description).toMatch(/^Enter it again in the credential/);
	});

	it.each([[''], [' \r\n\t'], [undefined], [null], [5]])('%j is none', (entered) => {
		expect(problemOf(() => readCredential(dataWith(entered))).message).toBe('The API key is empty');
	});

	it.each([['key'], [' 1234567 ']])('%j is refused as none', (entered) => {
		expect(problemOf(() => readCredential(dataWith(entered))).message).toBe('The API key is too short');
	});

	it('is trimmed in one go however much space is in it', () => {
		const key = `TEST${' '.repeat(200_000)}KEY`;

		expect(readCredential(dataWith(`${key} `)).apiKey).toBe(key);
	});

	it.each<[unknown, string[]]>([
		[dataWith('TEST-KEY\n'), ['TEST-KEY\n', 'TEST-KEY']],
		[dataWith('“TEST\u200b-KEY”'), ['“TEST\u200b-KEY”', 'TEST-KEY']],
		[dataWith(5), ['']],
		[undefined, ['']],
	])('is known as entered and as sent, also where it is refused: %j', (data, keys) => {
		expect([...new Set(keysIn(data))]).toEqual(keys);
	});
});
