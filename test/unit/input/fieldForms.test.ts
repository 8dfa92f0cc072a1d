import { readParticipants } from '../../../nodes/MessagingGateway/input/participants';
import { problemOf } from '../support';

/** Forms that people's sheets, exports, and other nodes have given, with what becomes of them. */
type Form = [given: unknown, becomes: string, defaultCountryCode?: string];

const read = (given: unknown, defaultCountryCode?: string) =>
	readParticipants(given, { exact: false, defaultCountryCode })
		.map(({ sentAs }) => sentAs)
		.join(' ');

const TAKEN: Record<string, Form[]> = {
	'a 0 behind the country code': [
		['+60 012-345 6789', '60123456789'],
		['+64 021 123 4567', '64211234567'],
		['+43 0664 1234567', '436641234567'],
		['+358 040 1234567', '358401234567'],
		['+359 043 012345', '35943012345'],
		['+381 064 1234567', '381641234567'],
		['+95 09 212 3456', '9592123456'],
		['+243 099 123 4567', '243991234567'],
		['+387 061 123 456', '38761123456'],
		['+855 091 234 567', '85591234567'],
		['+62 0812 3456 7890', '6281234567890'],
		['+49 (0)151 12345678', '4915112345678'],
		['0044 (0) 7700 900123', '447700900123'],
		['6208123456789', '628123456789', '62'],
		['640211234567', '64211234567', '64'],
		['3580412345678', '358412345678', '358'],
		['3810601234567', '381601234567', '381'],
		['383043201234', '38343201234', '383'],
		['49 (0)151 12345678', '4915112345678', '49'],
		['0 62 0812 345 6789', '628123456789', '62'],
	],
	'a 0 that belongs to the number': [
		['+225 05 44 55 66 77', '2250544556677'],
		['+39 06 1234 5678', '390612345678'],
		['2290197123456', '2290197123456', '229'],
	],
	'what programs and lists put around a number': [
		["'+5511990000100", '5511990000100'],
		['tel:+55-11-99000-0100', '5511990000100'],
		['p:+5511990000100', '5511990000100'],
		['WhatsApp:+5511990000100', '5511990000100'],
		['"+5511990000100", "+5511990000101"', '5511990000100 5511990000101'],
		['"+5511990000100, +5511990000101"', '5511990000100 5511990000101'],
		['“+5511990000100”', '5511990000100'],
		['="5511990000100"', '5511990000100'],
		['- +55 11 99000-0100\n- +55 11 99000-0101', '5511990000100 5511990000101'],
		['1. +55 11 99000-0100\n2. (+55) 11 99000-0101', '5511990000100 5511990000101'],
		['1) 5511990000100; 12) 5511990000101', '5511990000100 5511990000101'],
		['55) 11 99000-0100', '5511990000100', '55'],
		['55. 11 99000-0100', '5511990000100'],
		['11) 99000-0100', '5511990000100', '55'],
		['+55 11 99000-0100 ::: +55 11 99000-0101', '5511990000100 5511990000101'],
		["'5511990000100@c.us'", '5511990000100@s.whatsapp.net'],
	],
	'digits of other scripts': [
		['+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', '966501234567'],
		['+۹۸ ۹۱۲ ۳۴۵ ۶۷۸۹', '989123456789'],
		['+৮৮০ ১৭১২-৩৪৫৬৭৮', '8801712345678'],
		['＋５５１１９９９９９０００１', '5511999990001'],
		['+९१ ९८१२३ ४५६७८', '919812345678'],
		['𝟙𝟜𝟙𝟝𝟝𝟝𝟝𝟘𝟙𝟛𝟚', '14155550132'],
		['＋５５（１１）９９９９９－０００１', '5511999990001'],
		['+٥٥١١٩٩٩٩٩٠٠٠١، +٥٥١١٩٩٩٩٩٠٠٠٢', '5511999990001 5511999990002'],
		['+5511999990001；+5511999990002，+5511999990003', '5511999990001 5511999990002 5511999990003'],
	],
	'a + that is behind, or twice': [
		['966501234567+', '966501234567'],
		['٩٦٦٥٠١٢٣٤٥٦٧+', '966501234567'],
		['55 11 99000-0100 +', '5511990000100'],
		['++5511999990001', '5511999990001'],
		['+ +55 11 99999-0001', '5511999990001'],
		['"++5511999990001"', '5511999990001'],
	],
	'a mark in front of digits that all stand together': [['\u200f+5511990000100\u200f', '5511990000100']],
};

