import { readBot } from '../../../nodes/MessagingGateway/domain/records/bots';
import { load } from '../../recordings';

describe('a bot', () => {
	it.each([
		['v2.2.3__openai__fetch-botId-instance'],
		['v2.3.6__openai__fetch-botId-instance'],
		['v2.3.6__openai__fetch-assistant-bot'],
	])('is given as the gateway gives it: %s', (name) => {
		const { body } = load(name).response;

		expect(readBot(body, 'alpha')).toBe(body);
	});

	it.each([[undefined], [null], [''], [[]], [{}]])('is not found in the reply %j', (reply) => {
		expect(readBot(reply, 'alpha')).toBeNull();
	});

	it('is not found where the recorded gateway has none of this ID', () => {
		expect(readBot(load('v2.3.6__openai__fetch-unknown-bot').response.body, 'alpha')).toBeNull();
	});

	it.each([
		[{ id: 'b1', instanceName: 'beta' }],
		[{ id: 'b1', Instance: { name: 'beta' } }],
		[{ id: 'b1', instance: { instanceName: 'beta' } }],
		[{ id: 'b1', instanceName: 'ALPHA' }],
	])('is not found where it says that it belongs to another instance: %j', (bot) => {
		expect(readBot(bot, 'alpha')).toBeNull();
	});

	it.each([
		[{ id: 'b1', instanceName: 'alpha' }],
		[{ id: 'b1', Instance: { name: 'alpha' } }],
		[{ id: 'b1', instance: 'something else' }],
		[{ id: 'b1', instanceId: 'd6dc3a0d-e20a-40cc-b8c4-be2e6ded2e68' }],
		[{ status: 399 }],
		[{ status: '500' }],
		[{ error: '' }],
		[{ id: 'b1', status: 1 }],
		[{ id: 'b1', status: 'on', response: {} }],
	])('is found where it belongs to this one, or does not say: %j', (bot) => {
		expect(readBot(bot, 'alpha')).toBe(bot);
	});

	it.each([['text'], [5], [true], [[{ id: 'b1' }]], [[null]]])('is not what the reply %j is', (reply) => {
		expect(readBot(reply, 'alpha')).toBeUndefined();
	});
});

it.each([
	[{ status: 404, error: 'Not Found', response: { message: ['x'] } }],
	[{ status: 401, error: 'Unauthorized', message: 'no' }],
	[{ error: 'Unauthorized' }],
	[{ status: 500, message: 'no' }],
	[{ status: 400 }],
])('the body of an error is no bot, whatever its status: %j', (body) => {
	expect(readBot(body, 'main')).toBeUndefined();
});

it('a bot may have a status and an error of its own', () => {
	const bot = { id: 'b1', status: 400, error: 'last call failed' };

	expect(readBot(bot, 'main')).toBe(bot);
});
