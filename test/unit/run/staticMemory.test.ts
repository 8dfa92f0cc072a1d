import { openStaticMemory, readMemory } from '../../../nodes/MessagingGateway/run/staticMemory';
import { contextWith } from './context';

/** n8n, which gives this static data or throws. */
function contextOf(getWorkflowStaticData: () => object) {
	const { context } = contextWith({}).run;
	return Object.assign(context, { getWorkflowStaticData, getParentNodes: () => [] });
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
