import { appliedBy, subjectOf, type Decision } from '../../../../nodes/MessagingGateway/groups/sync/plan';
import { sentenceFor } from '../../../../nodes/MessagingGateway/groups/sync/sentences';
import type { PlanRules } from '../../../../nodes/MessagingGateway/groups/sync/rules';
import { DAY, decided, identities, members, NOW, plan, planOf, remembering, rows, rules } from './example';
import { readMembers, testExamples, type Examples } from '../../support';

const remove: Partial<PlanRules> = { unlisted: 'remove' };
const exact: Partial<PlanRules> = { exactNumbers: true };
const refusedFor = (days: number) => () => ({
	refused: { at: NOW - days * DAY, outcome: 'inviteRequired', code: '403' } as const,
});

/** Examples as `list in group → decisions`. */
function examples(all: Examples<Partial<PlanRules>>): void {
	testExamples(all, / in | → /, ([list = '', group = '', expected], some) => {
		expect(decided(list, group, some).join(', ')).toBe(expected);
	});
}

describe('somebody who should be a member', () => {
	examples({
		'is added where they are not in the group': 'ana in me** → ana: add ana',
		'stays as they are in the group': 'ana in me** ana → ana: unchanged',
		'is found by a hidden ID': 'lid1 in me** lid1=ana → lid1: unchanged',
		'is found by the number behind a hidden ID': 'ana in me** lid1=ana → ana: unchanged',
		'is found under another form of the number': 'gil in me** gilShort → gil: unchanged',
		'is found the other way around, too': 'gilShort in me** gil → gilShort: unchanged',
		'is one person in several rows': 'ana ana in me** → ana ana: add ana',
		'is one person under several forms, sent as first given':
			'gilShort bo gil in me** → gilShort gil: add gilShort, bo: add bo',
		'is one person under several IDs that a member shows': 'ana lid1 in me** lid1=ana → ana lid1: unchanged',
		'is added though a member without a number may be them': 'ana in me** lid1 → ana: add ana',
		'is added by a hidden ID': 'lid9 in me** ana → lid9: add lid9',
		'is a member where two members fit': 'gil in me** gil gilShort → gil: unchanged',
		'may be the own account': 'me in me** → me: unchanged',
		'is not asked again so soon after a refusal': [
			'ana in me** → ana: postponed refusedLately',
			{ recall: refusedFor(6) },
		],
		'is asked again some time after a refusal': ['ana in me** → ana: add ana', { recall: refusedFor(7) }],
		'is a member, whatever was refused before': [
			'ana in me** ana → ana: unchanged',
			{ recall: refusedFor(6) },
		],
	});
});

describe('somebody who should not be a member', () => {
	examples({
		'is removed by their own ID as listed': '-ana in me** lid1=ana → -ana: remove lid1',
		'is removed by a hidden ID': '-lid1 in me** lid1=ana → -lid1: remove lid1',
		'is removed under another form of the number, by the form that is listed':
			'-gil in me** gilShort → -gil: remove gilShort',
		'is removed once, whatever rows name them':
			'-ana -lid1 -ana in me** lid1=ana → -ana -lid1 -ana: remove lid1',
		'is gone where all members show a number': '-ana in me** bo → -ana: unchanged',
		'may still be there where a member shows no number': '-ana in me** lid1 → -ana: unconfirmed',
		'may still be there by a hidden ID that no member shows': '-lid9 in me** bo → -lid9: unconfirmed',
		'by a hidden ID that no member shows may be any of them': '-lid9 in lid1=me** lid2 → -lid9: unconfirmed',
		'stays as the own account': '-me in me** ana → -me: kept self',
		'stays as the own account under another form': [
			'-gil in gilShort** ana → -gil: kept self',
			{ own: identities('gil') },
		],
		'stays as the own account by a hidden ID': '-lid1 in lid1=me** ana → -lid1: kept self',
		'stays as the own account that shows no number': '-me in lid1** ana → -me: kept self',
		'stays as protected': ['-ana in me** ana → -ana: kept protected', { protected: identities('ana') }],
		'stays as protected under another form': [
			'-gil in me** gil → -gil: kept protected',
			{ protected: identities('gilShort') },
		],
		'stays as protected by a hidden ID': [
			'-ana in me** lid1=ana → -ana: kept protected',
			{ protected: identities('lid1') },
		],
		'stays as an admin': '-ana in me** ana* → -ana: kept admin',
		'is removed as an admin where that is asked': [
			'-ana in me** ana* → -ana: remove ana',
			{ removeAdmins: true },
		],
		'stays as the superadmin, whatever is asked': [
			'-ana in me* ana** → -ana: kept admin',
			{ removeAdmins: true },
		],
		'stays where two members fit': '-gil in me** gil gilShort → -gil: kept ambiguous',
		'stays where one of two members who fit is named alone as well':
			'-gil -lid1 in me** lid1=gil gilShort → -gil: kept ambiguous, -lid1: kept ambiguous',
		'stays where one of two members who fit is an admin': '-gil in me** gil* gilShort → -gil: kept ambiguous',
		'stays where both members who fit are the own account': [
			'-gil in gil** gilShort → -gil: kept self',
			{ own: identities('gil') },
		],
		'by a hidden ID alone may be somebody protected whose number no member shows': [
			'-lid1 in me** lid1 → -lid1: kept unidentified',
			{ protected: identities('ana') },
		],
		'by a hidden ID alone may be, as an admin, the own account whose number no member shows': [
			'-lid1 -lid2 in ana** lid1* lid2 → -lid1: kept unidentified, -lid2: remove lid2',
			{ removeAdmins: true },
		],
		'by a hidden ID alone is removed, also as an admin, where those are found': [
			'-lid1 in me** lid1* ana → -lid1: remove lid1',
			{ protected: identities('ana'), removeAdmins: true },
		],
		'by a number alone may be somebody protected whose hidden ID no member shows': [
			'-ana in me** ana → -ana: kept unidentified',
			{ protected: identities('lid9') },
		],
		'is removed though an item is not valid': ['-ana in me** ana → -ana: remove ana', { badRow: true }],
	});
});

