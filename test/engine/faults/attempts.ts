import type { INodeProperties } from 'n8n-workflow';
import { RESOURCES } from '../../../nodes/MessagingGateway/actions/resources';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import type { GatewayCredentials } from '../protocol';
import { EngineError, type Engine, type OutputItem, type SerialisedError } from '../engine';
import { inPlaces, locator, workflowOf, type NodeSettings } from '../support';
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
	/** `group getAll` of an operation, the method of a picker. */
	name: string;
	/** `change`: of people, with a result for each; `write`: another change; `invite`: a message, which is never repeated. */
	kind: 'read' | 'change' | 'write' | 'invite' | 'picker';
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

/** What fields are tried with, by their names; the others as they are by default. */
const values: Readonly<Record<string, unknown>> = {
	instance: locator('main', 'name'),
	group: locator(CUSTOMERS),
	bot: locator(BOT, 'id'),
	participants: '={{ $json.phone }}',
	message: 'Join us here:',
	returnAll: true,
	unlisted: 'keep',
	// What the group shows of other fields decides: engine/group/writes.test.ts.
	updateFields: { disappearingMessages: 'week' },
	subject: 'Course',
};

/** Operations with a dry run that are no plain writes. */
const special: Readonly<Record<string, { kind: Subject['kind']; options?: object }>> = {
	'group updateParticipants': { kind: 'change' },
	'group sendInvite': { kind: 'invite' },
	'group create': { kind: 'write', options: { onlyIfMissing: false } },
	// What it reads. What it changes goes the way of Update Participants, and is held against the truth by `engine/soak`.
	'group syncParticipants': { kind: 'read', options: { dryRun: true } },
};

function operation(name: string, fields: INodeProperties[]): Subject {
	const given = fields
		.filter((field) => field.name in values)
		.map((field) => [field.name, values[field.name]]);
	const missing = fields.find((field) => field.required === true && !(field.name in values));
	if (missing !== undefined) throw new Error(`${name} needs a value for '${missing.name}'`);
	const usual = fields.some((field) => field.name === 'dryRun') ? 'write' : 'read';
	const { kind, options: fixed } = special[name] ?? { kind: usual };
	const hasPeople = fields.some((field) => field.name === 'participants');
	const items = hasPeople ? NEWCOMERS.map((phone) => ({ phone: `+${phone}` })) : [{}, {}];
	const [resource, operation] = name.split(' ');
	const parameters = { resource, operation, ...Object.fromEntries(given) };
	return {
		name,
		kind,
		items: items.length,
		attempt: async (engine, credentials, settings, more = {}) => {
			const all = { ...parameters, ...inPlaces({ maxRetries: 1, ...fixed, ...more }) };
			return await runOnce(engine, credentials, all, items, settings);
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

/** Every operation, each with two items, and every picker: all that faults are tried on. */
export const subjects: readonly Subject[] = [
	...Object.entries(RESOURCES).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([name, { fields }]) => operation(`${resource} ${name}`, fields)),
	),
	...Object.keys(new MessagingGateway().methods.listSearch).map(picker),
];

/** The subject of this name. @throws Error where there is none */
export function subjectOf(name: string): Subject {
	const subject = subjects.find((one) => one.name === name);
	if (subject === undefined) throw new Error(`There is no ${name}`);
	return subject;
}
