import fc from 'fast-check';
import { GatewayClient } from '../../../nodes/MessagingGateway/gateway/client';
import { GatewayFailure } from '../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import { isUnnamed, resultsOf } from '../../../nodes/MessagingGateway/gateway/replies/changeResults';
import { isErrorReply, readRows } from '../../../nodes/MessagingGateway/gateway/replies/changeRows';
import type { ChangeRequest, ChangeResult } from '../../../nodes/MessagingGateway/groups/change';
import { type Action, ACTIONS, WORDING } from '../../../nodes/MessagingGateway/groups/outcomes';
import { runsOf, sizeOf } from '../../thorough';
import { CREDENTIAL, type Examples, person, rejectionOf, requestOf, testExamples } from '../support';
import {
	carryOut,
	FORMS,
	isAsAsked,
	personIn,
	type Row,
	shortened,
	spellings,
	type World,
	worlds,
} from './replies/matching/networkModel';
import {
	A,
	B,
	C,
	jidOf,
	LID,
	lidRow,
	only,
	onlyFor,
	outcomes,
	request,
	resultsIn,
	row,
} from './replies/matching/rows';

const idOf = (name: string) =>
	({ A, B, C, lid: LID })[name] ?? name.replace(/^[ABC](?=[@:])/, idOf).replace(/@$/, '@s.whatsapp.net');

function rowFor(text: string): object {
	const [status = '', ids] = text.split(' ');
	const [jid, phone] = ids?.split('=').map(idOf) ?? [];
	if (jid === undefined) return { status };
	return phone === undefined ? row(status, jid) : lidRow(status, jid, phone);
}

/** Holds for an example as it is, and the other way around. */
function expectBothWays(sent: string, rows: unknown[], expected: string): void {
	const ids = sent.split(' ').map(idOf);

	expect(outcomes(ids, rows)).toEqual(expected.split(' '));
	expect(outcomes(ids.reverse(), [...rows].reverse())).toEqual(expected.split(' ').reverse());
}

/**
 * Examples as `what was sent: rows of the reply → outcomes`. `A@` is A's ID, and `lid` a hidden one; `200 A@` is a row
 * about A, `200 lid=A@` one that names both IDs, and `200` one that names nobody.
 */
function examples(all: Examples): void {
	testExamples(all, /: | → /, ([sent = '', reply = '', expected = '']) => {
		expectBothWays(sent, reply.split(', ').map(rowFor), expected);
	});
}

