/** How long phone numbers are in each country, and with which digit its mobile numbers begin. */
import type { PHONE_LENGTHS } from '../../nodes/MessagingGateway/groups/identity';
import { callingCodes, type CallingCode, type NumberType } from './metadata';
import { beginningsOf } from './patterns';

/**
 * First digits, by length, of mobile numbers that the library doesn't know and messaging networks use: in Mexico with
 * the 1 that the country dropped in 2019, in Argentina without the 9 that is only dialed from abroad.
 */
const STILL_IN_USE: Record<string, Record<number, string>> = { '52': { 11: '1' }, '54': { 10: '123' } };

/** @returns the lengths by country calling code */
export function takePhoneLengths(): typeof PHONE_LENGTHS {
	return Object.fromEntries(callingCodes().map((each) => [each.code, lengthsOf(each)]));
}

function lengthsOf({ code, country, mobile, landline }: CallingCode): (typeof PHONE_LENGTHS)[string] {
	const also = Object.entries(STILL_IN_USE[code] ?? {}).flatMap(([length, digits]) =>
		[...digits].map((digit) => ({ digit, length: Number(length) })),
	);
	const mobiles = [...mobile.flatMap(possibleBeginnings), ...also];
	const all = [...mobiles, ...landline.flatMap(possibleBeginnings)];
	const lengths = sorted(
		[...mobile, ...landline].flatMap((type) => type.lengths).concat(also.map(({ length }) => length)),
	);
	return {
		...(country !== undefined && { country }),
		mobile: Object.fromEntries(
			sorted(mobiles.map(({ length }) => length)).map((length) => [
				length,
				sorted(mobiles.filter((one) => one.length === length).map(({ digit }) => digit)).join(''),
			]),
		),
		all: lengths,
		...(all.some(({ digit }) => digit === '0') && { keepsZero: true }),
	};
}

function possibleBeginnings({ pattern, lengths }: NumberType) {
	return beginningsOf(pattern).filter(({ length }) => lengths.includes(length));
}

function sorted<T extends number | string>(all: readonly T[]): T[] {
	return [...new Set(all)].sort((a, b) => Number(a) - Number(b));
}
