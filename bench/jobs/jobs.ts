import { botsJob, type Lookups } from './bots';
import { groupJob, type Rows } from './group';
import type { Job } from './job';
import { listJob, type Instances } from './list';

/** A job, so that it can be told to another process: its kind and its sizes. */
export type JobSpec =
	({ kind: 'group' } & Rows) | ({ kind: 'list' } & Instances) | ({ kind: 'bots' } & Lookups);

/** The job that is meant. */
export function jobOf(spec: JobSpec): Job {
	switch (spec.kind) {
		case 'group':
			return groupJob(spec);
		case 'list':
			return listJob(spec);
		case 'bots':
			return botsJob(spec);
	}
}
