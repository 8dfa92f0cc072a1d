/** What the engine's client (`engine.ts`) and its child process (`host.ts`) say to each other. */
import type {
	ICredentialType,
	IDataObject,
	INodeCredentialTestResult,
	INodeExecutionData,
	INodeListSearchResult,
	INodeTypeDescription,
	ITaskData,
} from 'n8n-workflow';

/** The lines of n8n that the package supports. */
export type EngineLine = 1 | 2;

export interface GatewayCredentials {
	baseUrl: string;
	apiKey: string;
	allowUnauthorizedCerts?: boolean;
}

/** A workflow as n8n exports it. Loose, so that an imported JSON file fits without a cast. */
export interface WorkflowJson {
	name?: string | undefined;
	nodes: Array<{ name: string; type: string; parameters: object }>;
	connections: object;
	settings?: object | undefined;
	pinData?: object | undefined;
}

export interface RunOptions {
	/** Used for every credential in the workflow. */
	credentials: GatewayCredentials;
	/** What a node gives instead of being run, by node name: items, or just their json. Overrides the workflow's `pinData`. */
	items?: Record<string, object[]>;
	/** How it was started; left out, by hand in the editor. The others are production runs. */
	mode?: 'manual' | 'trigger' | 'webhook' | 'retry';
	/** What the runs before left in the workflow's static data. */
	staticData?: IDataObject;
	/** By how much the run's clock is ahead, in ms. */
	ahead?: number;
	/** That of an execution that goes on after a Wait node; left out, a new one. */
	executionId?: string;
}

export interface SearchOptions {
	/** The node's parameters as the editor holds them while the list is opened. */
	parameters: object;
	credentials: GatewayCredentials;
	filter?: string;
}

/** A trigger that is switched on, until n8n ends, or it is switched off. */
export interface Activation {
	/** Of one activation: n8n polls with the same context then. */
	id: string;
	/** `manual` is "Fetch Test Event". */
	mode: 'trigger' | 'manual';
	activation: 'activate' | 'init' | 'leadershipChange' | 'update' | 'manual';
	/** The trigger's parameters as they are saved. */
	parameters: object;
	credentials: GatewayCredentials;
	credentialId: string;
	/** What n8n has stored with the workflow, as JSON; read when the trigger is switched on. */
	staticData: object;
	/** How long n8n 2.x's own scheduler gives a poll, in ms, where that is on. */
	budget?: number;
}

export interface PollResult {
	/** What the poll gives; `null` if no workflow starts. */
	items: OutputItem[] | null;
	/** What it threw. */
	error?: SerialisedError;
	/** What n8n stores with the workflow then. */
	staticData: object;
	/** Whether the poll changed that, so that n8n would save it. */
	isWritten: boolean;
	/** What n8n's logger (at debug level) and the console wrote since the poll or run before. */
	logs: string[];
}

/** An error as JSON: every own property, and those that matter although they are inherited. */
export interface SerialisedError {
	name: string;
	message: string;
	description?: string | null;
	context?: Record<string, unknown>;
	/** `context.itemIndex`. */
	itemIndex?: number;
	httpCode?: string | null;
	messages?: string[];
	stack?: string;
	cause?: unknown;
	[property: string]: unknown;
}

/** A call of a tool, as a model asks for it. */
export interface ToolCall {
	/** The tool's name, which n8n makes of its node's. */
	tool: string;
	args: IDataObject;
}

export interface OutputItem {
	json: IDataObject;
	binary?: NonNullable<INodeExecutionData['binary']>;
	pairedItem?: NonNullable<INodeExecutionData['pairedItem']>;
	/** What an error item says, taken apart. */
	error?: SerialisedError;
	/** Whether it has a property `error` beside its json. */
	hasErrorBeside?: true;
}

export interface RunResult {
	status: string;
	/** The error that ended the run. */
	error?: SerialisedError;
	/** By node, what its last run gave on each output: 0 is main (success), 1 the error output. */
	outputs: Record<string, OutputItem[][]>;
	/** By node, the error of its last run. */
	errors: Record<string, SerialisedError>;
	/** By node, the hints of its last run. */
	hints: Record<string, NonNullable<ITaskData['hints']>>;
	/** What n8n's logger (at debug level) and the console wrote since the run before. */
	logs: string[];
	/** The whole run data as text, to look for what must not be in there. */
	raw: string;
	elapsedMs: number;
	/** The workflow's static data as n8n has it after this run: it keeps that of production runs which were not canceled. */
	staticData: IDataObject;
}

/** The type descriptions as n8n's loader gives them, without their functions. */
export interface PackageDescription {
	node: INodeTypeDescription;
	trigger: INodeTypeDescription;
	credential: ICredentialType;
}

/** The calls that the child process answers. */
export interface EngineCalls {
	describe: { request: Record<string, never>; result: PackageDescription };
	run: { request: { workflow: WorkflowJson; options: RunOptions; skipsPauses: boolean }; result: RunResult };
	poll: { request: { activation: Activation }; result: PollResult };
	search: { request: { method: string; options: SearchOptions }; result: INodeListSearchResult };
	testCredential: { request: { credentials: GatewayCredentials }; result: INodeCredentialTestResult };
}

export type EngineCall = keyof EngineCalls;

/** One call of the client; `payload` is the request as JSON text. */
export interface CallMessage {
	id: number;
	call: EngineCall;
	payload: string;
}

/** Cancels the workflow that runs. It has no answer, and does not wait for the calls before it. */
export const CANCEL = 'cancel';

/** The answer to one call: the result, or a `SerialisedError`, as JSON text. */
export interface ReplyMessage {
	id: number;
	ok: boolean;
	payload: string;
}
