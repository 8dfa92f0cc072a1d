import { readBoolean, readRequiredBoolean } from '../../../nodes/MessagingGateway/input/booleans';
import { problemOf } from '../support';

describe('a yes or no', () => {
	it.each([[true], ['true'], ['TRUE'], [1], ['1'], ['yes'], ['Yes'], [' YES\n']])(
		'is yes where it is %p',
		(value) => {
			expect(readRequiredBoolean(value, 'Should Be Member')).toBe(true);
		},
	);

	it.each([[false], ['false'], ['FALSE'], [0], ['0'], ['no'], ['No'], [' NO\n']])(
		'is no where it is %p',
		(value) => {
			expect(readRequiredBoolean(value, 'Should Be Member')).toBe(false);
		},
	);

	it.each([[undefined], [null], [''], [' \n']])('is asked for where it is %p', (value) => {
		const problem = problemOf(() => readRequiredBoolean(value, 'Should Be Member'));

		expect(problem.message).toBe("'Should Be Member' is empty");
		expect(problem.description).toMatch(/^Enter true or false/);
	});

	it.each([
		['maybe', '"maybe"'],
		['y', '"y"'],
		['true false', '"true false"'],
		[2, '2'],
		[-1, '-1'],
		[NaN, 'NaN'],
		[[true], 'a list'],
		[['true'], 'a list'],
		[{}, 'an object'],
	])('is refused where it is %p', (value, shown) => {
		expect(problemOf(() => readRequiredBoolean(value, 'Should Be Member')).message).toBe(
			`'Should Be Member' must be true or false, but it's ${shown}`,
		);
	});
});

describe('a switch', () => {
	it.each([
		[true, true],
		['TRUE', true],
		[' true\n', true],
		[1, true],
		['1', true],
		[false, false],
		['False', false],
		[0, false],
		['0', false],
	])('%p is %p', (value, expected) => {
		expect(readBoolean(value, 'Simplify', !expected)).toBe(expected);
	});

	it.each([
		['yes', '"yes"'],
		['', '""'],
		[undefined, '""'],
		[null, '""'],
		[2, '2'],
		['  ', '""'],
		[[], 'a list'],
		[{}, 'an object'],
		[[true], 'a list'],
	])('is refused where it is %p', (value, shown) => {
		const problem = problemOf(() => readBoolean(value, 'Simplify', true));

		expect(problem.message).toBe(`'Simplify' must be true or false, but it's ${shown}`);
		expect(problem.description).toBe('Change the value or its expression. Default: true');
	});
});
