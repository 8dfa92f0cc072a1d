import { readBotId, readGroupJid, readInstanceName } from '../../../nodes/MessagingGateway/input/identifiers';
import { readName } from '../../../nodes/MessagingGateway/input/values';
import { problemOf } from '../support';

describe.each([
	['instance', 'name', readInstanceName],
	['bot', 'ID', readBotId],
])('an %s', (noun, what, read) => {
	it.each([['main'], ['Cloud Três'], ['a/b?c#d'], ['%2e%2e'], [' main '], ['😀'], ['constructor']])(
		'may be named %p, to the letter',
		(value) => {
			expect(read(value)).toBe(value);
		},
	);

	it('may be named by a number', () => {
		expect(read(5511999990001)).toBe('5511999990001');
	});

	it.each([[undefined], [null], [''], ['   '], ['\n\t'], ['\u200b']])(
		'is asked for where it is %p',
		(value) => {
			const problem = problemOf(() => read(value));

			expect(problem.message).toBe(`The ${noun} is empty`);
			expect(problem.description).toBe(
				`Choose it with 'From List', or enter its ${what} exactly as the gateway shows it`,
			);
		},
	);

	it.each([
		['.', '"."'],
		['..', '".."'],
		[true, 'true'],
		[{}, 'an object'],
		[['main'], 'a list'],
	])('is refused where it is %p', (value, shown) => {
		expect(problemOf(() => read(value)).message).toBe(`The ${noun} ${shown} isn't valid`);
	});

	it('is refused where half a character would make it impossible to encode', () => {
		expect(problemOf(() => read('a\ud800')).message).toBe(`The ${noun} "a" isn't valid`);
	});
});

describe('a name', () => {
	const read = (value: unknown) => readName(value, "'Name'", 'Enter one');

	it.each([['\u200b'], [' \u2060\u200d '], ['\ufeff\r\n'], ['\u3164'], [''], [null]])(
		'of nothing that can be seen is none: %j',
		(value) => {
			expect(problemOf(() => read(value)).message).toBe("'Name' is empty");
		},
	);

	it.each([['👩‍👧'], ['☺️'], ['می‌خواهم'], ['a\u200b']])('keeps what joins its signs: %j', (value) => {
		expect(read(value)).toBe(value);
	});
});

describe('a group', () => {
	it.each([
		['120363021345678901@g.us', '120363021345678901@g.us'],
		['120363021345678901', '120363021345678901@g.us'],
		['5511999999999-1600000000@g.us', '5511999999999-1600000000@g.us'],
		[' 120363021345678901@g.us\n', '120363021345678901@g.us'],
		[1203630213456789, '1203630213456789@g.us'],
	])('named %p is %s', (value, expected) => {
		expect(readGroupJid(value)).toBe(expected);
	});

	it.each([[undefined], [null], [''], ['  ']])('is asked for where it is %p', (value) => {
		const problem = problemOf(() => readGroupJid(value));

		expect(problem.message).toBe('The group is empty');
		expect(problem.description).toContain('120363021345678901@g.us');
	});

	it.each([
		['an invite link', 'https://chat.whatsapp.com/AbCdEf123456'],
		['an invite link', 'chat.whatsapp.com/AbCdEf123456'],
		['a phone number', '5511999990001'],
		["a person's ID", '5511999990001@s.whatsapp.net'],
		["a person's ID", '199999999999777@lid'],
		["a channel's ID", '120363021345678901@newsletter'],
		["a broadcast list's ID", 'status@broadcast'],
	])('is told from %s: %s', (what, value) => {
		const problem = problemOf(() => readGroupJid(value));

		expect(problem.message).toBe(`The group "${value}" looks like ${what}, not a group ID`);
		expect(problem.description).toContain('120363021345678901@g.us');
	});

	it.each([
		[true, 'true'],
		['My group', '"My group"'],
		['1.20363E+17', '"1.20363E+17"'],
		['120363021345678901@g.us.example.com', '"120363021345678901@g.us.example.com"'],
		['١٢٣٤٥٦٧٨٩٠@g.us', '"١٢٣٤٥٦٧٨٩٠@g.us"'],
		[{ id: '1' }, 'an object'],
		[['120363021345678901@g.us'], 'a list'],
	])('is refused where it is %p', (value, shown) => {
		const problem = problemOf(() => readGroupJid(value));

		expect(problem.message).toBe(`The group ${shown} isn't a group ID`);
		expect(problem.description).toContain('120363021345678901@g.us');
	});

	// eslint-disable-next-line no-loss-of-precision -- what a spreadsheet makes of a group ID
	it.each([[120363021345678901], [1.5], [NaN], [Infinity]])(
		'that lost digits as the number %d is refused',
		(value) => {
			const problem = problemOf(() => readGroupJid(value));

			expect(problem.message).toBe(`The group ID ${value} is a number that lost digits`);
			expect(problem.description).toContain('plain text');
		},
	);

	it('is refused in one go however long it is', () => {
		for (const unit of ['-', '1', '1-', '1 ', '@'])
			expect(problemOf(() => readGroupJid(`${unit.repeat(100_000)}x`)).message.length).toBeLessThan(120);
	});
});
