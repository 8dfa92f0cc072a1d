import { CUSTOMERS } from '../../test/gateway/seed';
import { locator } from '../support/published';
import { withServer } from '../support/under-test';
import { callWebhook, publishWebhook } from '../support/webhook';

const GROUP = { instance: locator('name', 'main'), group: locator('id', CUSTOMERS) };
/** Can't be added by others, only invited. */
const INVITE_ONLY = '5511990000403';
const ANA = '5511990000100';

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
const setting = withServer();

async function run(path: string, ...phones: string[]): Promise<Array<Record<string, unknown>>> {
	return await callWebhook(setting().server.rest, path, phones);
}

/** Has n8n end in each way, and looks after each start. */
async function afterEachRestart(look: () => Promise<void>): Promise<void> {
	for (const end of ['stop', 'kill'] as const) {
		await setting().restart(end);
		await look();
	}
}

test('who was invited is not invited again by a later run, also after n8n was restarted', async () => {
	const { gateway, server } = setting();
	const parameters = { operation: 'sendInvite', ...GROUP, message: 'Join our customers here:' };
	await publishWebhook(server.rest, 'invite', { ...parameters, options: { batchInterval: 0 } });

	expect(await run('invite', INVITE_ONLY)).toMatchObject([{ outcome: 'sent', applied: true }]);
	expect(await run('invite', INVITE_ONLY, ANA)).toMatchObject([
		{ outcome: 'alreadyInvited', applied: true },
		{ outcome: 'sent', applied: true },
	]);
	await afterEachRestart(async () => {
		expect(await run('invite', '+55 (11) 99000-0403', ANA)).toMatchObject([
			{ outcome: 'alreadyInvited' },
			{ outcome: 'alreadyInvited' },
		]);
	});
	expect(gateway.messages.map(({ to }) => to)).toEqual([
		`${INVITE_ONLY}@s.whatsapp.net`,
		`${ANA}@s.whatsapp.net`,
	]);
});

test('who could not be added is not asked for by a later run of Sync, also after n8n was restarted', async () => {
	const { gateway, server } = setting();
	const asked = () => gateway.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
	const refused = { outcome: 'postponed', reason: 'refusedLately', applied: false };
	const parameters = { operation: 'syncParticipants', ...GROUP, options: { batchInterval: 0 } };
	await publishWebhook(server.rest, 'sync', parameters);

	expect(await run('sync', INVITE_ONLY)).toMatchObject([{ outcome: 'inviteRequired', applied: false }]);
	expect(await run('sync', INVITE_ONLY)).toMatchObject([refused]);
	await afterEachRestart(async () => {
		expect(await run('sync', '+55 (11) 99000-0403')).toMatchObject([refused]);
	});
	expect(await run('sync', INVITE_ONLY, ANA)).toMatchObject([refused, { outcome: 'done' }]);
	expect(asked()).toEqual([
		{ action: 'add', participants: [INVITE_ONLY] },
		{ action: 'add', participants: [ANA] },
	]);
});
