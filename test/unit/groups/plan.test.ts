import fc from 'fast-check';
import { limitDryRun } from '../../../nodes/MessagingGateway/actions/group/sync/applySync';
import type { PlannedGroup } from '../../../nodes/MessagingGateway/actions/group/sync/planSync';
import type { SyncOptions } from '../../../nodes/MessagingGateway/actions/group/sync/readSync';
import { identityFor } from '../../../nodes/MessagingGateway/groups/identity';
import type { Facts } from '../../../nodes/MessagingGateway/groups/memory/fact';
import { UNKNOWN } from '../../../nodes/MessagingGateway/groups/memory/groupMemory';
import { People, type Member } from '../../../nodes/MessagingGateway/groups/people';
import { contradictionsIn } from '../../../nodes/MessagingGateway/groups/sync/matchList';
import {
	actionOf,
	appliedBy,
	personKey,
	plan,
	type Plan,
} from '../../../nodes/MessagingGateway/groups/sync/plan';
import type { PlanRules, Row } from '../../../nodes/MessagingGateway/groups/sync/rules';
import { check } from '../../../nodes/MessagingGateway/groups/sync/safetyChecks';
import { sentenceFor } from '../../../nodes/MessagingGateway/groups/sync/sentences';
import { runsOf, sizeOf } from '../../thorough';
import { contextWith } from '../run/context';
import { type Examples, person, readMembers, testExamples } from '../support';
import {
	DAY,
	decided,
	identities,
	idOf,
	kept,
	members,
	NOW,
	planOf,
	keptText,
	NONE_BEFORE,
	rows,
	rules,
	told,
} from './sync/example';
import { live, world } from './sync/worlds';

const remove: Partial<PlanRules> = { unlisted: 'remove' };
const refusedFor = (days: number, more: Facts = {}) =>
	kept({ ...more, refused: { at: NOW - days * DAY, outcome: 'inviteRequired' } });

/** Examples as `list in group → decisions`. */
function examples(all: Examples<Partial<PlanRules>>): void {
	testExamples(all, / in | → /, ([list = '', group = '', expected], some) => {
		expect(decided(list, group, some).join(', ')).toBe(expected);
	});
}

describe('somebody who should be a member', () => {
	examples({
		'is added where they are not in the group': 'ana in me** → ana: add ana',
		'is found by the number behind a hidden ID': 'ana in me** lid1=ana → ana: unchanged',
		'is found under another form of the number': 'gil in me** gilShort → gil: unchanged',
		'is one person under several forms, sent as first given':
			'gilShort bo gil in me** → gilShort gil: add gilShort, bo: add bo',
		'is one person under several IDs that a member shows': 'ana lid1 in me** lid1=ana → ana lid1: unchanged',
		'is added though a member without a number may be them': 'ana in me** lid1 → ana: add ana',
		'is added by a hidden ID': 'lid9 in me** ana → lid9: add lid9',
		'is a member where two members fit': 'gil in me** gil gilShort → gil: unchanged',
		'may be the own account': 'me in me** → me: unchanged',
		'waits after a refusal': ['ana in me** → ana: postponed refusedLately', { memory: refusedFor(6) }],
		'is tried again some time after a refusal': ['ana in me** → ana: add ana', { memory: refusedFor(7) }],
		'is added though an item of the group is not valid': ['ana in me** → ana: add ana', { badRow: true }],
	});
});

describe('somebody who should not be a member', () => {
	examples({
		'is removed by their own ID as listed': '-ana in me** lid1=ana → -ana: remove lid1',
		'is removed under another form of the number, by the form that is listed':
			'-gil in me** gilShort → -gil: remove gilShort',
		'is removed once, whatever rows name them':
			'-ana -lid1 -ana in me** lid1=ana → -ana -lid1 -ana: remove lid1',
		'is gone where all members show a number': '-ana in me** bo → -ana: unchanged',
		'may still be there where a member shows no number': '-ana in me** lid1 → -ana: unconfirmed',
		'may still be there by a hidden ID that no member shows': '-lid9 in me** bo → -lid9: unconfirmed',
		'by a hidden ID that no member shows may be any of them': '-lid9 in lid1=me** lid2 → -lid9: unconfirmed',
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
		'stays where an item of the group is not valid': [
			'-ana in me** ana → -ana: kept badRow',
			{ badRow: true },
		],
		'stays where another row wants the member, under another ID':
			'ana -lid1 bo in me** lid1=ana → ana: unchanged, -lid1: kept ambiguous, bo: add bo',
		"stays where nobody's role is known": 'ana -bo in me? bo? → ana: add ana, -bo: kept unidentified',
		'stays as an admin where the own account is not known': [
			'ana -bo -cleo in bo* cleo → ana: add ana, -bo: kept unidentified, -cleo: remove cleo',
			{ removeAdmins: true, own: [] },
		],
		'stays as an admin where the own account is not found': [
			'-bo in bo* lid1=cleo lid2 → -bo: kept unidentified',
			{ removeAdmins: true },
		],
	});
});

