import type { Participant } from '../../nodes/MessagingGateway/domain/input/participants';
import { Problem } from '../../nodes/MessagingGateway/domain/failures/problem';

/** The problem that a call ends in; the test fails where it ends in anything else. */
export function problemOf(call: () => unknown): Problem {
	try {
		call();
	} catch (thrown) {
		if (thrown instanceof Problem) return thrown;
		throw thrown;
	}
	throw new Error('There was no problem');
}

/** A participant that is sent as the item gave it. */
export function person(sentAs: string): Participant {
	return { given: sentAs, sentAs };
}
