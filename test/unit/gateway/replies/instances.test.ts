import {
	readConnectionState,
	readInstances,
	simplifyInstance,
} from '../../../../nodes/MessagingGateway/gateway/replies/instances';
import { load, recordings } from '../../../recordings';

const namesIn = (reply: unknown) => readInstances(reply)?.map(({ name }) => name);
const simplified = (reply: unknown) => readInstances(reply)?.map(simplifyInstance);
const bodyOf = (name: string) => load(name).response.body;

describe('a list of instances', () => {
	it.each([
		[
			'a list of {instance}',
			[{ instance: { instanceName: 'a', status: 'open' } }, { instance: { instanceName: 'b', apikey: 'k' } }],
			['a', 'b'],
		],
		[
			'a flat list',
			[
				{ name: 'a', id: '1' },
				{ instanceName: 'b', instanceId: '2' },
			],
			['a', 'b'],
		],
		['one {instance}', { instance: { instanceName: 'a', connectionStatus: 'open' } }, ['a']],
		['one flat object', { name: 'a', token: null }, ['a']],
		['an empty list', [], []],
		['null', null, []],
	])('may be %s', (_, reply, expected) => {
		expect(namesIn(reply)).toStrictEqual(expected);
	});

	it('keeps each element as it came', () => {
		const elements = [
			{ instance: { instanceName: 'a', status: 'open' }, extra: 1 },
			{ name: 'b', id: '2', extra: 2 },
		];

		expect(readInstances(elements)?.map(({ element }) => element)).toEqual(elements);
	});

	it.each([
		...[undefined, 'text', 5, {}, { status: 200, message: 'ok' }, [null], [[]], ['alpha']],
		...[[{ name: 'a', id: '1' }, {}], [{ name: 5, id: '1' }], [{ name: 'a thing of another kind' }]],
		{ instance: { status: 'open' } },
	])('is not what the reply %j is', (reply) => {
		expect(readInstances(reply)).toBeUndefined();
	});

	it('has the name from the reply and nothing that every object inherits', () => {
		expect(readInstances(JSON.parse('[{"__proto__": {"instanceName": "a", "id": "1"}}]'))).toBeUndefined();
	});
});

describe('an instance as WhatsMiau gives it', () => {
	const webhook = {};

	it.each([
		[
			{ id: 'main', remoteJID: '5511999990001:12@s.whatsapp.net', webhook },
			{ instanceName: 'main', instanceId: 'main', owner: '5511999990001@s.whatsapp.net' },
		],
		[
			{
				id: 'main',
				remoteJID: '5511999990001:12@s.whatsapp.net',
				ownerJid: '5511999990001@s.whatsapp.net',
				webhook,
			},
			{ instanceName: 'main', instanceId: 'main', owner: '5511999990001@s.whatsapp.net' },
		],
		[
			{ id: 'main', webhook },
			{ instanceName: 'main', instanceId: 'main' },
		],
		[
			{ id: '1', name: 'main', remoteJID: '5511999990001@s.whatsapp.net' },
			{ instanceName: 'main', instanceId: '1', owner: '5511999990001@s.whatsapp.net' },
		],
	])('has its ID as the name, and no status: %j', (element, expected) => {
		expect(simplified([element])).toEqual([expected]);
		expect(readInstances([element])).toMatchObject([{ element, name: 'main', status: undefined }]);
	});

	it('is none without a field that only instances have', () => {
		expect(readInstances([{ id: 'main' }])).toBeUndefined();
		expect(readInstances([{ id: 5, webhook }])).toBeUndefined();
	});
});

describe('the live state of a connection', () => {
	it.each([
		[{ instance: { instanceName: 'a', state: 'close' } }, 'close'],
		[{ instance: { instanceName: 'a' } }, undefined],
		[{ state: 'open' }, 'open'],
		[{ status: 'CLOSE' }, 'close'],
		[{ instance: { status: 'Connecting' }, status: 'success' }, 'connecting'],
		[{ id: 'a', state: 'closed', instance: { instanceName: 'a', state: 'closed' } }, 'close'],
		[{ state: 'qr-code' }, 'connecting'],
		[{ status: 500, error: 'Trouble' }, undefined],
		[{ instance: { state: '' } }, undefined],
		['text', undefined],
		[null, undefined],
	])('is read from %j', (reply, expected) => {
		expect(readConnectionState(reply)).toBe(expected);
	});
});

it.each(['', 5])('an instance whose status is %j has none', (status) => {
	expect(readInstances([{ name: 'main', status }])).toMatchObject([{ name: 'main', status: undefined }]);
});

describe('a simplified instance', () => {
	it('of generation 2 has no field for what is not known of a connected account', () => {
		const ownerJid = '5511999990001@s.whatsapp.net';
		const instance = { name: 'a', ownerJid, profileName: null, profilePicUrl: null, token: null };

		expect(simplified([instance])).toStrictEqual([
			{ instanceName: 'a', owner: ownerJid, profilePictureUrl: null },
		]);
	});
});

describe('why an instance is closed', () => {
	const [loggedOut] = [bodyOf('v2.3.6-SEED__fetchInstances__loggedout')].flat();
	const lost = (more: object) => simplified([{ ...Object(loggedOut), ...more }])?.[0] ?? {};

	it.each([
		[401, 'loggedOut'],
		[402, 'restricted'],
		[403, 'restricted'],
		[406, '406'],
		['401', 'loggedOut'],
	])('is said of the code %j, last', (disconnectionReasonCode, reason) => {
		expect(Object.entries(lost({ disconnectionReasonCode })).slice(-2)).toEqual([
			['disconnectionReason', reason],
			['disconnectedAt', '2026-11-20T16:31:01.622Z'],
		]);
	});

	it('is said of one that waits for its QR code, too', () => {
		expect(lost({ connectionStatus: 'connecting' })).toHaveProperty('disconnectionReason', 'loggedOut');
	});

	it.each([
		['open', { connectionStatus: 'open' }],
		['of unknown status', { connectionStatus: null }],
		['closed for no reason that was stored', { disconnectionReasonCode: null, disconnectionAt: null }],
		['closed, with fields of another shape', { disconnectionReasonCode: {}, disconnectionAt: 'soon' }],
	])('is left out of one that is %s', (_, more) => {
		expect(Object.keys(lost(more)).filter((name) => /^disconn/.test(name))).toEqual([]);
	});

	it("doesn't make the fields of one instance more than ten, n8n's rule for Simplify", () => {
		const lists = recordings.filter((name) => name.includes('__fetchInstances__')).map(bodyOf);
		const sizes = lists.flatMap((body) => simplified(body) ?? []).map((one) => Object.keys(one).length);

		expect(Math.max(...sizes)).toBe(10);
	});
});
