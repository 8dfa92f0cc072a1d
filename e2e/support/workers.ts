import { until, type Child } from './children';
import type { Site } from './site';

/** Settings by which n8n reports the runs of a lost worker, and in seconds. */
export const REPORT_LOST_WORKERS = {
	QUEUE_WORKER_LOCK_DURATION: '5000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
	// n8n 1.x would start the run again on the other worker by itself; 2.x never does.
	QUEUE_WORKER_MAX_STALLED_COUNT: '0',
};

/** Starts one of queue mode's workers, and waits until it takes executions. */
export async function startWorker(site: Site): Promise<Child> {
	const worker = await site.spawn(['worker']);
	await until('Worker', () => (worker.output.includes('n8n worker is now ready') ? true : undefined), {
		child: worker,
	});
	return worker;
}

/** The executions that a worker took. */
export function takenBy(worker: Child | undefined): string[] {
	const lines = worker?.output.matchAll(/Worker started execution (\d+)/g) ?? [];
	return [...lines].map(([, id]) => id ?? '');
}
