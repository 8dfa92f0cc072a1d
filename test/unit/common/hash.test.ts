import { hashOf } from '../../../nodes/MessagingGateway/common/hash';

// The values of FNV-1a with 32 bits, from its authors' test suite.
it.each([
	['', '811c9dc5'],
	['a', 'e40c292c'],
	['foobar', 'bf9cf968'],
])('%j is %s', (text, hash) => {
	expect(hashOf(text)).toBe(hash);
});

it('has eight digits, also where it begins with zeros', () => {
	const hashes = Array.from({ length: 1_000 }, (_, i) => hashOf(`${i}`));

	expect(hashes.filter((one) => !/^[0-9a-f]{8}$/.test(one))).toEqual([]);
	expect(hashes.some((one) => one.startsWith('0'))).toBe(true);
});
