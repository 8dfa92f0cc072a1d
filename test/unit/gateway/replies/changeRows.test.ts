import { resultsOf } from '../../../../nodes/MessagingGateway/gateway/replies/changeResults';
import { readRows } from '../../../../nodes/MessagingGateway/gateway/replies/changeRows';
import type { Action } from '../../../../nodes/MessagingGateway/groups/outcomes';
import { A, B, jidOf, LID, lidRow, only, onlyFor, outcomes, request, row } from './matching/rows';

describe('the code of a row', () => {
	it.each([
		['200', { status: '200' }],
		['200', { status: 200 }],
		['200', { status: ' 200 ' }],
		['403', { content: { attrs: { error: '403' } } }],
		['403', { status: '', content: { attrs: { error: 403 } } }],
	])('is %s in %j', (code, reply) => {
		expect(onlyFor({ jid: jidOf(A), ...reply })?.code).toBe(code);
	});

	it.each([{}, { status: null }, { status: '' }, { status: true }, { status: ['200'] }, { status: {} }])(
		'is not known in %j',
		(reply) => {
			const result = onlyFor({ jid: jidOf(A), ...reply });

			expect(result).toMatchObject({ outcome: 'unconfirmed', applied: null });
			expect(result).not.toHaveProperty('code');
		},
	);
});

describe('an invite', () => {
	const withInvite = (attrs: unknown) => ({
		...row('403', jidOf(A)),
		content: {
			content: [null, { tag: 'other', attrs: { code: 'x' } }, 'text', { tag: 'add_request', attrs }],
		},
	});

	it('has a code and a time', () => {
		expect(onlyFor(withInvite({ code: 'abc', expiration: '1759028118' }))).toMatchObject({
			inviteCode: 'abc',
			inviteExpiresAt: '2025-09-28T02:55:18.000Z',
		});
	});

	it('may have the time as a number', () => {
		expect(onlyFor(withInvite({ expiration: 1759028118 }))).toMatchObject({
			inviteExpiresAt: '2025-09-28T02:55:18.000Z',
		});
	});

	it.each<unknown>([
		...[undefined, null, '', '  ', 'soon', true, [], {}, '1e9', '1e300', '-5', '5 seconds', 'NaN'],
		...[['1759028118'], -1e20, { toString: 1, valueOf: 1 }, [{ toString: null }]],
	])('has no time where the gateway gives %j', (expiration) => {
		const result = onlyFor(withInvite({ code: 'abc', expiration }));

		expect(result).toMatchObject({ outcome: 'inviteRequired', inviteCode: 'abc' });
		expect(result).not.toHaveProperty('inviteExpiresAt');
	});

	it.each([[[]], [['text']], [[{ tag: 'other', attrs: { code: 'x' } }]]])('is none in %j', (content) => {
		expect(onlyFor({ ...row('403', jidOf(A)), content: { content } })).not.toHaveProperty('inviteCode');
	});

	it.each([[null], ['abc'], [{}], [{ code: 5 }], [{ code: null }]])('has no code in %j', (attrs) => {
		expect(onlyFor(withInvite(attrs))).not.toHaveProperty('inviteCode');
	});
});

describe('a row with an error', () => {
	it.each([
		...[{ content: { attrs: { error: '403' } } }, { content: { error: '403' } }, { error: 403 }],
		{ error: '403', content: { attrs: { error: '403' } } },
	])('has its code, whatever its status: %j', (more) => {
		expect(outcomes([A], [{ ...row('200', jidOf(A)), ...more }])).toEqual(['inviteRequired']);
	});

	it.each<[Action, object]>([
		['add', { status: '409', content: { attrs: { error: '404' } } }],
		['remove', { status: '404', content: { attrs: { error: '403' } } }],
		['remove', { status: '404', error: '500' }],
		['add', { status: '200', content: { attrs: { error: { code: '403' } } } }],
		['add', { status: '200', content: { attrs: { error: ['403'] } } }],
		['add', { status: '200', content: { attrs: { error: true } } }],
		['add', { status: '200', error: 'You are not allowed to do this' }],
		['add', { status: 'token=SECRETabc999' }],
		['add', { status: '9'.repeat(21) }],
	])('is not known where the codes differ, or one is none: %s, %j', (action, more) => {
		const result = only([{ jid: jidOf(A), ...more }], action);

		expect(result).toMatchObject({ outcome: 'unconfirmed', applied: null });
		expect(result).not.toHaveProperty('code');
	});

	it.each([{ error: null }, { error: false }, { error: '' }, { content: { attrs: { error: '200' } } }])(
		'has none in %j',
		(more) => {
			expect(outcomes([A], [{ ...row('200', jidOf(A)), ...more }])).toEqual(['done']);
		},
	);
});

describe('a row with the fields of a member, as from WhatsMiau', () => {
	const read = (row: object) => readRows({ participants: [row] })?.[0];
	const member = { jid: jidOf(A), lid: LID, isAdmin: false, isSuperAdmin: false };

	it.each([
		[{}, '200'],
		[{ error: 0 }, '200'],
		[{ error: 403 }, '403'],
		[{ error: '409' }, '409'],
	])('has the code of its error, or none: %j', (error, code) => {
		expect(read({ ...member, ...error })).toEqual({ jid: jidOf(A), otherId: LID, code });
	});

	it.each([[null], ['You are not allowed'], [{ code: 403 }], [false]])(
		'has no code if its error is %j',
		(error) => {
			expect(read({ ...member, error })?.code).toBeUndefined();
		},
	);

	it('is found by number and by hidden ID', () => {
		const rows = readRows({
			participants: [
				{ ...member, error: 403 },
				{ jid: jidOf(B), lid: '' },
			],
		});

		expect(resultsOf(request([LID, B]), rows).map(({ outcome }) => outcome)).toEqual([
			'inviteRequired',
			'done',
		]);
		expect(resultsOf(request([A, B]), rows).map(({ outcome }) => outcome)).toEqual([
			'inviteRequired',
			'done',
		]);
	});

	it('confirms nobody else', () => {
		expect(resultsOf(request([B]), readRows({ participants: [member] }))).toMatchObject([
			{ outcome: 'unconfirmed', applied: null },
		]);
	});

	it('is not read in the body of an error', () => {
		expect(readRows({ error: 'Trouble', participants: [member] })).toEqual([]);
	});
});

describe('a reply', () => {
	it('may be a bare list', () => {
		expect(only([row('200', jidOf(A))])).toMatchObject({ outcome: 'done', applied: true });
	});

	it('is read from its own fields only', () => {
		const reply: unknown = JSON.parse(
			`{"__proto__": {"updateParticipants": [{"status": "200", "jid": "${A}"}]}}`,
		);

		expect(only(reply)?.outcome).toBe('accepted');
	});

	it('is read as a list of rows, invites and all', () => {
		expect(readRows({ updateParticipants: [lidRow('200', LID, jidOf(A)), 'text', { status: 403 }] })).toEqual(
			[{ jid: LID, otherId: jidOf(A), code: '200' }, {}, { code: '403' }],
		);
	});

	it.each([
		['the number beside a hidden ID', LID, jidOf(A), { jid: LID, otherId: jidOf(A) }],
		['nothing where both are the same', LID, LID, { jid: LID }],
		['nothing beside a number', jidOf(A), jidOf(B), { jid: jidOf(A) }],
	])('has as the other ID of a row %s', (_, jid, other, expected) => {
		expect(readRows([{ jid, content: { attrs: { jid: other } } }])).toEqual([expected]);
	});
});
