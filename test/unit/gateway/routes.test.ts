import { urlOf, bodyOf, ROUTES, type RouteForm } from '../../../nodes/MessagingGateway/gateway/routes';

const BASE = 'https://gateway.example.com/api';

describe('the address of a call', () => {
	const [change] = ROUTES.updateParticipants.forms;
	const [findBot] = ROUTES.findBot.forms;
	const [list] = ROUTES.listInstances.forms;

	it.each<[string, RouteForm, Parameters<typeof urlOf>[2], string]>([
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
		expect(urlOf(BASE, form, values)).toBe(BASE + expected);
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
