import {
	distinct,
	identityFor,
	identityOf,
	otherForm,
} from '../../../nodes/MessagingGateway/groups/identity';
import { explainRefusal } from '../../../nodes/MessagingGateway/groups/invites';
import { mayBeSame, People, type Person } from '../../../nodes/MessagingGateway/groups/people';

describe('identityOf', () => {
	test.each([
		['5511999990001', 'phone:5511999990001'],
		['5511999990001@s.whatsapp.net', 'phone:5511999990001'],
		['5511999990001@c.us', 'phone:5511999990001'],
		['5511999990001:12@s.whatsapp.net', 'phone:5511999990001'],
		['5511999990001_1:12@s.whatsapp.net', 'phone:5511999990001'],
		['1234567890@lid', 'lid:1234567890'],
		['1234567890:3@lid', 'lid:1234567890'],
		// No number, and yet whoever is listed so is known by it.
		['123456789012345@s.whatsapp.net', 'phone:123456789012345'],
	])('%s is %s', (id, key) => {
		expect(identityOf(id)?.key).toBe(key);
	});

	test.each([undefined, '', 'abc', '@lid', '120363000000000001@g.us', '1234-5678', '1@newsletter'])(
		'%s is nobody',
		(id) => {
			expect(identityOf(id)).toBeUndefined();
		},
	);

	test('an ID has up to 100 characters', () => {
		expect(identityOf('5'.repeat(100))?.key).toBe(`phone:${'5'.repeat(100)}`);
		expect(identityOf('5'.repeat(101))).toBeUndefined();
	});

	test('a text of any length is looked at in no time', () => {
		expect(identityOf(`5511999990001${'.1'.repeat(2_000_000)}`)).toBeUndefined();
	});
});

describe('digits in place of a number', () => {
	test.each([
		['are too long for their country', '2504318275744', 'other'],
		['have no country code', '2150000000', 'other'],
		['are as long as those of landlines only', '491849519345697', 'other'],
		['are as long as mobile numbers, which begin otherwise', '43123456789012', 'other'],
		['are those of a long mobile number', '43660123456789', 'phone'],
		['are of an older plan', '22518139912', 'phone'],
	])('%s: %s is %s', (_, digits, kind) => {
		expect([identityOf(digits)?.kind, identityOf(`${digits}@s.whatsapp.net`)?.kind]).toEqual([kind, kind]);
	});
});

test('a hidden ID with the digits of a number is another person', () => {
	const phone = identityFor('5511999990001');
	const hidden = identityFor('5511999990001@lid');

	expect(hidden.key).not.toBe(phone.key);
	expect(hidden.canonical).not.toBe(phone.canonical);
	expect([phone.kind, hidden.kind]).toEqual(['phone', 'hidden']);
	expect([phone.digits, hidden.digits]).toEqual(['5511999990001', '5511999990001']);
});

test.each(['abc', '', '120363000000000001@g.us', '5511999990001-1@s.whatsapp.net'])(
	"what is no person's ID stands for itself (%j)",
	(text) => {
		expect(identityFor(text)).toEqual({
			kind: 'other',
			digits: '',
			key: text,
			canonical: text,
			rewritten: text,
		});
	},
);

describe('the number that gateways ask about', () => {
	test.each([
		['5531999990002', 'phone:553199990002'],
		['5531999990002@s.whatsapp.net', 'phone:5531999990002'],
		['5521999990002', 'phone:5521999990002'],
		['5531969990002', 'phone:5531969990002'],
		['5215512345678', 'phone:525512345678'],
		['5491112345678', 'phone:541112345678'],
		['4915123456789', 'phone:4915123456789'],
	])('%s becomes %s', (sentAs, key) => {
		expect(identityOf(sentAs)?.rewritten).toBe(key);
	});
});

