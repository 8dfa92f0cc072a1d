import {
	defaultSeed,
	KINDS,
	startGateway,
	type Gateway,
	type GatewayOptions,
	type Seed,
} from '../gateway/gateway';
import {
	startEngine,
	type Engine,
	type EngineLine,
	type OutputItem,
	type RunOptions,
	type RunResult,
} from './engine';
import { CUSTOMERS } from '../gateway/seed';
import { lines, thorough } from '../thorough';

export const NODE_TYPE = 'n8n-nodes-messaging-gateway.messagingGateway';

/** The node's settings, outside of its parameters. */
export interface NodeSettings {
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
}

/** Items that fail go to the error output. */
export const ERROR_OUTPUT = { onError: 'continueErrorOutput' } as const;

/** Items that fail stay among the others. */
export const REGULAR_OUTPUT = { onError: 'continueRegularOutput' } as const;

/** What the node under test gave. */
export interface NodeRun {
	/** Its items on the main output. */
	main: OutputItem[];
	/** Its items on the error output. */
	failed: OutputItem[];
	/** The error that ended the run. */
	error: RunResult['error'];
	/** The texts of its hints. */
	hints: string[];
	/** Everything that is known of the run. */
	run: RunResult;
}

/** A resource locator as the editor saves it. */
export function locator(value: unknown, mode: 'list' | 'name' | 'id' = 'list'): object {
	return { __rl: true, mode, value };
}

/** The credential of a node, as n8n exports it. */
export const NODE_CREDENTIALS = { messagingGatewayApi: { id: '1', name: 'Gateway' } };

/** A node as n8n exports it. */
export const nodeOf = (name: string, type: string, more: object = {}) => ({
	...{ id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {} },
	...more,
});

/** The connection of a node's outputs, each to one other node. */
export const leadsTo = (...nodes: string[]) => ({
	main: nodes.map((node) => [{ node, type: 'main', index: 0 }]),
});

/** A trigger "Items" → the node "Gateway" → "Main" and "Failed", which pass on what its two outputs give. */
export function workflowOf(parameters: object, settings: NodeSettings = {}) {
	return {
		name: 'Test',
		nodes: [
			nodeOf('Items', 'n8n-nodes-base.manualTrigger'),
			nodeOf('Gateway', NODE_TYPE, { parameters, credentials: NODE_CREDENTIALS, ...settings }),
			nodeOf('Main', 'n8n-nodes-base.noOp'),
			nodeOf('Failed', 'n8n-nodes-base.noOp'),
		],
		connections: { Items: leadsTo('Gateway'), Gateway: leadsTo('Main', 'Failed') },
		settings: { executionOrder: 'v1' },
	};
}

/** What a test says of an operation on a group; the rest is as usual. */
interface GroupFields {
	instance?: unknown;
	group?: unknown;
	options?: object;
	[other: string]: unknown;
}

const LIMITS = [
	...['maxAdditions', 'maxRemovals', 'maxRemovalPercent', 'protected', 'removeAdmins'],
	...['removeAfter', 'whoLeft', 'maxPerRun', 'onlyOnce'],
];

/** Puts options where the panel has them. Unless a test says otherwise, there is no dry run, pause or field of the row. */
export function inPlaces({ dryRun = false, ...all }: Record<string, unknown>): object {
	const options = Object.entries({ batchInterval: 0, includeInputFields: false, ...all });
	const isLimit = ([name]: [string, unknown]) => LIMITS.includes(name);
	const limits = Object.fromEntries(options.filter(isLimit));
	return { dryRun, limits, options: Object.fromEntries(options.filter((one) => !isLimit(one))) };
}

/** Makes the parameters of an operation on a group. */
function parametersOf(
	operation: string,
	usual: { instance: string; group: string; [other: string]: unknown },
) {
	return ({ options, ...fields }: GroupFields = {}): object => {
		const { instance, group, shouldBeMember, ...others } = { ...usual, ...fields };
		const wish = shouldBeMember === undefined ? {} : { shouldBeMember };
		return {
			resource: 'group',
			operation,
			instance: locator(instance),
			// n8n 2.x checks the form of an ID that is typed in within 250 ms, which a busy machine can miss.
			group: locator(group),
			...inPlaces({ ...wish, ...options }),
			...others,
		};
	};
}

const participants = '={{ $json.phone }}';
const ofKeeper = { instance: 'keeper', group: KINDS.numbers, participants };

/** Parameters of Group → Update Participants: an add to the seed's group 1 of `main`. */
export const groupParameters = parametersOf('updateParticipants', {
	instance: 'main',
	group: CUSTOMERS,
	action: 'add',
	participants,
});

/** Parameters of Group → Sync: of a group of the instance `keeper`. */
export const syncParameters = parametersOf('syncParticipants', { ...ofKeeper, unlisted: 'keep' });

/** Parameters of Group → Send Invite: to a group of the instance `keeper`. */
export const inviteParameters = parametersOf('sendInvite', { ...ofKeeper, message: 'Join us here:' });

