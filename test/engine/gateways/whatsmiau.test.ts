import { CUSTOMERS } from '../group/people';
import {
	describeOnEngine,
	groupParameters,
	inviteParameters,
	REGULAR_OUTPUT,
	runNode,
	skipPauses,
	syncParameters,
} from '../support';
import { getInstance, getInviteLink, getMany, getMembers, getQrCode, resetInviteLink } from './parameters';
import { withServers, type Answer } from './server';

const [FOUNDER, ADMIN, MEMBER, NEWCOMER] = [
	'5511990000001',
	'5511990000002',
	'5521990000003',
	'4915200000001',
];
const NETWORK_SAYS_NO = 'server returned error 463';
const PROXY_PASSWORD = 'TEST-PROXY-PASSWORD';

const ok = (body: unknown, status = 200): Answer => ({ status, body });
const fail = (status: number, message: string, errorMessage = message): Answer =>
	ok({ error: null, message, errorMessage }, status);

const member = (phone: string, isAdmin = false, isSuperAdmin = false) => ({
	jid: `${phone}@s.whatsapp.net`,
	lid: `1${phone}@lid`,
	isAdmin,
	isSuperAdmin,
});
const changed = (...people: object[]) => ok({ participants: people }, 201);

const LINK = ok({ inviteUrl: 'https://chat.whatsapp.com/Abc', inviteCode: 'Abc' });
/** By method and route, what it says if all is well: as read from its source, since no exchange was recorded. */
const USUAL: Readonly<Record<string, Answer>> = {
	'GET instance/fetchInstances': ok([
		{
			id: 'keeper',
			remoteJID: `${FOUNDER}:12@s.whatsapp.net`,
			proxyHost: 'proxy.example',
			proxyPassword: PROXY_PASSWORD,
		},
	]),
	'GET group/participants': ok({
		participants: [member(FOUNDER, true, true), member(ADMIN, true), member(MEMBER)],
	}),
	'GET group/inviteCode': LINK,
	'POST group/revokeInviteCode': { ...LINK, status: 201 },
	'POST group/updateParticipant': changed(member(MEMBER)),
	'POST group/sendInvite': ok({ inviteUrl: 'https://chat.whatsapp.com/Abc', sent: [{ success: true }] }),
};

