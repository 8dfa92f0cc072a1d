import { listJob, pollJob, syncJob, updateJob, type Job } from './jobs';
import { contenders, type Contender } from './contenders';

/** What is measured in a round, and its unit. */
export const columns = {
	wall: ['time', ' ms'],
	/** The longest time for which nothing else in the process could run, in CPU time of its thread. */
	hold: ['longest hold', ' ms'],
	requests: ['requests', ''],
	/** The most that the process has taken so far beyond what it took when it was loaded. */
	memory: ['peak memory', ' MB'],
} satisfies Record<string, [label: string, unit: string]>;

/** What a contender came to in one round. */
export type Round = Record<keyof typeof columns, number>;

/** A job that both nodes do in turn. @param latency time before each reply of the gateway, in ms @param budgets what this node may take at most; `ratio` is its time ÷ that of the smallest node, the fastest that people could use */
function define(
	title: string,
	job: () => Job,
	budgets: Partial<Round> & { ratio: number },
	{ latency = 0, who = contenders.slice(0, 2) }: { latency?: number; who?: readonly Contender[] } = {},
) {
	return { title, job, budgets, latency, who };
}

// Half of the time is n8n's, for one expression a row.
const MANY = { ratio: 1.5, hold: 150 };
const GROUPS = { ratio: 2, hold: 200, memory: 300 };

/** Everything that they do. */
export const cases = {
	rows: define(
		'1,000 rows',
		() => updateJob(1, 1000),
		{ ratio: 2, hold: 50, requests: 20 },
		{ who: contenders },
	),
	far: define('1,000 rows at 20 ms', () => updateJob(1, 1000), { ratio: 1.25 }, { latency: 20 }),
	manyRows: define('20,000 rows of 20 groups', () => updateJob(20, 1000), { ...MANY, requests: 400 }),
	list: define('Listing 10,000 instances', () => listJob(10_000), { ratio: 2, requests: 1 }),
	poll: define('A poll of 1,024 members', () => pollJob(1024), { ratio: 3, requests: 1 }),
	sync: define(
		'Sync of 1,000 rows',
		() => syncJob(1, 1000),
		{ ratio: 2.5, hold: 50, requests: 2 },
		{ who: contenders },
	),
	manySync: define('Sync of 20,000 rows of 20 groups', () => syncJob(20, 1000), { ...MANY, requests: 21 }),
	manyGroups: define('Sync of 1,000 groups of 50', () => syncJob(1000, 50), GROUPS),
};

export type CaseName = keyof typeof cases;
