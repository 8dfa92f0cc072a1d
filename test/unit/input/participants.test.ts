import {
	describeReading,
	readParticipants,
	type NumberOptions,
} from '../../../nodes/MessagingGateway/input/participants';
import { sizeOf } from '../../thorough';
import { person, problemOf } from '../support';

const plain = { exact: false };
const sent = (value: unknown, options: NumberOptions = plain) =>
	readParticipants(value, options).map(({ sentAs }) => sentAs);
const problemWith = (value: unknown, options: NumberOptions = plain) =>
	problemOf(() => readParticipants(value, options));
const refusal = (value: unknown) => problemWith(value).message;

describe('participants', () => {
	it.each([
		['a list', ['5511999990001', 5521988880002]],
		['text with commas', '5511999990001,5521988880002'],
		['text with everything, and gaps', ' ,5511999990001 ;\n;, 5521988880002,\n '],
	])('may come as %s', (_, value) => {
		expect(sent(value)).toEqual(['5511999990001', '5521988880002']);
	});

	it.each([
		['text', ' ["5511999990001", "+55 21 98888-0002"]'],
		['both', '["5511999990001", 5521988880002]'],
	])('may come as text that is a JSON list of %s', (_, value) => {
		expect(sent(value)).toEqual(['5511999990001', '5521988880002']);
	});

	it.each([
		['a list', '["5511999990001", ["5521988880002"]]', 'The participant a list'],
		['two numbers in one text', '["5511999990001,5521988880002"]', '"5511999990001,5521988880002"'],
		['a rounded number', '[5.51E+12]', 'The participant 5510000000000'],
	])('are refused where a JSON list holds %s', (_, value, says) => {
		expect(refusal(value)).toContain(says);
	});

	it('may begin with a bracket that is no JSON', () => {
		expect(sent('[55] 11 99999-0001, [55] 21 98888-0002')).toEqual(['5511999990001', '5521988880002']);
	});

	it('are kept as given, but for spaces around them', () => {
		expect(readParticipants(['  +55 (11) 99999-0001\t'], plain)).toEqual([
			{ ...person('5511999990001'), given: '+55 (11) 99999-0001' },
		]);
	});

	it.each([[undefined], [null], [''], [' \n '], [',;\n'], [[]], ['[]']])(
		'are asked for where they are %p',
		(value) => {
			const problem = problemWith(value);

			expect(problem.message).toBe('The participants are empty');
			expect(problem.description).toContain('5511999990001@s.whatsapp.net');
		},
	);

	it('may be very many', () => {
		const numbers = Array.from({ length: sizeOf(100_000) }, (_, i) => String(5_511_900_000_000 + i));

		const read = sent(numbers.join('\n'));

		// As one text: showing where two lists of this length differ takes longer than everything else here.
		expect(read.join() === numbers.join()).toBe(true);
	});
});