/** The calls of a gateway but that for the own account, which a number without country code needs once in a process. */
export const callsOf = ({ calls }: Pick<Gateway, 'calls'>) =>
	calls.filter(({ path }) => !path.includes('/instance/fetchInstances'));

/** These fields of items, as `done true, postponed false`; those that an item lacks are left out. */
export function tell(items: readonly OutputItem[], ...fields: string[]): string {
	const told = ({ json }: OutputItem) =>
		fields.flatMap((field) => (field in json ? String(json[field]) : []));
	return items.map((item) => told(item).join(' ')).join(', ');
}

/** A copy of the gateway's usual seed, changed. */
export function seedWith(change: (seed: Seed) => void): Seed {
	const seed = structuredClone(defaultSeed);
	change(seed);
	return seed;
}

/** Runs the node with these parameters on these items against a gateway. */
export async function runNode(
	engine: Engine,
	{ url, apiKey }: Pick<Gateway, 'url' | 'apiKey'>,
	parameters: object,
	items: object[],
	settings: NodeSettings = {},
	how: Pick<RunOptions, 'mode' | 'staticData' | 'ahead' | 'executionId'> = {},
): Promise<NodeRun> {
	const run = await engine.run(workflowOf(parameters, settings), {
		credentials: { baseUrl: url, apiKey },
		items: { Items: items },
		...how,
	});
	const [main = [], failed = []] = run.outputs.Gateway ?? [];
	const hints = (run.hints.Gateway ?? []).map(({ message }) => message);
	return { main, failed, error: run.error, hints, run };
}

/** Times for a reply, in ms, from what is quick to what a busy machine needs for a request that is answered. */
const PATIENCE = [400, 2_000, 10_000, 60_000];

/**
 * Tries something in which the time for a reply has to run out, with more time whenever other requests ran out
 * of it, too, or the gateway did not get to see all. The last try counts in any case.
 */
export async function withPatience<T>(
	attempt: (timeout: number) => Promise<T>,
	isMeant: (tried: T) => boolean,
): Promise<T> {
	const [first = 0, ...longer] = PATIENCE;
	let tried = await attempt(first);
	for (const timeout of longer) {
		if (isMeant(tried)) break;
		tried = await attempt(timeout);
	}
	return tried;
}

/** An engine for the tests of the block that this is called in: there before them, left to others after them. */
export function withEngine(line: EngineLine): () => Engine {
	let engine: Engine | undefined;
	beforeAll(async () => {
		engine = await startEngine(line);
	});
	afterAll(async () => await engine?.stop());
	return () => {
		if (engine === undefined) throw new Error('The engine is there only while a test runs');
		return engine;
	};
}

/** Has no test of a block wait for a pause of the node: other tests measure those. */
export function skipPauses(engine: () => Engine): void {
	beforeAll(() => {
		engine().skipsPauses = true;
	});
}

/** The same tests on each line of n8n that is asked for, each with an engine of its own. */
export function describeEachLine(
	title: string,
	tests: (engine: () => Engine, line: EngineLine) => void,
): void {
	describe.each(lines)(`${title} (n8n %i.x)`, (line) => {
		tests(withEngine(line), line);
	});
}

/** Tests of what n8n has no part in, once it has called the node: on 2.x, and on all lines in a thorough run. */
export function describeOnEngine(
	title: string,
	tests: (engine: () => Engine, line: EngineLine) => void,
): void {
	if (thorough) describeEachLine(title, tests);
	else (lines.includes(2) ? describe : describe.skip)(`${title} (n8n 2.x)`, () => tests(withEngine(2), 2));
}

/** Starts gateways in tests, and closes them after each test. */
export function withGateways(): (options?: GatewayOptions) => Promise<Gateway> {
	const open: Gateway[] = [];
	afterEach(async () => {
		await Promise.all(open.splice(0).map(async (gateway) => await gateway.close()));
	});
	return async (options) => {
		const gateway = await startGateway(options);
		open.push(gateway);
		return gateway;
	};
}

/**
 * Tries all cases of a block from before its first test on, some at once, since most of their time is spent waiting.
 *
 * @returns what came of a case; throws what its attempt threw
 */
export function withAttempts<Case, Result>(
	cases: readonly Case[],
	attempt: (one: Case) => Promise<Result>,
	atOnce = 8,
): (one: Case) => Promise<Result> {
	const results = new Map<Case, Promise<Result>>();
	beforeAll(() => {
		const lanes = Array.from({ length: atOnce }, () => Promise.resolve<unknown>(undefined));
		cases.forEach((one, i) => {
			const result = lanes[i % atOnce]?.then(async () => await attempt(one));
			if (result === undefined) return;
			results.set(one, result);
			lanes[i % atOnce] = result.catch(() => undefined);
		});
	});
	return async (one) => {
		const result = results.get(one);
		if (result === undefined) throw new Error('This case was not tried');
		return await result;
	};
}
