import { readDefaultCountryCode } from '../../../nodes/MessagingGateway/input/countryCode';
import { problemOf } from '../support';

describe('the default country code', () => {
	it.each([
		['55', '55'],
		[' +55\n', '55'],
		[55, '55'],
		['+351', '351'],
		[undefined, undefined],
	])('may be %p', (value, expected) => {
		expect(readDefaultCountryCode(value)).toBe(expected);
	});

	it.each([
		['', '""'],
		[null, 'null'],
		['055', '"055"'],
		['5555', '"5555"'],
		['999', '"999"'],
		['BR', '"BR"'],
		[-55, '-55'],
		[['55'], 'a list'],
	])('is refused where it is %p', (value, shown) => {
		const problem = problemOf(() => readDefaultCountryCode(value));
		expect(problem.message).toBe(
			`'Default Country Code' must be the calling code of a country, but it's ${shown}`,
		);
		expect(problem.description).toContain('or remove the option');
	});
});
