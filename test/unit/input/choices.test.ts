import { MissingValue } from '../../../nodes/MessagingGateway/common/problem';
import { readChoice, readChoices } from '../../../nodes/MessagingGateway/input/choices';
import { problemOf } from '../support';

const COLORS = ['red', 'green', 'lightBlue'] as const;

describe('several choices', () => {
	const read = (value: unknown) => readChoices(value, COLORS, 'Colors');

	it.each<[unknown, string[]]>([
		[
			['lightBlue', 'red', 'lightBlue'],
			['lightBlue', 'red'],
		],
		[['', 'green'], ['green']],
		['red', ['red']],
	])('%j are given each once, in the order of the value', (value, expected) => {
		expect(read(value)).toEqual(expected);
	});

	it.each<[unknown, string]>([
		[[], 'is empty'],
		[[''], 'is empty'],
		[undefined, 'is empty'],
		[['red', 'pink'], 'can\'t be "pink"'],
		['red,green', 'can\'t be "red,green"'],
		[['RED'], 'can\'t be "RED"'],
		[5, "can't be 5"],
	])('are refused as %j', (value, says) => {
		expect(problemOf(() => read(value))).toMatchObject({
			message: `'Colors' ${says}`,
			description: 'Choose one or more of red, green, lightBlue',
		});
	});
});

describe('one choice', () => {
	const read = (value: unknown) => readChoice(value, COLORS, 'Color');

	it.each(['lightBlue', 'LIGHTBLUE', ' LightBlue\n'])('may be %j', (value) => {
		expect(read(value)).toBe('lightBlue');
	});

	it.each<[unknown, string]>([
		['pink', '"pink"'],
		['', '""'],
		[undefined, '""'],
		[['red'], 'a list'],
	])('is refused as %j', (value, shown) => {
		const problem = problemOf(() => read(value));
		expect(problem).toMatchObject({
			message: `'Color' can't be ${shown}`,
			description: 'Use one of red, green, lightBlue',
		});
		expect(problem instanceof MissingValue).toBe(shown === '""');
	});
});
