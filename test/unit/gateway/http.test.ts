import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import type { ICredentialTestFunctions } from 'n8n-workflow';
import { credentialTestHttp } from '../../../nodes/MessagingGateway/gateway/http';

const FOREVER = 2_000_000_000;

/** Reads a reply whose body is this, which comes when `head` is there. */
async function read(body: unknown, timeout: number, head: Promise<unknown> = Promise.resolve()) {
	const request = async () => {
		await head;
		return { statusCode: 200, headers: { a: 'b' }, body };
	};
	const helpers = { request } as unknown as ICredentialTestFunctions['helpers'];
	const http = credentialTestHttp({ helpers } as ICredentialTestFunctions, {
		apiKey: 'KEY-0000',
		allowUnauthorizedCerts: false,
	});
	return await http({ method: 'GET', url: 'http://127.0.0.1', timeout });
}

const refused = { code: 'ECONNREFUSED' };

it.each([
	['ECONNREFUSED', { cause: { cause: refused } }],
	['ECONNREFUSED', { httpCode: null, errorResponse: refused }],
	['SSRF_BLOCKED', { cause: { name: 'SsrfBlockedIpError' } }],
	['UNKNOWN', { code: 'no code', message: 'ECONNREFUSED' }],
])('a connection fails with the code %s, however n8n has wrapped it: %j', async (code, thrown) => {
	await expect(read('', FOREVER, Promise.reject(thrown))).rejects.toMatchObject({ code });
});

describe('a body', () => {
	it('is read whole, also where a character is in two pieces', async () => {
		const bytes = Buffer.from('["é"]');

		expect(await read(Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]), FOREVER)).toMatchObject({
			status: 200,
			headers: { a: 'b' },
			text: '["é"]',
		});
	});

	it('that stays away ends at the timeout, also where its stream does not end when it is closed', async () => {
		let isClosed = false;
		const next = async () => await new Promise<never>(() => undefined);
		const body = { [Symbol.asyncIterator]: () => ({ next }), destroy: () => (isClosed = true) };

		await expect(read(body, 50)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
		expect(isClosed).toBe(true);
	});

	it('that comes after the timeout is closed', async () => {
		const body = new PassThrough();
		let come = (_: unknown) => {};
		const head = new Promise((resolve) => (come = resolve));

		await expect(read(body, 50, head)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
		const closed = once(body, 'close');
		come(undefined);
		await closed;
	});
});
