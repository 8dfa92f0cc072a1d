import { readParticipants } from '../../../nodes/MessagingGateway/input/participants';
import { problemOf } from '../support';

const FORMAT = /^Format the column as plain text/;
const ENTER = /^Enter phone numbers with country code.*Separate them with commas/;
const ADD_CODE = /^Write \+ and the country code in front.*'Default Country Code'$/;
const CHECK = /^Check for missing digits, or two numbers in one/;

/** Columns as people have them, by what is wrong with them; each with what a row is told, and what to do. */
const columns: Array<[column: string, cells: Array<[cell: unknown, says: string, whatToDo: RegExp]>]> = [
	[
		'numbers of a spreadsheet',
		[
			[5511999990001, '', /^$/],
			[551190000000, '551190000000 ends in six zeros, so a spreadsheet has probably rounded it', FORMAT],
			[-11999989945, "-11999989945 isn't a positive whole number", FORMAT],
			[11999990001, '"11999990001" is no number of North America', ADD_CODE],
		],
	],
	[
		'a spreadsheet that was saved as CSV',
		[
			['5.512E+12', '"5.512E+12": a spreadsheet changed it', FORMAT],
			['5,51E+12', '"5,51E+12": a spreadsheet changed it', FORMAT],
			['5511999990001.0', '"5511999990001.0": a spreadsheet changed it', FORMAT],
			['#ERROR!', '"#ERROR!": a spreadsheet changed it', FORMAT],
			['#N/A', '"#N/A": a spreadsheet changed it', FORMAT],
		],
	],
	[
		'local numbers of Brazil',
		[
			['(11) 99999-0001', '"(11) 99999-0001" is no number of North America', ADD_CODE],
			['21988880002', '"21988880002" doesn\'t begin with a country code', ADD_CODE],
			['55 99999-0001', '"55 99999-0001" is too short for Brazil', ADD_CODE],
			['51 9999-0001', '"51 9999-0001" is no mobile number of Peru', /^If it's right, write \+5199990001/],
			['99999-0001', '"99999-0001" has fewer than 10 digits and no +', ADD_CODE],
		],
	],
	[
		'local numbers of others',
		[
			['0151 12345678', '"0151 12345678" begins with 0, so it has no country code', ADD_CODE],
			['(202) 555-0100', '"(202) 555-0100" is no mobile number of Egypt', /^If it's right, write \+20/],
			['55 1234 5678', '"55 1234 5678" is too short for Brazil', ADD_CODE],
			['98765 43210', '"98765 43210" is no number of Iran: none has that length', ADD_CODE],
			['7400 123456', '"7400 123456" is too short for Russia or Kazakhstan', ADD_CODE],
		],
	],
	[
		'a CRM',
		[
			['tel:+5511999990001', '"tel:+5511999990001" has letters', ENTER],
			['+55 (011) 99999-0001', '"+55 (011) 99999-0001" is too long for Brazil', CHECK],
			['+1 55 11 99999-0001', '"+1 55 11 99999-0001" is too long for North America', CHECK],
		],
	],
	[
		'a form, with two numbers in a cell',
		[
			['+5511999990001\n+5521988880002', '', /^$/],
			[
				'+5511999990001 / +5521988880002',
				'"+5511999990001 / +5521988880002" has symbols that aren\'t part of a phone number',
				ENTER,
			],
			[
				'5511999990001 5521988880002',
				'"5511999990001 5521988880002" has more than 15 digits, so it may be two numbers run together',
				ENTER,
			],
		],
	],
	[
		'dates',
		[
			['2026-11-24', '"2026-11-24" is a date', /^Check which column/],
			[20261124, '"20261124" may be a date', /^If it's a number, write \+/],
			[46350, '"46350" has fewer than 10 digits and no +', ADD_CODE],
			[1795478400000, '"1795478400000" is too long for North America', ADD_CODE],
		],
	],
	['prices', [['1299.90', '"1299.90" has fewer than 10 digits and no +', ADD_CODE]]],
	[
		'IDs',
		[
			['CUST-00012', '"CUST-00012" has letters', ENTER],
			[100234567890123, '"100234567890123" is too long for North America', ADD_CODE],
			['120363021345678901@g.us', '"120363021345678901@g.us" is the ID of a group', ENTER],
		],
	],
	[
		'names',
		[
			['Maria Silva', '"Maria Silva" has letters', ENTER],
			['-', '"-" has no digits', ENTER],
			['?', '"?" has symbols that aren\'t part of a phone number', ENTER],
		],
	],
];

describe.each(columns)('a column of %s', (_, cells) => {
	it.each(cells)('is read, or says what is wrong: %j', (cell, says, whatToDo) => {
		const read = () => readParticipants(cell, { exact: false });
		if (says === '') {
			expect(read().length).toBeGreaterThan(0);
			return;
		}
		const { brief, description } = problemOf(read);

		expect(brief).toBe(says);
		expect(description).toMatch(whatToDo);
	});
});
