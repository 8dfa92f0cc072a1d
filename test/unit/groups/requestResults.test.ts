import { changeResultsOf } from '../../../nodes/MessagingGateway/groups/requestResults';
import { itemsOf, person, requestOf, resultOf } from '../support';

/** A request that adds those of the run's changes that are at these places. */
function requestAt(...places: number[]) {
	const { changes, ...rest } = requestOf('add', places.map(String).map(person));
	return { ...rest, changes: changes.map((change, i) => ({ ...change, place: places[i] ?? -1 })) };
}

const allOf = (amount: number) =>
	itemsOf([
		{ ...requestOf('add', []), item: 0, participants: Array.from({ length: amount }, () => person('1')) },
	]).flatMap(({ changes }) => changes);

const succeeded = (...places: number[]) => ({
	request: requestAt(...places),
	results: places.map((place) => resultOf('done', String(place))),
});

describe('what came of each change', () => {
	it('is at its place, whichever request made it', () => {
		const results = changeResultsOf(allOf(4), [succeeded(2, 0), succeeded(3, 1)]);

		expect(results).toMatchObject([0, 1, 2, 3].map((place) => ({ result: { participant: String(place) } })));
	});

	it('is the reason for all changes of a request that failed', () => {
		const results = changeResultsOf(allOf(3), [
			{ request: requestAt(0, 2), failure: 'broken' },
			succeeded(1),
		]);

		expect(results).toMatchObject([
			{ failure: 'broken' },
			{ result: { participant: '1' } },
			{ failure: 'broken' },
		]);
	});

	it('is nothing for a change whose request was never tried', () => {
		expect(changeResultsOf(allOf(3), [succeeded(1)])).toStrictEqual([
			undefined,
			{ result: expect.objectContaining({ participant: '1' }) },
			undefined,
		]);
	});

	it('is nothing for a change that its request has no result for', () => {
		const { results } = succeeded(0);

		expect(changeResultsOf(allOf(2), [{ request: requestAt(0, 1), results }])).toEqual([
			{ result: expect.objectContaining({ participant: '0' }) },
			undefined,
		]);
	});
});
