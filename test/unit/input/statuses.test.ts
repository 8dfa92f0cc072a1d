import { readStatus } from '../../../nodes/MessagingGateway/input/choices';
import { problemOf } from '../support';

describe('the status to filter by', () => {
	it.each([
		['open', 'open'],
		['close', 'close'],
		['closed', 'close'],
		['connecting', 'connecting'],
		[' Open\n', 'open'],
	])('may be %p', (value, expected) => {
		expect(readStatus(value)).toBe(expected);
	});

	it.each([
		['online', '"online"'],
		['', '""'],
		[true, 'true'],
		[undefined, 'undefined'],
		[{}, 'an object'],
	])('is refused where it is %p', (value, shown) => {
		const problem = problemOf(() => readStatus(value));

		expect(problem.message).toBe(`The status ${shown} isn't valid`);
		expect(problem.description).toBe('Use one of open, close, connecting');
	});
});
