import {
	formatBadRows,
	nameOfRow,
	personOfRow,
	spellFields,
} from '../../nodes/MessagingGateway/common/badRows';
import { Problem, type Fault } from '../../nodes/MessagingGateway/common/problem';
import { nameSome, oneLine, quote } from '../../nodes/MessagingGateway/common/text';

const rows = (...pairs: Array<[number, string | Problem]>) =>
	pairs.map(([row, problem]) => ({ name: `row ${row}`, problem }));
const about = (value: string, fault: Fault, ofMany?: Fault) => new Problem('', '', { value, fault, ofMany });
const WITHOUT = ['they have no country code', 'Choose one'] as const;
const letters = about('ask Maria', ['has letters']);

describe('a row', () => {
	it.each<[object, string]>([
		[{ row_number: 5, id: 7 }, 'row 5'],
		[{ row_number: '12' }, 'row 12'],
		[{ id: 7 }, 'the row with id 7'],
		[{ row_number: '12a', id: 'rec8Qz-1' }, 'the row with id rec8Qz-1'],
		[{ id: 'x'.repeat(41) }, 'item 3'],
		[{ id: 'Ana Silva' }, 'item 3'],
		[{ id: 'a\u202eb' }, 'item 3'],
		[{ id: { n: 1 } }, 'item 3'],
		[{}, 'item 3'],
	])('is named by its number, its id, or as n8n counts: %j', (json, name) => {
		expect(nameOfRow({ ...json }, 3)).toBe(name);
	});

	it.each<[unknown, object, string]>([
		[' +55 11 99999-0001\n', { name: 'Ana' }, ' "+55 11 99999-0001"'],
		[5511999990001, {}, ' "5511999990001"'],
		[['+5511999990001', 5521988880002], {}, ' "+5511999990001, 5521988880002"'],
		['', { row_number: '2', id: 'a1', joined: true, phone: ' ', name: 'Ana', city: 'Rio' }, ' "Ana"'],
		[undefined, { id: 'a1' }, ''],
		['', { createdAt: '2026-11-28T02:55:25.444Z', at: '2026-11-28 02:55' }, ''],
		[{}, { id: 'a1', age: 5 }, ''],
	])('is found by its participants as given, or the first text in it: %j %j', (given, json, person) => {
		expect(personOfRow(given, { ...json })).toBe(person);
	});
});

describe("rows that can't be read", () => {
	it('share a reason that is said once', () => {
		const bad = rows([5, 'it is empty'], [7, letters], [9, 'it is empty']);

		expect(formatBadRows(bad, 3)).toBe(
			`3 of 3 rows can't be read: row 5, row 9 (it is empty), row 7 ("ask Maria" has letters)`,
		);
	});

	it('are at most five, one of each reason among them', () => {
		const empty = Array.from({ length: 1200 }, (_, i): [number, string] => [i, 'it is empty']);

		expect(formatBadRows(rows(...empty, [2000, letters]), 3000)).toBe(
			`1,201 of 3,000 rows can't be read: row 0, row 1, row 2, row 3 (it is empty), row 2000 ("ask Maria" has letters) and 1,196 more`,
		);
	});

	it('are one reason where it is that of all', () => {
		const bad = rows(
			...Array.from({ length: 1000 }, (_, i): [number, string] => [i, 'the participants are empty']),
		);

		expect(formatBadRows(bad, 1000)).toBe('none of the 1,000 rows can be read: the participants are empty');
		expect(formatBadRows(bad.slice(999), 1000)).toBe(
			"1 of 1,000 rows can't be read: row 999 (the participants are empty)",
		);
	});

	it.each<[string, ReturnType<typeof rows>, number]>([
		[
			'2 of 9 rows can\'t be read: row 2 "Bea", row 3 "Ana" (each has letters)',
			rows([2, about('Bea', ['has letters', 'write +1'])], [3, about('Ana', ['has letters', 'write +2'])]),
			9,
		],
		[
			'2 of 9 rows can\'t be read: row 2 "1", row 3 "2" (they have no country code)',
			rows([2, about('1', ['may be a'], WITHOUT)], [3, about('2', ['may be b'], WITHOUT)]),
			9,
		],
		[
			`none of the 2 rows can be read: ${WITHOUT.join('. ')}`,
			rows([2, about('1', ['may be a'], WITHOUT)], [3, about('2', ['may be b'], WITHOUT)]),
			2,
		],
		[
			'none of the 2 rows can be read: each is a date',
			rows([2, about('1', ['is a date'])], [3, about('2', ['is a date'])]),
			2,
		],
		[
			'1 of 2 rows can\'t be read: row 2 ("1": a sheet changed it)',
			rows([2, about('1', ['', 'a sheet changed it'])]),
			2,
		],
	])('say a reason once, with the values beside the rows: %s', (said, bad, total) => {
		expect(formatBadRows(bad, total)).toBe(said);
	});
});

