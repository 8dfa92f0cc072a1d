import { describeReading, readParticipants } from '../../../nodes/MessagingGateway/input/participants';
import type { NumberOptions } from '../../../nodes/MessagingGateway/input/phoneNumber';
import { sizeOf } from '../../thorough';
import { person, problemOf } from '../support';

const plain: NumberOptions = {};
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

describe('what is said of how numbers are read', () => {
	const said = (values: readonly string[], own?: string, json = {}, options: NumberOptions = plain) =>
		describeReading(readParticipants(values, options, json).map((participant) => ({ participant, own })));

	it.each<[string[], string | undefined, string[]]>([
		[['+5511999990001', '005521988880002', '199999999999777@lid'], '49', []],
		[['5511999990001@c.us'], '49', ['1 number has no + and is read as Brazil (1). Check its country code']],
		[['5511999990001', '5511999990002'], '5511990000001', []],
		[['51991234567'], '49', ['1 number has no + and is read as Peru (1). Check its country code']],
		[
			['51991234567', '51991234568', '51991234568', '31612345678', '5511999990001'],
			'5511990000001',
			['3 numbers have no + and are read as Peru (2), the Netherlands (1). Check the country codes'],
		],
		[
			['51991234567', '16098765432', '6591301969', '919812345678', '4915112345678'],
			'4915112345678',
			[
				'4 numbers have no + and are read as Peru (1), North America (1), Singapore (1), …. Check the country codes',
			],
		],
		[
			['51991234567', '16098765432', '4915112345678', '5511999990001'],
			undefined,
			[
				'4 numbers have no + and are read as Peru (1), North America (1), Germany (1), …. Check the country codes',
			],
		],
	])("is which countries they are of, if not of the own account's: %j, %s", (values, own, hints) => {
		expect(said(values, own)).toEqual(hints);
	});

	it('is nothing where their country code is set', () => {
		expect(said(['0151 12345678'], '5511990000001', {}, { ...plain, defaultCountryCode: '49' })).toEqual([]);
	});

	it.each([
		['sentAs', { groupJid: '1@g.us', sentAs: '51991234567' }],
		[
			'participant of a member',
			{ groupJid: '1@g.us', participant: '51991234567', jid: '199999999999777@lid' },
		],
	])("is nothing of the node's own output: %s", (_, json) => {
		expect(said(['51991234567'], undefined, json)).toEqual([]);
	});

	it.each([
		[{ phone: '51991234567' }],
		[{ participant: '51991234567', jid: '199999999999777@lid' }],
		[{ participant: '51991234567', jid: '', groupJid: '1@g.us' }],
		[{ sentAs: '51991234567', groupJid: '' }],
		[{ sentAs: '51991234567', groupJid: 'abc' }],
		[{ jid: '51991234567', groupJid: '1@g.us' }],
	])("is told of somebody's own columns: %j", (json) => {
		expect(said(['51991234567'], undefined, json)).toHaveLength(1);
	});
});

describe('an ID', () => {
	it.each([['5511999990001@s.whatsapp.net'], ['5511999990006:12@s.whatsapp.net'], ['199999999999777@lid']])(
		'goes out as it is: %s',
		(value) => {
			expect(readParticipants(`  ${value} `, plain)).toMatchObject([person(value)]);
		},
	);

	it.each([
		['5511999990001@c.us', '5511999990001@s.whatsapp.net'],
		['5531999990002:12@c.us', '5531999990002:12@s.whatsapp.net'],
	])(
		'in its old form goes out as the same account in a form that gateways leave as it is: %s',
		(value, as) => {
			expect(readParticipants(value, plain)).toMatchObject([{ ...person(as), given: value }]);
		},
	);

	it.each(['jid', 'lid', 'sentAs'])(
		'in the field %s of an output is never refused for its digits',
		(field) => {
			const id = '51991234567@s.whatsapp.net';
			const json = { [field]: id, groupJid: '1@g.us' };

			expect(readParticipants(id, { defaultCountryCode: '55' }, json)).toEqual([person(id)]);
			expect(
				readParticipants('999@s.whatsapp.net', plain, { [field]: '999@s.whatsapp.net', groupJid: '1@g.us' }),
			).toHaveLength(1);
			expect(() => readParticipants(id, { defaultCountryCode: '55' }, { [field]: id })).toThrow('Peru');
			expect(() =>
				readParticipants(id, { defaultCountryCode: '55' }, { phone: id, groupJid: '1@g.us' }),
			).toThrow('Peru');
		},
	);

	it('is refused later where the members are read, since they may show it', () => {
		const [id] = readParticipants('999@s.whatsapp.net', { readsMembers: true });

		expect(id).toMatchObject({ ...person('999@s.whatsapp.net'), isGuessed: true });
		expect(id?.doubt?.message).toContain('has fewer than 10 digits');
		expect(() => readParticipants('0151 12345678', { readsMembers: true })).toThrow('begins with 0');
	});

	it('goes out without invisible marks', () => {
		expect(sent(['\u200e5511999990001@s.whatsapp.net\u200b'])).toEqual(['5511999990001@s.whatsapp.net']);
	});
});
