import { readParticipants } from '../../../nodes/MessagingGateway/domain/input/participants';
import { problemOf } from '../support';

const sent = (value: unknown, exact = false) => readParticipants(value, exact).map(({ sentAs }) => sentAs);
const refusal = (value: unknown) => problemOf(() => readParticipants(value, false)).message;

describe('participants', () => {
	it.each([
		['a list', ['5511999990001', 5521988880002]],
		['text with commas', '5511999990001,5521988880002'],
		['text with semicolons', '5511999990001;5521988880002'],
		['text with line breaks', '5511999990001\n5521988880002'],
		['text from Windows', '5511999990001\r\n5521988880002\r\n'],
		['text with everything, and gaps', ' ,5511999990001 ;\n;, 5521988880002,\n '],
	])('may come as %s', (_, value) => {
		expect(sent(value)).toEqual(['5511999990001', '5521988880002']);
	});

	it('may be one number', () => {
		expect(readParticipants(5511999990001, false)).toEqual([
			{ given: '5511999990001', sentAs: '5511999990001' },
		]);
	});

	it('stay in order, with repeats', () => {
		expect(sent('5521988880002,5511999990001,5521988880002')).toEqual([
			'5521988880002',
			'5511999990001',
			'5521988880002',
		]);
	});

	it('are kept as given, but for spaces around them', () => {
		expect(readParticipants(['  +55 (11) 99999-0001\t'], false)).toEqual([
			{ given: '+55 (11) 99999-0001', sentAs: '5511999990001' },
		]);
	});

	it.each([[undefined], [null], [''], [' \n '], [',;\n'], [[]]])(
		'are asked for where they are %p',
		(value) => {
			const problem = problemOf(() => readParticipants(value, false));

			expect(problem.message).toBe('The participants are empty');
			expect(problem.description).toContain('5511999990001@s.whatsapp.net');
		},
	);

	it('may be 100,000', () => {
		const numbers = Array.from({ length: 100_000 }, (_, i) => String(5_511_900_000_000 + i));

		const read = sent(numbers.join('\n'));

		// As one text: showing where two lists of this length differ takes longer than everything else here.
		expect(read.join() === numbers.join()).toBe(true);
	});
});

