import lengths from './phoneLengths.json';

/** Lengths of phone numbers without their country code, by country code, from `npm run phone-lengths`. */
export const PHONE_LENGTHS: Readonly<
	Record<
		string,
		{
			/** ISO 3166 code of the largest country with this country code. Satellite networks have none. */
			readonly country?: string;
			/** First digits of mobile numbers, by length. */
			readonly mobile: Readonly<Record<string, string>>;
			/** Lengths of mobile and landline numbers, ascending. */
			readonly all: readonly number[];
			/** Whether some numbers begin with a 0 that is dialed from abroad, too, as in Italy. */
			readonly keepsZero?: boolean;
		}
	>
> = Object.fromEntries(Object.entries(lengths).map(([code, text]) => [code, readLengths(text)]));

/** Reads e.g. `IT 6-12 9:3 10:34 keepsZero`: country, lengths, first digits of mobile numbers by length. */
function readLengths(text: string): (typeof PHONE_LENGTHS)[string] {
	const [country = '', all = '', ...others] = text.split(' ');
	const mobile = others.flatMap((other) => {
		const [lengthsOf = '', digits] = other.split(':');
		return digits === undefined ? [] : lengthsIn(lengthsOf).map((length) => [length, digits] as const);
	});
	return {
		...(country !== '-' && { country }),
		mobile: Object.fromEntries(mobile),
		all: lengthsIn(all),
		...(others.includes('keepsZero') && { keepsZero: true }),
	};
}

/** Reads lengths, e.g. `6-8,10`. */
function lengthsIn(text: string): number[] {
	return text.split(',').flatMap((range) => {
		const [from = 0, to = from] = range.split('-').map(Number);
		return Array.from({ length: to - from + 1 }, (_, i) => from + i);
	});
}

/** Finds the country code that digits begin with, a key of {@link PHONE_LENGTHS}. */
export function callingCodeOf(digits: string): string | undefined {
	const length = [1, 2, 3].find((end) => digits.slice(0, end) in PHONE_LENGTHS);
	return length === undefined ? undefined : digits.slice(0, length);
}

/** The person whom an ID names. */
export interface Identity {
	/** `other` is any text that isn't a person's ID, also a number that isn't one. */
	readonly kind: 'phone' | 'hidden' | 'other';
	readonly digits: string;
	/** Equal for IDs of the same kind and digits, e.g. `phone:5511999990001`, `lid:123`. */
	readonly key: string;
	/** Equal for all forms of a number: Brazil with or without the ninth digit, Mexico `521`, Argentina `549`. */
	readonly canonical: string;
	/** The key of the number that a gateway looks up on the network: another one where it rewrites. */
	readonly rewritten: string;
}

const PREFIX = { phone: 'phone:', hidden: 'lid:' };

const KEY = /^(phone|lid):(\d+)$/;
/** A plain number, or a person's JID. A device (`:12`) is ignored. */
const ID = /^(\d+)(?:[._:][\d._:]*)?(@(?:s\.whatsapp\.net|c\.us|lid))?$/;

/** Maximum length of a person's ID, so that a huge text costs nothing. */
const LONGEST_ID = 100;

/** Reads a plain number or a JID, also with a device. @returns `undefined` for any other text */
export function identityOf(id: string | undefined): Identity | undefined {
	if (id === undefined || id.length > LONGEST_ID) return undefined;
	const [, digits, server] = ID.exec(id) ?? [];
	if (digits === undefined) return undefined;
	return identity(server === '@lid' ? 'hidden' : 'phone', digits, server === undefined);
}

/** Reads an ID as {@link identityOf} does. Other text gets an identity of its own, which matches nobody. */
export function identityFor(id: string): Identity {
	return identityOf(id) ?? { kind: 'other', digits: '', key: id, canonical: id, rewritten: id };
}

/** Reads a key back. @returns `undefined` for text that isn't a key */
export function identityWithKey(key: string): Identity | undefined {
	const [, prefix, digits] = KEY.exec(key) ?? [];
	return digits === undefined ? undefined : identity(prefix === 'lid' ? 'hidden' : 'phone', digits, false);
}

