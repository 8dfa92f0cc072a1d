import { readChoice, readChoices } from '../../../nodes/MessagingGateway/input/choices';
import { problemOf } from '../support';

const COLORS = ['red', 'green', 'blue'] as const;

describe('several choices', () => {
	const read = (value: unknown) => readChoices(value, COLORS, 'Colors');

	it.each<[unknown, string[]]>([
		[['red'], ['red']],
		[
			['blue', 'red', 'blue'],
			['blue', 'red'],
		],
		[['red', 'red'], ['red']],
		[['', 'green'], ['green']],
		['blue', ['blue']],
	])('%j are given each once, in the order of the value', (value, expected) => {
		expect(read(value)).toEqual(expected);
	});

	it.each([[[]], [['']], [''], [null], [undefined]])('are asked for where they are %j', (value) => {
		const problem = problemOf(() => read(value));

		expect(problem.message).toBe("'Colors' is empty");
		expect(problem.description).toBe('Choose one or more of red, green, blue');
	});

	it.each<[unknown, string]>([
		['pink', '"pink"'],
		[['red', 'pink'], '"pink"'],
		['red,green', '"red,green"'],
		[['RED'], '"RED"'],
		[[null], 'null'],
		[5, '5'],
	])('are refused where one of %j is not offered', (value, shown) => {
		const problem = problemOf(() => read(value));

		expect(problem.message).toBe(`'Colors' can't be ${shown}`);
		expect(problem.description).toBe('Choose one or more of red, green, blue');
	});
});

describe('one choice', () => {
	it.each(COLORS)('may be %s', (value) => {
		expect(readChoice(value, COLORS, 'Color')).toBe(value);
	});

	it.each<[unknown, string]>([
		['pink', '"pink"'],
		['RED', '"RED"'],
		['', '""'],
		[undefined, '""'],
		[null, '""'],
		[['red'], 'a list'],
	])('is refused where it is %j', (value, shown) => {
		const problem = problemOf(() => readChoice(value, COLORS, 'Color'));

		expect(problem.message).toBe(`'Color' can't be ${shown}`);
		expect(problem.description).toBe('Choose one of red, green, blue');
	});
});
