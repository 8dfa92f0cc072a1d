import { booleanIn, readRequiredBoolean } from '../../../nodes/MessagingGateway/input/choices';
import { problemOf } from '../support';

const read = (value: unknown) => readRequiredBoolean(value, 'Paid', { Pago: value });

describe('true or false', () => {
	it.each([
		[true, [true, 'true', ' TRUE\n', 1, '1', 'yes', ' Yes']],
		[false, [false, 'false', 'False', 0, '0', 'no', 'NO\n']],
	])('is %p', (expected, values) => {
		expect(values.map(read)).toEqual(values.map(() => expected));
	});

	it.each([[undefined], [null], [''], [' \n']])('is asked for where it is %p', (value) => {
		expect(booleanIn(value)).toBeUndefined();
		expect(problemOf(() => read(value)).message).toBe("'Paid' is empty");
	});

	it.each([
		['maybe', '"maybe"'],
		['true false', '"true false"'],
		[2, '2'],
		[NaN, 'NaN'],
		[[true], 'a list'],
		[{}, 'an object'],
	])('is refused where it is %p', (value, shown) => {
		expect(booleanIn(value)).toBeUndefined();
		expect(problemOf(() => read(value)).message).toBe(`'Paid' must be true or false, but it's ${shown}`);
	});

	it.each([
		['sim', "{{ $json.Pago === 'sim' }}"],
		['não', "{{ $json.Pago === 'sim' }}"],
		['bezahlt', "{{ $json.Pago === 'bezahlt' }}"],
		['31/12/2026', "{{ DateTime.fromFormat($json.Pago, 'd/M/yyyy') >= $today }}"],
		['31.12.2026', "{{ DateTime.fromFormat($json.Pago, 'd.M.yyyy') >= $today }}"],
		['2026-12-31T00:00:00Z', '{{ DateTime.fromISO($json.Pago) >= $today }}'],
	])('comes with the expression to write where it is %j', (value, expression) => {
		expect(problemOf(() => read(value)).description).toBe(
			`Enter true or false; yes, no, 1, and 0 work too. For other words, write an expression such as ${expression}`,
		);
	});
	it('comes with none where it is a sentence, as an expression says what is wrong', () => {
		const problem = problemOf(() => read('paidUntil must be like 2027-01-31, but it is tomorrow'));
		expect(problem.description).toBe('Enter true or false; yes, no, 1, and 0 work too');
	});
});
