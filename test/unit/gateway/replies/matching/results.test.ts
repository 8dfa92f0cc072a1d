import type { Action } from '../../../../../nodes/MessagingGateway/groups/outcomes';
import { GatewayClient } from '../../../../../nodes/MessagingGateway/gateway/client';
import { GatewayFailure } from '../../../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import { isErrorReply, readRows } from '../../../../../nodes/MessagingGateway/gateway/replies/changeRows';
import { isUnnamed, resultsOf } from '../../../../../nodes/MessagingGateway/gateway/replies/changeResults';
import { CREDENTIAL, person, rejectionOf, requestOf } from '../../../support';
import { A, B, jidOf, LID, lidRow, only, onlyFor, outcomes, request, resultsIn, row } from './rows';

describe('a result', () => {
	it('has the participant as the item gave it', () => {
		const planned = requestOf('add', [{ ...person(A), given: '+55 11 99999-0001' }]);

		expect(resultsIn(planned, [row('200', jidOf(A))])).toEqual([
			expect.objectContaining({ participant: '+55 11 99999-0001', sentAs: A, outcome: 'done' }),
		]);
	});

	it.each([
		...[{ status: '200', jid: '' }, { status: '200' }, { status: '200', jid: null }],
		{ status: '200', content: { attrs: { phone_number: jidOf(A) } } },
		{ status: '200', jid: 'someone', content: { attrs: { phone_number: jidOf(A) } } },
	])('has no jid where the gateway gives none: %j', (reply) => {
		expect(onlyFor(reply)).toHaveProperty('jid', undefined);
	});
});

describe('a code without an outcome of its own', () => {
	it('is named as it came', () => {
		const { outcome, message } = onlyFor(row('499', jidOf(A))) ?? {};

		expect([outcome, message]).toEqual(['rejected', 'The gateway rejected this participant with code 499.']);
	});
});

describe('a reply', () => {
	it.each([undefined, null, '', 'ok', 5, true, {}, { updateParticipants: null }, { status: 201 }])(
		'without a list is accepted: %j',
		(reply) => {
			expect(only(reply)).toMatchObject({ outcome: 'accepted', applied: null });
		},
	);

	it.each([
		...[[], { updateParticipants: [] }, { updateParticipants: [null, 'text', 5, []] }],
		{ updateParticipants: [{}] },
	])('with a list that says nothing of a participant leaves them unconfirmed: %j', (reply) => {
		expect(only(reply)).toMatchObject({ outcome: 'unconfirmed', applied: null });
	});
});

describe('404, where the gateway asked about another number than the one sent', () => {
	const MEXICAN = '5215512345678';
	const other = row('404', jidOf('525512345678'));
	const unnamed = row('404', LID);
	const removed = (sentAs: string, ...rows: unknown[]) => resultsIn(request([sentAs], 'remove'), rows)[0];
	/** A number that has no other form. */
	const GERMAN = '4915112345678';
	const known = { outcome: 'unchanged', applied: true, code: '404' };
	const notKnown = {
		outcome: 'unconfirmed',
		applied: null,
		code: '404',
		message: expect.stringMatching(/may still be a member.*'Keep Numbers Exact'/),
	};

	it.each([
		[MEXICAN, '525512345678'],
		['5491112345678', '541112345678'],
		['5531999990002', '553199990002'],
	])('leaves the removal of %s open', (sentAs, asked) => {
		expect(removed(sentAs, row('404', jidOf(asked)))).toMatchObject(notKnown);
		expect(removed(sentAs, lidRow('404', LID, jidOf(asked)))).toMatchObject(notKnown);
		expect(removed(sentAs, unnamed)).toMatchObject(notKnown);
		expect(removed(sentAs, { status: 404 })).toMatchObject(notKnown);
	});

	it('leaves the removal open where the row names both numbers', () => {
		expect(removed(MEXICAN, lidRow('404', jidOf(MEXICAN), jidOf('525512345678')))).toMatchObject(notKnown);
	});

	it('leaves the removal open where it was asked about both numbers', () => {
		expect(removed(MEXICAN, row('404', jidOf(MEXICAN)), other)).toMatchObject(notKnown);
		expect(removed(MEXICAN, other, row('404', jidOf(MEXICAN)))).toMatchObject(notKnown);
	});

	it.each([[`${MEXICAN}@s.whatsapp.net`], [jidOf(A)], [GERMAN]])(
		'is about no other number where %s was sent',
		(sentAs) => {
			expect(removed(sentAs, row('404', sentAs))).toMatchObject(known);
			expect(removed(sentAs, unnamed)).toMatchObject(known);
		},
	);

	it('is told of each participant apart, where all rows say 404 and name nobody', () => {
		const results = resultsIn(request([MEXICAN, GERMAN], 'remove'), [unnamed, row('404', '2@lid')]);

		expect(results).toMatchObject([notKnown, known]);
	});

	it('keeps a mixture of 200 and 404 from being told of a number that may have been rewritten', () => {
		const rows = [row('200', LID), row('404', '2@lid')];

		const notThere = { outcome: 'unchanged', applied: true, message: "Isn't in the group." };
		expect(resultsIn(request([A, B], 'remove'), rows)).toMatchObject([notThere, notThere]);
		expect(outcomes([MEXICAN, B], rows, 'remove')).toEqual(['unconfirmed', 'unchanged']);
	});

	it('leaves a removal that was made as it is', () => {
		expect(removed(MEXICAN, row('200', jidOf('525512345678')))).toMatchObject({ outcome: 'done' });
	});

	it.each<[Action]>([['add'], ['promote'], ['demote']])('says on %s which number was not found', (action) => {
		for (const rows of [[other], [other, row('404', jidOf(MEXICAN))]]) {
			const [result] = resultsIn(request([MEXICAN], action), rows);

			expect(result).toMatchObject({ outcome: 'notFound', applied: null });
			expect(result?.message).toMatch(
				/the number that the gateway (asked about|made of this one).*'Keep Numbers Exact'/i,
			);
		}
		const [plain] = resultsIn(request([GERMAN], action), [row('404', jidOf(GERMAN))]);
		expect(plain).toMatchObject({ outcome: 'notFound', applied: false });
		expect(plain?.message).not.toContain('Exact');
	});
});

