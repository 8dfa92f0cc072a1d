const PHONE = 'phone:';
const HIDDEN = 'lid:';

/** Digits of a phone number and of a hidden ID are different things; those of a group are no person's. */
const KINDS = new Map([
	[undefined, PHONE],
	['s.whatsapp.net', PHONE],
	['c.us', PHONE],
	['lid', HIDDEN],
]);

const DIGITS = /^\d+$/;
/** Digits with a device (`:12`), which doesn't count. */
const WITH_DEVICE = /^(\d+)[._:][\d._:]*$/;

/** No ID of a person is longer, so that a huge text costs nothing. */
const LONGEST_ID = 100;

/**
 * The identity that an ID spells.
 *
 * @param id a plain number or a JID, also with a device
 * @returns `phone:<digits>` or `lid:<digits>`; nothing for what is no person's ID
 */
export function identityOf(id: string | undefined): string | undefined {
	if (id === undefined || id.length > LONGEST_ID) return undefined;
	const at = id.indexOf('@');
	const kind = KINDS.get(at === -1 ? undefined : id.slice(at + 1));
	if (kind === undefined) return undefined;
	const name = at === -1 ? id : id.slice(0, at);
	// Of every member several are asked for, nearly all of them without a device.
	const digits = DIGITS.test(name) ? name : WITH_DEVICE.exec(name)?.[1];
	return digits === undefined ? undefined : kind + digits;
}

/** Whether an identity is a phone number, and not a hidden ID. */
export function isPhone(identity: string): boolean {
	return identity.startsWith(PHONE);
}

/** Whether an identity is a hidden ID, and not a phone number. */
export function isHidden(identity: string): boolean {
	return identity.startsWith(HIDDEN);
}

/** The digits of an identity. */
export function digitsOf(identity: string): string {
	return identity.slice(identity.indexOf(':') + 1);
}

/** What gateways make of a plain number before the network sees it: a digit is dropped. */
const REWRITES = [/^(55(?:3[1-9]|[4-9]\d))\d([7-9]\d{7})$/, /^(5[24])\d(\d{10})$/];

/** All numbers that have a shorter form. */
const MAY_BE_SHORTER = /^phone:5[245]\d{11}$/;

/** Brazil's mobile numbers with the ninth digit, which is the same number without it. */
const NINTH_DIGIT = /^(55\d\d)9([6-9]\d{7})$/;

function shorten(digits: string, patterns: readonly RegExp[]): string {
	return patterns.reduce((shortened, pattern) => shortened.replace(pattern, '$1$2'), digits);
}

/**
 * The identity of a participant after the rewrites that gateways apply to a plain number (1.8.2, 2.2.3 and 2.3.6;
 * recordings `…-normalisation`). Full JIDs pass untouched, but for `@c.us`.
 */
export function rewrittenIdentityOf(sentAs: string): string | undefined {
	return identityOf(shorten(sentAs.replace('@c.us', ''), REWRITES));
}

/**
 * Whether the network was asked about another number than the one sent, or may have been.
 *
 * @param sentAs a plain number or a JID
 * @param numbers the phone numbers that the reply names the person by, as {@link identityOf} gives them
 * @returns `true` where there is another number among them, or none and gateways rewrite the one sent; never for a
 * full JID
 */
export function isAskedAsAnother(sentAs: string, numbers: ReadonlySet<string>): boolean {
	if (sentAs.includes('@') && !sentAs.endsWith('@c.us')) return false;
	const own = identityOf(sentAs);
	const [number] = numbers;
	return number === undefined ? own !== rewrittenIdentityOf(sentAs) : numbers.size > 1 || number !== own;
}

/**
 * One name for all forms of a person's number: Brazil with and without the ninth digit, Mexico `521` and `52`,
 * Argentina `549` and `54`, and what gateways make of any of them. Two identities are one person if this is the same.
 *
 * @param identity as {@link identityOf} gives it
 * @returns the shortest form; a hidden ID has only one
 */
export function canonicalIdentityOf(identity: string): string {
	// Of most countries nothing is ever rewritten, and this is asked very often.
	if (!MAY_BE_SHORTER.test(identity)) return identity;
	return PHONE + shorten(digitsOf(identity), [NINTH_DIGIT, ...REWRITES]);
}