describe('a participant is found', () => {
	examples({
		'in any order': 'A B: 403 B@, 200 A@ → done inviteRequired',
		'by phone number before anything else': 'A B: 403 A@=B@, 200 B@=A@ → done inviteRequired',
		'without a suffix': 'A B: 403 A, 200 B → inviteRequired done',
		'with a device': 'A B: 403 A:12@, 200 B@c.us → inviteRequired done',
		'by an old ID': 'A B: 403 A@c.us, 200 B@c.us → inviteRequired done',
		'by ID': 'A@ lid: 200 lid, 403 A@ → inviteRequired done',
		'as a Brazilian mobile number that lost a digit':
			'5531999990002 B: 200 553199990002@, 403 B@ → done inviteRequired',
		'as a Brazilian mobile number that lost a digit, where others have no row':
			'5531999990002 B C: 403 553199990002@, 200 lid → inviteRequired unconfirmed unconfirmed',
		'as Argentine and Mexican numbers that lost a digit':
			'5491112345678 5215512345678 B: 200 541112345678@, 403 525512345678@, 408 B@ → done inviteRequired recentlyLeft',
		'by a phone number that lost a digit':
			'5531999990002 B: 200 lid=553199990002@, 403 2@lid=B@ → done inviteRequired',
		'as a Brazilian mobile number of the old kind that lost a digit':
			'5531979990002 5598999990003 B: 200 553179990002@, 403 559899990003@ → done inviteRequired unconfirmed',
		'by its JID, where the phone number is the same one before the gateway shortened it':
			'553199990002 B C: 200 553199990002@=5531999990002@, 403 B@ → done inviteRequired unconfirmed',
		'in a row of its own, where another was sent by what the gateway makes of the number':
			'5531999990002 553199990002: 200 5531999990002@, 403 553199990002@ → done inviteRequired',
		'by the row that is left, where a number and what spells it in another way have a row each':
			'A@ 5215512345678@ 5215512345678: 409 lid, 404 5215512345678@, 404 5215512345678@ → unchanged notFound notFound',
		'not by a row too many, where somebody has none':
			'A@ 5215512345678@ 5215512345678: 404 5215512345678@, 404 5215512345678@ → unconfirmed notFound unconfirmed',
		'not by the row that is left, where a number that was sent in two ways has only one':
			'A@ 5215512345678@ 5215512345678: 409 lid, 404 5215512345678@ → unconfirmed notFound unconfirmed',
		'in a row of its own, where a hidden ID was sent whose number is what the gateway makes of it':
			'5531999990002 lid: 403 5531999990002@, 200 lid=553199990002@ → inviteRequired done',
		'as the one left': 'A B: 403 B@, 200 lid → done inviteRequired',
		'as the only one': 'A: 200 → done',
		'as the only one, by a hidden ID': 'lid: 200 → done',
		'as the only one, whatever was sent': 'status@broadcast: 200 → done',
		'in the row of what the gateway made of the number, where the others name somebody else':
			'5215512345678 525512345678: 403 525512345678@, 200 lid=C@, 200 lid → inviteRequired inviteRequired',
		'in a group with hidden IDs, where all are reported the same':
			'A B C: 200 1@lid, 200 2@lid, 200 3@lid → done done done',
		'in rows without IDs, where all are refused the same': 'A B: 403, 403 → inviteRequired inviteRequired',
		'in a group with hidden IDs, where all are as asked in one way or the other':
			'A B C: 200 1@lid, 409 2@lid, 403 C@ → unchanged unchanged inviteRequired',
		'in either row that may be theirs, where both are as asked':
			'553399990071 5533999990071 5533999990071@: 200 553399990071@, 409 5533999990071@ → done unchanged unchanged',
		'once for two spellings of the same person': 'A A@: 200 A@ → done done',
		'in the row of its own spelling, where the gateway shortened only the other':
			'5531999990002 5531999990002@: 403 553199990002@, 200 5531999990002@ → inviteRequired done',
	});

	it('by an ID that is a number and no text', () => {
		const rows = [{ status: '403', jid: Number(A) }, row('200', jidOf(B))];

		expectBothWays('A B', rows, 'inviteRequired done');
	});
});

