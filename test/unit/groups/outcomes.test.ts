import { ACTIONS, sentenceOf, WORDING, type Outcome } from '../../../nodes/MessagingGateway/groups/outcomes';

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

	it('says that another number was asked about, of the outcomes that this can explain', () => {
		expect(sentenceOf('notFound', 'promote', 'rewritten')).toContain(
			'the number that the gateway asked about',
		);
		expect(sentenceOf('unchanged', 'remove', 'rewritten')).toBe(sentenceOf('unchanged', 'remove'));
		expect(sentenceOf('notFound', 'add')).toBe('Not on the network. Check the number.');
	});
});
