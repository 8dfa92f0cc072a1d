import { openStaticMemory, readMemory, writeMemory } from '../../../nodes/MessagingGateway/run/staticMemory';
import { contextWith } from './context';

/** n8n, which gives this static data or throws. @param parents the nodes before this one */
function contextOf(getWorkflowStaticData: () => object, parents: object[] = [], ofExecution: object = {}) {
	const { context } = contextWith({}).run;
	return Object.assign(context, {
		getWorkflowStaticData,
		getParentNodes: () => parents,
		getContext: () => ofExecution,
	});
}

describe('what n8n keeps between runs', () => {
	it('is nothing where n8n has no static data to give', () => {
		const context = contextOf(() => {
			throw new Error('No static data');
		});
		const memory = openStaticMemory(context, 'invites');
		memory.write({ a: 1 });

		expect([memory.read(), readMemory(context, 'invites')]).toEqual([undefined, undefined]);
	});

	it('is kept until the execution ends after a polling trigger, on top of what was kept before', () => {
		const data = { invites: '{"a":1}' };
		const execution = {};
		const inExecution = (one: object) => contextOf(() => data, [{ parameters: { pollTimes: {} } }], one);
		const before = readMemory(inExecution(execution), 'invites');
		writeMemory(inExecution(execution), 'invites', { a: 1, b: 2 });

		expect(before).toEqual({ a: 1 });
		expect(readMemory(inExecution(execution), 'invites')).toEqual({ a: 1, b: 2 });
		expect(readMemory(inExecution({}), 'invites')).toEqual({ a: 1 });
		expect(data).toEqual({ invites: '{"a":1}' });
	});

	it('is what another run has written meanwhile', () => {
		const data = {};
		const [one, other] = [1, 2].map(() =>
			openStaticMemory(
				contextOf(() => data),
				'invites',
			),
		);
		expect(other?.read()).toBeUndefined();
		one?.write({ a: 1 });

		expect(other?.read()).toEqual({ a: 1 });
		expect(other?.read()).toBe(other?.read());
	});
});