describe('nobody is done on a guess', () => {
	examples({
		'where two are left, and one row': 'A B: 200 lid → unconfirmed unconfirmed',
		'where one is left, and two rows': 'A: 200 lid, 200 2@lid → unconfirmed',
		'where one is left, and one of two rows names another number': 'A: 200 lid, 200 C@ → unconfirmed',
		'where two rows and two people are left, who are refused with different codes':
			'A B: 403 lid, 417 2@lid → unconfirmed unconfirmed',
		'where two rows and two people are left, and one may be refused':
			'A B: 200 lid, 403 2@lid → unconfirmed unconfirmed',
		'where as many rows as people are left, and two of them are about one person':
			'A B: 200 lid, 200 lid → unconfirmed unconfirmed',
		'where rows about as many people are left, and two of them are about one':
			'A B: 200 lid, 200 lid, 200 2@lid → unconfirmed unconfirmed',
		'where as many rows as people are left, and one row names another number':
			'A B: 200 lid, 200 C@ → unconfirmed unconfirmed',
		'by the row that is left, which names another number': 'A: 200 C@ → unconfirmed',
		'by the row that is left, which names another number beside a hidden ID': 'A: 200 lid=C@ → unconfirmed',
		'by the row that is left, which names something else': 'A: 200 someone → unconfirmed',
		'by a hidden ID, where another hidden ID was sent': '188888888888777@lid: 200 lid → unconfirmed',
		'by hidden IDs, where another hidden ID was sent beside a number':
			'188888888888777@lid A: 200 lid, 200 2@lid → unconfirmed unconfirmed',
		'by a hidden ID, where other hidden IDs were sent, and another row names nobody':
			'188888888888777@lid 188888888888778@lid: 200 lid, 200 → unconfirmed unconfirmed',
		'by the row of a full JID with the same digits, which the gateway did not rewrite':
			'5215512345678 5215512345678@: 200 5215512345678@ → unconfirmed done',
		'by the row of a full JID, where the one of the plain number has no number':
			'5215512345678 5215512345678@: 403 lid, 200 2@lid=5215512345678@ → inviteRequired done',
		'where a plain number may have become another one that was sent, or share the row of its JID':
			'553399990071 5533999990071 5533999990071@: 200 553399990071@, 403 5533999990071@ → done unconfirmed inviteRequired',
		'by the row that is left, which may be about a plain number that may share the row of another':
			'5215512345678 lid A 525512345678: 403 2@lid, 200 lid, 200 lid, 403 525512345678@ → inviteRequired done unconfirmed inviteRequired',
		'where a plain number may have become another one that was sent, or have the row that is left':
			'5533999990071 553399990071: 403 lid, 200 553399990071@ → unconfirmed done',
		'by a row for somebody else': 'A B: 200 A@, 200 A@ → done unconfirmed',
		'by a row for somebody else under their number': 'A B: 200 lid=A@, 200 lid → done unconfirmed',
		'by a row for somebody else who is also there under a hidden ID':
			'A B: 200 lid=A@, 200 A@ → done unconfirmed',
		'by a row for somebody else under what the gateway made of their number':
			'5531999990002 B: 200 5531999990002@, 200 553199990002@ → done unconfirmed',
		'by a hidden ID that happens to have the digits of a number':
			'A B C: 200 A@lid, 403 B@lid, 200 C@lid → unconfirmed unconfirmed unconfirmed',
		'by a number that happens to have the digits of a hidden ID':
			'lid B: 200 199999999999777@, 200 2@lid → unconfirmed unconfirmed',
		'by a Brazilian number that the gateway does not shorten':
			'5521999990004 B: 200 552199990004@, 200 2@lid → unconfirmed unconfirmed',
		'by a landline that the gateway does not shorten':
			'5531933334444 B: 200 553133334444@, 200 2@lid → unconfirmed unconfirmed',
		'by a number with the digits of a Brazilian one in it':
			'125531999990002 55319999900021: 200 12553199990002@, 200 5531999900021@ → unconfirmed unconfirmed',
		'by a number with the digits of an Argentine or Mexican one in it':
			'125491112345678 52155123456789: 200 12541112345678@, 200 5255123456789@ → unconfirmed unconfirmed',
		'by what the gateway makes of a number, where it was sent exactly':
			'5531999990002@ B: 200 553199990002@, 200 2@lid → unconfirmed unconfirmed',
		'by digits in another place': 'A B: 200 15511999990001@, 200 x5521988880002@ → unconfirmed unconfirmed',
		'by a row that names nobody, where who was sent is no person either':
			'status@broadcast B: 200 nobody, 200 2@broadcast → unconfirmed unconfirmed',
		'where the reply contradicts itself': 'A B: 200 A@, 403 A@, 200 B@ → unconfirmed done',
		'where two numbers became one, and the reply contradicts itself':
			'5531999990002 553199990002: 200 553199990002@, 403 553199990002@ → unconfirmed unconfirmed',
		'where a row about the same person is under another ID': 'A: 200 lid=A@, 403 A@ → unconfirmed',
		'where a row about the same person has only their hidden ID': 'A: 200 lid=A@, 403 lid → unconfirmed',
		'where a row joins two about the same person, who is refused by one of them':
			'A: 403 lid, 200 A@, 200 lid=A@ → unconfirmed',
		'where a row about the same person is under what the gateway made of their number':
			'5531999990002 B: 200 5531999990002@, 403 553199990002@, 200 B@ → unconfirmed done',
		'where the hidden ID and the number of one person were sent, and the reply contradicts itself':
			'A lid: 200 lid=A@, 403 lid → unconfirmed unconfirmed',
		'by a row that is about somebody else by its phone number': 'A B: 200 A@=B@ → unconfirmed done',
		'by a row about another person, whose own row contradicts it':
			'A B: 200 A@=B@, 403 B@ → unconfirmed unconfirmed',
		'by a row about the group': 'A: 200 120363000000000001@g.us → unconfirmed',
		'by a row about a group of the old kind': 'A: 200 5511999990001-1612345678 → unconfirmed',
	});

	it.each<[string, string, unknown[], string]>([
		[
			'where as many rows as people are left, and one has no code',
			'A B',
			[row('200', LID), { jid: '2@lid' }],
			'unconfirmed unconfirmed',
		],
		[
			'by the row that is left, whose attributes alone name another number',
			'A',
			[{ status: '200', jid: LID, content: { attrs: { jid: jidOf(C) } } }],
			'unconfirmed',
		],
		['by the row that is left, whose ID is no text', 'A', [{ status: '200', jid: [A] }], 'unconfirmed'],
		[
			'by the row that is left, which names another number as a number',
			'A',
			[{ status: '200', jid: Number(C) }],
			'unconfirmed',
		],
		[
			'by the row that is left, whose ID is longer than any',
			'A',
			[row('200', `${C}${'.1'.repeat(100)}@s.whatsapp.net`)],
			'unconfirmed',
		],
		[
			'by digits with something else behind them',
			'A B',
			[row('200', `${A}x`), row('200', `${B} or another`)],
			'unconfirmed unconfirmed',
		],
		[
			'where one row has a code and another about the same person has none',
			'A B',
			[row('403', jidOf(A)), { jid: jidOf(A) }, row('200', jidOf(B))],
			'unconfirmed done',
		],
		['by the row that is left, beside one that is none', 'A', [row('200', LID), 'text'], 'unconfirmed'],
		[
			'by the row that is left, beside one in a list',
			'A',
			[row('200', LID), [row('403', jidOf(A))]],
			'unconfirmed',
		],
		['by a row without a code', 'A B', [{ jid: jidOf(A) }, row('200', jidOf(B))], 'unconfirmed done'],
	])('%s', (_, sent, rows, expected) => {
		expectBothWays(sent, rows, expected);
	});

	it('by the row that is left, where another row is about what the gateway made of their number', () => {
		const rows = [row('403', '553199990002@s.whatsapp.net'), row('200', LID)];

		expect(outcomes(['5531999990002', '553199990002'], rows)).not.toContain('done');
	});
});

