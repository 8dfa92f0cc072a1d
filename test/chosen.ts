import { CUSTOMERS } from './gateway/seed';

/** What the pickers of an example ask for, as its seed's gateway has it. */
const CHOICES: Readonly<Record<string, string>> = { instance: 'main', group: CUSTOMERS };

/** Gives an example workflow as somebody has it who chose instance and group wherever its nodes ask for them. */
export function chosen<Workflow extends { nodes: object[] }>(workflow: Workflow): Workflow {
	return JSON.parse(JSON.stringify(workflow), choose) as Workflow;
}

function choose(key: string, value: unknown): unknown {
	const choice = CHOICES[key];
	const { mode, value: entered } = Object(value) as Record<string, unknown>;
	return choice !== undefined && mode === 'list' && entered === ''
		? { __rl: true, mode, value: choice, cachedResultName: choice === CUSTOMERS ? 'Customers' : choice }
		: value;
}
