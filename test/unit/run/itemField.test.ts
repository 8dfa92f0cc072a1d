import { fieldNamedBy, plainValueOf } from '../../../nodes/MessagingGateway/run/parameters';

describe('the field that an expression names', () => {
	it.each([
		['={{ $json.phone }}', ['phone']],
		['={{$json.phone}}', ['phone']],
		['={{\n\t$json.phone\n}}', ['phone']],
		['={{ $json["Phone number"] }}', ['Phone number']],
		["={{ $json['a.b'] }}", ['a.b']],
		[`={{ $json["it's [x]"] }}`, ["it's [x]"]],
		['={{ $json[""] }}', ['']],
		['={{ $json.customer.phone }}', ['customer', 'phone']],
		['={{ $json["my customer"].phones[\'at home\'] }}', ['my customer', 'phones', 'at home']],
		['={{ $json.téléphone }}', ['téléphone']],
		['={{ $json.$phone_2 }}', ['$phone_2']],
	])('is known of %j', (saved, field) => {
		expect(fieldNamedBy(saved)).toEqual(field);
	});

	it.each([
		['text', '$json.phone'],
		['text around it', '=+{{ $json.phone }}'],
		['text after it', '={{ $json.phone }} '],
		['text before it', '= {{ $json.phone }}'],
		['two of them', '={{ $json.a }}{{ $json.b }}'],
		['two in one', '={{ $json.a + $json.b }}'],
		['a function', '={{ $json.phone.trim() }}'],
		['a property that may be missing', '={{ $json.customer?.phone }}'],
		['the whole item', '={{ $json }}'],
		['another node', "={{ $('Sheet').item.json.phone }}"],
		['a place in a list', '={{ $json.phones[0] }}'],
		['a computed name', '={{ $json[$json.name] }}'],
		['a name that begins with a digit', '={{ $json.1st }}'],
		['a name with an escape', '={{ $json["a\\nb"] }}'],
		['a comment', '={{ $json.phone // mobile\n }}'],
		['what only begins so', '={{ $jsonata.phone }}'],
		['no text', 5],
		['a list of it', ['={{ $json.phone }}']],
		['nothing', undefined],
	])('is not known where there is %s', (_, saved) => {
		expect(fieldNamedBy(saved)).toBeUndefined();
	});
});

describe('the plain value of a field', () => {
	const json = {
		phone: '55',
		count: 7,
		none: '',
		yes: true,
		nothing: null,
		list: ['55'],
		in: { side: '66' },
	};

	it.each([
		[['phone'], '55'],
		[['count'], 7],
		[['none'], ''],
		[['in', 'side'], '66'],
	])('%j is text or a number', (field, value) => {
		expect(plainValueOf(json, field)).toBe(value);
	});

	it.each([
		[['yes']],
		[['nothing']],
		[['list']],
		[['list', '0']],
		[['in']],
		[['absent']],
		[['absent', 'phone']],
		[['phone', 'length']],
		[['constructor', 'name']],
		[['toString', 'name']],
	])('%j is left to n8n', (field) => {
		expect(plainValueOf(json, field)).toBeUndefined();
	});

	it('of no item is left to n8n', () => {
		expect(plainValueOf(undefined, ['phone'])).toBeUndefined();
	});
});
