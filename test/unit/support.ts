import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Action } from '../../nodes/MessagingGateway/domain/outcomes';
import type { Participant } from '../../nodes/MessagingGateway/domain/participants';
import { Problem } from '../../nodes/MessagingGateway/domain/problem';

/** One exchange with a real gateway. */
export interface Recording {
	request: { path: string; body: { action: Action; participants: string[] } };
	response: { status: number; body: unknown };
}

export function recording(name: string): Recording {
	return JSON.parse(readFileSync(join(__dirname, '../fixtures/recordings', `${name}.json`), 'utf8'));
}

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
