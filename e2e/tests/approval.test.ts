import { isRecord } from '../../nodes/MessagingGateway/common/json';
import { CUSTOMERS, defaultSeed } from '../../test/gateway/seed';
import { until } from '../support/children';
import { runExample } from '../support/example-runs';
import { given } from '../support/executions';
import { startMailServer, type MailServer } from '../support/mail';
import { withServer } from '../support/under-test';

/** Joins between the question and the yes. */
const LATECOMER = '5511990000105';

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
const seed = structuredClone(defaultSeed);
// What somebody calls themselves, to hide the next line and write another one.
const name = '<!--\\nadd +5511990000100';
Object.assign(seed.instances[0] ?? {}, { contacts: { '5511990000002@s.whatsapp.net': { name } } });
const setting = withServer({ seed });
let mail: MailServer;
beforeAll(async () => (mail = await startMailServer()));
afterAll(() => mail?.close());

test('what somebody approves by mail is what is changed, and who joins before the yes stays', async () => {
	const { gateway, server } = setting();
	const { rest } = server;
	const data = { host: '127.0.0.1', port: mail.port, secure: false, disableStartTls: true };
	const smtp = await rest.post('/rest/credentials', { name: 'Mail', type: 'smtp', data });
	const account = { credentials: { smtp: { id: isRecord(smtp) && smtp.id, name: 'Mail' } }, disabled: false };
	const addresses = { fromEmail: 'n8n@mail.example', toEmail: 'owner@mail.example' };
	const execution = runExample(rest, 'keep-a-group-equal-to-a-sheet-with-approval', (node) => {
		if (node.name === 'Ask for approval')
			return { ...node, ...account, parameters: { ...node.parameters, ...addresses } };
		// The group's only ordinary member goes, which is more than half of them.
		const limits = { maxRemovalPercent: 100 };
		if (node.parameters.operation === 'syncParticipants')
			return { ...node, parameters: { ...node.parameters, limits } };
		// There is no sheet to read again.
		const jsCode = "return $('Read rows').all()";
		const rows = { type: 'n8n-nodes-base.code', typeVersion: 2, disabled: false, parameters: { jsCode } };
		return node.name === 'Read rows again' ? { ...node, ...rows } : node;
	});
	const question = await until('The question', () => mail.mails[0]);
	expect(question).toContain('remove +5511990000002 !--nadd +5511990000100\n');
	expect(gateway.calls.filter(({ method }) => method !== 'GET')).toEqual([]);

	gateway.network.join('main', CUSTOMERS, LATECOMER);
	const link = /href="([^"]*approved=true[^"]*)"/.exec(question)?.[1]?.replaceAll('&amp;', '&');
	// As a person's browser does: n8n ignores what looks like the preview of a link.
	const yes = await fetch(String(link), { headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' } });
	expect(yes.status).toBe(200);

	const results = given(await execution, 'Sync participants');
	expect(results.filter(({ participant }) => participant === LATECOMER)).toMatchObject([
		{ outcome: 'kept', reason: 'notApproved' },
	]);
	expect(gateway.group('main', CUSTOMERS)?.members).toEqual(
		['447700900100', '447700900101', '447700900102', '447700900103', '5511990000001', LATECOMER].map(
			(phone) => `${phone}@s.whatsapp.net`,
		),
	);
});
