import {
	canonicalIdentityOf,
	digitsOf,
	identityOf,
	isHidden,
	isPhone,
	rewrittenIdentityOf,
} from '../identity';

// All of this is asked for every change, and nearly all are plain numbers.
const PLAIN = /^\d+$/;
const PLAIN_IN_ONE_FORM = /^(?!5[245]\d{11}$)\d+$/;

/** A JID with a device is sent as it is: 1.8.2 keeps the device, 2.3.6 drops it (recordings `…-normalisation`). */
const WITHOUT_DEVICE = /^\d+@/;

/** What an ID consists of: the digits of a phone number, or those of a hidden ID. */
export type Kind = 'phone' | 'hidden';

/** The kind of what is sent; nothing where that can't be told. */
export function kindOf(sentAs: string): Kind | undefined {
	if (PLAIN.test(sentAs)) return 'phone';
	const identity = identityOf(sentAs);
	return identity === undefined ? undefined : kindIn(identity);
}

/** The kind of an identity. */
export function kindIn(identity: string): Kind | undefined {
	if (isPhone(identity)) return 'phone';
	return isHidden(identity) ? 'hidden' : undefined;
}

/**
 * One name for all that is sent for somebody of one kind: equivalent numbers, and those that become the same by what
 * gateways make of them.
 */
export function personOf(sentAs: string): string {
	if (PLAIN_IN_ONE_FORM.test(sentAs)) return sentAs;
	const identity = identityOf(sentAs);
	return identity === undefined ? sentAs : personIn(identity);
}

/** The same name, from an identity. */
export function personIn(identity: string): string {
	return digitsOf(canonicalIdentityOf(identity));
}

/** One name for what all gateways certainly take for the same number: the same digits, unless they rewrite them. */
export function numberOf(sentAs: string): string {
	if (PLAIN.test(sentAs)) return sentAs;
	const identity = identityOf(sentAs);
	if (identity === undefined || !isPhone(identity) || !WITHOUT_DEVICE.test(sentAs)) return sentAs;
	const digits = digitsOf(identity);
	return rewrittenIdentityOf(digits) === identity ? digits : sentAs;
}
