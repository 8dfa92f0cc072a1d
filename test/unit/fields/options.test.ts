import * as groupOptions from '../../../nodes/MessagingGateway/fields/groupOptions';
import {
	includeSecrets,
	requestFields,
	Options,
	optionsOf,
	readBooleanField,
	readListOptions,
	simplifyField,
} from '../../../nodes/MessagingGateway/fields/options';
import { problemOf } from '../support';
import { contextWith } from '../run/context';

const { batchInterval, batchSize, dryRun, exactNumbers, includeInputFields } = groupOptions;

const parametersWith = (saved: Parameters<typeof contextWith>[0]) => contextWith(saved).parameters.of(0);
const optionsWith = (added: object) => new Options(parametersWith({ options: { ...added } }));

describe('a switch', () => {
	it.each([
		[exactNumbers, false, true],
		[includeInputFields, true, false],
	])(
		'that nobody has added has a value of its own, and arrives in the other position: $name',
		(option, valueIfAbsent, added) => {
			expect(optionsWith({}).boolean(option)).toBe(valueIfAbsent);
			expect(option.default).toBe(added);
		},
	);

	it.each([[null], [undefined], ['maybe']])('is refused as %j', (value) => {
		const problem = problemOf(() => optionsWith({ exactNumbers: value }).boolean(exactNumbers));

		expect(problem.message).toMatch(/^'Keep Numbers Exact' must be true or false, but it's /);
		expect(problem.description).toContain('Default: false');
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

	it.each([
		['a timer', batchInterval, 2 ** 31 - 1],
		['a date', groupOptions.retryRefusedAfter, 36_500],
	])('is refused above what %s takes', (_, option, most) => {
		expect(() => optionsWith({ [option.name]: most + 1 }).wholeNumber(option)).toThrow(
			`'${option.displayName}' must be a whole number, from 0 to ${most}`,
		);
		expect(optionsWith({ [option.name]: most }).wholeNumber(option)).toBe(most);
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
		expect(readBooleanField(parametersWith({}), simplifyField)).toBe(true);
		expect(readListOptions(parametersWith({}))).toEqual({ limit: 50, simplify: true });
	});

	it('is checked like an option', () => {
		expect(readBooleanField(parametersWith({ simplify: 'false' }), simplifyField)).toBe(false);
		expect(() => readBooleanField(parametersWith({ simplify: 'x' }), simplifyField)).toThrow(
			"'Simplify' must be true or false, but it's \"x\"",
		);
		expect(() => readListOptions(parametersWith({ limit: 0 }))).toThrow("'Limit' must be");
	});
});