const REFUSED: Record<string, Form[]> = {
	'two zeros behind the country code': [
		['+62 00812-3456-7890', 'has a 0 too many behind its country code'],
		['+49 (0) 0151 12345678', 'has a 0 too many behind its country code'],
		['6208123456789', 'has a 0 too many behind its country code'],
	],
	'a country code that is written twice': [
		['+6262812345678', 'has its country code twice: write +62812345678'],
		['+49 49 151 23456789', 'has its country code twice: write +4915123456789'],
		['+49 49 0151 23456789', 'has its country code twice: write +4915123456789'],
		['225 225 07 01 02 03 04', 'has its country code twice: write +2250701020304'],
		['6262812345678', 'has its country code twice: write +62812345678', '62'],
	],
	'what is no part of a number': [
		['https://wa.me/5511990000100', 'has letters'],
		['+55 11 99000-0100 (Ana)', 'has letters'],
		['Ana: +55 11 99000-0100', 'has letters'],
		['+55 11 3333-4444 ramal 12', 'has letters'],
		['55119999a0001', 'has letters'],
		['+55 11 99000-0100 / +55 11 99000-0101', 'has a /'],
		['+55 11 99000-0100 +55 11 99000-0101', "has a + that isn't in front"],
		['+55·11·99000·0100', 'has a ·'],
		['#5511990000100', 'has a #'],
	],
	'an expression as text': [
		['{{ $json.phone }}', 'is an expression as text: switch the field to Expression'],
		['={{ $json.phones.join(",") }}', 'is an expression as text: switch the field to Expression'],
		['+{{$json["Phone number"]}}', 'is an expression as text: switch the field to Expression'],
		['$json.phone', 'is an expression as text: switch the field to Expression'],
	],
	'what a spreadsheet made of a number': [
		['5511999990001,00', ': a spreadsheet changed it'],
		['5511999990001,0; +5511999990002', ': a spreadsheet changed it'],
		['5,511,999,990,001', ': a spreadsheet changed it'],
		['5,511,999,990,001.00', ': a spreadsheet changed it'],
		['5.511.999.990.001,00', ': a spreadsheet changed it'],
		['+5511999990001,00', ': a spreadsheet changed it'],
		['#NOME?', ': a spreadsheet changed it'],
	],
	'marks that show digits in another order': [
		['\u202e+5511990000100', 'has an invisible mark that shows its digits in another order'],
		['\u200f55 11 99000-0100', 'has an invisible mark that shows its digits in another order'],
		['\u2067+5511990000100', 'has an invisible mark that shows its digits in another order'],
	],
	'objects, which have fields': [
		[[{ id: '5511990000100@c.us' }], 'has the fields id: use one with a phone number'],
		[{ jid: '5511990000100@s.whatsapp.net' }, 'has the fields jid: use one with a phone number'],
		['{"participants":["5511990000100"]}', 'has the fields participants: use one with a phone number'],
		[
			[{ id: '199999999999777@lid', phoneNumber: '+55 11 99000-0100' }],
			'has the fields id, phoneNumber: use phoneNumber',
		],
		[
			{ ddi: '+55', ddd: '11', number: '999990001' },
			'has the fields ddi, ddd, number: put ddi, ddd and number together',
		],
		[
			{ country_code: '55', area_code: '11', number: '999990001', type: 'home' },
			'has the fields country_code, area_code, number, type: put country_code, area_code and number together',
		],
		[
			[{ phone_ddd: '11', phone_number: '999990001' }],
			'has the fields phone_ddd, phone_number: put phone_ddd and phone_number together',
		],
		[{ countryCode: 'BR', phone: '+55 11 99000-0100' }, 'has the fields countryCode, phone: use phone'],
		[
			{ country: '55', area: '11', number: '999990001', type: 'MOBILE' },
			'has the fields country, area, number, type: put country, area and number together',
		],
		[
			{ ddi: '55', ddd: '11', telefone: '999990001' },
			'has the fields ddi, ddd, telefone: put ddi, ddd and telefone together',
		],
		[{ nome: 'Ana', celular: '+5511990000100' }, 'has the fields nome, celular: use celular'],
	],
	'a place in a list, which may be the beginning of another number': [
		['3. 6591301969', 'is unclear: it could be +36591301969 or +6591301969'],
		['1) 6582803525', 'is unclear: it could be +16582803525 or +6582803525'],
		['1) 62895906387', "is no mobile number of Indonesia: if it's right, write +62162895906387", '62'],
	],
	'forms that are dialed only inside a country': [
		['0351 15 512 3456', 'is too long for Argentina', '54'],
		['8 (771) 000 9998', 'is too long for Russia or Kazakhstan', '7'],
		['8 029 491-19-11', 'is too long for Belarus', '375'],
		['015 11 99000-0100', 'is too long for Brazil', '55'],
		['(0xx11) 99000-0100', 'has letters', '55'],
		['718139912', 'is too short for Côte d’Ivoire', '225'],
	],
	'a number of an old plan, as a gateway lists it': [
		['22518139912', 'has no country code: write + and the country code, or set Default Country Code'],
		['+22518139912', 'is too short for Côte d’Ivoire'],
	],
};

describe.each(Object.entries(TAKEN))('%s', (_, forms) => {
	it.each(forms)('is no hindrance: %j', (given, becomes, ...[defaultCountryCode]) => {
		expect(read(given, defaultCountryCode)).toBe(becomes);
	});
});

describe.each(Object.entries(REFUSED))('%s', (_, forms) => {
	it.each(forms)('are refused with what to do: %j', (given, reason, ...[defaultCountryCode]) => {
		const { brief = '', description } = problemOf(() => read(given, defaultCountryCode));

		expect(brief.replace(/^(?:".*?"|an object)(?: |(?=:))/, '')).toBe(reason);
		expect(brief).not.toMatch(/\p{Cf}/u);
		expect(description).toMatch(
			/country code|digits 0 to 9|Type the number again|Expression above|plain text/,
		);
	});
});

test.each(['22518139912', '+22518139912'])('a member of an old plan can be named by the ID: %s', (number) => {
	expect(problemOf(() => read(number)).description).toContain("from Get Participants, use the field 'jid'");
	expect(read('22518139912@s.whatsapp.net')).toBe('22518139912@s.whatsapp.net');
});
