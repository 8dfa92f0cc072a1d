import { readCredential } from '../../../nodes/MessagingGateway/gateway/credential';
import { problemOf } from '../support';

const dataWith = (apiKey: unknown) => ({ baseUrl: 'https://x.example.com', apiKey });

const UNSENT = "an invisible character, or one that can't be sent";

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
		['\u200bTEST-KEY', UNSENT],
		['TEST\u200dKEY', UNSENT],
		['TEST-KEY\ufeff', UNSENT],
		['TEST-KEY\u00a0', UNSENT],
		['TEST\u00adKEY', UNSENT],
		['TEST\u2028KEY', UNSENT],
		['TEST\u3000KEY', UNSENT],
		['TEST\u2800KEY', UNSENT],
		['“TEST-KEY”', 'typographic quotes'],
		['«TEST-KEY»', 'typographic quotes'],
		['TEST-KEY’', 'typographic quotes'],
		['TEST\nKEY', UNSENT],
		['TEST\tKEY', UNSENT],
		['TEST\u0000KEY', UNSENT],
		['TEST\u0085KEY', UNSENT],
		['ключ-0000', UNSENT],
		['TEST–KEY', UNSENT],
		['TEST-KEY-😀', UNSENT],
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
});
