import { readPeople, updatePeople } from '../../../nodes/MessagingGateway/run/staticMemory';
import { contextWith } from './context';

it('what n8n remembers of people is nobody where n8n has no static data to give, which fails no run', () => {
	const getWorkflowStaticData = () => {
		throw new Error('No static data');
	};
	const { context } = contextWith({}).run;
	Object.assign(context, { getWorkflowStaticData, getParentNodes: () => [] });
	updatePeople(context, 0, (people) => people);
	expect(readPeople(context, 0)).toEqual(new Map());
});
