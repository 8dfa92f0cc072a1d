import { nameSome, oneLine, quote } from '../../../nodes/MessagingGateway/common/text';

describe('foreign text in one line', () => {
	it.each([
		['stays as it is', 'Instance "X" not found', 'Instance "X" not found'],
		['loses line breaks', 'a\r\nb\nc\u2028d\u2029e\u0085f', 'a b c d e f'],
		['loses runs of space', '  a \t\t b  ', 'a b'],
		['loses control characters', 'a\u0000b\u001b[31mc', 'a b [31mc'],
		['loses marks that turn text around', 'a\u202eb\u2066c', 'a b c'],
		['loses invisible spaces', '\ufeffa\u200bb', 'a b'],
		['loses half characters', 'a\ud800b\udc00', 'a b'],
		['keeps whole characters', 'Três 😀 ключ', 'Três 😀 ключ'],
		['may be empty', '', ''],
		['may be nothing but space', ' \n\u200b', ''],
	])('%s', (_, text, expected) => {
		expect(oneLine(text)).toBe(expected);
	});

	it('keeps 500 characters, and ends in an ellipsis where it is longer', () => {
		expect(oneLine('a'.repeat(500))).toBe('a'.repeat(500));
		expect(oneLine('a'.repeat(501))).toBe(`${'a'.repeat(499)}…`);
	});

	it('ends in an ellipsis where only spaces were left out of what is kept', () => {
		expect(oneLine(`a${' '.repeat(5000)}b`, 10)).toBe('a…');
		expect(oneLine(`a${' '.repeat(39)}`, 10)).toBe('a');
		expect(oneLine(`a${' '.repeat(40)}`, 10)).toBe('a…');
	});

	it('is not cut in the middle of a character', () => {
		expect(oneLine(`${'a'.repeat(498)}😀${'a'.repeat(100)}`)).toBe(`${'a'.repeat(498)}…`);
		expect(oneLine(`\uFFFD${'a'.repeat(497)}😀${'a'.repeat(100)}`)).toBe(`\uFFFD${'a'.repeat(497)}…`);
	});

	it.each([['a'], [' '], ['\n'], ['\u200b'], ['\ud800'], ['😀']])('is short for 1 MB of %j', (unit) => {
		expect(oneLine(unit.repeat(1_000_000 / unit.length)).length).toBeLessThanOrEqual(500);
	});
});

it('names people without a sign that begins HTML, where a name could hide the others', () => {
	expect(nameSome(['Eve<!--', 'Bo'])).toBe('Eve‹!--, Bo');
});

describe('a value in a message', () => {
	it.each([
		['5.51E+12', '"5.51E+12"'],
		['', '""'],
		['a\nb', '"a b"'],
		['a\u202eb', '"a b"'],
		['a'.repeat(61), `"${'a'.repeat(59)}…"`],
		[5.51e12, '5510000000000'],
		[NaN, 'NaN'],
		[true, 'true'],
		[null, 'null'],
		[undefined, 'undefined'],
		[[1], 'a list'],
		[{ a: 1 }, 'an object'],
		[Object.create(null), 'an object'],
	])('%p is shown as %s', (value, expected) => {
		expect(quote(value)).toBe(expected);
	});
});
