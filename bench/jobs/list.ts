import { upTo } from '../../test/engine/group/people';
import type { Job } from './job';
import { seedOf } from './seed';

const PATH = '/instance/fetchInstances';

const nameOf = (number: number) => `instance ${number}`;

/** How many instances the gateway has. */
export interface Instances {
	instances: number;
}

/** A gateway's instances, all to be listed for one item. */
export function listJob({ instances }: Instances): Job {
	return {
		seed: seedOf((seed, instance) => {
			seed.instances = upTo(instances).map((number) => ({
				...instance,
				instanceName: nameOf(number),
				instanceId: String(number).padStart(36, '0'),
				groups: [],
			}));
		}),
		items: [{}],
		parameters: { resource: 'instance', operation: 'getAll', returnAll: true },
		perItem: { method: 'GET', path: PATH },
		fewest: () => [{ method: 'GET', path: PATH }],
		outputs: upTo(instances).map(nameOf),
		answersIn: (reply) => Object(reply),
		subjectOf: (answer) => {
			const { instance, instanceName } = Object(answer);
			return instanceName ?? instance?.instanceName;
		},
		isDone: () => true,
	};
}