describe('participants whose rows can be told apart only together', () => {
	const results = (...rows: object[]) => resultsIn(request([A, B]), rows);

	it('have the code that they share, and nothing of a row of their own', () => {
		const invited = (jid: string, code: string) => ({
			...row('403', jid),
			content: { content: [{ tag: 'add_request', attrs: { code } }] },
		});

		for (const result of results(invited('1@lid', 'abc'), invited('2@lid', 'def'))) {
			expect(result).toMatchObject({ outcome: 'inviteRequired', code: '403' });
			expect(result).toMatchObject({ jid: undefined, inviteCode: undefined });
		}
	});

	it('have no code where theirs differ', () => {
		for (const result of results(row('200', '1@lid'), row('409', '2@lid'))) {
			expect(result).toMatchObject({ outcome: 'unchanged', applied: true, message: 'Is in the group.' });
			expect(result).toHaveProperty('code', undefined);
		}
	});
});

describe('a reply', () => {
	it('may name thousands of people in a chain of hidden IDs', () => {
		const numbers = Array.from({ length: sizeOf(5000) }, (_, i) => String(4_915_100_000_000 + i));
		const rows = numbers.flatMap((number, i) => [
			lidRow('200', `${i}@lid`, jidOf(number)),
			lidRow('200', `${i + 1}@lid`, jidOf(number)),
		]);

		expect(new Set(outcomes(numbers, rows))).toEqual(new Set(['done']));
	});

	it('may have thousands of rows that may each be anybody’s', () => {
		const numbers = Array.from({ length: sizeOf(5000) }, (_, i) => String(5_215_500_000_000 + i));
		const sent = numbers.flatMap((number) => [number, number.replace('521', '52')]);
		const rows = [
			...numbers.map((number) => row('200', jidOf(number.replace('521', '52')))),
			...numbers.map((_, i) => row('403', `${i}@lid`)),
		];

		expect(outcomes(sent, rows)).toEqual(numbers.flatMap(() => ['unconfirmed', 'done']));
	});

	it('may have an ID of any length', () => {
		const huge = `${A}${'.1'.repeat(2_000_000)}`;

		expect(outcomes([A, B], [row('403', huge), lidRow('200', huge, jidOf(B))])).toEqual([
			'unconfirmed',
			'done',
		]);
	});
});

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
		message: expect.stringMatching(/may still be a member.*write its ID, such as/),
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
				/the number that the gateway (asked about|made of this one).*write its ID, such as/i,
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

/** Worlds in which an item names somebody more than once, and requests for them. */
const mentioning = fc
	.tuple(worlds, fc.array(fc.constantFrom(...spellings), { minLength: 1, maxLength: 8 }))
	.map(([world, mentions]) => ({ world, asked: request(mentions, world.action) }));
const requests = mentioning.map(({ asked }) => asked);
/** What is sent for a mention: the same, or the other spelling of a number that gateways leave as it is. */
function sentFor({ participants }: ChangeRequest, mention: string): string | undefined {
	const digits = mention.replace('@s.whatsapp.net', '');
	const same = shortened(digits) === undefined ? [digits, `${digits}@s.whatsapp.net`] : [mention];
	return participants.find(({ sentAs }) => same.includes(sentAs))?.sentAs;
}

