import { addressOf, bodyOf, ROUTES, type RouteForm } from '../../../nodes/MessagingGateway/gateway/routes';

const BASE = 'https://gateway.example.com/api';

describe('the calls', () => {
	const calls = [
		['listInstances', false, ['GET /instance/fetchInstances']],
		[
			'updateParticipants',
			true,
			['PUT /group/updateParticipant/{instance}', 'POST /group/updateParticipant/{instance}'],
		],
		['findBot', false, ['GET /openai/find/{bot}/{instance}', 'GET /openai/fetch/{bot}/{instance}']],
		['listGroups', false, ['GET /group/fetchAllGroups/{instance}']],
		['listParticipants', false, ['GET /group/participants/{instance}']],
		['inviteCode', false, ['GET /group/inviteCode/{instance}']],
		['findNumbers', false, ['POST /chat/whatsappNumbers/{instance}']],
		['findMessages', false, ['POST /chat/findMessages/{instance}']],
		['sendInvite', true, ['POST /group/sendInvite/{instance}']],
		['updateSetting', true, ['PUT /group/updateSetting/{instance}', 'POST /group/updateSetting/{instance}']],
		[
			'revokeInviteCode',
			true,
			['PUT /group/revokeInviteCode/{instance}', 'POST /group/revokeInviteCode/{instance}'],
		],
		['groupInfo', false, ['GET /group/findGroupInfos/{instance}']],
		['connect', true, ['GET /instance/connect/{instance}']],
		['connectionState', false, ['GET /instance/connectionState/{instance}']],
		['listBots', false, ['GET /openai/find/{instance}']],
	] as const;

	it.each(calls)('%s: changes something: %p, published form first', (name, changes, forms) => {
		expect(ROUTES[name].changes).toBe(changes);
		expect(ROUTES[name].forms.map(({ method, path }) => `${method} ${path}`)).toEqual(forms);
	});

	it('are all named here', () => {
		expect(Object.keys(ROUTES).sort()).toEqual(calls.map(([name]) => name).sort());
	});
});

describe('the address of a call', () => {
	const [change] = ROUTES.updateParticipants.forms;
	const [findBot] = ROUTES.findBot.forms;
	const [list] = ROUTES.listInstances.forms;

	it.each<[string, RouteForm, Parameters<typeof addressOf>[2], string]>([
		['has nothing where nothing is asked', list, {}, '/instance/fetchInstances'],
		['has the query', list, { instanceName: 'main' }, '/instance/fetchInstances?instanceName=main'],
		[
			'has every pair of the query',
			list,
			{ groupJid: '1', bot: '2' },
			'/instance/fetchInstances?groupJid=1&bot=2',
		],
		[
			'is the published one of a group change',
			change,
			{ instance: 'main', groupJid: '120363021345678901@g.us' },
			'/group/updateParticipant/main?groupJid=120363021345678901%40g.us',
		],
		['has values in the order of the path', findBot, { instance: 'main', bot: 'b1' }, '/openai/find/b1/main'],
		[
			'leaves a value that looks like a place for another alone',
			findBot,
			{ bot: '{instance}', instance: '$&' },
			'/openai/find/%7Binstance%7D/%24%26',
		],
	])('%s', (_, form, values, expected) => {
		expect(addressOf(BASE, form, values)).toBe(BASE + expected);
	});

	it.each([
		['Cloud Três', 'Cloud%20Tr%C3%AAs'],
		['a/b', 'a%2Fb'],
		['../admin', '..%2Fadmin'],
		['a?x=1&y=2#z', 'a%3Fx%3D1%26y%3D2%23z'],
		['%2e%2e', '%252e%252e'],
		['a+b', 'a%2Bb'],
		['a\\b', 'a%5Cb'],
		['😀\n', '%F0%9F%98%80%0A'],
	])('has the name %j as one segment, and as one value of the query', (name, encoded) => {
		const inPath = addressOf(BASE, change, { instance: name });
		const inQuery = addressOf(BASE, list, { instanceName: name });

		expect(inPath).toBe(`${BASE}/group/updateParticipant/${encoded}`);
		expect(new URL(inPath).pathname).toBe(`/api/group/updateParticipant/${encoded}`);
		expect([...new URL(inQuery).searchParams]).toEqual([['instanceName', name]]);
	});
});

describe('the body of a call', () => {
	const [put, post] = ROUTES.revokeInviteCode.forms;
	const values = { instance: 'main', groupJid: '1@g.us' };

	it.each<[string, RouteForm | undefined, object, object | undefined]>([
		[
			'has the group in a POST',
			post,
			{ ...values, body: { action: 'add' } },
			{ action: 'add', groupJid: '1@g.us' },
		],
		['has nothing but the group in a POST of nothing', post, values, { groupJid: '1@g.us' }],
		['is as published in a PUT', put, { ...values, body: { action: 'add' } }, { action: 'add' }],
		['is none in a PUT of nothing', put, values, undefined],
		['is as it is where no group is named', post, { body: { numbers: ['1'] } }, { numbers: ['1'] }],
	])('%s', (_, form, given, expected) => {
		expect(form && bodyOf(form, given)).toEqual(expected);
	});
});
