import { identityFor } from '../../../nodes/MessagingGateway/groups/identity';
import { mayBeSame, People, type Person } from '../../../nodes/MessagingGateway/groups/people';

const person = (...ids: string[]): Person => ({ ids: ids.map(identityFor) });
const ana = person('5531999990002', '1@lid');
const bo = person('553199990002');
const cleo = person('2@lid');

describe('people are found', () => {
	const people = new People([ana, bo, cleo]);

	it.each([
		['by a number, also under another form', ['5531999990002'], [ana, bo]],
		['by a hidden ID', ['2@lid'], [cleo]],
		['by any of several IDs, each once', ['1@lid', '553199990002', '2@lid'], [ana, bo, cleo]],
		['by nothing else', ['3@lid', '2'], []],
	])('%s', (_, ids, found) => {
		expect(people.find(ids.map(identityFor))).toEqual(found);
	});

	it('once, though two of their IDs are forms of one number', () => {
		const both = person('5531999990002', '553199990002');

		expect(new People([both]).find([identityFor('553199990002')])).toEqual([both]);
	});
});

describe('two who have no ID in common', () => {
	it.each([
		['a number and a hidden ID', person('1'), person('1@lid'), true],
		['two numbers', person('5531999990002'), person('4915112345678'), false],
		['two hidden IDs', person('1@lid'), person('2@lid'), false],
		['both of one, a hidden ID of the other', person('1', '1@lid'), person('2@lid'), false],
		['nothing at all of one', person(), person('1', '1@lid'), true],
	])('may be one person or not: %s are known', (_, one, other, expected) => {
		expect(mayBeSame(one, other)).toBe(expected);
		expect(mayBeSame(other, one)).toBe(expected);
	});
});
