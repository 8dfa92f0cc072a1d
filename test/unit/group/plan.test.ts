import type { Action } from '../../../nodes/MessagingGateway/domain/group/outcomes';
import { planRequests, type GroupChange } from '../../../nodes/MessagingGateway/domain/group/plan';
import { person } from '../support';

/** `g1 add A B`: one item's change; instances are named before a slash, `main` where there is none. */
function change(item: number, text: string): GroupChange {
	const [where = '', action, ...participants] = text.split(' ');
	const [groupJid = '', instance = 'main'] = where.split('/').reverse();
	return { item, instance, groupJid, action: action as Action, participants: participants.map(person) };
}

/** The requests in the same notation, with the items that they serve. */
function plan(items: string[], { combineItems = true, batchSize = 50 } = {}): string[] {
	return planRequests(
		items.map((text, item) => change(item, text)),
		{ combineItems, batchSize },
	).map(
		({ instance, groupJid, action, participants, origins }) =>
			`${instance}/${groupJid} ${action} ${participants.join(' ')} <- ${origins
				.map(({ item, position, participant }) => `${item}.${position}${participant.given}`)
				.join(' ')}`,
	);
}

describe('group changes', () => {
	it('of one item are one request', () => {
		expect(plan(['g add A B'])).toEqual(['main/g add A B <- 0.0A 0.1B']);
	});

	it('with the same action share a request', () => {
		expect(plan(['g add A', 'g add B C', 'g add D'])).toEqual(['main/g add A B C D <- 0.0A 1.0B 1.1C 2.0D']);
	});

	it('are put in several requests where there are too many', () => {
		expect(plan(['g add A B', 'g add C D E'], { batchSize: 2 })).toEqual([
			'main/g add A B <- 0.0A 0.1B',
			'main/g add C D <- 1.0C 1.1D',
			'main/g add E <- 1.2E',
		]);
	});

	it('can go one participant at a time', () => {
		expect(plan(['g add A A B'], { batchSize: 1 })).toEqual([
			'main/g add A <- 0.0A 0.1A',
			'main/g add B <- 0.2B',
		]);
	});

	it('with another action start a new request, and the first action another one after it', () => {
		expect(plan(['g add A', 'g remove A', 'g add A'])).toEqual([
			'main/g add A <- 0.0A',
			'main/g remove A <- 1.0A',
			'main/g add A <- 2.0A',
		]);
	});

	it('of other groups do not break a run', () => {
		expect(plan(['g add A', 'h remove B', 'g add C', 'h remove D'])).toEqual([
			'main/g add A C <- 0.0A 2.0C',
			'main/h remove B D <- 1.0B 3.0D',
		]);
	});

	it('of the same group through another instance are kept apart', () => {
		expect(plan(['one/g add A', 'two/g add A', 'one/g add B'])).toEqual([
			'one/g add A B <- 0.0A 2.0B',
			'two/g add A <- 1.0A',
		]);
	});

	it('name a participant once in a request, and every mention of it', () => {
		expect(plan(['g add A A', 'g add B A'])).toEqual(['main/g add A B <- 0.0A 0.1A 1.0B 1.1A']);
	});

	it('take a repeat into a request that is full', () => {
		expect(plan(['g add A B', 'g add A'], { batchSize: 2 })).toEqual(['main/g add A B <- 0.0A 0.1B 1.0A']);
	});

	it('name a participant once that is given in two spellings', () => {
		const participants = [
			{ given: '+55 11 99999-0001', sentAs: '5511999990001' },
			{ given: '5511999990001', sentAs: '5511999990001' },
		];
		const [request] = planRequests([{ ...change(0, 'g add'), participants }], {
			combineItems: true,
			batchSize: 50,
		});

		expect(request?.participants).toEqual(['5511999990001']);
		expect(request?.origins.map(({ participant }) => participant)).toEqual(participants);
	});

	it('that are not combined have a request for each item', () => {
		expect(plan(['g add A', 'g add A', 'h add B', 'g add C'], { combineItems: false })).toEqual([
			'main/g add A <- 0.0A',
			'main/g add A <- 1.0A',
			'main/h add B <- 2.0B',
			'main/g add C <- 3.0C',
		]);
	});

	it('that are not combined are still put in several requests', () => {
		expect(plan(['g add A B C', 'g add D'], { combineItems: false, batchSize: 2 })).toEqual([
			'main/g add A B <- 0.0A 0.1B',
			'main/g add C <- 0.2C',
			'main/g add D <- 1.0D',
		]);
	});

	it('keep instances and groups apart whatever they are called', () => {
		expect(
			planRequests(
				[
					{ item: 0, instance: 'a","b', groupJid: 'c', action: 'add', participants: [person('A')] },
					{ item: 1, instance: 'a', groupJid: 'b","c', action: 'add', participants: [person('B')] },
					{
						item: 2,
						instance: '__proto__',
						groupJid: 'c',
						action: 'add',
						participants: [person('__proto__')],
					},
				],
				{ combineItems: true, batchSize: 50 },
			).map(({ participants }) => participants),
		).toEqual([['A'], ['B'], ['__proto__']]);
	});

	it('may be none', () => {
		expect(plan([])).toEqual([]);
	});
});
