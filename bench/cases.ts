import type { ContenderName } from './contenders';
import { groupsJob, listJob, pollJob, syncJob, updateJob, type Job } from './jobs';

export type CaseName =
	| 'rows'
	| 'distantRows'
	| 'inTurn'
	| 'manyRows'
	| 'list'
	| 'sync'
	| 'groups'
	| 'manyGroups'
	| 'manyChanges'
	| 'poll';

/** A job that contenders do in turn. */
export interface Case {
	name: CaseName;
	title: string;
	/** Time before each reply of the gateway, in ms; 0 if undefined. */
	latency?: number;
	job: () => Job;
	who: ContenderName[];
}

const withLimit: ContenderName[] = ['thisNode', 'limit'];
const withNode: ContenderName[] = ['thisNode', 'smallest', 'limit'];
const everyone: ContenderName[] = [...withNode, 'readsAll', 'httpRequest', 'oneByOne'];

/** Everything that contenders do. */
export const cases: Case[] = [
	{ name: 'rows', title: '1,000 rows', job: () => updateJob(1000), who: everyone },
	{
		name: 'distantRows',
		title: '1,000 rows at 20 ms',
		latency: 20,
		job: () => updateJob(1000),
		who: everyone,
	},
	{
		name: 'inTurn',
		title: 'Adding and removing in turn at 20 ms',
		latency: 20,
		job: () => updateJob(1000, true),
		who: withLimit,
	},
	{ name: 'manyRows', title: '100,000 rows', job: () => updateJob(100_000), who: withNode },
	{ name: 'list', title: 'Listing 10,000 instances', job: () => listJob(10_000), who: withNode },
	{ name: 'sync', title: 'Sync of 1,000 rows, nothing to do', job: () => syncJob(1000), who: withNode },
	{ name: 'groups', title: 'Sync of 100 groups of 50', job: () => groupsJob(100, 50), who: withLimit },
	{ name: 'manyGroups', title: 'Sync of 1,000 groups of 50', job: () => groupsJob(1000, 50), who: withNode },
	{
		name: 'manyChanges',
		title: 'Sync that fills 1,000 groups of 50',
		job: () => groupsJob(1000, 50, true),
		who: ['thisNode'],
	},
	{ name: 'poll', title: 'A poll of 1,024 members', job: () => pollJob(1024), who: withNode },
];

/** The case of this name. @throws Error where there is none */
export function caseOf(name: string): Case {
	const found = cases.find((one) => one.name === name);
	if (found === undefined) throw new Error(`There is no case ${name}`);
	return found;
}
