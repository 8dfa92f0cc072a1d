import {
	hasInviteLink,
	readInviteSent,
	readInviteLink,
	readRevoked,
} from '../../../../nodes/MessagingGateway/gateway/replies/inviteLink';
import { EMPTY } from '../../../../nodes/MessagingGateway/gateway/routes';

const inviteUrl = 'https://chat.whatsapp.com/AbC123';

describe("a group's link", () => {
	it.each<[string, object]>([
		['as gateways give it', { inviteUrl, inviteCode: 'AbC123' }],
		['without its code', { inviteUrl }],
		['with an empty code', { inviteUrl, inviteCode: '' }],
		['with a code that is null', { inviteUrl, inviteCode: null }],
	])('is read %s', (_, reply) => {
		expect(readInviteLink(reply)).toEqual({ inviteUrl, inviteCode: 'AbC123' });
	});

	it.each<[string, object]>([
		// 2.3.6 where the network is silent.
		['ends in "undefined"', { inviteUrl: 'https://chat.whatsapp.com/undefined' }],
		['ends in "undefined" beside a code', { inviteUrl: 'https://x/undefined', inviteCode: 'AbC123' }],
		['has the code "undefined"', { inviteUrl, inviteCode: 'undefined' }],
		['ends in "null"', { inviteUrl: 'https://chat.whatsapp.com/null', inviteCode: null }],
		['has the code "null"', { inviteUrl, inviteCode: 'null' }],
		['ends in a slash', { inviteUrl: 'https://chat.whatsapp.com/' }],
		['is empty', { inviteUrl: '' }],
	])('is none where it %s', (_, reply) => {
		expect(readInviteLink(reply)).toBe(EMPTY);
	});

	it.each([undefined, null, 'text', [], {}, { inviteUrl: null }, { inviteUrl: 5 }, { inviteCode: 'AbC123' }])(
		'is not in %j',
		(reply) => {
			expect(readInviteLink(reply)).toBeUndefined();
		},
	);
});

describe('a new link', () => {
	it('is made of the code', () => {
		const link = { inviteUrl, inviteCode: 'AbC123' };
		expect(readRevoked({ revoked: true, inviteCode: 'AbC123' })).toEqual(link);
	});

	it.each([
		{},
		{ inviteCode: '' },
		{ inviteCode: null },
		{ inviteCode: 'undefined' },
		{ inviteCode: 'null' },
	])('is none where the rest of the reply is %j', (rest) => {
		expect(readRevoked({ revoked: true, ...rest })).toBe(EMPTY);
	});

	it('may come as a link, as from WhatsMiau', () => {
		const link = { inviteUrl, inviteCode: 'AbC123' };
		expect(readRevoked(link)).toEqual(link);
	});

	it.each([
		undefined,
		null,
		'ok',
		[],
		{},
		{ inviteCode: 'AbC123' },
		{ revoked: false, inviteUrl, inviteCode: 'AbC123' },
		{ status: 500, error: 'Trouble' },
	])('is not in %j', (reply) => {
		expect(readRevoked(reply)).toBeUndefined();
	});
});

describe('the reply to a message with the link', () => {
	it.each<[unknown, string | undefined]>([
		[{ send: true, inviteUrl }, 'sent'],
		[{ inviteUrl, sent: [{ number: '1', success: true }] }, 'sent'],
		[{ inviteUrl, sent: [{ number: '1', success: false, error: 'no devices' }] }, 'failed'],
		[{ inviteUrl, sent: [{ success: false, error: 'server returned error 463' }] }, 'refusedByNetwork'],
		[{ inviteUrl, sent: [] }, undefined],
		[{ inviteUrl, sent: [{ success: true }, { success: true }] }, undefined],
		[{ inviteUrl, sent: [{ success: 'yes' }] }, undefined],
		[{ inviteUrl }, undefined],
		[{ send: false }, undefined],
		[undefined, undefined],
	])('%j says what became of it: %p', (reply, sent) => {
		expect(readInviteSent(reply)).toBe(sent);
	});

	it.each<[unknown, boolean]>([
		[{ inviteUrl }, true],
		[{ send: true, inviteUrl: 'https://chat.whatsapp.com/undefined' }, false],
		[{ send: true, inviteUrl: 'https://chat.whatsapp.com/null' }, false],
		[{ send: true }, false],
		[undefined, false],
	])('%j has one that works: %p', (reply, hasLink) => {
		expect(hasInviteLink(reply)).toBe(hasLink);
	});
});