describeOnEngine('a gateway with the shapes of WhatsMiau', (engine) => {
	skipPauses(engine);
	const start = withServers();

	/** Runs the node against it, with other answers than the usual ones on some routes. */
	async function run(parameters: object, phones: string[] = [''], answers: Record<string, Answer> = {}) {
		const routes = new Map(Object.entries({ ...USUAL, ...answers }));
		const routeOf = (path: string) => path.split(/[/?]/).slice(2, 4).join('/');
		const server = await start(({ method, path }) => {
			const isKnown = [...routes.keys()].some((route) => route.endsWith(routeOf(path)));
			const missing = isKnown
				? ok({ message: 'Method Not Allowed' }, 405)
				: ok({ message: 'Not Found' }, 404);
			return routes.get(`${method} ${routeOf(path)}`) ?? missing;
		});
		const gateway = { url: `${server.url}/v1`, apiKey: 'KEY-0000' };
		const items = phones.map((phone) => ({ phone }));
		const { main, error } = await runNode(engine(), gateway, parameters, items, REGULAR_OUTPUT);
		expect(error).toBeUndefined();
		return {
			json: main.map((item) => item.json),
			told: main.map(({ json }) => [json.participant, json.outcome, json.applied]),
			calls: server.calls.map(({ method, path }) => `${method} ${routeOf(path)}`),
		};
	}

	test('takes changes as POST, and says an error for a person beside the fields of a member', async () => {
		const rows = [member(NEWCOMER), { ...member(ADMIN, true), error: 409 }];
		const parameters = groupParameters({ instance: 'keeper' });
		const answers = { 'POST group/updateParticipant': changed(...rows) };
		const { json, told, calls } = await run(parameters, [NEWCOMER, ADMIN], answers);
		expect(told).toEqual([
			[NEWCOMER, 'done', true],
			[ADMIN, 'unchanged', true],
		]);
		expect(json.map(({ code }) => code)).toEqual(['200', '409']);
		expect(calls).toEqual(['PUT group/updateParticipant', 'POST group/updateParticipant']);
	});

	test('shows members with number, hidden ID and role, of whom Sync keeps the founder and admins', async () => {
		const { json } = await run(getMembers(CUSTOMERS));
		expect(json.map(({ participant, lid, role }) => [participant, lid, role])).toEqual([
			[FOUNDER, `1${FOUNDER}@lid`, 'superAdmin'],
			[ADMIN, `1${ADMIN}@lid`, 'admin'],
			[MEMBER, `1${MEMBER}@lid`, 'member'],
		]);
		const options = { maxRemovalPercent: 100 };
		const parameters = syncParameters({ group: CUSTOMERS, unlisted: 'remove', options });
		const answers = { 'POST group/updateParticipant': changed(member(MEMBER)) };
		const { told } = await run(parameters, [FOUNDER], answers);
		expect(told).toEqual([
			[FOUNDER, 'unchanged', true],
			[ADMIN, 'kept', true],
			[MEMBER, 'done', true],
		]);
	});

	test.each([
		['sent', USUAL['POST group/sendInvite'], true, /handed to the gateway/],
		[
			'unconfirmed',
			ok({
				inviteUrl: 'https://chat.whatsapp.com/Abc',
				sent: [{ success: false, error: 'no devices found' }],
			}),
			null,
			/^The gateway couldn't send the invite\. It's not known whether/,
		],
		[
			'rejected',
			ok({ inviteUrl: 'https://chat.whatsapp.com/Abc', sent: [{ success: false, error: NETWORK_SAYS_NO }] }),
			false,
			/^The network refused the message/,
		],
	])('says of each invite whether it was sent: %s', async (outcome, answer, applied, message) => {
		const answers = answer && { 'POST group/sendInvite': answer };
		const { json } = await run(inviteParameters({ group: CUSTOMERS }), [NEWCOMER], answers);
		expect(json).toMatchObject([{ outcome, applied, message: expect.stringMatching(message) }]);
	});

	test.each([
		['the link of a group', getInviteLink(CUSTOMERS), { inviteCode: 'Abc' }],
		['a new one', resetInviteLink(CUSTOMERS), { inviteCode: 'Abc', outcome: 'done' }],
		['instances', getMany(), { instanceName: 'keeper', owner: `${FOUNDER}@s.whatsapp.net` }],
		['an instance', getInstance('keeper', { simplify: false }), { proxyPassword: '**hidden**' }],
	])('gives %s', async (_, parameters, expected) => {
		const { json } = await run(parameters);
		expect(json).toMatchObject([expected]);
		expect(JSON.stringify(json)).not.toContain(PROXY_PASSWORD);
	});

	const change = groupParameters({ instance: 'keeper', options: { maxRetries: 0 } });

	test.each<[string, string, Answer, object, RegExp]>([
		[
			'in a group that the account is not in',
			'GET group/participants',
			fail(403, 'not a member of this group'),
			getMembers(CUSTOMERS),
			/^The instance's account isn't in this group/,
		],
		[
			'in a group that does not exist',
			'GET group/participants',
			fail(404, 'group not found'),
			getMembers(CUSTOMERS),
			/^This group doesn't exist/,
		],
		[
			'of an instance that is not connected',
			'POST group/updateParticipant',
			fail(404, 'instance is not connected', 'client is nil'),
			change,
			/instance isn't connected/,
		],
		[
			'of an instance that is not in the list',
			'GET instance/fetchInstances',
			ok(null),
			getInstance('nobody'),
			/"nobody" couldn't be found/,
		],
		[
			'of an instance that does not exist',
			'GET instance/connect',
			fail(404, 'instance not found', ''),
			getQrCode('nobody'),
			/instance couldn't be found/,
		],
		[
			'of a change that failed, in the words of the network',
			'POST group/updateParticipant',
			fail(500, 'operation failed', 'info query returned status 403: forbidden'),
			change,
			/^(?!.*not known)The instance's account isn't an admin of this group.*status 403: forbidden/,
		],
		[
			'of a message that was certainly not sent',
			'POST group/sendInvite',
			fail(400, 'invalid request body', "Field validation for 'GroupJid' failed on the 'required' tag"),
			inviteParameters({ group: CUSTOMERS }),
			/^(?!.*not known).*invalid request body/,
		],
		[
			'of a link that only an admin gets',
			'GET group/inviteCode',
			fail(403, 'unauthorized to access invite link'),
			getInviteLink(CUSTOMERS),
			/^The instance's account isn't an admin of this group/,
		],
		[
			'of an instance that is connecting',
			'GET group/participants',
			fail(500, 'operation failed', 'failed to send info query: websocket not connected'),
			getMembers(CUSTOMERS),
			/instance isn't connected/,
		],
		[
			'of an account that the network limits',
			'POST group/updateParticipant',
			fail(429, 'rate limit exceeded, try again later', 'info query returned status 429: rate-overlimit'),
			change,
			/^The messaging network is rate limiting this account/,
		],
		[
			'of instances that are asked for by a status that no list says',
			'GET instance/fetchInstances',
			ok([{ id: 'keeper', remoteJID: `${FOUNDER}:12@s.whatsapp.net` }]),
			getMany({ filters: { status: 'open' } }),
			/list of instances doesn't say their status/,
		],
		[
			'of a rate limit',
			'POST group/updateParticipant',
			fail(429, 'rate limit exceeded, try again later'),
			change,
			/limits the number of requests.*rate limit exceeded/,
		],
		[
			'of a refused key',
			'GET instance/fetchInstances',
			ok({ message: 'Unauthorized' }, 401),
			getInstance('keeper'),
			/refused the API key/,
		],
	])('says what is wrong %s', async (_, route, answer, parameters, says) => {
		const { json } = await run(parameters, [NEWCOMER], { [route]: answer });
		expect(json.map(({ error }) => error)).toEqual([expect.stringMatching(says)]);
	});
});
