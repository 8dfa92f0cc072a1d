import { readDefaultCountryCode } from '../../../nodes/MessagingGateway/input/countryCode';
import { readParticipants } from '../../../nodes/MessagingGateway/input/participants';
import { person, problemOf } from '../support';

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

describe('with a default country code', () => {
	const read = (value: unknown, defaultCountryCode: string) =>
		readParticipants([value], { exact: false, defaultCountryCode });
	const problemWith = (value: unknown, code: string) => problemOf(() => read(value, code));

	it.each([
		['Brazil, with the ninth digit', '55', '11 99999-0001', '5511999990001'],
		['Brazil, without the ninth digit', '55', '(31) 9999-0002', '553199990002'],
		['Brazil, whose area code 55 is no country code, in the old form', '55', '55 9999-0001', '555599990001'],
		['Mexico', '52', '55 1234 5678', '525512345678'],
		['Mexico, in the form of messaging networks', '52', '1 55 1234 5678', '5215512345678'],
		['Argentina', '54', '11 2345-6789', '541123456789'],
		['Argentina, with the 9 of mobile numbers', '54', '9 11 2345-6789', '5491123456789'],
	])('a number of %s gets it', (_, code, value, sentAs) => {
		expect(read(value, code)).toMatchObject([{ ...person(sentAs), given: value }]);
	});

	it.each([
		['Brazil, without the ninth digit', '55', '55 31 9999-0002', '553199990002'],
		['the United States', '1', '1 555 234 5678', '15552345678'],
		['the Ivory Coast', '225', '2250701234567', '2250701234567'],
	])('a number of %s that has it already is left as it is', (_, code, value, sentAs) => {
		expect(read(value, code)).toMatchObject([{ ...person(sentAs), given: value }]);
	});

	it.each([
		['one leading 0 is dropped', '49', '0151 12345678', '4915112345678'],
		['one leading 0 is dropped', '49', '0 49 151 12345678', '4915112345678'],
		['a 0 of the Ivory Coast stays', '225', '07 01 23 45 67', '2250701234567'],
	])('%s: +%s and %s', (_, code, value, sentAs) => {
		expect(read(value, code)).toMatchObject([{ ...person(sentAs), given: value }]);
	});

	it('a number of type number gets it, too', () => {
		expect(read(11999990001, '55')).toMatchObject([{ ...person('5511999990001'), given: '11999990001' }]);
	});

	it.each([
		['with +', '+1 555 234 5678', '15552345678'],
		['with 00', '001 555 234 5678', '15552345678'],
		['that is a JID', '11999990001@s.whatsapp.net', '11999990001@s.whatsapp.net'],
	])('a participant %s stays as it is', (_, value, sentAs) => {
		expect(read(value, '55')).toEqual([{ ...person(sentAs), given: value }]);
	});

	it.each([
		['43', '43 664 1234567', '+436641234567 or +43436641234567'],
		['62', '62 812 3456 789', '+628123456789 or +62628123456789'],
	])('a number that may or may not have it is refused: +%s and %s', (code, value, forms) => {
		const problem = problemWith(value, code);

		expect(problem.message).toBe(`The participant "${value}" is unclear: it could be ${forms}`);
		expect(problem.description).toContain('+');
	});

	it.each([
		['without its area code', '55', '99999-0001'],
		['with two zeros in a row', '55', '(0)0(0) 11 99999-0001'],
		['with a trunk prefix that is no 0', '7', '8 916 123-45-67'],
		['of another country', '55', '4915112345678'],
		['that is two', '55', '11999990001 21988880002'],
	])("a number %s is refused, since it can't be one of the country", (_, code, value) => {
		expect(problemWith(value, code).message).toContain(
			`The participant "${value}" isn't a valid phone number`,
		);
	});

	it.each([
		['a CPF', '55', '529.982.247-25', "no mobile number of Brazil: if it's right, write +5552998224725"],
		['a CPF', '55', '11144477735', 'no mobile number of Brazil'],
		['a CNPJ', '55', '11.222.333/0001-81', 'a /'],
		['a time', '55', '1735689600', 'no mobile number of Brazil'],
		['a time', '49', '1735689600000', 'no mobile number of Germany'],
		['an order number', '55', '2000123456', 'no mobile number of Brazil'],
		['eleven ones', '55', '11111111111', 'no mobile number of Brazil'],
		['a sequence', '55', '12345678901', 'no mobile number of Brazil'],
		['a landline', '55', '(11) 3333-4444', "no mobile number of Brazil: if it's right, write +551133334444"],
		['an area code that no number has', '55', '23 99123-4567', 'no mobile number of Brazil'],
		['a landline', '39', '06 1234 5678', 'no mobile number of Italy'],
		['a time', '52', '1764295200', 'no mobile number of Mexico'],
	])('%s is no mobile number: +%s and %s', (_, code, value, says) => {
		expect(problemWith(value, code).brief).toContain(says);
	});

	it('a number whose length no number of the country has says so', () => {
		const problem = problemWith('99999-0001', '55');

		expect(problem.message).toMatch(/: it is too short for Brazil$/);
		expect(problem.description).toMatch(/missing digits.*another country with \+/);
	});

	it.each([
		['49', '49 151 (0)12345678'],
		['49', '+0151 12345678'],
	])('a 0 that is in the way is still refused: +%s and %s', (code, value) => {
		expect(problemWith(value, code).message).toContain('country code');
	});

	it('a number is still refused where it is longer or shorter than any', () => {
		expect(problemWith('1'.repeat(15), '49').message).toContain('more than 15 digits');
		expect(problemWith('12345', '49').message).toContain('fewer than 8 digits');
	});
});