describe('a member who is not in the list', () => {
	examples({
		'is no decision at all where they are kept': 'ana in me** ana bo cleo → ana: unchanged',
		'is removed by their own ID as listed, after all rows, in the order of the group': [
			'ana in lid1=me** cleo lid2=bo → ana: add ana, (lid1): kept self, (cleo): remove cleo, (lid2): remove lid2',
			remove,
		],
		'is nobody whom a row names': [
			'ana -bo in me** ana bo → ana: unchanged, -bo: remove bo, (me): kept self',
			remove,
		],
		'stays as protected': [
			'ana in me** ana bo → ana: unchanged, (me): kept self, (bo): kept protected',
			{ ...remove, protected: identities('bo') },
		],
		'stays as an admin, and as the superadmin': [
			'ana in me ana bo* cleo** → ana: unchanged, (me): kept self, (bo): kept admin, (cleo): kept admin',
			remove,
		],
		'is removed as an admin where that is asked, and never as the superadmin': [
			'ana in me ana bo* cleo** → ana: unchanged, (me): kept self, (bo): remove bo, (cleo): kept admin',
			{ ...remove, removeAdmins: true },
		],
		"stays where their role isn't known and others' are, even if admins may be removed": [
			'ana -cleo in me** ana bo? cleo? dan → ana: unchanged, -cleo: kept unidentified, (me): kept self, (bo): kept unidentified, (dan): remove dan',
			{ ...remove, removeAdmins: true },
		],
		'stays where no number is shown': [
			'ana in me** ana lid1 → ana: unchanged, (me): kept self, (lid1): kept unidentified',
			remove,
		],
		'stays where they may have a hidden ID that the list holds': [
			'ana lid9 in me** ana bo lid2=cleo → ana: unchanged, lid9: add lid9, (me): kept self, (bo): kept unidentified, (lid2): remove lid2',
			remove,
		],
		'is removed where all hidden IDs of the list are shown': [
			'lid1 in me** lid1=ana bo → lid1: unchanged, (me): kept self, (bo): remove bo',
			remove,
		],
		'stays where they may have a hidden ID by which somebody should leave': [
			'ana -lid9 in me** ana bo → ana: unchanged, -lid9: unconfirmed, (me): kept self, (bo): kept unidentified',
			remove,
		],
		'stays where they may have a hidden ID that is protected': [
			'ana in me** ana bo → ana: unchanged, (me): kept self, (bo): kept unidentified',
			{ ...remove, protected: identities('lid9') },
		],
		'stays where an item may name them that is not valid': [
			'ana in me** ana bo*  cleo → ana: unchanged, (me): kept self, (bo): kept admin, (cleo): kept badRow',
			{ ...remove, badRow: true },
		],
	});
});

