import { schemaOf } from '../schema/schema';

describe('the schema of samples', () => {
	test('has every field of any of them, with every type, null last', () => {
		const samples = [
			{ id: null, count: 1 },
			{ id: 'a', on: false },
			{ id: 2, inner: { a: 1 } },
		];
		expect(schemaOf([...samples, { inner: { b: null } }])).toEqual({
			type: 'object',
			properties: {
				id: { type: ['string', 'number', 'null'] },
				count: { type: 'number' },
				on: { type: 'boolean' },
				inner: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'null' } } },
			},
		});
	});

	test('describes the elements of all lists, where there are any', () => {
		expect(schemaOf([{ list: ['a'], empty: [] }, { list: [1] }, { list: null }])).toEqual({
			type: 'object',
			properties: {
				list: { type: ['array', 'null'], items: { type: ['string', 'number'] } },
				empty: { type: 'array' },
			},
		});
	});
});
