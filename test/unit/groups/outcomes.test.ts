import {
	ACTIONS,
	sentenceOf,
	tallyOf,
	WORDING,
	type Outcome,
} from '../../../nodes/MessagingGateway/groups/outcomes';

const OUTCOMES = Object.keys(WORDING) as Outcome[];

describe('an outcome', () => {
	it.each([
		['is as asked', true, 'done unchanged sent alreadyInvited'],
		["isn't known to be as asked", null, 'accepted unconfirmed kept planned'],
	])('says that the group %s only after these', (_, applied, expected) => {
		expect(OUTCOMES.filter((outcome) => WORDING[outcome].applied === applied).join(' ')).toBe(expected);
	});

	it.each(OUTCOMES)('%s has a plain sentence on each action', (outcome) => {
		for (const action of ACTIONS) expect(sentenceOf(outcome, action)).toMatch(/^[A-Z][^\n]*[a-z]\.$/);
	});

	it.each([
		['inviteRequired', 'none', '1 needs an invite', '2 need an invite'],
		['groupFull', 'none', "1 didn't fit in the group", "2 didn't fit in the group"],
		['done', 'promote', '1 promoted', '2 promoted'],
		['unchanged', 'add', '1 was a member already', '2 were members already'],
		['planned', 'remove', '1 would be removed', '2 would be removed'],
	] as const)('%s after %s is counted in plain words: %s, %s', (outcome, action, one, several) => {
		expect([tallyOf(outcome, action, 1), tallyOf(outcome, action, 2)]).toEqual([one, several]);
	});

	it('says on 404, and on nothing else, that another number was asked about', () => {
		expect(sentenceOf('notFound', 'promote', '404', true)).toContain(
			'the number that the gateway asked about',
		);
		expect(sentenceOf('unconfirmed', 'remove', undefined, true)).toBe(sentenceOf('unconfirmed', 'remove'));
		expect(sentenceOf('unchanged', 'remove', '404', true)).toBe(sentenceOf('unchanged', 'remove'));
		expect(sentenceOf('notFound', 'add', '404')).toBe('Not on the network. Check the number.');
	});

	it('rejected names a code that has no outcome of its own as it came, even where it reads like a pattern', () => {
		expect(sentenceOf('rejected', 'add', '$&')).toBe('The gateway rejected this participant with code $&.');
	});
});
