import { lines } from '../../thorough';
import type { Fault } from '../../gateway/gateway';
import { withEngine, withGateways } from '../support';
import { subjectOf } from './attempts';
import { canariesIn, canary, canarySeed } from './canaries';

const statuses: Array<NonNullable<Fault['status']>> = [301, 302, 303, 307, 308];
/** The same address with what must not be shown of it. */
const withSecrets = (url: string) => url.replace('//', `//${canary('user')}:${canary('password')}@`);

/** The matrix has the others, with one status. */
const subjects = ['instance get', 'group updateParticipants', 'searchGroups'].map(subjectOf);
const cases = statuses.flatMap((status) => subjects.map(({ name, attempt }) => ({ status, name, attempt })));

describe.each(lines)('redirects (n8n %i.x)', (line) => {
	const engine = withEngine(line);
	const start = withGateways();

	it.each(cases)('$status is not followed by $name', async ({ status, attempt }) => {
		const gateway = await start({ seed: canarySeed() });
		const other = await start();
		gateway.fault({ kind: 'redirect', to: withSecrets(other.url), status });
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
});
