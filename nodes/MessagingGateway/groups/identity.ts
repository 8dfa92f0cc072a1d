/** Who an ID names. */
export interface Identity {
	/** Digits of a phone number and of a hidden ID are different things; `other` is what is no person's ID. */
	readonly kind: 'phone' | 'hidden' | 'other';
	readonly digits: string;
	/** The same for IDs that are spelled alike, e.g. `phone:5511999990001`, `lid:123`. */
	readonly key: string;
	/**
	 * The same for all forms of a person's number: Brazil with and without the ninth digit, Mexico `521` and `52`,
	 * Argentina `549` and `54`, and what gateways make of any of them. Two identities are one person if this is the same.
	 */
	readonly canonical: string;
	/** The key of the number that a gateway asks the network about. It differs for plain numbers that gateways rewrite. */
	readonly rewritten: string;
}

/** By what follows the `@`; `undefined` is a plain number. Groups and channels are no people. */
const KINDS = new Map<string | undefined, 'phone' | 'hidden'>([
	[undefined, 'phone'],
	['s.whatsapp.net', 'phone'],
	['c.us', 'phone'],
	['lid', 'hidden'],
]);

const PREFIX = { phone: 'phone:', hidden: 'lid:' };

const DIGITS = /^\d+$/;
/** Digits with a device (`:12`), which doesn't count. */
const WITH_DEVICE = /^(\d+)[._:][\d._:]*$/;

/** No ID of a person is longer, so that a huge text costs nothing. */
const LONGEST_ID = 100;

/**
 * The identity that an ID spells.
 *
 * @param id a plain number or a JID, also with a device
 * @returns `undefined` for what is no person's ID
 */
export function identityOf(id: string | undefined): Identity | undefined {
	if (id === undefined || id.length > LONGEST_ID) return undefined;
	const at = id.indexOf('@');
	const kind = KINDS.get(at === -1 ? undefined : id.slice(at + 1));
	if (kind === undefined) return undefined;
	const name = at === -1 ? id : id.slice(0, at);
	const digits = DIGITS.test(name) ? name : WITH_DEVICE.exec(name)?.[1];
	return digits === undefined ? undefined : identity(kind, digits, at === -1);
}

/** The identity that an ID spells; a text that is no person's ID stands for itself and fits nobody. */
export function identityFor(id: string): Identity {
	return identityOf(id) ?? { kind: 'other', digits: '', key: id, canonical: id, rewritten: id };
}

/** The identity with a key; `undefined` for what is no key. */
export function identityWithKey(key: string): Identity | undefined {
	const digits = key.slice(key.indexOf(':') + 1);
	const kind = (['phone', 'hidden'] as const).find((one) => key === PREFIX[one] + digits);
	return kind && DIGITS.test(digits) ? identity(kind, digits, false) : undefined;
}

function identity(kind: 'phone' | 'hidden', digits: string, isPlain: boolean): Identity {
	const key = PREFIX[kind] + digits;
	if (kind === 'hidden' || !MAY_BE_SHORTER.test(digits))
		return { kind, digits, key, canonical: key, rewritten: key };
	const rewritten = rewrite(digits);
	const canonical = rewritten === digits ? digits.replace(NINTH_DIGIT, '$1$2') : rewritten;
	return {
		kind,
		digits,
		key,
		canonical: canonical === digits ? key : PREFIX.phone + canonical,
		rewritten: !isPlain || rewritten === digits ? key : PREFIX.phone + rewritten,
	};
}

/** All numbers that have a shorter form; of most countries nothing is ever rewritten, and this is asked very often. */
const MAY_BE_SHORTER = /^5[245]\d{11}$/;

/** What gateways make of a plain number before the network sees it: a digit is dropped. */
const REWRITES = [/^(55(?:3[1-9]|[4-9]\d))\d([7-9]\d{7})$/, /^(5[24])\d(\d{10})$/];

/** Brazil's mobile numbers with the ninth digit, which is the same number without it. */
const NINTH_DIGIT = /^(55\d\d)9([6-9]\d{7})$/;

/**
 * The digits of the number that gateways ask the network about instead of a plain number (1.8.2, 2.2.3 and 2.3.6;
 * recordings `…-normalisation`).
 */
export function rewrite(digits: string): string {
	if (!MAY_BE_SHORTER.test(digits)) return digits;
	return REWRITES.reduce((shortened, pattern) => shortened.replace(pattern, '$1$2'), digits);
}

/** How mobile numbers of some countries are spelled in two ways, which are one number. */
const OTHER_FORMS: ReadonlyArray<[RegExp, string]> = [
	[NINTH_DIGIT, '$1$2'],
	[/^(55\d\d)([6-9]\d{7})$/, '$19$2'],
	[/^521(\d{10})$/, '52$1'],
	[/^52(\d{10})$/, '521$1'],
	[/^549(\d{10})$/, '54$1'],
	[/^54(\d{10})$/, '549$1'],
];

/** The digits of a phone number's other form; `undefined` if it has none. */
export function otherForm({ kind, digits }: Identity): string | undefined {
	if (kind !== 'phone') return undefined;
	const form = OTHER_FORMS.find(([one]) => one.test(digits));
	return form && digits.replace(...form);
}

/** Lists the JIDs under which a gateway may know a person, first the number that it makes of a plain one. */
export function jidsOf(id: Identity): string[] {
	if (id.kind !== 'phone') return id.kind === 'hidden' ? [`${id.digits}@lid`] : [];
	const forms = [id.rewritten.slice(PREFIX.phone.length), id.digits, otherForm(id) ?? id.digits];
	return [...new Set(forms)].map((digits) => `${digits}@s.whatsapp.net`);
}

/** Identities without those that are spelled alike, in their order. */
export function distinct(ids: ReadonlyArray<Identity | undefined>): Identity[] {
	const byKey = new Map<string, Identity>();
	for (const id of ids) if (id !== undefined && !byKey.has(id.key)) byKey.set(id.key, id);
	return [...byKey.values()];
}
