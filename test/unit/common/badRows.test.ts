import { nameOfRow, personOfRow, formatBadRows } from '../../../nodes/MessagingGateway/common/badRows';

const rows = (...pairs: Array<[number, string]>) =>
	pairs.map(([row, reason]) => ({ name: `row ${row}`, reason }));
const letters = '"ask Maria" has letters';

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
		[{}, { id: 'a1', age: 5 }, ''],
	])('is found by its participants as given, or the first text in it: %j %j', (given, json, person) => {
		expect(personOfRow(given, { ...json })).toBe(person);
	});
});

describe("rows that can't be read", () => {
	it('share a reason that is said once', () => {
		const bad = rows([5, 'it is empty'], [7, letters], [9, 'it is empty']);

		expect(formatBadRows(bad, 3)).toBe(
			`3 of 3 rows can't be read: row 5, row 9 (it is empty), row 7 (${letters})`,
		);
	});

	it('are at most five, one of each reason among them', () => {
		const empty = Array.from({ length: 1200 }, (_, i): [number, string] => [i, 'it is empty']);

		expect(formatBadRows(rows(...empty, [2000, letters]), 3000)).toBe(
			`1,201 of 3,000 rows can't be read: row 0, row 1, row 2, row 3 (it is empty), row 2000 (${letters}) and 1,196 more`,
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
});