describe('404 for a number that has another form, which was not asked about', () => {
	it.each<[string, string]>([
		['5511999990001', '551199990001'],
		['551199990001', '5511999990001'],
		['525512345678', '5215512345678'],
		['541112345678', '5491112345678'],
	])('says nothing of %s, and names %s', (number, other) => {
		const told = (action: Action, sentAs: string) =>
			resultsOf(
				requestOf(action, [{ ...person(sentAs), given: number }]),
				readRows([row('404', jidOf(number))]),
			)[0];
		for (const sentAs of [number, jidOf(number)]) {
			expect(told('remove', sentAs)).toMatchObject({ outcome: 'unconfirmed', applied: null, code: '404' });
			for (const action of ['add', 'promote', 'demote'] as const)
				expect(told(action, sentAs)).toMatchObject({ outcome: 'notFound', applied: null });
			expect(told('remove', sentAs)?.message).toContain(other);
			expect(told('add', sentAs)?.message).toContain(`Try its other form, ${other}.`);
		}
	});

	it('says of each of those who are sent as one what it says of them alone', () => {
		const people = [jidOf(A), A].map((one) => person(one));
		const rows = readRows([row('404', jidOf(A))]);
		for (const participants of [people, [...people].reverse()]) {
			const apart = participants.flatMap((one) => resultsOf(requestOf('remove', [one]), rows));
			const results = resultsOf(requestOf('remove', participants), rows);
			expect(results.map(({ applied }) => applied)).toEqual(apart.map(({ applied }) => applied));
		}
	});

	it('is certain where the item names a full JID', () => {
		const [result] = resultsIn(request([jidOf(A)], 'remove'), [row('404', jidOf(A))]);
		expect(result).toMatchObject({ outcome: 'unchanged', applied: true });
	});
});

describe('a reply that is an error', () => {
	const errors: Array<[object]> = [
		[{ status: 400, error: 'Bad Request', response: { message: ['no'] } }],
		[{ error: 'Bad Request' }],
		[{ status: 500 }],
		[{ error: 'Bad Request', updateParticipants: null }],
	];

	/** What comes of a request that a gateway answers so, with a success. */
	const failureFor = async (reply: unknown): Promise<unknown> => {
		const answer = { status: 201, headers: {}, text: JSON.stringify(reply), elapsed: 5 };
		const client = new GatewayClient(CREDENTIAL, async () => await Promise.resolve(answer));
		const options = { timeout: 1000, maxRetries: 0 };
		return await rejectionOf(client.changeParticipants(request([A]), options));
	};

	it.each(errors)('is known as such, and nothing was accepted: %j', async (reply) => {
		const failure = await failureFor(reply);

		expect(isErrorReply(reply)).toBe(true);
		expect(failure).toBeInstanceOf(GatewayFailure);
		// What became of anyone is not known.
		expect(failure).toMatchObject({ policy: { certainlyNotApplied: false } });
	});

	it.each([
		...[undefined, 'Bad Request', [], {}, { status: 201 }, { status: 399 }, { error: null }],
		...[{ error: '' }, { status: 400, updateParticipants: [] }],
		...[[{ status: 400, error: 'Bad Request' }]],
	])('is not %j', (reply) => {
		expect(isErrorReply(reply)).toBe(false);
	});

	it.each(errors.slice(0, 3))('confirms nothing, whatever its list says: %j', (error) => {
		const reply = { ...error, updateParticipants: [row('200', jidOf(A))] };

		expect(readRows(reply)).toEqual([]);
		expect(only(reply)).toMatchObject({ outcome: 'unconfirmed', applied: null });
	});
});

describe('rows that name nobody', () => {
	const told = (asked: string[], ...rows: object[]) => {
		const read = readRows({ updateParticipants: rows }) ?? [];
		return isUnnamed(read, resultsOf(request(asked), read));
	};
	const hidden = (status: string, n: number) => row(status, `1999999999997${n}@lid`);

	it('leave it open what became of whom if their codes differ', () => {
		expect(told([A, B], hidden('200', 1), hidden('403', 2))).toBe(true);
		expect(told([LID, A, B], row('200', LID), hidden('200', 1), hidden('403', 2))).toBe(true);
	});

	it.each<[string, object[]]>([
		['have one code', [hidden('403', 1), hidden('403', 2)]],
		['have one code, and are not enough', [hidden('403', 1)]],
		['all say that they are in', [hidden('200', 1), hidden('409', 2)]],
		['name one of them', [row('200', jidOf(A)), hidden('403', 2), hidden('200', 3)]],
		['are none', []],
	])('are no reason to ask one by one if they %s', (_, rows) => {
		expect(told([A, B], ...rows)).toBe(false);
	});
});