describe('a phone number', () => {
	it.each([
		['a plus', '+5511999990001'],
		['a leading 00', '005511999990001'],
		['no-break spaces', '55\u00a011\u202f99999\u20070001'],
		['long dashes', '55‐11‑99999–0001—'],
		['the 00 in brackets', '(00)55 11 99999-0001'],
		['the + in brackets', '(+55) 11 99999-0001'],
		['invisible spaces', '5511\u200b99999\u20600001'],
	])('may carry %s', (_, value) => {
		expect(sent([value])).toEqual(['5511999990001']);
	});

	it.each([
		['9 digits', '+298 211234', '298211234@s.whatsapp.net'],
		['10 digits', '4520123456', '4520123456'],
		['13 digits with spaces, and a dot before zeros', '55 11 99999.0000', '5511999990000'],
	])('of %s goes out as text that gateways take', (_, value, expected) => {
		expect(sent([value])).toEqual([expected]);
	});

	it.each([
		['+500 51234', '50051234@s.whatsapp.net'],
		[5531999990002, '5531999990002@s.whatsapp.net'],
		['199999999999777@lid', '199999999999777@lid'],
	])('sent exactly as given, %p goes out as %s', (value, expected) => {
		expect(sent([value], { exact: true })).toEqual([expected]);
	});

	it.each([
		['"5511999"', '5511999', 'fewer than 10 digits and no +'],
		['"+5511999"', '+5511999', 'fewer than 8 digits'],
		['"015112345678"', '015112345678', 'begins with 0, so it has no country code'],
		['"00015112345678"', '00015112345678', 'begins with 0, so it has no country code'],
		['"+49 151 (0)12345678"', '+49 151 (0)12345678', "its country code can't be relied on"],
		['"+39 (0)6 12345678"', '+39 (0)6 12345678', "its country code can't be relied on"],
		['551199000000', 551199000000, 'ends in six zeros'],
		['"+"', '+', "isn't a valid phone number"],
		['"-"', '-', 'it has no digits'],
		['"5511999990001234"', '5511999990001234', 'more than 15 digits'],
		['"5511999990001 5521988880002"', '5511999990001 5521988880002', 'two numbers run together'],
		['"55119999 55219888"', '55119999\u202855219888', 'two numbers run together'],
		['"55119999a0001"', '55119999a0001', 'it has letters'],
		['"5.51E+12"', '5.51E+12', 'spreadsheet'],
		['"5,51E+12"', '5,51E+12', 'spreadsheet'],
		['"5511999990001.0"', '5511999990001.0', 'spreadsheet'],
		['"#ERROR!"', '#ERROR!', 'spreadsheet'],
		['"#DIV/0!"', '#DIV/0!', 'spreadsheet'],
		['"1299.90"', '1299.90', 'fewer than 10 digits and no +'],
		['"1795478400000"', 1795478400000, 'is too long for North America'],
		['""', '', 'empty'],
		['""', '\u200e\u200f', 'empty'],
		['0', 0, "isn't a positive whole number"],
		['-5511999990001', -5511999990001, "isn't a positive whole number"],
		['5511999990001.5', 5511999990001.5, "isn't a positive whole number"],
		['NaN', NaN, "isn't a positive whole number"],
		['1e+21', 1e21, "isn't a positive whole number"],
		['true', true, 'must be text or a number'],
		['a list', ['5511999990001'], 'must be text or a number'],
	])('is refused where it is %s', (shown, value, reason) => {
		const problem = problemWith(['5511999990001', value]);

		expect(problem.message).toMatch(`The participant ${shown} isn't a valid phone number: `);
		expect(problem.message).toContain(reason);
		expect(problem.description).toMatch(/country code|plain text|dialed from abroad|digits 0 to 9/);
	});

	it('is not said to be right with a + where it has too many digits', () => {
		expect(problemWith(['5511999990001234']).description).not.toContain('write +');
	});

	it.each(['1', ' ', '-', '(', '.', '+', '@', 'e', '\u200b', '\ud800', '1.', '1@', '1e', '( ', '[[', '(0)'])(
		'is refused in one go however long: 200,000 of %j',
		(unit) => {
			const text = `x${unit.repeat(200_000 / unit.length)}x`;

			expect(refusal([text])).toContain('more than 100 characters');
			expect(refusal(text).length).toBeLessThan(250);
		},
	);

	it('may have up to 100 characters', () => {
		const spaced = (spaces: number) => `55${' '.repeat(spaces)}11999990001`;

		expect(sent([spaced(87)])).toEqual(['5511999990001']);
		expect(refusal([spaced(88)])).toContain('more than 100 characters');
	});
});

