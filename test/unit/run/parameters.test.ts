import { contextWith } from './context';

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

describe('a parameter whose expression only names a field of the item', () => {
	const jsons = [{ a: null }, { a: 'first' }, { a: 'second' }, { a: 3 }, { b: 'other' }, { a: 'last' }];
	const read = (ofN8n: (item: number) => unknown) => {
		const { parameters, asked } = contextWith({ action: '={{ $json.a }}' }, { action: ofN8n }, { jsons });
		return { values: jsons.map((_, item) => parameters.of(item).get('action')), asked: namesAsked(asked) };
	};

	it('is taken from the item, once n8n was seen to give the same for an item that has text or a number there', () => {
		const { values, asked } = read((item) => Object(jsons[item]).a ?? `n8n's ${item}`);

		expect(values).toEqual(["n8n's 0", 'first', 'second', 3, "n8n's 4", 'last']);
		expect(asked).toEqual(['action 0', 'action 1', 'action 4']);
	});

	it('is read by n8n for each item where n8n gives something else', () => {
		const { values, asked } = read((item) => `n8n's ${item}`);

		expect(values).toEqual(jsons.map((_, item) => `n8n's ${item}`));
		expect(asked).toHaveLength(jsons.length);
	});

	it.each([
		'=+{{ $json.a }}',
		'={{ $json.a }}{{ $json.a }}',
		'={{ $json.a.trim() }}',
		'={{ $json?.a }}',
		'={{ $json.a[0] }}',
		'={{ $json }}',
		"={{ $('Sheet').item.json.a }}",
	])('is no other expression: %s', (saved) => {
		const { parameters, asked } = contextWith({ action: saved }, { action: () => 'first' }, { jsons });
		for (const item of [1, 2, 5]) parameters.of(item).get('action');

		expect(asked).toHaveLength(3);
	});

	it('may be the value of a locator', () => {
		const { parameters, asked } = contextWith(
			{ group: { __rl: true, mode: 'id', value: '={{ $json.a }}' } },
			{ group: (item) => Object(jsons[item]).a },
			{ jsons },
		);

		expect([1, 2, 3].map((item) => parameters.of(item).getLocator('group'))).toEqual(['first', 'second', 3]);
		expect(asked).toEqual([{ name: 'group', item: 1, extractValue: true }]);
	});
});
