import {
	canonicalIdentityOf,
	digitsOf,
	identityOf,
	isAskedAsAnother,
	isHidden,
	isPhone,
	rewrittenIdentityOf,
} from '../../../nodes/MessagingGateway/groups/identity';

describe('identityOf', () => {
	test.each([
		['5511999990001', 'phone:5511999990001'],
		['5511999990001@s.whatsapp.net', 'phone:5511999990001'],
		['5511999990001@c.us', 'phone:5511999990001'],
		['5511999990001:12@s.whatsapp.net', 'phone:5511999990001'],
		['5511999990001_1:12@s.whatsapp.net', 'phone:5511999990001'],
		['1234567890@lid', 'lid:1234567890'],
		['1234567890:3@lid', 'lid:1234567890'],
	])('%s is %s', (id, identity) => {
		expect(identityOf(id)).toBe(identity);
	});

	test.each([undefined, '', 'abc', '@lid', '120363000000000001@g.us', '1234-5678', '1@newsletter'])(
		'%s is nobody',
		(id) => {
			expect(identityOf(id)).toBeUndefined();
		},
	);

	test('an ID has up to 100 characters', () => {
		expect(identityOf('5'.repeat(100))).toBe(`phone:${'5'.repeat(100)}`);
		expect(identityOf('5'.repeat(101))).toBeUndefined();
	});

	test('a text of any length is looked at in no time', () => {
		expect(identityOf(`5511999990001${'.1'.repeat(2_000_000)}`)).toBeUndefined();
	});
});

test('a hidden ID with the digits of a number is somebody else', () => {
	expect(identityOf('5511999990001@lid')).not.toBe(identityOf('5511999990001'));
	expect([isPhone('phone:1'), isPhone('lid:1'), digitsOf('lid:12')]).toEqual([true, false, '12']);
	expect([isHidden('phone:1'), isHidden('lid:1')]).toEqual([false, true]);
});

describe('rewrittenIdentityOf', () => {
	test.each([
		['5531999990002', 'phone:553199990002'],
		['5531999990002@c.us', 'phone:553199990002'],
		['5531999990002@s.whatsapp.net', 'phone:5531999990002'],
		['5521999990002', 'phone:5521999990002'],
		['5531969990002', 'phone:5531969990002'],
		['5215512345678', 'phone:525512345678'],
		['5491112345678', 'phone:541112345678'],
		['4915123456789', 'phone:4915123456789'],
	])('%s becomes %s', (sentAs, identity) => {
		expect(rewrittenIdentityOf(sentAs)).toBe(identity);
	});
});

describe('isAskedAsAnother', () => {
	test.each<[sentAs: string, numbers: string[], boolean]>([
		['5215512345678', [], true],
		['5215512345678', ['phone:5215512345678'], false],
		['5215512345678', ['phone:525512345678'], true],
		['5215512345678', ['phone:5215512345678', 'phone:525512345678'], true],
		['5215512345678@c.us', [], true],
		['5511999990001', [], false],
		['5511999990001', ['phone:551199990001'], true],
		['5215512345678@s.whatsapp.net', ['phone:525512345678'], false],
		['5215512345678@s.whatsapp.net', [], false],
		['199999999999777@lid', ['phone:525512345678'], false],
	])('%s, which the reply calls %j: %p', (sentAs, numbers, expected) => {
		expect(isAskedAsAnother(sentAs, new Set(numbers))).toBe(expected);
	});
});

describe('canonicalIdentityOf', () => {
	const same = (one: string, other: string) =>
		canonicalIdentityOf(`phone:${one}`) === canonicalIdentityOf(`phone:${other}`);

	test.each([
		['Brazil, where gateways drop the ninth digit', '5531999990002', '553199990002'],
		['Brazil, where they keep it', '5511999990002', '551199990002'],
		['Brazil, a number that begins with 6', '5511969990002', '551169990002'],
		['Brazil, whatever digit a gateway drops', '5531899990002', '5531999990002'],
		['Mexico', '5215512345678', '525512345678'],
		['Argentina', '5491112345678', '541112345678'],
		['Mexico, whatever digit a gateway drops', '5225512345678', '5215512345678'],
	])('%s: %s is %s', (_, one, other) => {
		expect(same(one, other)).toBe(true);
	});

	test.each([
		['a landline in Brazil has no ninth digit', '5511932345678', '551132345678'],
		['another area', '5511999990002', '5521999990002'],
		['another country with as many digits', '4915123456789', '491523456789'],
		['another number', '5511999990002', '5511999990003'],
	])('%s: %s is not %s', (_, one, other) => {
		expect(same(one, other)).toBe(false);
	});

	test('a hidden ID has one form', () => {
		expect(canonicalIdentityOf('lid:5531999990002')).toBe('lid:5531999990002');
	});

	test('the form of a form is itself', () => {
		for (const one of ['5531999990002', '5215512345678', '5511969990002']) {
			const once = canonicalIdentityOf(`phone:${one}`);
			expect(canonicalIdentityOf(once)).toBe(once);
		}
	});
});
