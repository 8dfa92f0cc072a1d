import { readQrCode } from '../../../../nodes/MessagingGateway/gateway/replies/qrCode';

const base64 = 'data:image/png;base64,iVBORw0KGgo=';
const picture = 'iVBORw0KGgo=';
const waiting = { status: 'connecting', picture: undefined, pairingCode: undefined };

describe('the reply to "connect"', () => {
	it.each<[string, object, object]>([
		[
			'a picture',
			{ pairingCode: null, code: '2@x', base64, count: 1 },
			{ ...waiting, picture, pairingCode: undefined },
		],
		[
			'a picture and a pairing code',
			{ pairingCode: 'ABCD1234', code: '2@x', base64, count: 1 },
			{ status: 'connecting', picture, pairingCode: 'ABCD1234' },
		],
		['an empty pairing code', { pairingCode: '', base64, count: 1 }, { ...waiting, picture }],
		['a picture alone', { base64 }, { ...waiting, picture }],
		['a pairing code alone', { pairingCode: 'ABCD1234' }, { ...waiting, pairingCode: 'ABCD1234' }],
		['a code alone, which is not shown', { code: '2@x' }, waiting],
		['no picture before the first code', { count: 0 }, waiting],
		['a picture that is null', { pairingCode: null, code: null, base64: null, count: 0 }, waiting],
		['what is no PNG', { base64: 'data:image/svg+xml;base64,PHN2Zz4=', count: 1 }, waiting],
		['an address', { base64: 'https://pictures.example/1.png', count: 1 }, waiting],
		['an open instance', { instance: { instanceName: 'main', state: 'open' } }, { status: 'open' }],
		['an open instance of WhatsMiau', { message: 'already connected', connected: true }, { status: 'open' }],
		['a picture of WhatsMiau', { message: 'Scan it', base64 }, { ...waiting, picture }],
		['an instance that is not open', { instance: { instanceName: 'main', state: 'connecting' } }, waiting],
	])('may be %s', (_, reply, expected) => {
		expect(readQrCode(reply)).toEqual(expected);
	});

	it.each([
		undefined,
		null,
		'ok',
		[],
		{},
		{ instance: {} },
		{ instance: 'main' },
		{ qr: base64 },
		{ error: true, message: 'x', base64 },
		{ status: 500, error: 'Internal Server Error', count: 0 },
	])('is not %j', (reply) => {
		expect(readQrCode(reply)).toBeUndefined();
	});
});
