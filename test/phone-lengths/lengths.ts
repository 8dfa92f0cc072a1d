/** How long phone numbers are in each country, taken from a library that keeps phone metadata. */
import { readFileSync } from 'node:fs';
import { Metadata, type CountryCode, type MetadataJson, type NumberingPlan } from 'libphonenumber-js/core';
import type { PhoneLengths } from '../../nodes/MessagingGateway/input/phoneLengths';

/** A country's numbers of one type, without country code. */
interface NumberType {
	/** A regular expression for them. */
	pattern(): string;
	possibleLengths(): number[];
}

/** The library's own types leave this out. */
interface TypedPlan extends NumberingPlan {
	type(name: 'MOBILE' | 'FIXED_LINE'): NumberType | undefined;
}

// Imported, its type would be that of the JSON, which the library's own functions don't take.
const METADATA: MetadataJson = JSON.parse(
	readFileSync(require.resolve('libphonenumber-js/metadata.max.json'), 'utf8'),
);

/** Messaging networks still write Mexico's mobile numbers with the 1 that the country dropped in 2019: `521` and ten digits. */
const STILL_IN_USE: Record<string, number[]> = { '52': [11] };

const DIGITS = [...'0123456789'];
const BEGIN_WITH_ZERO = DIGITS.flatMap((second) => DIGITS.map((third) => `0${second}${third}`));

/** @returns the lengths by country calling code */
export function takePhoneLengths(): Record<string, PhoneLengths> {
	const codes = Object.entries(METADATA.country_calling_codes);
	return Object.fromEntries(codes.map(([code, countries]) => [code, lengthsOf(code, countries)]));
}

/** The lengths of one code, which several countries may share. */
function lengthsOf(code: string, countries: CountryCode[]): PhoneLengths {
	const plans = countries.map(planOf);
	const mobile = plans.flatMap((plan) => plan.type('MOBILE') ?? []);
	const all = [...mobile, ...plans.flatMap((plan) => plan.type('FIXED_LINE') ?? [])];
	const also = STILL_IN_USE[code] ?? [];
	return {
		mobile: sorted([...mobile.flatMap((type) => type.possibleLengths()), ...also]),
		all: sorted([...all.flatMap((type) => type.possibleLengths()), ...also]),
		...(all.some(mayBeginWithZero) ? { keepsZero: true } : {}),
	};
}

function planOf(country: CountryCode): TypedPlan {
	const metadata = new Metadata(METADATA);
	metadata.selectNumberingPlan(country);
	const plan = metadata.numberingPlan;
	if (plan === undefined || !hasTypes(plan)) throw new Error(`${country} has no numbering plan`);
	return plan;
}

function hasTypes(plan: NumberingPlan): plan is TypedPlan {
	return 'type' in plan;
}

/** Whether a number of this type may begin with 0. The library knows only patterns, so it is tried out. */
function mayBeginWithZero(type: NumberType): boolean {
	const pattern = new RegExp(`^(?:${type.pattern()})$`);
	const examples = type
		.possibleLengths()
		.flatMap((length) =>
			BEGIN_WITH_ZERO.flatMap((beginning) => DIGITS.map((digit) => beginning.padEnd(length, digit))),
		);
	return examples.some((example) => pattern.test(example));
}

function sorted(lengths: number[]): number[] {
	return [...new Set(lengths)].sort((a, b) => a - b);
}