test.each([
	[['phone', 'name'], 'phone, name'],
	[['phone ', ' name'], '"phone ", " name"'],
	[['\ufeffphone', 'na\u200bme'], 'phone with an invisible mark in front, name with an invisible mark in it'],
])('fields are spelled so that what is wrong with a name can be seen: %j', (names, spelled) => {
	expect(spellFields(names)).toBe(spelled);
});

describe('foreign text in one line', () => {
	it.each([
		['stays as it is', 'Instance "X" not found', 'Instance "X" not found'],
		['loses line breaks', 'a\r\nb\nc\u2028d\u2029e\u0085f', 'a b c d e f'],
		['loses runs of space', '  a \t\t b  ', 'a b'],
		['loses control characters', 'a\u0000b\u001b[31mc', 'a b [31mc'],
		['loses marks that turn text around', 'a\u202eb\u2066c', 'a b c'],
		['loses invisible spaces', '\ufeffa\u200bb', 'a b'],
		['loses half characters', 'a\ud800b\udc00', 'a b'],
		['keeps whole characters', 'Três 😀 ключ', 'Três 😀 ключ'],
		['may be empty', '', ''],
		['may be nothing but space', ' \n\u200b', ''],
	])('%s', (_, text, expected) => {
		expect(oneLine(text)).toBe(expected);
	});

	it('keeps 500 characters, and ends in an ellipsis where it is longer', () => {
		expect(oneLine('a'.repeat(500))).toBe('a'.repeat(500));
		expect(oneLine('a'.repeat(501))).toBe(`${'a'.repeat(499)}…`);
	});

	it('ends in an ellipsis where only spaces were left out of what is kept', () => {
		expect(oneLine(`a${' '.repeat(5000)}b`, 10)).toBe('a…');
		expect(oneLine(`a${' '.repeat(39)}`, 10)).toBe('a');
		expect(oneLine(`a${' '.repeat(40)}`, 10)).toBe('a…');
	});

	it('is not cut in the middle of a character', () => {
		expect(oneLine(`${'a'.repeat(498)}😀${'a'.repeat(100)}`)).toBe(`${'a'.repeat(498)}…`);
		expect(oneLine(`\uFFFD${'a'.repeat(497)}😀${'a'.repeat(100)}`)).toBe(`\uFFFD${'a'.repeat(497)}…`);
	});

	it.each([['a'], [' '], ['\n'], ['\u200b'], ['\ud800'], ['😀']])('is short for 1 MB of %j', (unit) => {
		expect(oneLine(unit.repeat(1_000_000 / unit.length)).length).toBeLessThanOrEqual(500);
	});
});

it('names people without a sign that begins HTML, where a name could hide the others', () => {
	expect(nameSome(['Eve<!--', 'Bo'])).toBe('Eve‹!--, Bo');
});

describe('a value in a message', () => {
	it.each([
		['5.51E+12', '"5.51E+12"'],
		['', '""'],
		['a\nb', '"a b"'],
		['a\u202eb', '"a b"'],
		['a'.repeat(61), `"${'a'.repeat(59)}…"`],
		[5.51e12, '5510000000000'],
		[NaN, 'NaN'],
		[true, 'true'],
		[null, 'null'],
		[undefined, 'undefined'],
		[[1], 'a list'],
		[{ a: 1 }, 'an object'],
		[Object.create(null), 'an object'],
	])('%p is shown as %s', (value, expected) => {
		expect(quote(value)).toBe(expected);
	});
});