function expectOneEach(asked: ChangeRequest, results: ChangeResult[]): void {
	expect(results.map(({ participant, sentAs }) => [participant, sentAs])).toEqual(
		asked.changes.map(({ participant }) => [participant.given, sentFor(asked, participant.sentAs)]),
	);
	for (const { outcome, applied, code } of results)
		if (outcome !== 'notFound' || code !== '404') expect(applied).toBe(WORDING[outcome].applied);
}

describe('whatever the reply is', () => {
	it('every mention has one result, in order', () => {
		fc.assert(
			fc.property(requests, fc.jsonValue(), (asked, reply) => {
				for (const one of [reply, { updateParticipants: reply }, [reply, reply]])
					expectOneEach(asked, resultsIn(asked, one));
			}),
			runsOf(200),
		);
	});

	it('every mention has one result, in order, for JSON in the places of a row', () => {
		const row = fc.record(
			{
				status: fc.jsonValue(),
				jid: fc.jsonValue(),
				content: fc.oneof(
					fc.jsonValue(),
					fc.record({
						attrs: fc.record({ jid: fc.jsonValue(), phone_number: fc.jsonValue(), error: fc.jsonValue() }),
						content: fc.array(
							fc.record({
								tag: fc.constant('add_request'),
								attrs: fc.record({
									code: fc.jsonValue(),
									expiration: fc.oneof(
										fc.jsonValue(),
										fc.dictionary(fc.constantFrom('toString', 'valueOf', '__proto__'), fc.jsonValue()),
									),
								}),
							}),
						),
					}),
				),
			},
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(requests, fc.array(row), (asked, reply) => {
				// As it arrives: only what JSON can hold.
				const arrived: unknown = JSON.parse(JSON.stringify({ updateParticipants: reply }));
				expectOneEach(asked, resultsIn(asked, arrived));
			}),
			runsOf(200),
		);
	});

	it('everybody is done where the gateway says so of everybody, in any order', () => {
		const all = [...FORMS.map(([full]) => full), '199999999999777@lid', '188888888888777@lid'];
		const orders = fc
			.subarray(all, { minLength: 1 })
			.chain((sent) => fc.tuple(fc.constant(sent), fc.shuffledSubarray(sent, { minLength: sent.length })));
		fc.assert(
			fc.property(orders, fc.constantFrom(...ACTIONS), ([sent, answered], action) => {
				const rows = answered.map((one) => ({ status: '200', jid: shortened(one) ?? one }));

				expect(resultsIn(request(sent, action), rows).map(({ outcome }) => outcome)).toEqual(
					sent.map(() => 'done'),
				);
			}),
			runsOf(500),
		);
	});
});

const resultsFor = ({ sent, action }: World, updateParticipants: Row[]) =>
	resultsIn(request(sent, action), { updateParticipants });

describe('where the reply is true', () => {
	it('no result says of the group what is not so', () => {
		fc.assert(
			fc.property(worlds, fc.infiniteStream(fc.nat()), (world, order) => {
				const { rows, standing } = carryOut(world);
				const shuffled = rows
					.map((row) => ({ row, place: order.next().value }))
					.sort((a, b) => a.place - b.place)
					.map(({ row }) => row);

				for (const { applied, outcome, sentAs = '' } of resultsFor(world, shuffled)) {
					// "Not found" is said of the number that the gateway asked about.
					if (outcome === 'notFound' && shortened(sentAs) !== undefined) continue;
					expect([isAsAsked(world, sentAs, standing), null]).toContain(applied);
				}
			}),
			runsOf(500),
		);
	});

	it('all is known where every row has a number, and nobody was sent twice', () => {
		const clear = worlds.filter(
			({ names, sent, knowsBothForms }) =>
				['number', 'hiddenWithNumber'].includes(names) &&
				!knowsBothForms &&
				new Set(sent.map(personIn)).size === sent.length,
		);
		fc.assert(
			fc.property(clear, (world) => {
				const { rows } = carryOut(world);
				for (const { applied, code, sentAs = '' } of resultsFor(world, rows))
					// Numbers of Brazil, Mexico and Argentina have another form, of which a 404 says nothing.
					if (code !== '404' || !/^5[245]/.test(sentAs)) expect(applied).not.toBeNull();
			}),
			runsOf(500),
		);
	});
});
