import { groupBy } from '../../../nodes/MessagingGateway/common/groupBy';

describe('grouping', () => {
	it('puts together what has the same key, in the order of the first of each', () => {
		const groups = groupBy(['b1', 'a1', 'b2', 'c1', 'a2'], ([key]) => key);

		expect([...groups]).toEqual([
			['b', ['b1', 'b2']],
			['a', ['a1', 'a2']],
			['c', ['c1']],
		]);
	});

	it('has no group where there is nothing, and one for what has no key', () => {
		expect(groupBy([], (one) => one).size).toBe(0);
		expect(groupBy([1], () => undefined).get(undefined)).toEqual([1]);
	});
});
