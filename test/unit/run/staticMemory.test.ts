import type { RememberedPeople as People } from '../../../nodes/MessagingGateway/groups/memory/stored';
import { readPeople, updatePeople } from '../../../nodes/MessagingGateway/run/staticMemory';
import { contextWith } from './context';

/** n8n, which gives this static data or throws. @param parents the nodes before this one */
function contextOf(getWorkflowStaticData: () => object, parents: object[] = []) {
	const { context } = contextWith({}).run;
	return Object.assign(context, { getWorkflowStaticData, getParentNodes: () => parents });
}

const personOf = (form: string) => (people: People) =>
	new Map([
		...people,
		['1@g.us', new Map([...(people.get('1@g.us') ?? []), [form, { invited: { at: 60_000 } }]])],
	]);
const formsIn = (people: People) => [...(people.get('1@g.us')?.keys() ?? [])];

describe('what n8n remembers of people', () => {
	it('is nobody where n8n has no static data to give, which fails no run', () => {
		const context = contextOf(() => {
			throw new Error('No static data');
		});
		updatePeople(context, 0, personOf('1'));
		expect(formsIn(readPeople(context, 0))).toEqual([]);
	});

	it('has whom another run wrote meanwhile', () => {
		const data = {};
		const [one, other] = [contextOf(() => data), contextOf(() => data)];
		updatePeople(one, 0, personOf('1'));
		updatePeople(other, 0, personOf('2'));
		expect(formsIn(readPeople(one, 0))).toEqual(['1', '2']);
	});

	it.each([
		[{ parameters: { pollTimes: {} } }, 0],
		[{ parameters: { pollTimes: {} }, disabled: true }, 1],
		[{ parameters: {} }, 1],
	])('is not written where a polling trigger starts the workflow: %j', (parent, written) => {
		const data = {};
		updatePeople(
			contextOf(() => data, [parent]),
			0,
			personOf('1'),
		);
		expect(Object.keys(data)).toHaveLength(written);
	});
});
