import { MissingValue } from '../../../nodes/MessagingGateway/common/problem';
import {
	includeSecrets,
	Options,
	optionsOf,
	readBooleanField,
	readListOptions,
	requestFields,
	returnAllField,
} from '../../../nodes/MessagingGateway/fields/options';
import {
	booleanIn,
	readChoice,
	readChoices,
	readRequiredBoolean,
} from '../../../nodes/MessagingGateway/input/values';
import { problemOf } from '../support';
import { contextWith } from './context';
import * as groupOptions from '../../../nodes/MessagingGateway/fields/groupOptions';

const { batchInterval, batchSize, dryRun, includeInputFields } = groupOptions;

const parametersWith = (saved: Parameters<typeof contextWith>[0]) => contextWith(saved).parameters.of(0);
const optionsWith = (added: object) => new Options(parametersWith({ options: { ...added } }));

describe('a switch', () => {
	it.each([[includeInputFields, true, false]])(
		'that nobody has added has a value of its own, and arrives in the other position: $name',
		(option, valueIfAbsent, added) => {
			expect(optionsWith({}).boolean(option)).toBe(valueIfAbsent);
			expect(option.default).toBe(added);
		},
	);

	it.each([[null], [undefined], ['maybe']])('is refused as %j', (value) => {
		const problem = problemOf(() => optionsWith({ includeInputFields: value }).boolean(includeInputFields));

		expect(problem.message).toMatch(/^'Include Input Fields' must be true or false, but it's /);
		expect(problem.description).toContain('Default: true');
	});
});

describe('a value as it is', () => {
	it.each([
		[{}, undefined],
		[{ defaultCountryCode: undefined }, ''],
		[{ defaultCountryCode: null }, ''],
		[{ defaultCountryCode: 55 }, 55],
	])('tells an option that gives nothing from one that is left out: %j', (added, expected) => {
		expect(optionsWith(added).valueIfAdded(groupOptions.defaultCountryCode)).toBe(expected);
	});
});

describe('a number', () => {
	it.each([
		[7, 7],
		['7', 7],
		[' 7 ', 7],
	])('is read from %j as %d', (value, expected) => {
		expect(optionsWith({ batchSize: value }).wholeNumber(batchSize)).toBe(expected);
	});

	it.each([[0], [-1], [1.5], [''], [' '], ['many'], [null], [true], [Infinity], [[5]]])(
		'is refused as %j',
		(value) => {
			const problem = problemOf(() => optionsWith({ batchSize: value }).wholeNumber(batchSize));

			expect(problem.message).toMatch(
				/^'Participants per Request' must be a whole number, 1 or more, but it's /,
			);
		},
	);

	it('is refused above what a timer takes', () => {
		const most = 2 ** 31 - 1;
		expect(() => optionsWith({ batchInterval: most + 1 }).wholeNumber(batchInterval)).toThrow(
			`'${batchInterval.displayName}' must be a whole number, from 0 to ${most}`,
		);
		expect(optionsWith({ batchInterval: most }).wholeNumber(batchInterval)).toBe(most);
	});
});

describe('the options of every operation', () => {
	it('have their usual values, or those that were added', () => {
		expect(optionsWith({}).values(requestFields)).toEqual({ timeout: 120_000, maxRetries: 2 });
		const options = optionsWith({ timeout: 5, maxRetries: 0, includeSecrets: true });

		expect(options.values(requestFields)).toEqual({ timeout: 5, maxRetries: 0 });
		expect(options.boolean(includeSecrets)).toBe(true);
	});

	it('are not added by a name that every object inherits', () => {
		const inherited = { ...batchSize, name: 'constructor' };

		expect(optionsWith({}).wholeNumber(inherited)).toBe(50);
	});

	it('are shown by label, in order', () => {
		const { options = [] } = optionsOf(dryRun, batchSize, batchInterval);

		expect(options.map((option) => 'displayName' in option && option.displayName)).toEqual([
			'Dry Run',
			'Interval Between Requests (ms)',
			'Participants per Request',
		]);
	});
});

describe('a field of the operation', () => {
	it('has its default where it is not saved', () => {
		expect(readBooleanField(parametersWith({}), returnAllField)).toBe(false);
		expect(readListOptions(parametersWith({}), optionsWith({}))).toEqual({ limit: 50, isSimple: true });
	});

	it('is checked like an option', () => {
		expect(readBooleanField(parametersWith({ returnAll: 'true' }), returnAllField)).toBe(true);
		expect(() => readBooleanField(parametersWith({ returnAll: 'x' }), returnAllField)).toThrow(
			"'Return All' must be true or false, but it's \"x\"",
		);
		expect(() => readListOptions(parametersWith({ limit: 0 }), optionsWith({}))).toThrow("'Limit' must be");
	});
});

const namesAsked = (asked: Array<{ name: string; item: number }>) =>
	asked.map(({ name, item }) => `${name} ${item}`);

describe('a parameter', () => {
	it('without an expression is read once for all items', () => {
		const { parameters, asked } = contextWith({ action: '1 + 1 = 2' });

		expect([0, 1, 2].map((item) => parameters.of(item).get('action'))).toEqual(Array(3).fill('1 + 1 = 2'));
		expect(namesAsked(asked)).toEqual(['action 0']);
	});

	it.each([
		['', { options: '={{ $json.a }}' }],
		['in a collection', { options: { timeout: '={{ $json.t }}' } }],
		['deeper in it', { options: { more: [{ deep: '={{ $json.t }}' }] } }],
	])('with an expression %s is read for each item', (_, saved) => {
		const { parameters, asked } = contextWith(saved);
		for (const item of [0, 1]) parameters.of(item).get('options');

		expect(namesAsked(asked)).toEqual(['options 0', 'options 1']);
	});

	it('that is not set has the fallback, whichever is read first', () => {
		const { parameters } = contextWith({});

		expect([parameters.of(0).get('limit', 50), parameters.of(1).get('limit', 50)]).toEqual([50, 50]);
	});

	it('that is a locator is read by its value: once if it is the same for all', () => {
		const fixed = contextWith({ group: { __rl: true, mode: 'list', value: '1@g.us' } });
		const own = contextWith({ group: { __rl: true, mode: 'id', value: '={{ $json.g }}' } });
		for (const { parameters } of [fixed, own])
			for (const item of [0, 1]) parameters.of(item).getLocator('group');

		expect(fixed.asked).toEqual([{ name: 'group', item: 0, extractValue: true }]);
		expect(own.asked).toHaveLength(2);
	});

	it("whose expression can't be worked out throws what n8n throws, for its item alone", () => {
		const broken = new Error('broken');
		const { parameters } = contextWith(
			{ action: '={{ $json.a }}' },
			{
				action: (item) => {
					if (item === 1) throw broken;
					return 'add';
				},
			},
		);

		expect(() => parameters.of(1).get('action')).toThrow(broken);
		expect(parameters.of(2).get('action')).toBe('add');
	});
});

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

const read = (value: unknown) => readRequiredBoolean(value, 'Paid');

describe('true or false', () => {
	it.each([
		[true, [true, 'true', ' TRUE\n', 1, '1', 'yes', ' Yes']],
		[
			true,
			['VERDADEIRO', 'sim', 'Sí', 'verdadero', 'WAHR', 'ja', 'VRAI', 'oui', 'VERO', 'sì', 'WAAR', 'si\u0300'],
		],
		[false, [false, 'false', 'False', 0, '0', 'no', 'NO\n']],
		[false, ['FALSO', 'não', 'nao', 'FALSCH', 'nein', 'FAUX', 'non', 'ONWAAR', 'Nee']],
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
});
