import {
	hasHiddenId,
	hasNumber,
	mayBeSame,
	People,
	type Person,
} from '../../../nodes/MessagingGateway/groups/people';

const person = (...ids: string[]): Person => ({ ids });
const ana = person('phone:5531999990002', 'lid:1');
const bo = person('phone:553199990002');
const cleo = person('lid:2');

describe('people are found', () => {
	const people = new People([ana, bo, cleo]);

	it.each([
		['by a number, also under another form', ['phone:5531999990002'], [ana, bo]],
		['by a hidden ID', ['lid:2'], [cleo]],
		['by any of several IDs, each once', ['lid:1', 'phone:553199990002', 'lid:2'], [ana, bo, cleo]],
		['by nothing else', ['lid:3', 'phone:2'], []],
	])('%s', (_, ids, found) => {
		expect(people.find(ids)).toEqual(found);
	});

	it('exactly as a number is spelled, where that is asked', () => {
		expect(people.findExactly(['phone:553199990002'])).toEqual([bo]);
		expect(people.findExactly(['phone:5531999990002', 'lid:1'])).toEqual([ana]);
	});

	it('once, though two of their IDs are forms of one number', () => {
		const both = person('phone:5531999990002', 'phone:553199990002');

		expect(new People([both]).find(['phone:553199990002'])).toEqual([both]);
	});
});

describe('two who have no ID in common', () => {
	it.each([
		['a number and a hidden ID', person('phone:1'), person('lid:1'), true],
		['two numbers', person('phone:1'), person('phone:2'), false],
		['two hidden IDs', person('lid:1'), person('lid:2'), false],
		['both of one, a hidden ID of the other', person('phone:1', 'lid:1'), person('lid:2'), false],
		['nothing at all of one', person(), person('phone:1', 'lid:1'), true],
	])('may be one person or not: %s are known', (_, one, other, expected) => {
		expect(mayBeSame(one, other)).toBe(expected);
		expect(mayBeSame(other, one)).toBe(expected);
	});
});

it('it is known of which kind the IDs of somebody are', () => {
	expect([hasNumber(ana), hasHiddenId(ana)]).toEqual([true, true]);
	expect([hasNumber(bo), hasHiddenId(bo)]).toEqual([true, false]);
	expect([hasNumber(cleo), hasHiddenId(cleo)]).toEqual([false, true]);
});
