import { groupJob, type Rows } from './group';
import type { Job } from './job';
import { listJob, type Instances } from './list';
import { syncJob, watchJob, type Members, type Watched } from './members';

/** A job, so that it can be told to another process: its kind and its sizes. */
export type JobSpec =
	| ({ kind: 'group' } & Rows)
	| ({ kind: 'list' } & Instances)
	| ({ kind: 'sync' } & Members)
	| ({ kind: 'watch' } & Watched);

/** The job that is meant. */
export function jobOf(spec: JobSpec): Job {
	switch (spec.kind) {
		case 'group':
			return groupJob(spec);
		case 'list':
			return listJob(spec);
		case 'sync':
			return syncJob(spec);
		case 'watch':
			return watchJob(spec);
	}
}
