import type { GatewayCredentials } from '../protocol';
import { EngineError, type Engine, type OutputItem, type SerialisedError } from '../engine';
import { groupParameters, inviteParameters, locator, workflowOf, type NodeSettings } from '../support';
import { BOT, CUSTOMERS } from '../../gateway/seed';

/** Two people whom no group of the seed knows: what the tests add. */
export const NEWCOMERS = ['4915200000001', '4915200000002'];

/** What came of one use of the node: a run, or an opened picker. */
export interface Attempt {
	/** Items that are no error items; the entries of a picker. */
	items: OutputItem[];
	/** The errors of error items, and the one that ended the run. */
	errors: SerialisedError[];
	/** Error items, as they came. */
	failed: OutputItem[];
	/** All but the items: errors with everything in them, hints, what was logged. */
	told: unknown;
	/** The same and the items, and whatever else the run keeps. */
	everything: unknown;
	elapsedMs: number;
}

/** An operation or picker, as a workflow or the editor uses it. */
export interface Subject {
	name: string;
	/** `invite`: a message, which is never repeated. */
	kind: 'read' | 'change' | 'invite' | 'picker';
	/** How many items go in. */
	items: number;
	attempt(
		engine: Engine,
		credentials: GatewayCredentials,
		settings?: NodeSettings,
		options?: object,
	): Promise<Attempt>;
}

/** Runs the node once. */
export async function runOnce(
	engine: Engine,
	credentials: GatewayCredentials,
	parameters: object,
	items: object[],
	settings: NodeSettings = {},
): Promise<Attempt> {
	const run = await engine.run(workflowOf(parameters, settings), { credentials, items: { Items: items } });
	const outputs = (run.outputs.Gateway ?? []).flat();
	const failed = outputs.filter(({ error }) => error !== undefined);
	const told = [failed, run.error, run.errors, run.hints, run.logs];
	return {
		items: outputs.filter(({ error }) => error === undefined),
		errors: [...failed.flatMap(({ error }) => error ?? []), ...(run.error ? [run.error] : [])],
		failed,
		told,
		everything: [told, run.outputs, run.raw],
		elapsedMs: run.elapsedMs,
	};
}

/** Opens a picker once. What it logs shows in the engine's next run. */
export async function openPicker(
	engine: Engine,
	credentials: GatewayCredentials,
	method: string,
	instance = 'main',
): Promise<Attempt> {
	const parameters = { instance: locator(instance, 'name') };
	const started = performance.now();
	const after = (items: OutputItem[], errors: SerialisedError[]): Attempt => ({
		items,
		errors,
		failed: [],
		told: errors,
		everything: [items, errors],
		elapsedMs: performance.now() - started,
	});
	try {
		const { results } = await engine.search(method, { parameters, credentials });
		return after(
			results.map(({ name, value }) => ({ json: { name, value: String(value) } })),
			[],
		);
	} catch (error) {
		if (error instanceof EngineError) return after([], [error.error]);
		throw error;
	}
}

const main = locator('main', 'name');

function operation(
	name: string,
	kind: Exclude<Subject['kind'], 'picker'>,
	parameters: object,
	inputs: object[],
	fixed: object = {},
): Subject {
	return {
		name,
		kind,
		items: inputs.length,
		attempt: async (engine, credentials, settings, options = {}) => {
			const all = { ...parameters, options: { maxRetries: 1, batchInterval: 0, ...fixed, ...options } };
			return await runOnce(engine, credentials, all, inputs, settings);
		},
	};
}

function picker(method: string): Subject {
	return {
		name: method,
		kind: 'picker',
		items: 0,
		attempt: async (engine, credentials) => await openPicker(engine, credentials, method),
	};
}

const bot = locator(BOT, 'id');
const group = locator(CUSTOMERS);
const twice = [{}, {}];

/** Every operation, each with two items, and every picker: all that faults are tried on. */
export const subjects = {
	getAll: operation(
		'instance getAll',
		'read',
		{ resource: 'instance', operation: 'getAll', returnAll: true },
		twice,
	),
	get: operation('instance get', 'read', { resource: 'instance', operation: 'get', instance: main }, twice),
	bot: operation('bot get', 'read', { resource: 'bot', operation: 'get', instance: main, bot }, twice),
	change: operation(
		'group updateParticipants',
		'change',
		groupParameters(),
		NEWCOMERS.map((phone) => ({ phone })),
	),
	groupList: operation(
		'group getAll',
		'read',
		{ resource: 'group', operation: 'getAll', instance: main, returnAll: true },
		twice,
	),
	members: operation(
		'group getParticipants',
		'read',
		{ resource: 'group', operation: 'getParticipants', instance: main, group, returnAll: true },
		twice,
	),
	link: operation(
		'group getInviteLink',
		'read',
		{ resource: 'group', operation: 'getInviteLink', instance: main, group },
		twice,
	),
	// Of an instance that is open, so that no picture is waited for.
	qrCode: operation(
		'instance getQrCode',
		'read',
		{ resource: 'instance', operation: 'getQrCode', instance: main },
		twice,
	),
	// What it reads. What it changes goes the way of Update Participants, and is held against the truth by the soak.
	sync: operation(
		'group syncParticipants',
		'read',
		{
			resource: 'group',
			operation: 'syncParticipants',
			instance: main,
			group,
			participants: '={{ $json.phone }}',
			shouldBeMember: true,
			unlisted: 'keep',
		},
		NEWCOMERS.map((phone) => ({ phone })),
		{ dryRun: true },
	),
	invite: operation(
		'group sendInvite',
		'invite',
		inviteParameters({ instance: 'main', group: CUSTOMERS }),
		NEWCOMERS.map((phone) => ({ phone })),
	),
	instances: picker('searchInstances'),
	groups: picker('searchGroups'),
	bots: picker('searchBots'),
} satisfies Record<string, Subject>;

export type SubjectKey = keyof typeof subjects;
