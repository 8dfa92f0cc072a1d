import { GENERATIONS, type Gateway } from '../../gateway/gateway';
import type { GatewayCredentials } from '../engine';
import { describeEachLine, groupParameters, withGateways, workflowOf } from '../support';
import { getMany } from './parameters';
import { withServers, type Answer, type Asked } from './server';

const KEY = 'TEST-GLOBAL-KEY';

describeEachLine('a credential', (engine) => {
	const start = withGateways();

	describe('the credential test', () => {
		const startServer = withServers();

		async function tested(credentials: Partial<GatewayCredentials>) {
			const apiKey = credentials.apiKey ?? KEY;
			const result = await engine().testCredential({ baseUrl: '', ...credentials, apiKey });
			if (apiKey.trim() !== '') expect(JSON.stringify(result)).not.toContain(apiKey);
			return result;
		}

		const error = (says: RegExp) => ({ status: 'Error', message: expect.stringMatching(says) });

		test.each(GENERATIONS)('passes a good gateway: %s', async (generation) => {
			const { url: baseUrl, calls } = await start({ generation });
			expect((await tested({ baseUrl })).status).toBe('OK');
			expect(calls).toMatchObject([
				{ method: 'GET', path: '/instance/fetchInstances', headers: { apikey: KEY } },
			]);
		});

		test.each(['/sub', '/sub/', '/sub/manager/'])('passes a sub-path: %s', async (path) => {
			const { url } = await startServer((asked) =>
				asked.path === '/sub/instance/fetchInstances' ? { status: 200, body: [] } : { status: 404, body: {} },
			);
			expect((await tested({ baseUrl: url + path })).status).toBe('OK');
		});

		test('passes the key of one instance where the gateway accepts it', async () => {
			const apiKey = 'TEST-INSTANCE-KEY-MAIN';
			const { url: baseUrl } = await start({ generation: '2.3' });
			expect((await tested({ baseUrl, apiKey })).status).toBe('OK');
			const { url: old } = await start({ generation: '1.8' });
			expect(await tested({ baseUrl: old, apiKey })).toEqual(error(/API key.*Unauthorized/));
		});

		test('names a refused key', async () => {
			const { url: baseUrl } = await start();
			expect(await tested({ baseUrl, apiKey: 'WRONG-KEY-0000' })).toEqual(error(/API key.*Unauthorized/));
		});

		test.each<[string, (asked: Asked) => Answer, RegExp]>([
			[
				'a page that is not the gateway, without the key that it repeats',
				({ key }) => ({
					status: 200,
					contentType: 'text/html',
					body: `<html><body><h1>Welcome</h1><p>You sent ${key}</p></body></html>`,
				}),
				/isn't JSON.*Welcome/,
			],
			[
				'JSON that is no list of instances',
				() => ({ status: 200, body: { status: 'ok' } }),
				/unexpected shape/,
			],
			['an empty reply', () => ({ status: 200, contentType: null, body: '' }), /./],
			[
				'evolution-go',
				() => ({ status: 401, body: { error: 'not authorized' } }),
				/evolution-go, which is another interface/,
			],
			[
				'a license gate',
				() => ({
					status: 503,
					body: {
						error: 'service not activated',
						code: 'LICENSE_REQUIRED',
						register_url: 'https://license.example/?id=1',
					},
				}),
				/asks for a license.*Register.*: https:\/\/license\.example\/\?id=1$/,
			],
		])('names %s', async (_what, answer, says) => {
			const { url: baseUrl } = await startServer(answer);
			expect(await tested({ baseUrl })).toEqual(error(says));
		});

		test('names a wrong path', async () => {
			const { url } = await start();
			expect(await tested({ baseUrl: `${url}/wrong` })).toEqual(error(/Cannot GET \/wrong\/.*Base URL/));
		});

		test('names something that does not speak HTTP in clear', async () => {
			const { url } = await start({ tls: true });
			const result = await tested({ baseUrl: url.replace('https:', 'http:') });
			expect(result).toEqual(error(/Base URL|closed the connection/));
		});

		test.each([
			['', /base URL is empty/],
			['ftp://gateway.example.com', /isn't a valid http or https address/],
			['http://127.0.0.1:1', /Couldn't connect to http:\/\/127\.0\.0\.1:1: .*Base URL/],
		])('names the base URL "%s"', async (baseUrl, says) => {
			expect(await tested({ baseUrl })).toEqual(error(says));
		});

		test('names a key that no header can hold as it is', async () => {
			const { url: baseUrl } = await start();
			expect(await tested({ baseUrl, apiKey: 'ключ-0000' })).toEqual(error(/API key/));
		});

		// What a key is copied with is cut off on its way, so that a gateway repeats the key without it.
		test.each(['\n', ' ', '\t', '\r\n'])(
			'does not show a key that was copied with %j after it',
			async (end) => {
				const { url: baseUrl } = await startServer(({ key }) => ({
					status: 401,
					body: { response: { message: `"${key}" is not known` } },
				}));
				const result = await tested({ baseUrl, apiKey: KEY + end });
				expect(result).toEqual(error(/API key/));
				expect(result.message).not.toContain(KEY);
			},
		);
	});

	describe('a self-signed certificate', () => {
		async function run(gateway: Gateway, parameters: object, allowUnauthorizedCerts?: boolean) {
			const { outputs, error, raw } = await engine().run(workflowOf(parameters), {
				credentials: {
					baseUrl: gateway.url,
					apiKey: gateway.apiKey,
					...(allowUnauthorizedCerts !== undefined && { allowUnauthorizedCerts }),
				},
				items: { Items: [{}] },
			});
			expect(raw).not.toContain(gateway.apiKey);
			return { main: outputs.Gateway?.[0] ?? [], error };
		}

		test('is refused by the credential test unless it is allowed', async () => {
			const { url: baseUrl, apiKey, calls } = await start({ tls: true });
			const refused = { status: 'Error', message: expect.stringMatching(/certificate.*Ignore SSL Issues/) };
			expect(await engine().testCredential({ baseUrl, apiKey })).toEqual(refused);
			expect(await engine().testCredential({ baseUrl, apiKey, allowUnauthorizedCerts: false })).toEqual(
				refused,
			);
			expect(calls).toEqual([]);
			const allowed = await engine().testCredential({ baseUrl, apiKey, allowUnauthorizedCerts: true });
			expect(allowed.status).toBe('OK');
		});

		test.each<[string, object]>([
			['a lookup', getMany({ options: { maxRetries: 0 } })],
			['a group change', groupParameters({ participants: '447700900999' })],
		])('is refused by the node unless it is allowed: %s', async (_what, parameters) => {
			const gateway = await start({ tls: true });
			const refused = await run(gateway, parameters);
			expect(refused.main).toEqual([]);
			expect(refused.error?.message).toMatch(/certificate/);
			expect(refused.error?.description).toContain('Ignore SSL Issues');
			expect(gateway.calls).toEqual([]);
			const allowed = await run(gateway, parameters, true);
			expect(allowed.error).toBeUndefined();
			expect(allowed.main.length).toBeGreaterThan(0);
		});
	});
});
