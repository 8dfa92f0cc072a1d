import { keyRedactor } from '../../../../nodes/MessagingGateway/gateway/redact/redactText';
import { HIDDEN } from '../../../../nodes/MessagingGateway/gateway/redact/secretFields';

const KEY = 'TEST-KEY-0001';
const hide = (value: unknown) => keyRedactor([`${KEY}\n`, KEY])(value);

describe('the key in a JSON value', () => {
	it.each<[string, unknown, unknown]>([
		['a text alone', KEY, HIDDEN],
		['JSON in text', { a: JSON.stringify({ b: KEY }) }, { a: JSON.stringify({ b: HIDDEN }) }],
		['lists of lists', [[1, [KEY]], null, true], [[1, [HIDDEN]], null, true]],
		[
			'a field named __proto__',
			JSON.parse(`{"__proto__":"${KEY}"}`),
			JSON.parse(`{"__proto__":"${HIDDEN}"}`),
		],
	])('is struck out of %s', (_, value, expected) => {
		expect(hide(value)).toEqual(expected);
		expect(JSON.stringify(hide(value))).toBe(JSON.stringify(expected));
	});

	it('is struck out of a number', () => {
		expect(keyRedactor(['429683429683'])({ a: 429683429683, b: 42968342968 })).toEqual({
			a: HIDDEN,
			b: 42968342968,
		});
	});

	it.each<[string, (inner: unknown) => unknown]>([
		['lists', (inner) => [inner]],
		['objects', (inner) => ({ a: inner })],
	])('is hidden with all that nests deeper than 100 levels of %s', (_, outer) => {
		const nested = (inner: unknown, levels: number): unknown =>
			levels === 0 ? inner : outer(nested(inner, levels - 1));
		const deep = nested([1], 100);

		expect(hide(deep)).toBe(deep);
		expect(hide(nested({ a: KEY, b: 1 }, 100))).toEqual(nested({ a: HIDDEN, b: 1 }, 100));
		expect(hide(nested([1], 101))).toEqual(nested(HIDDEN, 101));
	});

	it('does not change the value itself', () => {
		const value = { a: [KEY] };
		hide(value);

		expect(value).toEqual({ a: [KEY] });
	});

	it.each([
		...[{ a: 'TEST', b: ['100%25', 5, null, 'a&amp;b', '\\'], token: 'other' }, 'text', null],
		...[undefined, 5, true],
	])('costs no copy where it is not there: %j', (value) => {
		expect(hide(value)).toBe(value);
	});

	it('is nothing where there is none that is long enough', () => {
		const value = { a: 'abc', b: '' };

		expect(keyRedactor(['', 'abc'])(value)).toBe(value);
	});
});