describe('a number that no phone has', () => {
	it.each([
		['+55 11 9900', 'is too short for Brazil'],
		['+55 11 99999-00012', 'is too long for Brazil'],
		['+31 6 123456789', 'is no number of the Netherlands: none has that length'],
		['+210 1234 5678', "doesn't begin with a country code"],
		['+7 495 1234', 'is too short for Russia or Kazakhstan'],
		['+882 12345', 'is too short for +882'],
		['+1 911 456 7890', 'is no number of North America'],
		['+1 202 156 7890', 'is no number of North America'],
	])('is refused with the country that it was taken for: %s', (number, says) => {
		const { brief, description } = problemWith([number]);

		expect(brief).toBe(`"${number}" ${says}`);
		expect(description).toMatch(/Check for missing digits|instead of the 0/);
		expect(description).not.toContain('Default Country Code');
	});

	it.each([
		['+1 202 555 0100', '12025550100'],
		['+55 11 3333-4444', '551133334444'],
		['+7 707 123 4567', '77071234567'],
		['+882 32 123 4567', '882321234567'],
	])('is none of these: %s', (number, as) => {
		expect(sent([number])).toEqual([as.length < 10 ? `${as}@s.whatsapp.net` : as]);
	});
});

describe('a number without + and country code option', () => {
	it.each(['11 3333-4444', '21 3333-4444', '22518139912', '(415) 555-0132', '9812345678'])(
		'is refused where it looks local: %s',
		(number) => {
			const problem = problemWith([number]);

			expect(problem.brief).toBe(
				`"${number}" has no country code: write + and the country code, or set Default Country Code`,
			);
			expect(problem.description).toBe(
				"Write + and the country code in front, such as +55 11 99999-0001, or add the option 'Default Country Code'. If the number is from Get Participants, use the field 'jid' instead",
			);
		},
	);

	it.each(['11999990000', '(21) 99999-0001', '15912345678'])(
		'is told that it lacks the code, as Brazilians write to each other: %s',
		(number) => {
			expect(problemWith([number]).brief).toBe(
				`"${number}" has no country code: write + and the country code (Brazil: +55), or set Default Country Code`,
			);
		},
	);

	it.each([
		['551133334444', 'Brazil'],
		['44 20 7946 0958', 'the United Kingdom'],
	])('is refused where it is a landline, which needs the +: %s', (number, country) => {
		const { brief, description } = problemWith([number]);

		expect(brief).toBe(`"${number}" is no mobile number of ${country}`);
		expect(description).toBe(
			`If it's right, write +${number.replaceAll(' ', '')}. If it has no country code, add the option 'Default Country Code'`,
		);
		expect(sent([`+${number}`])).toHaveLength(1);
	});
});

describe('a date', () => {
	it.each(['2026-11-24', '24.11.2026', '24 11 2026', '2026-11-24T08:00:00.000Z', '24/11/2026 10:30'])(
		'is told from a phone number: %s',
		(date) => {
			expect(problemWith([date]).brief).toBe(`"${date}" is a date`);
		},
	);

	it.each(['20261124', '24112026', '19000101', '31122099'])(
		'may be what 8 digits are, also with a country code set: %s',
		(digits) => {
			for (const code of [{}, { defaultCountryCode: '47' }]) {
				const { brief, description } = problemWith([digits], { ...plain, ...code });

				expect(brief).toBe(`"${digits}" may be a date`);
				expect(description).toBe("If it's a number, write + and the country code in front");
			}
		},
	);

	it.each([
		['20261324', '216'],
		['18991231', '855'],
		['21000101', '216'],
		['32112026', '216'],
	])('is not what these are: %s', (digits, code) => {
		expect(sent([digits], { ...plain, defaultCountryCode: code })).toEqual([code + digits]);
	});

	it.each(['+47 20261124', '0047 2026 1124'])('is not what has a country code: %s', (number) => {
		expect(sent([number])).toEqual(['4720261124']);
	});
});