describe('a member who is not in the list', () => {
	examples({
		'is no decision at all where they are kept': 'ana in me** ana bo cleo → ana: unchanged',
		'is removed by their own ID as listed, after all rows, in the order of the group': [
			'ana in lid1=me** cleo lid2=bo → ana: add ana, (lid1): kept self, (cleo): remove cleo, (lid2): remove lid2',
			remove,
		],
		'stays as protected': [
			'ana in me** ana bo → ana: unchanged, (me): kept self, (bo): kept protected',
			{ ...remove, protected: identities('bo') },
		],
		'is removed as an admin where that is asked, and never as the superadmin': [
			'ana in me ana bo* cleo** → ana: unchanged, (me): kept self, (bo): remove bo, (cleo): kept admin',
			{ ...remove, removeAdmins: true },
		],
		"stays where their role isn't known and others' are, even if admins may be removed": [
			'ana -cleo in me** ana bo? cleo? dan → ana: unchanged, -cleo: kept unidentified, (me): kept self, (bo): kept unidentified, (dan): remove dan',
			{ ...remove, removeAdmins: true },
		],
		'waits after a refusal that n8n remembers': [
			'ana in me** ana bo → ana: unchanged, (me): kept self, (bo): postponed refusedLately',
			{ ...remove, memory: refusedFor(6, { toLeave: { at: NOW } }) },
		],
		'stays where no number is shown': [
			'ana in me** ana lid1 → ana: unchanged, (me): kept self, (lid1): kept unidentified',
			remove,
		],
		'stays where no member shows a number': [
			'ana in lid1** lid2 → ana: add ana, (lid1): kept admin, (lid2): kept unidentified',
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

describe('nearly the same number', () => {
	examples({
		'may be who is in the list, and is not removed': [
			'anaOld in me** ana bo → anaOld: add anaOld, (me): kept self, (ana): kept ambiguous, (bo): remove bo',
			remove,
		],
		'may have more digits than any number': [
			'anaNear in me** ana bo → anaNear: add anaNear, (me): kept self, (ana): kept ambiguous, (bo): remove bo',
			remove,
		],
		'is none in digits that are no number: those may be a hidden ID, and anybody’s': [
			'anaNear in me** bo → anaNear: add anaNear, (me): kept self, (bo): kept unidentified',
			remove,
		],
		'may have its country code twice': [
			'anaTwice in me** ana → anaTwice: add anaTwice, (me): kept self, (ana): kept ambiguous',
			remove,
		],
		'may be of an older plan': [
			'ana in me** anaOld → ana: add ana, (me): kept self, (anaOld): kept ambiguous',
			remove,
		],
		'may be who should leave: neither is certain': [
			'bo -anaNear in me** ana bo → bo: unchanged, -anaNear: unconfirmed, (me): kept self, (ana): kept ambiguous',
			remove,
		],
		'of somebody who should leave, whom another row names exactly, keeps nobody':
			'-anaNear -ana in me** ana → -anaNear: unconfirmed, -ana: remove ana',
		'of somebody who should stay keeps whom another row names exactly':
			'anaNear -ana in me** ana → anaNear: add anaNear, -ana: kept ambiguous',
		'may be protected': [
			'bo -ana in me** ana bo → bo: unchanged, -ana: kept ambiguous',
			{ protected: identities('anaNear') },
		],
		'may be protected without its country code': [
			'bo -ana in me** ana bo → bo: unchanged, -ana: kept ambiguous',
			{ bare: ['11999990001'] },
		],
		'may be the own account, whose number is not shown': [
			'bo -ana in lid1** ana bo → bo: unchanged, -ana: kept ambiguous',
			{ own: identities('anaNear') },
		],
		'is a stranger where the other is found': [
			'ana in me** ana anaOld → ana: unchanged, (me): kept self, (anaOld): remove anaOld',
			remove,
		],
		'leaves it open whether somebody left': [
			'anaNear in me** ana → anaNear: unconfirmed',
			{ whoLeft: 'addAgain', memory: kept({ member: { at: NOW - DAY } }) },
		],
	});
});

describe('a plan', () => {
	it.each<
		[list: string, group: string, some: Partial<PlanRules>, amounts: [kept: number, unmatched: number]]
	>([
		['ana', 'me** ana bo cleo', {}, [2, 0]],
		['ana', 'me** ana bo* cleo', remove, [1, 0]],
		['ana -bo', 'me** ana bo cleo', remove, [0, 0]],
		['ana bo', 'me** lid1 lid2 cleo', {}, [1, 2]],
		['ana', 'me** ana lid2', {}, [1, 0]],
		['lid9', 'me** ana lid1', {}, [1, 1]],
		['lid9 bo', 'me** ana lid1', {}, [0, 2]],
		['ana', 'me** ana bo', { badRow: true }, [0, 0]],
	])(
		'of the list %s and the group %s counts who is not in the list and stays, and who may be in it',
		(list, group, some, amounts) => {
			const { unlistedKept, unmatched } = planOf(list, group, some);

			expect([unlistedKept, unmatched]).toEqual(amounts);
		},
	);
});

const LOOK_AT_BOTH =
	'If they are one person, correct the number where it comes from. If not, remove this member by hand.';

/** What is said of each decision. */
const said = ({ decisions, visibleIds }: Plan, dryRun = false) =>
	decisions.map((one) =>
		sentenceFor(one, { showsNumbers: visibleIds.phone, now: NOW, dryRun, nameOf: (item) => `row ${item}` }),
	);

describe('what is to be done by a decision, what is known after it, and what is said', () => {
	it.each<[example: string, sentence: string, some?: Partial<PlanRules>]>([
		[
			'ana in me** → add null',
			'Would be added to the group. Dry run: nothing was sent. Turn off Dry Run to do it.',
		],
		['ana in me** ana → none true', 'Was already a member of the group.'],
		['-ana in me** → none true', 'Was not a member of the group.'],
		[
			'-ana in me** lid1 → none null',
			"Not found among the members, but it isn't certain that none of them is this person. Check the group.",
		],
		['-me in me** → none true', "Kept: this is the instance's own account."],
		['-ana in me** ana* → none true', 'Kept: this participant is an admin of the group.'],
		['-ana in me* ana** → none true', 'Kept: this participant created the group.'],
		[
			'-ana in me** ana → none true',
			"Kept: this participant is one of 'Protected Participants'.",
			{ protected: identities('ana') },
		],
		['-gil in me** gil gilShort → none null', "Kept: it isn't certain which member this is."],
		[
			'-lid1 ana in me** lid1=ana → none null',
			'Kept: the list wants them under one ID and not under another.',
		],
		['-ana in me? ana? → none null', "Kept: the gateway doesn't show who is an admin."],
		['-ana anaNear in me** ana → none null', `Kept: may be anaNear of row 1. ${LOOK_AT_BOTH}`],
		[
			'-ana in me** ana → none null',
			`Kept: may be +55011999990001 of 'Protected Participants'. ${LOOK_AT_BOTH}`,
			{ protected: identities('anaNear') },
		],
		[
			'-ana in me** ana → none null',
			`Kept: may be +55011999990001. ${LOOK_AT_BOTH}`,
			{ withheld: identities('anaNear') },
		],
		[
			'-ana in lid1** ana → none null',
			`Kept: may be +55011999990001, the instance's own account. ${LOOK_AT_BOTH}`,
			{ own: identities('anaNear') },
		],
		[
			'-anaNear in me** ana → none null',
			`Not found among the members, but +5511999990001 may be this person. ${LOOK_AT_BOTH}`,
		],
		[
			'-lid1 in ana** lid1* → none null',
			"Kept: it isn't known which member is the instance's own account.",
			{ removeAdmins: true },
		],
		[
			' in ana → none null',
			"Kept: an item of this group isn't valid and may mean this member. Correct it, then run this again.",
			{ ...remove, badRow: true },
		],
		[
			'ana in me** → add false',
			"On 2026-11-21: Couldn't be added because of their privacy settings. Send an invite instead. Next try: 2026-11-28.",
			{ memory: refusedFor(1) },
		],
		[
			'ana in me** lid1 → add null',
			'Would be added unless already a member. Dry run: nothing was sent. Turn off Dry Run to do it.',
		],
		[
			'ana in me** lid1 → none null',
			"Was a member on 2026-11-21, and the group doesn't show whether they still are. Next try: 2026-11-28.",
			{ whoLeft: 'addAgain', memory: kept({ member: { at: NOW - DAY } }) },
		],
	])('%s: %s', (example, sentence, some = {}) => {
		const [list = '', group = '', known = ''] = example.split(/ in | → /);
		const made = planOf(list, group, some);

		expect(made.decisions.slice(0, 1).map((one) => `${actionOf(one)} ${appliedBy(one)}`)).toEqual([known]);
		expect(said(made)[0]).toBe(sentence);
	});
});

const STAY_OUT =
	"Not added again. To add them, use Update Participants, or set 'People Who Left' to Add Again for one run.";
const HIDDEN = "and the group doesn't show whether";

it.each<[string, string, string, string, Partial<PlanRules>?]>([
	['toLeave 2026-11-20T05:00Z', '-ana', 'me** ana', 'Will be removed from 2026-11-27 on.'],
	['toLeave 2026-11-15T23:10Z', '-ana', 'me** ana', 'Will be removed from 2026-11-22 23:10 UTC on.'],
	[
		'member 2026-11-21T05:00Z',
		'ana',
		'me**',
		`Was in the group, or was added, on 2026-11-21 and isn't there any more. ${STAY_OUT}`,
	],
	[
		'left 2026-11-20T05:00Z',
		'ana',
		'me**',
		`Hasn't been a member since 2026-11-20 at the latest. ${STAY_OUT}`,
	],
	[
		'member 2026-11-21T05:00Z',
		'ana',
		'lid1',
		`Was a member on 2026-11-21, ${HIDDEN} they still are. ${STAY_OUT}`,
	],
	[
		'toLeave 2026-11-01T05:00Z; asked 2026-11-22T05:00Z',
		'-ana',
		'me** ana',
		"Was tried a moment ago, and the group doesn't show it so far. Not tried again now.",
	],
	['left 2026-11-20T05:00Z', 'ana', 'lid1', `Left by 2026-11-20, ${HIDDEN} they are back. ${STAY_OUT}`],
])('`%s` tells what follows for %s in a group of %s', (text, list, group, sentence) => {
	const made = planOf(list, group, { removeAfter: 7, memory: keptText(text) });

	expect(said(made)).toEqual([sentence]);
});

it.each([
	['maxAdditions', "over 'Maximum Additions per Run'.", ' Run it again to go on.'],
	['maxRemovals', "over 'Maximum Removals per Run'.", ' Run it again to go on.'],
	['groupFull', 'the group is full.', ''],
] as const)('who is postponed (%s) is told why', (reason, why, more) => {
	const made = planOf('ana', 'me**');
	for (const decision of made.decisions) Object.assign(decision, { outcome: 'postponed', reason });

	expect([said(made), said(made, true)]).toEqual([
		[`Postponed: ${why}${more}`],
		[`Would be postponed: ${why} Dry run: nothing was sent. Turn off Dry Run to do it.`],
	]);
});

it('a person has one key, whichever ID names them first, and before one is shown', () => {
	const keyOf = (list: string, group: string) => planOf(list, group).decisions.map(personKey);

	const [ana] = keyOf('ana', 'me**');
	expect(keyOf('lid1', 'me** lid1=ana')).toEqual([ana]);
	expect(keyOf('ana', 'me** lid1=ana')).toEqual([ana]);
	expect(keyOf('bo', 'me**')).not.toEqual([ana]);
});

describe('people who were members in the run before, and are not any more', () => {
	const member = { memory: kept({ member: { at: NOW - DAY } }) };
	const list = 'ana bo cleo dan eve';
	const outcomes = (group: string, some: Partial<PlanRules>) =>
		planOf(list, group, some).decisions.map(({ outcome }) => outcome);

	it.each<[string, string, Partial<PlanRules>, string, Plan['lost']?]>([
		['have left, if they are three', 'me** dan eve', {}, 'left left left unchanged unchanged'],
		[
			'did not, if they are more',
			'me** eve',
			{},
			'planned planned planned planned unchanged',
			{ amount: 4, of: 5, noted: [] },
		],
		[
			'have left within the percentage',
			'me** eve',
			{ before: { ...NONE_BEFORE, wanted: new Set('abcdefghijklmno') } },
			'left left left left unchanged',
		],
		[
			'did not, if they are more than half, though all may be removed',
			'me** eve',
			{ maxRemovalPercent: 100, before: { ...NONE_BEFORE, wanted: new Set('ab') } },
			'planned planned planned planned unchanged',
			{ amount: 4, of: 7, noted: [] },
		],
		[
			'are added again in any case',
			'me** eve',
			{ whoLeft: 'addAgain' },
			'planned planned planned planned unchanged',
		],
		[
			'did not, if they are more with those of earlier rounds',
			'me** dan eve',
			{ before: { ...NONE_BEFORE, wanted: new Set('abcd'), left: new Map([['a', []]]) } },
			'planned planned planned unchanged unchanged',
			{ amount: 4, of: 9, noted: [] },
		],
	])('%s', (...[, group, some, expected, lost]) => {
		const all = { maxRemovalPercent: 20, ...member, ...some };
		expect(outcomes(group, all).join(' ')).toBe(expected);
		expect(planOf(list, group, all).lost).toEqual(lost);
	});

	it('did not, if earlier rounds noted that they left', () => {
		const all = identities('ana bo cleo dan');
		const before = { ...NONE_BEFORE, left: new Map(all.map((id) => [id.canonical, [id]])) };
		const known = { left: { at: NOW }, invited: { at: NOW - DAY } };
		const { decisions, lost } = planOf('ana bo', 'me**', { before, memory: kept(known) });

		expect(decisions.map(({ outcome }) => outcome)).toEqual(['planned', 'planned']);
		const noted = all.map((id) => ({ ids: [id], facts: { invited: known.invited } }));
		expect(lost).toEqual({ amount: 4, of: 2, noted });
	});

	it.each([
		['stay out if so many are in the list again that a part of it was missing', list, 13, 'left'],
		['are added if they are few: that is a new wish', 'ana bo cleo', 13, 'planned'],
		['are added after two weeks', list, 15, 'planned'],
	])('%s', (_, names, days, outcome) => {
		const find = () => ({
			node: { facts: { left: { at: NOW - 20 * DAY } }, metAt: NOW - days * DAY },
			notes: UNKNOWN,
		});
		const memory = { find, lastRun: NOW - DAY, knowsAnybody: true };
		const { decisions } = planOf(names, 'me**', { memory });

		expect(new Set(decisions.map((decision) => decision.outcome))).toEqual(new Set([outcome]));
	});

	it('are added if they are in the list again with few of it, however few may be removed', () => {
		const others = Array.from({ length: 9 }, (_, i) => `551199999010${i}`).join(' ');
		const again = new Set(identities('ana bo cleo dan').map(({ canonical }) => canonical));
		const find: PlanRules['memory']['find'] = (ids) => {
			const isAgain = ids.some(({ canonical }) => again.has(canonical));
			const facts = isAgain ? { left: { at: NOW - 20 * DAY } } : { member: { at: NOW - DAY } };
			return { node: { facts, metAt: NOW - (isAgain ? 5 : 1) * DAY }, notes: UNKNOWN };
		};
		const memory = { find, lastRun: NOW - DAY, knowsAnybody: true };
		const all = { memory, maxRemovalPercent: 5 };
		const { decisions } = planOf(`ana bo cleo dan ${others}`, `me** ${others}`, all);

		expect(new Set(decisions.slice(0, 4).map(({ outcome }) => outcome))).toEqual(new Set(['planned']));
	});

	it('stay out if they had left before', () => {
		expect(outcomes('me**', { memory: kept({ left: { at: NOW - DAY } }) })).toEqual(Array(5).fill('left'));
	});
});

describe('where somebody has approved changes', () => {
	const approved = (...sentAs: string[]) => ({
		approved: new Set(sentAs.flatMap((one) => [`add ${one}`, `remove ${one}`])),
	});
	examples({
		'only these are made': [
			'ana bo -cleo -dan in me** cleo dan → ana: add ana, bo: postponed notApproved, -cleo: remove cleo, -dan: kept notApproved',
			approved('5511999990001', '5511999990003@s.whatsapp.net'),
		],
		'members not in the list stay unless they are among them': [
			'ana in me** ana cleo dan → ana: unchanged, (me): kept self, (cleo): kept notApproved, (dan): remove dan',
			{ ...remove, ...approved('5511999990004@s.whatsapp.net') },
		],
		'and these are none, none are made': [
			'ana -bo in me** bo → ana: postponed notApproved, -bo: kept notApproved',
			approved(),
		],
		'all else is as it was': [
			'ana -bo -dan in me** ana bo* → ana: unchanged, -bo: kept admin, -dan: unchanged',
			approved(),
		],
	});

	it('nobody knows whether the others are as asked, and their sentences say why', () => {
		const { plan: made } = check(planOf('ana -bo', 'me** bo'), rules(approved()));

		expect(made.decisions.map((one) => `${actionOf(one)} ${appliedBy(one)}`)).toEqual([
			'add false',
			'none null',
		]);
		expect(said(made)).toEqual([
			"Postponed: this addition isn't in 'Approved Changes'.",
			"Kept: this removal isn't in 'Approved Changes'.",
		]);
	});
});

it('removes a member who is listed under an old ID by the form that gateways leave as it is', () => {
	const list = readMembers({ participants: [{ id: '5531999990006@c.us', admin: null }] }) ?? [];
	const { decisions } = plan(rows('-gil'), list, rules());

	expect(decisions).toMatchObject([
		{ outcome: 'planned', participant: { sentAs: '5531999990006@s.whatsapp.net' } },
	]);
});

describe('whatever the world is like', () => {
	it('nobody is removed who truly has to stay, and nobody is added as two people', () => {
		let [removals, additions] = [0, 0];
		fc.assert(
			// Biased worlds are small ones, in which there is little to remove.
			fc.property(fc.noBias(world), (it) => {
				const lived = live(it);
				removals += lived.removals;
				additions += lived.additions;
				expect(lived.harms).toEqual([]);
			}),
			runsOf(10_000, 400),
		);
		expect([removals > 50, additions > 50]).toEqual([true, true]);
	});
});

const people = ['ana', 'bo', 'cleo', 'gil', 'gilShort', 'lid1', 'lid2'];
const list = fc
	.array(fc.tuple(fc.constantFrom('', '-'), fc.constantFrom('me', ...people)), { maxLength: 8 })
	.map((all) => all.map((one) => one.join('')).join(' '));
const group = fc
	.array(fc.constantFrom('ana', 'bo*', 'cleo', 'gil', 'gilShort', 'lid1', 'lid2=bo', 'lid1=ana*', 'dan**'), {
		maxLength: 6,
	})
	.map((all) => ['me*', ...all].join(' '));
const settings = fc.record({
	unlisted: fc.constantFrom('keep' as const, 'remove' as const),
	removeAdmins: fc.boolean(),
	badRow: fc.boolean(),
	protected: fc.constantFrom('', 'ana', 'lid1', 'gilShort').map(identities),
});

describe('always', () => {
	it('nobody is removed twice', () => {
		fc.assert(
			fc.property(list, group, settings, (text, who, some) => {
				const sent = planOf(text, who, some).decisions.flatMap((one) =>
					actionOf(one) === 'remove' ? [one.participant.sentAs] : [],
				);

				expect(new Set(sent).size).toBe(sent.length);
			}),
			runsOf(500),
		);
	});

	it('every row is in exactly one decision', () => {
		fc.assert(
			fc.property(list, group, settings, (text, who, some) => {
				const items = planOf(text, who, some).decisions.flatMap(({ rows }) => rows.map(({ item }) => item));

				expect(items.sort((one, other) => one - other)).toEqual(
					text
						.split(' ')
						.filter(Boolean)
						.map((_, i) => i),
				);
			}),
			runsOf(500),
		);
	});

	it('every member is listed, decided about or kept', () => {
		fc.assert(
			fc.property(list, group, settings, (text, who, some) => {
				const made = planOf(text, who, { ...some, badRow: false });
				const listed = new Set(
					made.decisions.filter(({ rows }) => rows.length > 0).flatMap((one) => one.members),
				);
				const unlistedGo = made.decisions.filter(
					(one) => one.rows.length === 0 && actionOf(one) === 'remove',
				);

				const gone = new Set(unlistedGo.flatMap((one) => one.members));
				// By the digits as given, which may be theirs or not.
				const open = made.decisions.filter((one) => one.shouldBeMember || one.members.length === 0);
				const named = open.flatMap(({ rows }) => rows.map(({ participant }) => participant.identity));
				const doubtful = [...new Set([...made.self, ...new People(made.members).find(named)])].filter(
					(member) => !listed.has(member) && !gone.has(member),
				);
				const stay = made.unlistedKept + made.unmatched + doubtful.length;

				expect(listed.size + gone.size + stay).toBe(made.members.length);
			}),
			runsOf(500),
		);
	});
});

describe('the work grows as the lists do', () => {
	/** How often the IDs of a member, or the person of a row, are looked at. */
	function looksFor(amount: number): number {
		let looks = 0;
		const number = (i: number) => `55319${90_000_000 + i}`;
		const counted = members('me**').concat(
			Array.from({ length: amount }, (_, i): Member => ({
				id: `${i}@lid`,
				get ids() {
					looks++;
					return [identityFor(`${i}@lid`), identityFor(number(i))];
				},
				role: 'member',
				rows: [],
			})),
		);
		const all = Array.from({ length: amount }, (_, i): Row => ({
			item: i,
			get participant() {
				looks++;
				return person(number(i * 2));
			},
			shouldBeMember: i % 3 > 0,
		}));
		plan(all, counted, rules({ unlisted: 'remove' }));
		return looks;
	}

	it('and no faster', () => {
		const few = looksFor(sizeOf(500));

		expect(few).toBeGreaterThan(sizeOf(1_000));
		expect(looksFor(sizeOf(5_000))).toBeLessThan(few * 11);
	});
});

/** The decisions of a dry run over a limit. `ana` was tried 20 days ago, `bo` 30; nobody else ever. */
async function limited(lists: readonly string[], maxAdditions: number): Promise<string> {
	const tried = new Map([
		[idOf('ana'), 20],
		[idOf('bo'), 30],
	]);
	const groups = lists.map((list, i) => ({
		instance: 'main',
		groupJid: `${i}@g.us`,
		items: [],
		wouldStop: false,
		plan: planOf(list, 'me** eve', {
			memory: {
				...kept({}),
				find: ([id, ...others]) => {
					const days = tried.get(id?.digits ?? '');
					const facts = { refused: { at: NOW - (days ?? 0) * DAY, outcome: 'blocked' } } as const;
					return kept(days === undefined ? {} : facts).find(others);
				},
			},
		}),
	}));
	const { run } = contextWith({});
	const limits = { maxAdditions, maxRemovals: 0 } as SyncOptions;
	await limitDryRun(run, groups as unknown as PlannedGroup[], limits);
	return groups.flatMap(({ plan }) => plan.decisions.map(told)).join(', ');
}

describe('a limit', () => {
	testExamples(
		{
			'has room for so many, in input order':
				'2 of cleo dan lid1 → cleo: add cleo, dan: add dan, lid1: postponed maxAdditions',
			'has room for nobody where it is 0': '0 of cleo → cleo: postponed maxAdditions',
			'begins with people never tried, then goes on with those tried longest ago':
				'3 of ana bo cleo dan → ana: postponed maxAdditions, bo: add bo, cleo: add cleo, dan: add dan',
			'counts several rows about one person once': '2 of cleo cleo dan → cleo cleo: add cleo, dan: add dan',
			'counts a person in several groups once, under whatever form of the number':
				'1 of gil in gilShort cleo → gil: add gil, gilShort: add gilShort, cleo: postponed maxAdditions',
		},
		/ of | → /,
		async ([most = '', lists = '', expected = '']) => {
			expect(await limited(lists.split(' in '), Number(most))).toBe(expected);
		},
	);
});

describe('items that say the opposite about one person', () => {
	it.each<[string, string, number[]]>([
		['both are refused', 'ana bo -ana', [0, 2]],
		['under another form, too', 'gil -gilShort', [0, 1]],
		['all of them', 'ana -ana ana bo', [0, 1, 2]],
		['nor those that agree', 'ana ana -bo -bo', []],
	])('%s', (_, list, items) => {
		expect([...contradictionsIn(rows(list))]).toEqual(items);
	});
});
