import { otherForm, type Identity } from '../identity';
import { EXACTLY, sentenceOf } from '../outcomes';

/**
 * What a refusal without a reason means. It also comes after the message has gone, so that only what the network says of
 * the number can make it sure.
 *
 * @param id who was to be invited
 * @param found the ID under which the network has the number; `null` if it hasn't, `undefined` if that isn't known
 * @param reason the failure's own words
 */
export function explainRefusal(
	id: Identity,
	found: Identity | null | undefined,
	reason: string,
): { outcome: 'notFound' | 'rejected' | 'unconfirmed'; message: string } {
	const severalForms = otherForm(id) !== undefined;
	if (found === null && id.kind === 'hidden')
		return { outcome: 'notFound', message: "The gateway can't find this hidden ID. Use the phone number." };
	if (found === null) {
		const advice = severalForms ? ` If every digit is right, ${EXACTLY} and try again.` : '';
		return { outcome: 'notFound', message: sentenceOf('notFound', 'invite') + advice };
	}
	if (found !== undefined && isAnotherNumber(found, id))
		return {
			outcome: 'rejected',
			message: `Wasn't invited: the network has this person under the number ${found.digits}. Enter that number and ${EXACTLY}.`,
		};
	const known = found === undefined ? "It's" : "The number is on the network, so it's";
	const advice = severalForms ? ` If it wasn't, ${EXACTLY}: the number has another form.` : '';
	return {
		outcome: 'unconfirmed',
		message: `${reason}. ${known} not known whether the message was sent.${advice}`,
	};
}

/** Whether it is neither the number as given nor what gateways make of it. */
function isAnotherNumber(found: Identity, { kind, key, rewritten }: Identity): boolean {
	return found.kind === 'phone' && kind === 'phone' && found.key !== key && found.key !== rewritten;
}