describe('what is said of how numbers are read', () => {
	const said = (values: readonly string[], own?: string, json = {}, options: NumberOptions = plain) =>
		describeReading(
			readParticipants(values, options, json).map((participant) => ({ participant, own })),
			true,
		);

	it.each<[string[], string | undefined, string[]]>([
		[['+5511999990001', '005521988880002', '5511999990001@s.whatsapp.net', '199999999999777@lid'], '49', []],
		[['5511999990001', '5511999990002'], '5511990000001', []],
		[['51991234567'], '49', ['1 number has no + and is read as Peru (1). Check its country code']],
		[
			['51991234567', '51991234568', '51991234568', '31612345678', '5511999990001'],
			'5511990000001',
			['3 numbers have no + and are read as Peru (2), the Netherlands (1). Check the country codes'],
		],
		[
			['51991234567', '31612345678', '33612345678', '4915112345678'],
			undefined,
			[
				'4 numbers have no + and are read as Peru (1), the Netherlands (1), France (1), …. Check the country codes',
			],
		],
	])("is which countries they are of, if not of the own account's: %j, %s", (values, own, hints) => {
		expect(said(values, own)).toEqual(hints);
	});

	it('is nothing where their country code is set', () => {
		expect(said(['0151 12345678'], '5511990000001', {}, { ...plain, defaultCountryCode: '49' })).toEqual([]);
	});

	it.each([
		['34999999999', '+5534999999999 looks like a sample'],
		['99999999900', '+5599999999900 looks like a sample'],
		['+1 555 555 5555, +1 222 222 2222', '+15555555555, +12222222222 look like a sample'],
	])('is that they look like samples: %s', (value, says) => {
		const [hint] = said([value].join().split(', '), undefined, {}, { ...plain, defaultCountryCode: '55' });

		expect(hint).toBe(`${says}, as in a shop's test event. Check where it comes from`);
	});

	it.each([
		['sentAs', { sentAs: '4915112345678' }],
		['participant of a member', { participant: '4915112345678', jid: '199999999999777@lid' }],
	])("is nothing of the node's own output: %s", (_, json) => {
		expect(said(['4915112345678'], undefined, json)).toEqual([]);
		expect(said(['4915112345678'], undefined, { phone: '4915112345678' })).toHaveLength(1);
	});
});

describe('what is wrong with a phone number, as a part of a list', () => {
	it.each([
		['4.91E+12', '"4.91E+12": a spreadsheet changed it'],
		['+4 (0)915', `"+4 (0)915": with a (0) in it, its country code can't be relied on`],
		['120363021345678901@g.us', '"120363021345678901@g.us" is the ID of a group'],
	])('is brief: %p', (value, brief) => {
		expect(problemWith([value]).brief).toBe(brief);
	});
});

describe('an ID', () => {
	it.each([['5511999990001@s.whatsapp.net'], ['5511999990006:12@s.whatsapp.net'], ['55@s.whatsapp.net']])(
		'goes out as it is: %s',
		(value) => {
			expect(readParticipants(`  ${value} `, plain)).toEqual([person(value)]);
			expect(sent([value], { exact: true })).toEqual([value]);
		},
	);

	it.each([
		['5511999990001@c.us', '5511999990001@s.whatsapp.net'],
		['5531999990002:12@c.us', '5531999990002:12@s.whatsapp.net'],
	])(
		'in its old form goes out as the same account in a form that gateways leave as it is: %s',
		(value, as) => {
			expect(readParticipants(value, plain)).toEqual([{ ...person(as), given: value }]);
		},
	);

	it('goes out without invisible marks', () => {
		expect(sent(['\u200e5511999990001@s.whatsapp.net\u200b'])).toEqual(['5511999990001@s.whatsapp.net']);
	});

	it.each([['1234@lid'], ['12345@lid'], ['1234@c.us']])('that gateways refuse is refused: %s', (value) => {
		expect(refusal([value])).toBe(
			`The participant "${value}" isn't a valid ID: it has fewer than 10 characters, and the gateway would refuse the whole request`,
		);
	});

	it.each([
		['120363021345678901@g.us', "it's the ID of a group"],
		['5511999990001@s.whatsapp.net.example.com', 'it has letters'],
		['+5511999990001@s.whatsapp.net', 'it has letters'],
		['5511999990001:@s.whatsapp.net', 'it has letters'],
		['status@broadcast', 'it has letters'],
	])('of something else than a person is refused: %s', (value, reason) => {
		expect(refusal([value])).toContain(`"${value}"`);
		expect(refusal([value])).toContain(reason);
	});
});
