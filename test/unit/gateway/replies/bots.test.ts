import {
	belongsTo,
	readBot,
	readBots,
	type Bot,
} from '../../../../nodes/MessagingGateway/gateway/replies/bots';

describe('a bot', () => {
	it.each([
		...[{ id: 'b1' }, { id: 'b1', instance: 'something else' }, { id: 'b1', status: 1 }],
		{ id: 'b1', status: 'on', response: {} },
		{ id: 'b1', status: 400, error: 'last call failed' },
	])('is whatever has an ID: %j', (record) => {
		expect(readBot(record)).toMatchObject({ record, id: 'b1' });
	});

	it.each([[undefined], [null], [''], [[]], [{}]])('is not found in the reply %j', (reply) => {
		expect(readBot(reply)).toBeNull();
	});

	it.each([
		...['text', 5, true, [{ id: 'b1' }], [null], { id: 5 }, { instanceName: 'alpha' }],
		...[{ status: 404, error: 'Not Found', response: { message: ['x'] } }, { error: 'Unauthorized' }],
	])('is not what the reply %j is', (reply) => {
		expect(readBot(reply)).toBeUndefined();
	});
});

describe('the instance of a bot', () => {
	it.each([
		[{ instanceName: 'alpha' }, true],
		[{ instanceName: 'beta' }, false],
		[{ instanceName: 'ALPHA' }, false],
		[{ Instance: { name: 'alpha' } }, true],
		[{ Instance: { name: 'beta' } }, false],
		[{ instance: { instanceName: 'beta' } }, false],
	])('is known by the name in its record: %j', (fields, expected) => {
		expect(belongsTo(botOf(fields), { name: 'alpha' })).toBe(expected);
	});

	it.each([
		['i1', true],
		['i2', false],
		[undefined, undefined],
	])('is otherwise known by its ID, where the own one is %p', (instanceId, expected) => {
		expect(belongsTo(botOf({ instanceId: 'i1' }), { name: 'alpha', instanceId })).toBe(expected);
	});

	it('is not known where the record names none', () => {
		expect(belongsTo(botOf({}), { name: 'alpha', instanceId: 'i1' })).toBeUndefined();
	});
});

function botOf(fields: object): Bot {
	const bot = readBot({ id: 'b1', ...fields });
	if (!bot) throw new Error('a bot was expected');
	return bot;
}

describe('a list of bots', () => {
	it('gives the ID of each, and its description if it has one', () => {
		const bots = [
			{ id: 'b1', description: 'Sales' },
			{ id: 'b2', description: '' },
			{ id: 'b3', description: 5 },
		];
		expect(readBots(bots)).toEqual([{ id: 'b1', description: 'Sales' }, { id: 'b2' }, { id: 'b3' }]);
	});

	it('leaves out what is no bot', () => {
		expect(readBots([null, { id: 'b1' }, 'b2', { description: 'no ID' }])).toEqual([{ id: 'b1' }]);
	});

	it.each([[null], [[]]])('is empty in the reply %j', (reply) => {
		expect(readBots(reply)).toEqual([]);
	});

	it.each([[undefined], [''], [{ id: 'b1' }], [[null]], [[{ name: 'b1' }]]])(
		'is not what the reply %j is',
		(reply) => {
			expect(readBots(reply)).toBeUndefined();
		},
	);
});
