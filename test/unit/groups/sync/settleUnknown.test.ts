import { settleBy } from '../../../../nodes/MessagingGateway/groups/sync/settleUnknown';
import type { PlanRules } from '../../../../nodes/MessagingGateway/groups/sync/rules';
import { identities, members, planOf } from './example';
import { testExamples, type Examples } from '../../support';

type Settle = ReturnType<typeof settleBy>;
const said: Parameters<Settle>[1] = { message: 'The gateway did not answer within 120 seconds.' };

/** What is known of the first row's change after the group was read again. */
function resolved(
	list: string,
	before: string,
	after: string,
	some: Partial<PlanRules & Parameters<Settle>[1]> = {},
): ReturnType<Settle> {
	const { jid, message = said.message, ...rest } = some;
	const made = planOf(list, before, rest);
	const [change] = made.decisions;
	if (change?.outcome !== 'planned') throw new Error('Nothing is to be sent');
	return settleBy(made, members(after))(change, { message, ...(jid && { jid }) });
}

/** Examples as `list in group → group read again: applied`. */
function examples(all: Examples<Parameters<typeof resolved>[3]>): void {
	testExamples(all, / in | → |: /, ([list = '', before = '', after = '', applied], some) => {
		expect(String(resolved(list, before, after, some).applied)).toBe(applied);
	});
}

describe('an addition of which it is not known what became of it', () => {
	examples({
		'is done where they are in the group': 'ana in me** → me** ana: true',
		'is done where they are there under another form': 'gil in me** → me** gilShort: true',
		'is done where they are there by the ID that the reply named': [
			'ana in me** lid1 → me** lid1 lid2: true',
			{ jid: '2@lid' },
		],
		'is rejected where they are not, and every member has a number': 'ana in me** → me** bo: false',
		'is rejected by a hidden ID where every member shows theirs':
			'lid9 in lid1=me** → lid1=me** lid2=bo: false',
		'is rejected where they are not, whatever hidden ID the reply named, and every member has a number': [
			'ana in me** → me** bo: false',
			{ jid: '2@lid' },
		],
		'stays unknown where a member has no number': 'ana in me** → me** lid1: null',
		'stays unknown where somebody with nearly the same number is there': 'ana in me** → me** anaOld: null',
		'stays unknown by a hidden ID where one shows only a number': 'lid9 in me** → lid1=me** bo: null',
	});
});

describe('a removal of which it is not known what became of it', () => {
	examples({
		'is done where they are no longer listed': '-ana in me** ana → me**: true',
		'is done where they are no longer listed by a hidden ID': '-lid1 in me** lid1 lid2 → me** lid2: true',
		'is rejected where they still are': '-ana in me** ana → me** ana bo: false',
		'is rejected where they still are, by another of their IDs': '-ana in me** lid1=ana → me** ana: false',
		'is rejected where they still are, by another form of their number':
			'-gil in me** gil → me** gilShort: false',
		'is done though somebody else is new, or shows no number': '-ana in me** ana → me** lid3 anaOld: true',
	});
});

describe('where the group can not be read again, or not as a whole', () => {
	it.each([
		['an empty list', '-bo', '', {}],
		['an empty list, also where the own account is not known', '-bo', '', { own: [] }],
		['a list without the own account', '-bo', 'bo', {}],
		['a list without the own account, for an addition', 'ana', 'bo', {}],
	])('all stays as it was: %s', (_, list, after, some) => {
		expect(resolved(list, 'me** bo', after, some)).toEqual({
			outcome: 'unconfirmed',
			applied: null,
			message: said.message,
		});
	});

	it('the own account is not missed where it was not found before, or was listed twice and is there once', () => {
		expect(resolved('-bo', 'ana bo', 'ana', { own: [] }).applied).toBe(true);
		expect(resolved('-bo', 'me** lid1 bo', 'me**', { own: identities('me lid1') }).applied).toBe(true);
	});
});

describe('it is said that the group was read again', () => {
	const noAnswer = 'The gateway did not answer within 120 seconds.';
	it.each([
		[
			'ana → me** ana: done true',
			"Added to the group. The gateway didn't confirm it, so the group was read again.",
		],
		[
			'ana → me**: rejected false',
			`Wasn't added: the group was read again, and this participant isn't in it so far. ${noAnswer}`,
		],
		[
			'-bo → me** bo: rejected false',
			`Wasn't removed: the group was read again, and this participant is still in it. ${noAnswer}`,
		],
	])('%s: %s', (example, message) => {
		const [list = '', after = '', expected] = example.split(/ → |: /);
		const { outcome, applied, ...rest } = resolved(list, list === 'ana' ? 'me**' : 'me** bo', after);

		expect([`${outcome} ${applied}`, rest]).toEqual([expected, { message }]);
	});

	it.each([
		[
			'all words of others',
			'It said "No. Check the group. Code 5".',
			'It said "No. Check the group. Code 5".',
		],
		[
			'no advice to do so',
			'The gateway gave no clear result for this participant. Check the group before you try again.',
			'The gateway gave no clear result for this participant.',
		],
	])('with %s', (_, before, kept) => {
		const { message } = resolved('ana', 'me**', 'me** lid1', { message: before });

		expect(message).toBe(`${kept} The group was read again and doesn't show it either.`);
	});
});
