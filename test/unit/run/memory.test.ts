import { identityFor } from '../../../nodes/MessagingGateway/groups/identity';
import { KnownPeople } from '../../../nodes/MessagingGateway/groups/memory/process';
import { UNKNOWN } from '../../../nodes/MessagingGateway/groups/memory/recall';
import { recallerFor, store } from '../../../nodes/MessagingGateway/run/memory';
import { contextWith } from './context';

it('what n8n remembers of people is nobody where n8n has no static data to give, which fails no run', () => {
	const getWorkflowStaticData = () => {
		throw new Error('No static data');
	};
	const { run } = contextWith({});
	Object.assign(run.context, { getWorkflowStaticData, getParentNodes: () => [] });
	Object.assign(run, { client: { session: { people: new KnownPeople() } } });
	store(run, []);
	expect(recallerFor(run)('1@g.us', [identityFor('1')])).toEqual({ n8n: UNKNOWN, process: UNKNOWN });
});
