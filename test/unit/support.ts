import { Problem } from '../../nodes/MessagingGateway/common/problem';
import type { CallFailure } from '../../nodes/MessagingGateway/gateway/failures/callFailure';
import { toGatewayFailure } from '../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import { batches } from '../../nodes/MessagingGateway/groups/batching';
import {
	changeResult,
	type Change,
	type ChangeRequest,
	type ChangeResult,
	type GroupRef,
	type Participant,
} from '../../nodes/MessagingGateway/groups/change';
import { identityFor } from '../../nodes/MessagingGateway/groups/identity';
import type { Action, Outcome } from '../../nodes/MessagingGateway/groups/outcomes';

export { readMembers } from '../../nodes/MessagingGateway/gateway/replies/members';

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

/** What a promise is rejected with; the test fails where it isn't. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
	return await promise.then(
		() => {
			throw new Error('There was no failure');
		},
		(failure: unknown) => failure,
	);
}

/** Whether a promise is settled by now, on Jest's clock. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
	const open = Symbol('open');
	await jest.advanceTimersByTimeAsync(0);
	return (await Promise.race([promise, Promise.resolve(open)])) !== open;
}

/** A credential that can be used. */
export const CREDENTIAL = {
	baseUrl: 'https://gateway.example.com',
	apiKey: 'KEY-0000',
	allowUnauthorizedCerts: false,
};

/** The failure of a call of which no more than this was seen. */
export function failureOf(call: Partial<CallFailure>) {
	const { message = '' } = call;
	return toGatewayFailure({
		baseUrl: CREDENTIAL.baseUrl,
		timeout: 1000,
		message,
		errorText: message,
		...call,
	});
}

/** A participant that is sent as the item gave it. */
export function person(sentAs: string): Participant {
	return { given: sentAs, sentAs, identity: identityFor(sentAs) };
}

/** What one item asks for. */
export interface Wish extends GroupRef {
	item: number;
	action: Action;
	participants: Participant[];
}

/** An item and the changes that it asks for, in its order. */
export interface AskingItem {
	item: number;
	asked: Change[];
}

export function itemsOf(wishes: readonly Wish[]): AskingItem[] {
	return wishes.map(({ participants, ...where }) => ({
		item: where.item,
		asked: participants.map((participant) => ({ ...where, participant })),
	}));
}

/** The changes that items ask for, in the order asked for. */
export function changesOf(wishes: readonly Wish[]): Change[] {
	return itemsOf(wishes).flatMap(({ asked }) => asked);
}

/** The one request for changes of these people in one group, as a plan makes it: each number is sent once. */
export function requestOf(action: Action, mentions: readonly Participant[]): ChangeRequest {
	const where = { instance: 'main', groupJid: '1@g.us', action };
	const changes = changesOf([{ ...where, item: 0, participants: [...mentions] }]);
	const [request] = batches(changes, mentions.length);
	if (request === undefined) throw new Error('Nobody is to be changed');
	return request;
}

export const NUMBERS = ['5511999990001', '5511999990002', '5511999990003', '5511999990004', '5511999990005'];

/** A result of a participant who was to be added. */
export function resultOf(outcome: Outcome, participant = NUMBERS[0] ?? ''): ChangeResult {
	return changeResult(
		{ instance: 'main', groupJid: '1@g.us', action: 'add', participant: person(participant) },
		{ outcome },
	);
}

/** Texts that say what is given and what comes of it, by what they show; with settings where those aren't the usual ones. */
export type Examples<S = never> = Record<string, string | [text: string, some: S]>;

/** Makes a test of each example: `check` gets the parts of its text between these, and its settings. */
export function testExamples<S>(
	all: Examples<S>,
	between: RegExp | string,
	check: (parts: string[], some?: S) => unknown,
): void {
	it.each(Object.entries(all))('%s', async (_, example) => {
		const [text, some] = typeof example === 'string' ? [example] : example;
		await check(text.split(between), some);
	});
}

/**
 * Makes a test of each reply in a table, in JSON: on each line one or more between bars, and after an arrow what is
 * read from them. `-` stands for `undefined`.
 */
export function testReplies(sentence: string, read: (reply: unknown) => unknown, table: string): void {
	const valueOf = (text = '-'): unknown => (text === '-' ? undefined : JSON.parse(text));
	const rows = table
		.trim()
		.split(/\n\s*/)
		.flatMap((line) => {
			const [replies = '', expected] = line.split(' → ');
			return replies.split(' | ').map((reply) => [reply, expected] as const);
		});
	it.each(rows)(`${sentence}: %s → %s`, (reply, expected) => {
		expect(read(valueOf(reply))).toEqual(valueOf(expected));
	});
}
