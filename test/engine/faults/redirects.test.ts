import { lines } from '../../thorough';
import type { Fault } from '../../gateway/gateway';
import { withEngine, withGateways } from '../support';
import { subjectOf, subjects } from './attempts';
import { canariesIn, canary, canarySeed } from './canaries';

const statuses: Array<NonNullable<Fault['status']>> = [301, 302, 303, 307, 308];
const cases = statuses.flatMap((status) => subjects.map(({ name, attempt }) => ({ status, name, attempt })));

describe.each(lines)('redirects (n8n %i.x)', (line) => {
	const engine = withEngine(line);
	const start = withGateways();

	it.each(cases)('$status is not followed by $name', async ({ status, attempt }) => {
		const gateway = await start({ seed: canarySeed() });
		const other = await start();
		gateway.fault({ kind: 'redirect', to: other.url, status });
		const before = gateway.snapshot();
		const tried = await attempt(engine(), { baseUrl: gateway.url, apiKey: gateway.apiKey });
		expect(other.calls).toEqual([]);
		expect(gateway.calls).toHaveLength(1);
		expect(gateway.snapshot()).toEqual(before);
		expect(tried.items).toEqual([]);
		expect(tried.errors[0]?.message).toContain(
			`The gateway redirects to ${other.url} — set that as 'Base URL'`,
		);
		expect(tried.errors[0]?.message).not.toMatch(/not known/);
		expect(canariesIn(tried.everything)).toEqual([]);
	});

	it.each(statuses)('%i is not followed by the test of the credential', async (status) => {
		const gateway = await start({ seed: canarySeed() });
		const other = await start();
		gateway.fault({ kind: 'redirect', to: other.url, status });
		const tested = await engine().testCredential({ baseUrl: gateway.url, apiKey: gateway.apiKey });
		expect(other.calls).toEqual([]);
		expect(tested.status).toBe('Error');
		expect(tested.message).toContain(other.url);
		expect(tested.message).toContain('Base URL');
		expect(canariesIn(tested)).toEqual([]);
	});

	it.each([
		['with a key in its query', 'https://other.example/login?apikey=', 'https://other.example'],
		['with a user and password', 'https://user:PASSWORD@other.example', 'https://other.example'],
		['on the same server', '/elsewhere', 'http://127.0.0.1'],
		['to https of the same name', 'https://localhost:9', 'https://localhost:9'],
		['to no web address', 'ftp://other.example', 'redirects'],
	])('a target %s is named without more', async (_, to, named) => {
		const gateway = await start({ seed: canarySeed() });
		gateway.fault({ kind: 'redirect', to: to.endsWith('=') ? to + canary('query') : to });
		const tried = await subjectOf('instance get').attempt(engine(), {
			baseUrl: gateway.url,
			apiKey: gateway.apiKey,
		});
		expect(tried.errors[0]?.message).toContain(named);
		expect(JSON.stringify(tried.told)).not.toMatch(/PASSWORD/);
		expect(canariesIn(tried.everything)).toEqual([]);
		expect(gateway.calls).toHaveLength(1);
	});
});
