import type { Action } from '../../../nodes/MessagingGateway/domain/group/outcomes';
import { planRequests } from '../../../nodes/MessagingGateway/domain/group/plan';
import { itemsOf, person, type Wish } from '../support';

const TOGETHER = { combineItems: true, batchSize: 50 };

const changesOf = (wishes: Wish[]) => itemsOf(wishes).flatMap(({ changes }) => changes);

/** `g1 add A B`: what one item asks for; instances are named before a slash, `main` where there is none. */
function wish(item: number, text: string): Wish {
	const [where = '', action, ...participants] = text.split(' ');
	const [groupJid = '', instance = 'main'] = where.split('/').reverse();
	return { item, instance, groupJid, action: action as Action, participants: participants.map(person) };
}

/** The requests in the same notation, with the items that they serve. */
function plan(items: string[], { combineItems = true, batchSize = 50 } = {}): string[] {
	return planRequests(changesOf(items.map((text, item) => wish(item, text))), {
		combineItems,
		batchSize,
	}).map(
		({ instance, groupJid, action, participants, changes }) =>
			`${instance}/${groupJid} ${action} ${participants.join(' ')} <- ${changes
				.map(({ item, participant }) => `${item}${participant}`)
				.join(' ')}`,
	);
}

describe('group changes', () => {
	it('of one item are one request', () => {
		expect(plan(['g add A B'])).toEqual(['main/g add A B <- 0A 0B']);
	});

	it('with the same action share a request', () => {
		expect(plan(['g add A', 'g add B C', 'g add D'])).toEqual(['main/g add A B C D <- 0A 1B 1C 2D']);
	});

	it('are put in several requests where there are too many', () => {
		expect(plan(['g add A B', 'g add C D E'], { batchSize: 2 })).toEqual([
			'main/g add A B <- 0A 0B',
			'main/g add C D <- 1C 1D',
			'main/g add E <- 1E',
		]);
	});

	it('can go one participant at a time', () => {
		expect(plan(['g add A A B'], { batchSize: 1 })).toEqual(['main/g add A <- 0A 0A', 'main/g add B <- 0B']);
	});

	it('with another action start a new request, and the first action another one after it', () => {
		expect(plan(['g add A', 'g remove A', 'g add A'])).toEqual([
			'main/g add A <- 0A',
			'main/g remove A <- 1A',
			'main/g add A <- 2A',
		]);
	});

	it('of other groups do not break a run', () => {
		expect(plan(['g add A', 'h remove B', 'g add C', 'h remove D'])).toEqual([
			'main/g add A C <- 0A 2C',
			'main/h remove B D <- 1B 3D',
		]);
	});

	it('of the same group through another instance start a new request, and the first instance another one after it', () => {
		expect(plan(['one/g add A', 'two/g remove A', 'one/g add A'])).toEqual([
			'one/g add A <- 0A',
			'two/g remove A <- 1A',
			'one/g add A <- 2A',
		]);
	});

	it('of other groups through another instance do not break a run', () => {
		expect(plan(['one/g add A', 'two/h add A', 'one/g add B'])).toEqual([
			'one/g add A B <- 0A 2B',
			'two/h add A <- 1A',
		]);
	});

	it('name a participant once in a request, and every mention of it', () => {
		expect(plan(['g add A A', 'g add B A'])).toEqual(['main/g add A B <- 0A 0A 1B 1A']);
	});

	it('take a repeat into a request that is full', () => {
		expect(plan(['g add A B', 'g add A'], { batchSize: 2 })).toEqual(['main/g add A B <- 0A 0B 1A']);
	});

	it('name a participant once that is given in two spellings', () => {
		const participants = [
			{ given: '+55 11 99999-0001', sentAs: '5511999990001' },
			{ given: '5511999990001', sentAs: '5511999990001' },
		];
		const changes = changesOf([{ ...wish(0, 'g add'), participants }]);
		const [request] = planRequests(changes, TOGETHER);

		expect(request?.participants).toEqual(['5511999990001']);
		expect(request?.changes).toEqual(changes);
	});

	it('that are not combined have a request for each item', () => {
		expect(plan(['g add A', 'g add A', 'h add B', 'g add C'], { combineItems: false })).toEqual([
			'main/g add A <- 0A',
			'main/g add A <- 1A',
			'main/h add B <- 2B',
			'main/g add C <- 3C',
		]);
	});

	it('that are not combined are still put in several requests', () => {
		expect(plan(['g add A B C', 'g add D'], { combineItems: false, batchSize: 2 })).toEqual([
			'main/g add A B <- 0A 0B',
			'main/g add C <- 0C',
			'main/g add D <- 1D',
		]);
	});

	it('keep instances and groups apart whatever they are called', () => {
		const all = changesOf([
			{ ...wish(0, 'g add A'), instance: 'a","b', groupJid: 'c' },
			{ ...wish(1, 'g add B'), instance: 'a', groupJid: 'b","c' },
			wish(2, '__proto__/c add __proto__'),
		]);

		expect(planRequests(all, TOGETHER).map(({ participants }) => participants)).toEqual([
			['A'],
			['B'],
			['__proto__'],
		]);
	});

	it('that no item asks for go together, too', () => {
		const nobodys = changesOf(['g add A', 'g add B'].map((text, item) => wish(item, text))).map((change) => ({
			...change,
			item: undefined,
		}));

		expect(planRequests(nobodys, TOGETHER)).toHaveLength(1);
	});

	it('may be none', () => {
		expect(plan([])).toEqual([]);
	});
});