function identity(kind: 'phone' | 'hidden', digits: string, isPlain: boolean): Identity {
	const key = PREFIX[kind] + digits;
	const isOther = kind === 'phone' && !mayBeNumber(digits);
	const known = { kind: isOther ? 'other' : kind, digits, key, canonical: key, rewritten: key } as const;
	if (known.kind !== 'phone' || !MAY_HAVE_FORMS.test(digits)) return known;
	const rewritten = rewrite(digits);
	return {
		...known,
		canonical: PREFIX.phone + rewritten.replace(NINTH_DIGIT, '$1$2'),
		rewritten: isPlain ? PREFIX.phone + rewritten : key,
	};
}

/** Fewest digits of most hidden IDs. Numbers of so many digits are rare, and mobile ones. */
const FEWEST_HIDDEN = 14;

/** Whether a country's numbers can have these digits. Shorter numbers count: they may be of an older plan. */
function mayBeNumber(digits: string): boolean {
	const code = callingCodeOf(digits) ?? '';
	const { mobile, all } = PHONE_LENGTHS[code] ?? {};
	if (mobile === undefined || all === undefined) return false;
	const national = digits.slice(code.length);
	const { length } = national;
	if (digits.length >= FEWEST_HIDDEN) return mobile[length]?.includes(national.charAt(0)) ?? false;
	return all.includes(length) || length < (all[0] ?? 0);
}

/** Last digits that stay the same in new plans, and when a 0 or a country code too many is in front. */
const ENDING = 8;

/** Returns a text that nearly equal numbers share: country code and last eight digits. */
export function endingOf({ kind, digits }: Identity): string | undefined {
	if (kind === 'hidden' || digits.length < ENDING) return undefined;
	return `${callingCodeOf(digits)} ${digits.slice(-ENDING)}`;
}

/** The beginning of numbers that have two forms, or that gateways rewrite: Brazil, Mexico, Argentina. */
const MAY_HAVE_FORMS = /^5[245]/;

/** Rewrites of plain numbers by gateways, which drop a digit. */
const REWRITES = [/^(55(?:3[1-9]|[4-9]\d))\d([7-9]\d{7})$/, /^(5[24])\d(\d{10})$/];

/** Mobile numbers of Brazil with the ninth digit. They work without it, too. */
const NINTH_DIGIT = /^(55\d\d)9([6-9]\d{7})$/;

/** Returns the digits that gateways look up instead of a plain number's (recordings `…-normalisation`). */
export function rewrite(digits: string): string {
	if (!MAY_HAVE_FORMS.test(digits)) return digits;
	return REWRITES.reduce((shortened, pattern) => shortened.replace(pattern, '$1$2'), digits);
}

/** Patterns of mobile numbers that have two forms, each with the replacement that gives the other form. */
const OTHER_FORMS: ReadonlyArray<[RegExp, string]> = [
	[NINTH_DIGIT, '$1$2'],
	[/^(55\d\d)([6-9]\d{7})$/, '$19$2'],
	[/^521(\d{10})$/, '52$1'],
	[/^52(\d{10})$/, '521$1'],
	[/^549(\d{10})$/, '54$1'],
	[/^54(\d{10})$/, '549$1'],
];

/** Returns the digits of a phone number's other form; `undefined` if there is no other form. */
export function otherForm({ kind, digits }: Identity): string | undefined {
	if (kind !== 'phone') return undefined;
	const form = OTHER_FORMS.find(([pattern]) => pattern.test(digits));
	return form && digits.replace(...form);
}

/** Lists the JIDs under which a gateway may know a person, with the rewritten number first. */
export function jidsOf(id: Identity): string[] {
	if (id.kind !== 'phone') return id.kind === 'hidden' ? [`${id.digits}@lid`] : [];
	const forms = [id.rewritten.slice(PREFIX.phone.length), id.digits, otherForm(id) ?? id.digits];
	return [...new Set(forms)].map((digits) => `${digits}@s.whatsapp.net`);
}

/** Drops missing IDs of one person, and repeated ones. A number with the digits of the hidden ID is none. */
export function distinct(ids: ReadonlyArray<Identity | undefined>): Identity[] {
	const kept = new Map<string, Identity>();
	for (const id of ids) if (id !== undefined && !kept.has(id.key)) kept.set(id.key, id);
	const known = [...kept.values()];
	const hidden = new Set(known.flatMap(({ kind, digits }) => (kind === 'hidden' ? digits : [])));
	return known.map((id) => (id.kind === 'phone' && hidden.has(id.digits) ? { ...id, kind: 'other' } : id));
}
