import fc from 'fast-check';
import { callingCodeOf, PHONE_LENGTHS } from '../../../nodes/MessagingGateway/groups/identity';
import { readParticipants } from '../../../nodes/MessagingGateway/input/participants';
import { countryProblem, readPhoneNumber } from '../../../nodes/MessagingGateway/input/phoneNumber';
import { takePhoneLengths } from '../../phone-lengths/lengths';
import { callingCodes, type NumberType } from '../../phone-lengths/metadata';
import { beginningsOf } from '../../phone-lengths/patterns';
import { runsOf } from '../../thorough';

const CODES = callingCodes();

test('the lengths and first digits of phone numbers are those that the library gives now', () => {
	expect(PHONE_LENGTHS).toStrictEqual(takePhoneLengths());
});

test.each([
	['8[1-3]\\d{2,3}', ['8:4', '8:5']],
	['(?:2[12]|34?)\\d|5', ['2:3', '3:2', '3:3', '5:1']],
	['[4-6](?:0{2}|1)?', ['4:1', '4:2', '4:3', '5:1', '5:2', '5:3', '6:1', '6:2', '6:3']],
])('the first digits and lengths of a pattern are found: %s', (pattern, expected) => {
	const found = beginningsOf(pattern).map(({ digit, length }) => `${digit}:${length}`);

	expect(found.sort()).toEqual(expected);
});

test('a pattern of a kind that is new is no guess', () => {
	expect(() => beginningsOf('(?!1)\\d{8}')).toThrow('Unknown pattern');
});

/** Valid numbers of a type, the same ones in every run. */
function samplesOf({ pattern, lengths }: NumberType, amount: number): string[] {
	const numbers = fc
		.stringMatching(new RegExp(`^(?:${pattern})$`))
		.filter(({ length }) => lengths.includes(length));
	return fc.sample(numbers, { numRuns: amount, seed: 48 });
}

/** What a text is read as; `undefined` if it is refused. */
function readAs(text: string, defaultCountryCode?: string): string | undefined {
	const read = readPhoneNumber(text, { defaultCountryCode });
	return typeof read === 'string' ? read : undefined;
}

const isTaken = (number: string): boolean => readAs(number) !== undefined;

describe('mobile numbers of all countries', () => {
	const { numRuns } = runsOf(400);
	const samples = CODES.flatMap(({ code, mobile }) =>
		mobile.flatMap((type) => samplesOf(type, numRuns).map((national) => [code, national] as const)),
	);
	const valid = samples.map((parts) => parts.join(''));

	it.each<[form: string, read: (code: string, national: string) => string | undefined]>([
		['with +', (code, national) => readAs(`+${code} ${national}`)],
		['with 00', (code, national) => readAs(`00${code}${national}`)],
		['without +', (code, national) => readAs(code + national)],
		['by Default Country Code', (code, national) => readAs(national, code)],
		['with it, by Default Country Code', (code, national) => readAs(code + national, code)],
	])('are read as no other number: %s', (_form, read) => {
		const other = samples.filter(
			([code, national]) => ![code + national, undefined].includes(read(code, national)),
		);
		expect(other).toEqual([]);
	});

	it('are taken with +, unless they have fewer than 8 digits', () => {
		expect(valid.length).toBeGreaterThan(2000);
		expect(valid.filter((number) => number.length >= 8 && readAs(`+${number}`) !== number)).toEqual([]);
		const codes = new Set(
			valid.filter(({ length }) => length < 8).map((number) => /^27|^\d{3}/.exec(number)?.[0]),
		);
		// Services of South Africa, Niue, Tokelau.
		expect([...codes].filter((code) => !['27', '683', '690'].includes(String(code)))).toEqual([]);
	});

	it('are taken without +, unless they have fewer than 10 digits', () => {
		expect(valid.filter((number) => number.length >= 10 && readAs(number) !== number)).toEqual([]);
		expect(valid.filter((number) => number.length < 10 && isTaken(number))).toEqual([]);
	});
});

// Of Germany's mobile numbers 40 %, once their 0 is lost: 11 digits that begin with 15 are also numbers of the United States.
test.each([
	['BR', 13],
	['MX', 6],
	['AR', 12],
	['DE', 22],
	['IN', 4],
	['ID', 3],
	['IT', 3],
])('of 100 local numbers of %s at most %d are taken for foreign ones', (country, most) => {
	const numbers = CODES.filter((one) => one.country === country)
		.flatMap(({ mobile, landline }) => [mobile[0], landline[0]])
		.flatMap((type) => (type === undefined ? [] : samplesOf(type, 1000)));

	expect((numbers.filter(isTaken).length * 100) / numbers.length).toBeLessThanOrEqual(most);
});

describe("numbers of the own account's country, as people there write them", () => {
	const { numRuns } = runsOf(60);
	const ownNumbers = CODES.filter(({ code }) => code !== '52').flatMap(({ code, mobile }) =>
		mobile.flatMap((type) => samplesOf(type, numRuns).map((national) => [code, national] as const)),
	);
	const inside = (text: string, own: string) => {
		const [participant] = readParticipants([text], {});
		return participant && countryProblem(participant, own)?.message;
	};

	it('are refused rather than taken for numbers of another country', () => {
		const taken = ownNumbers.filter(([, national]) => isTaken(national));
		const strangers = taken.filter(([code, national]) => callingCodeOf(national) !== code);

		expect(strangers.length).toBeGreaterThan(20);
		expect(strangers.filter(([code, national]) => inside(national, code) === undefined)).toEqual([]);
	});

	it('are clear with their country code or +, whatever the own account is', () => {
		const full = ownNumbers.filter((parts) => parts.join('').length >= 10);

		expect(full.filter(([code, national]) => inside(code + national, code) !== undefined)).toEqual([]);
		expect(full.filter(([code, national]) => inside(`+${code}${national}`, '55') !== undefined)).toEqual([]);
	});

	it.each([
		['51991234567', '5511990000001', '+51 991 234 567 (Peru) or +55 51 99123-4567 (Brazil)'],
		['15223456789', '4915110000001', '+1 522 345 6789 (North America) or +49 152 234 56789 (Germany)'],
		['13123456789', '8613110000001', '+1 312 345 6789 (North America) or +86 131 234 56789 (China)'],
		['4520123456', '5215512345678', '+45 201 23456 (Denmark) or +52 452 012 3456 (Mexico)'],
		['56912345678', '5511990000001', undefined],
		['4740612345', '393331234567', undefined],
		['51991234567', undefined, undefined],
	])('may be two numbers: %s by the account %s', (digits, own, forms) => {
		const problem = own === undefined ? undefined : inside(digits, own);
		expect(problem).toBe(
			forms &&
				`The participant "${digits}" could be ${forms}: write + and the country code, or set Default Country Code`,
		);
	});
});
