/** Phone numbers of each country, from a library that keeps them: a development dependency. */
import { readFileSync } from 'node:fs';
import { Metadata, type CountryCode, type MetadataJson, type NumberingPlan } from 'libphonenumber-js/core';

/** A country's numbers of one type, without country code. */
export interface NumberType {
	readonly pattern: string;
	readonly lengths: readonly number[];
}

export interface CallingCode {
	readonly code: string;
	/** The largest of those that share it; `undefined` for satellite networks. */
	readonly country: string | undefined;
	readonly mobile: readonly NumberType[];
	readonly landline: readonly NumberType[];
}

/** The library's own types leave this out. */
interface TypedPlan extends NumberingPlan {
	type(name: Type): { pattern(): string; possibleLengths(): number[] } | undefined;
}

type Type = 'MOBILE' | 'FIXED_LINE';

// Imported, its type would be that of the JSON, which the library's own functions don't take.
const METADATA: MetadataJson & { nonGeographic: Record<string, unknown> } = JSON.parse(
	readFileSync(require.resolve('libphonenumber-js/metadata.max.json'), 'utf8'),
);

/** Lists the calling codes of all countries, and those of satellite networks with mobile numbers. */
export function callingCodes(): CallingCode[] {
	const countries = Object.entries(METADATA.country_calling_codes).map(([code, all]) =>
		callingCode(code, all[0], all),
	);
	const networks = Object.keys(METADATA.nonGeographic).map((code) => callingCode(code, undefined, [code]));
	return [...countries, ...networks.filter(({ mobile }) => mobile.length > 0)];
}

function callingCode(code: string, country: string | undefined, names: readonly string[]): CallingCode {
	const plans = names.map(planOf);
	const typed = (type: Type) => plans.flatMap((plan) => numberTypeOf(plan, type));
	return { code, country, mobile: typed('MOBILE'), landline: typed('FIXED_LINE') };
}

/** @param name a country, or the code of a network without one */
function planOf(name: string): TypedPlan {
	const metadata = new Metadata(METADATA);
	// It selects that of a network, too.
	metadata.selectNumberingPlan(name as CountryCode);
	const plan = metadata.numberingPlan;
	if (plan === undefined || !hasTypes(plan)) throw new Error(`${name} has no numbering plan`);
	return plan;
}

function hasTypes(plan: NumberingPlan): plan is TypedPlan {
	return 'type' in plan;
}

function numberTypeOf(plan: TypedPlan, name: Type): NumberType[] {
	const type = plan.type(name);
	if (type === undefined) return [];
	// No pattern of its own: mobile numbers are like those of landlines, as in North America.
	const pattern = type.pattern() || plan.type('FIXED_LINE')?.pattern();
	if (!pattern) throw new Error(`There is no pattern for ${name}`);
	return [{ pattern, lengths: type.possibleLengths() }];
}