describe('where numbers count as they are spelled', () => {
	examples({
		'a wanted number is found exactly': ['gil in me** gil → gil: unchanged', exact],
		'a wanted number is sent though another form of it is a member, who stays': [
			'gil in me** gilShort → gil: add gil, (me): kept self, (gilShort): kept ambiguous',
			{ ...exact, ...remove },
		],
		'another form of a wanted number stays, though that is a member as well': [
			'gil in me** gil gilShort → gil: unchanged, (me): kept self, (gilShort): kept ambiguous',
			{ ...exact, ...remove },
		],
		'another form of a wanted number stays, though a row says that it should leave': [
			'gil -gilShort in me** gilShort → gil: add gil, -gilShort: kept ambiguous',
			exact,
		],
		'a wanted number that was a member may be one under another form, and is not asked for again so soon': [
			'gil in me** gilShort → gil: unconfirmed',
			{ ...exact, recall: () => ({ member: { at: NOW - DAY } }) },
		],
		'both forms are two people': ['gil gilShort in me** → gil: add gil, gilShort: add gilShort', exact],
		'who should leave is found exactly': ['-gil in me** gil → -gil: remove gil', exact],
		'who should leave is found exactly, and another form of it is somebody who is not in the list': [
			'ana -gil in me** ana gil gilShort → ana: unchanged, -gil: remove gil, (me): kept self, (gilShort): remove gilShort',
			{ ...exact, ...remove },
		],
		'who should leave stays under another form': ['-gil in me** gilShort → -gil: kept ambiguous', exact],
		'protected people count in all forms': [
			'-gil in me** gil → -gil: kept protected',
			{ ...exact, protected: identities('gilShort') },
		],
		'the own account counts in all forms': [
			'-gil in gil** ana → -gil: kept self',
			{ ...exact, own: identities('gilShort') },
		],
		'hidden IDs join rows all the same': ['gil lid1 in me** lid1=gil → gil lid1: unchanged', exact],
	});
});

describe('a plan', () => {
	it('has people in the order of their first rows', () => {
		expect(decided('bo ana bo -cleo', 'me** cleo')).toEqual([
			'bo bo: add bo',
			'ana: add ana',
			'-cleo: remove cleo',
		]);
	});

	it.each<[list: string, group: string, some: Partial<PlanRules>, amounts: number[]]>([
		['ana', 'me** ana bo cleo', {}, [2, 0, 0]],
		['ana', 'me** ana bo* cleo', remove, [1, 0, 0]],
		['ana -bo', 'me** ana bo cleo', remove, [0, 0, 0]],
		['ana bo', 'me** lid1 lid2 cleo', {}, [1, 2, 0]],
		['ana', 'me** ana lid2', {}, [1, 0, 0]],
		['lid9', 'me** ana lid1', {}, [1, 0, 1]],
		['lid9 bo', 'me** ana lid1', {}, [0, 1, 1]],
		['gil', 'me** gilShort ana', { exactNumbers: true }, [1, 0, 0]],
	])(
		'of the list %s and the group %s counts who is not in the list and stays, and who may be in it',
		(list, group, some, amounts) => {
			const { unlistedKept, withoutNumber, withoutHiddenId } = planOf(list, group, some);

			expect([unlistedKept, withoutNumber, withoutHiddenId]).toEqual(amounts);
		},
	);

	it('knows the own account by whatever ID the group shows', () => {
		expect(planOf('ana', 'lid1=me** ana').self.map(({ id }) => id)).toEqual(['1@lid']);
		expect(planOf('ana', 'me** ana', { own: [] }).self).toEqual([]);
	});

	it('names the rows that contradict each other about one member', () => {
		const found = planOf('ana -lid1', 'me** lid1=ana').contradictions;

		expect(found.map(([wanted, unwanted]) => [wanted.item, unwanted.item])).toEqual([[0, 1]]);
	});

	it('gives the identities of the rows and of the member, for the memory', () => {
		const [decision] = planOf('ana', 'me** lid1=ana').decisions;

		expect(decision?.ids.map(({ key }) => key)).toEqual(['phone:5511999990001', 'lid:1']);
	});

	it('says of additions when they were asked for last', () => {
		const { decisions } = planOf('ana', 'me**', { recall: refusedFor(8) });

		expect(decisions).toMatchObject([{ askedAt: NOW - 8 * DAY }]);
	});

	it('sends a wanted person as the row does', () => {
		expect(planOf('lid9', 'me**').decisions).toMatchObject([{ sentAs: '9@lid' }]);
	});
});