describe('the canonical form', () => {
	const formOf = (id: string) => identityFor(id).canonical;

	test.each([
		['Brazil, where gateways drop the ninth digit', '5531999990002', '553199990002'],
		['Brazil, where they keep it', '5511999990002', '551199990002'],
		['Brazil, whatever digit a gateway drops', '5531899990002', '5531999990002'],
		['Mexico', '5215512345678', '525512345678'],
		['Argentina', '5491112345678', '541112345678'],
	])('%s: %s is %s', (_, one, other) => {
		expect(formOf(one)).toBe(formOf(other));
		// A full JID is not rewritten, but it is the same person.
		expect(formOf(`${one}@s.whatsapp.net`)).toBe(formOf(other));
	});

	test.each([
		['a landline in Brazil has no ninth digit', '5511932345678', '551132345678'],
		['another country with as many digits', '4915123456789', '491523456789'],
	])('%s: %s is not %s', (_, one, other) => {
		expect(formOf(one)).not.toBe(formOf(other));
	});
});

test('distinct identities are spelled differently, in their order; what is none is left out', () => {
	const ids = ['5531999990002', '1@lid', '5531999990002@s.whatsapp.net', 'abc', '553199990002'].map(
		identityOf,
	);

	expect(distinct(ids).map(({ key }) => key)).toEqual(['phone:5531999990002', 'lid:1', 'phone:553199990002']);
});

test("a number with the digits of the person's hidden ID is none", () => {
	const ids = ['5531999990002@s.whatsapp.net', '5531999990002@lid', '5531999990003'].map(identityOf);

	expect(distinct(ids).map(({ kind, key }) => `${kind} ${key}`)).toEqual([
		'other phone:5531999990002',
		'hidden lid:5531999990002',
		'phone phone:5531999990003',
	]);
});

describe('the other form of a number', () => {
	it.each([
		['5521998860001', '552198860001'],
		['525512345678', '5215512345678'],
		['5491112345678', '541112345678'],
		['552133334444', undefined],
		['447700900001', undefined],
		['199999999999@lid', undefined],
	])('of %s is %p', (id, expected) => {
		expect(otherForm(identityFor(id))).toBe(expected);
	});
});

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

const refusal = (id: string, found: string | null | undefined) =>
	explainRefusal(
		{ sentAs: id, identity: identityFor(id) },
		found === null ? null : identityOf(found),
		'No reason',
	);
const jid = (digits: string) => `${digits}@s.whatsapp.net`;

describe('an invite that was refused without a reason', () => {
	it.each([
		[
			'a number that is not there',
			'447700900001',
			null,
			'notFound',
			/^Not on the network\. Check the number\.$/,
		],
		['one with other forms', '5521998860001', null, 'notFound', /enter 5521998860001@s\.whatsapp\.net\.$/],
		['one kept exact', jid('5521998860001'), null, 'notFound', / right, try \+552198860001\.$/],
		['a hidden ID that is not there', '199999999999701@lid', null, 'notFound', /phone number/],
		[
			'another form',
			'5521998860001',
			jid('552198860001'),
			'rejected',
			/Enter 552198860001@s\.whatsapp\.net\.$/,
		],
		[
			'a full ID and another form',
			jid('5215512345678'),
			jid('525512345678'),
			'rejected',
			/525512345678@s\.whatsapp\.net\.$/,
		],
		['another number', '447700900001', jid('447700900002'), 'rejected', / 447700900002\. /],
		[
			'the number',
			'447700900001',
			jid('447700900001'),
			'unconfirmed',
			/^No reason\. The number is on .* sent\.$/,
		],
		['the number as given', '5531998860003', jid('5531998860003'), 'unconfirmed', /enter \d+@s/],
		[
			'the number as gateways make it',
			'5531998860003',
			jid('553198860003'),
			'unconfirmed',
			/is on the network/,
		],
		['a hidden ID of a number', '447700900001', '199999999999701@lid', 'unconfirmed', /is on the network/],
		['its number', '199999999999701@lid', jid('447700900001'), 'unconfirmed', /is on the network/],
		['a hidden ID', '199999999999701@lid', '199999999999701@lid', 'unconfirmed', /is on the network/],
		['nothing', '447700900001', undefined, 'unconfirmed', /^No reason\. It's not known .* sent\.$/],
		['nothing of one with other forms', '541112345678', undefined, 'unconfirmed', /enter \d+@s/],
	] as const)('where the network has %s: %s, %s → %s', (_, id, found, outcome, message) => {
		expect(refusal(id, found)).toEqual({ outcome, message: expect.stringMatching(message) });
	});
});