describe('a phone number', () => {
	it.each([
		['a plus', '+5511999990001'],
		['a leading 00', '005511999990001'],
		['spaces', '55 11 99999 0001'],
		['no-break spaces', '55\u00a011\u202f99999\u20070001'],
		['an ideographic space', '55\u300011999990001'],
		['tabs', '55\t11\t999990001'],
		['round brackets', '55 (11) 999990001'],
		['square brackets', '55 [11] 999990001'],
		['dots', '55.11.99999.0001'],
		['dashes', '55-11-99999-0001'],
		['long dashes', '55‐11‑99999–0001—'],
		['everything', '+55 (11) 9.9999-0001'],
		['the 00 in brackets', '(00)55 11 99999-0001'],
		['the + in brackets', '(+55) 11 99999-0001'],
		['marks of text direction', '\u202a+5511999990001\u202c'],
		['isolating marks of text direction', '\u2066+55 11 99999-0001\u2069'],
		['invisible spaces', '5511\u200b99999\u20600001'],
		['a byte order mark', '\ufeff5511999990001'],
	])('may carry %s', (_, value) => {
		expect(sent([value])).toEqual(['5511999990001']);
	});

	it.each([
		['8 digits', '55119999', '55119999@s.whatsapp.net'],
		['9 digits', '551199999', '551199999@s.whatsapp.net'],
		['8 digits after 00', '0055119999', '55119999@s.whatsapp.net'],
		['10 digits', '5511999990', '5511999990'],
		['15 digits', '551199999000123', '551199999000123'],
		['15 digits after 00', '00551199999000123', '551199999000123'],
	])('of %s goes out as text that gateways take', (_, value, expected) => {
		expect(sent([value])).toEqual([expected]);
	});

	it.each([
		['+55 (31) 99999-0002', '5531999990002@s.whatsapp.net'],
		['55119999', '55119999@s.whatsapp.net'],
		[5531999990002, '5531999990002@s.whatsapp.net'],
		['199999999999777@lid', '199999999999777@lid'],
	])('sent exactly as given, %p goes out as %s', (value, expected) => {
		expect(sent([value], true)).toEqual([expected]);
	});

	it.each([
		['"5511999"', '5511999', 'fewer than 8 digits'],
		['"001234567"', '001234567', 'fewer than 8 digits'],
		['"+"', '+', 'is not a phone number'],
		['"()"', '()', 'fewer than 8 digits'],
		['"1234567"', 1234567, 'fewer than 8 digits'],
		['"5511999990001234"', '5511999990001234', 'more than 15 digits'],
		['"5511999990001 5521988880002"', '5511999990001 5521988880002', 'two numbers run together'],
		['"55119999 55219888"', '55119999\u202855219888', 'two numbers run together'],
		['"+55 11 99999-0001 +55 21 98888-0002"', '+55 11 99999-0001 +55 21 98888-0002', 'letters, or signs'],
		['"55119999a0001"', '55119999a0001', 'letters, or signs'],
		['"Maria"', 'Maria', 'letters, or signs'],
		['"tel:+5511999990001"', 'tel:+5511999990001', 'letters, or signs'],
		['"5511999990001/2"', '5511999990001/2', 'letters, or signs'],
		['"٥٥١١٩٩٩٩٩٠٠٠١"', '٥٥١١٩٩٩٩٩٠٠٠١', 'letters, or signs'],
		['"５５１１９９９９９０００１"', '５５１１９９９９９０００１', 'letters, or signs'],
		['"5511999990001, 5521988880002"', '5511999990001, 5521988880002', 'letters, or signs'],
		['"5.51E+12"', '5.51E+12', 'spreadsheet'],
		['"+5.51E+12"', '+5.51E+12', 'spreadsheet'],
		['"-5.51E+12"', '-5.51E+12', 'spreadsheet'],
		['"5.51E+12 a"', '5.51E+12 a', 'letters, or signs'],
		['"5.51e12"', '5.51e12', 'spreadsheet'],
		['"5,51E+12"', '5,51E+12', 'spreadsheet'],
		['"5511999990001.0"', '5511999990001.0', 'spreadsheet'],
		['"5511999990001.00"', '5511999990001.00', 'spreadsheet'],
		['""', '', 'empty'],
		['""', '  ', 'empty'],
		['""', '\u200e\u200f', 'empty'],
		['0', 0, 'not a positive whole number'],
		['-5511999990001', -5511999990001, 'not a positive whole number'],
		['5511999990001.5', 5511999990001.5, 'not a positive whole number'],
		['NaN', NaN, 'not a positive whole number'],
		['Infinity', Infinity, 'not a positive whole number'],
		['1e+21', 1e21, 'not a positive whole number'],
		['null', null, 'neither text nor a number'],
		['undefined', undefined, 'neither text nor a number'],
		['true', true, 'neither text nor a number'],
		['a list', ['5511999990001'], 'neither text nor a number'],
		['an object', { number: '5511999990001' }, 'neither text nor a number'],
	])('is refused where it is %s', (shown, value, reason) => {
		const problem = problemOf(() => readParticipants(['5511999990001', value], false));

		expect(problem.message).toMatch(`The participant ${shown} is not a phone number: `);
		expect(problem.message).toContain(reason);
		expect(problem.description).toContain('country code');
	});

	it('from a spreadsheet with commas is refused inside text too', () => {
		expect(refusal('5,51E+12')).toContain('The participant "5" is not a phone number');
	});

	it.each([
		['5511999990001', '5511999990001X'],
		['199999999999777@lid', '@lid'],
	])('that is refused stops the others: %s', (good, bad) => {
		expect(refusal([good, bad, good])).toContain(`"${bad}"`);
	});

	it.each([
		['1'],
		[' '],
		['-'],
		['('],
		['.'],
		['+'],
		['@'],
		['e'],
		['\u200b'],
		['\ud800'],
		['1.'],
		['1@'],
		['1e'],
	])('is refused in one go however long: 100 kB of %j', (unit) => {
		expect(refusal([unit.repeat(100_000 / unit.length)]).length).toBeLessThan(250);
	});
});

describe('an ID', () => {
	it.each([
		['5511999990001@s.whatsapp.net'],
		['5511999990001@c.us'],
		['199999999999777@lid'],
		['5511999990006:12@s.whatsapp.net'],
		['55@s.whatsapp.net'],
		['5531999990002@s.whatsapp.net'],
	])('goes out as it is: %s', (value) => {
		expect(readParticipants(`  ${value} `, false)).toEqual([{ given: value, sentAs: value }]);
		expect(sent([value], true)).toEqual([value]);
	});

	it('goes out without invisible marks', () => {
		expect(sent(['\u200e5511999990001@s.whatsapp.net\u200b'])).toEqual(['5511999990001@s.whatsapp.net']);
		expect(sent(['\u200e 5511999990001@s.whatsapp.net'])).toEqual(['5511999990001@s.whatsapp.net']);
	});

	it.each([
		['120363021345678901@g.us', 'it is the ID of a group'],
		['120363021345678901@g.us.example.com', 'letters, or signs'],
		['5511999990001@example.com', 'letters, or signs'],
		['5511999990001@s.whatsapp.net.example.com', 'letters, or signs'],
		['maria@s.whatsapp.net', 'letters, or signs'],
		['@s.whatsapp.net', 'letters, or signs'],
		['55 11 99999-0001@s.whatsapp.net', 'letters, or signs'],
		['5511999990001@s.whatsapp.net@lid', 'letters, or signs'],
		['status@broadcast', 'letters, or signs'],
		['120363021345678901@newsletter', 'letters, or signs'],
	])('of something else than a person is refused: %s', (value, reason) => {
		expect(refusal([value])).toContain(`"${value}"`);
		expect(refusal([value])).toContain(reason);
	});
});