describe('what is to be done by a decision, what is known after it, and what is said', () => {
	it.each<[example: string, sentence: string, some?: Partial<PlanRules>]>([
		['ana in me** → add null', 'Would be added to the group. Dry run: nothing was sent.'],
		['ana in me** ana → none true', 'Was already a member of the group.'],
		['-ana in ana lid1 → remove null', 'Would be removed from the group. Dry run: nothing was sent.'],
		['-ana in me** → none true', 'Was not a member of the group.'],
		[
			'-ana in me** lid1 → none null',
			"Not found among the members, but it isn't certain that none of them is this person. Check the group.",
		],
		['-me in me** → none true', "Kept: this is the instance's own account."],
		['-me in lid1** ana → none true', "Kept: this is the instance's own account."],
		['-ana in me** ana* → none true', 'Kept: this participant is an admin of the group.'],
		['-gil in me** gilShort* → none true', 'Kept: this participant is an admin of the group.', exact],
		['-ana in me* ana** → none true', 'Kept: this participant created the group.'],
		[
			'-ana in me** ana → none true',
			"Kept: this participant is one of 'Protected Participants'.",
			{ protected: identities('ana') },
		],
		['-gil in me** gil gilShort → none null', "Kept: it isn't certain which member this is."],
		[
			'-lid1 in ana** lid1* → none null',
			"Kept: the gateway doesn't show enough of this member to tell that they aren't somebody who should stay.",
			{ removeAdmins: true },
		],
		[
			' in ana → none null',
			"Kept: an item of this group isn't valid and may mean this member. Correct it, then run this again.",
			{ ...remove, badRow: true },
		],
		[
			'ana in me** → add false',
			"Postponed: asked again from 2026-11-28 on. On 2026-11-21: Couldn't be added because of their privacy settings. Send an invite instead.",
			{ recall: refusedFor(1) },
		],
		[
			'ana in me** lid1 → add null',
			'Would be asked for; who is a member already stays one. Dry run: nothing was sent.',
		],
		[
			'ana in me** lid1 → none null',
			"Was a member on 2026-11-21, and the group doesn't show whether they still are. Next attempt: 2026-11-28.",
			{ recall: () => ({ member: { at: NOW - DAY } }) },
		],
	])('%s: %s', (example, sentence, some = {}) => {
		const [list = '', group = '', known = ''] = example.split(/ in | → /);
		const { decisions, shows } = planOf(list, group, some);
		const [decision] = decisions;

		expect(decision && `${decision.action} ${appliedBy(decision)}`).toBe(known);
		expect(
			decision && sentenceFor(decision, { showsNumbers: shows.phone, now: NOW, nextRunFor: () => 'hasRoom' }),
		).toBe(sentence);
	});
});

const STAY_OUT = 'so they left or somebody removed them. Not added again. To add them, empty their memory.';
const HIDDEN = "and the group doesn't show whether";
const NOT_ASKED = 'Not asked for again. To add them, empty their memory.';

it.each([
	['toLeave 2026-11-20', '-ana', 'me** ana', 'Will be removed from 2026-11-27 on.'],
	['toLeave 2026-11-15T23:10Z', '-ana', 'me** ana', 'Will be removed from 2026-11-22 23:10 UTC on.'],
	['member 2026-11-21', 'ana', 'me**', `Was a member on 2026-11-21 and isn't any more, ${STAY_OUT}`],
	['left 2026-11-20', 'ana', 'me**', `Hasn't been a member since 2026-11-20 at the latest, ${STAY_OUT}`],
	['member 2026-11-21', 'ana', 'lid1', `Was a member on 2026-11-21, ${HIDDEN} they still are. ${NOT_ASKED}`],
	['left 2026-11-20', 'ana', 'lid1', `Left by 2026-11-20, ${HIDDEN} they are back. ${NOT_ASKED}`],
])('`%s` in a row tells what follows for %s in a group of %s', (text, list, group, sentence) => {
	const all = remembering(list, text, { removeAfter: 7 });
	const { decisions, shows } = plan(all, members(group), rules());
	const said = decisions.map((one) =>
		sentenceFor(one, { showsNumbers: shows.phone, now: NOW, nextRunFor: () => 'hasRoom' }),
	);

	expect(said).toEqual([sentence]);
});

it('says of somebody who was to be gone and is a member after all that another run removes them', () => {
	const [known] = planOf('-ana', 'me**').decisions.map(subjectOf);
	const said =
		known &&
		sentenceFor(
			{ ...known, action: 'none', outcome: 'rejected' },
			{ showsNumbers: true, now: NOW, nextRunFor: () => 'hasRoom' },
		);

	expect(said).toMatch(/^Is a member now: .* Run this again to remove them\.$/);
});

it.each<[who: string, list: string, group: string, expected: Partial<Decision>]>([
	['left stays out', 'ana', 'me**', { outcome: 'left', facts: { left: { at: NOW } } }],
	['may have left is not asked for', 'ana', 'me** lid1', { outcome: 'unconfirmed' }],
	['is kept as an admin is not said to go later', '-ana', 'me** ana*', { outcome: 'kept', reason: 'admin' }],
])('who %s, if one of several rows says so', (_, list, group, expected) => {
	const all = [
		...remembering(list, 'member 2026-11-01', { whoLeft: 'addAgain' }),
		...remembering(list, '', { removeAfter: 7 }),
	];

	expect(plan(all, members(group), rules()).decisions).toMatchObject([{ ...expected, action: 'none' }]);
});

it('removes a member who is listed under an old ID by the form that gateways leave as it is', () => {
	const list = readMembers({ participants: [{ id: '5531999990006@c.us' }] }) ?? [];
	const { decisions } = plan(rows('-gil'), list, rules());

	expect(decisions).toMatchObject([{ action: 'remove', sentAs: '5531999990006@s.whatsapp.net' }]);
});
