import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { chosen } from '../../test/chosen';
import listInstances from '../../test/demo/list-instances.json';
import type { Gateway } from '../../test/gateway/gateway';
import { nodeOf, type Line } from '../lines';
import { runChild, startChild, until, type Child } from './children';
import { Clock } from './clock';
import { freePort } from './ports';
import { Rest } from './rest';

const LONGEST_ID = 21;
const EXAMPLES = join(__dirname, '../../examples');

/** The credential that the example workflows name. */
export const CREDENTIAL = { id: '1', name: 'Messaging Gateway account', type: 'messagingGatewayApi' };

/** Nothing that a test's n8n needs to ask the internet for, and only this machine may talk to it. */
const QUIET: Record<string, string> = {
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_SECURE_COOKIE: 'false',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
	// n8n 1.x would want a native module for the other one.
	N8N_EXPRESSION_ENGINE: 'legacy',
};

/** A server that answers. */
export interface Server {
	rest: Rest;
	process: Child;
}

/** n8n as a user has it: a folder with the packed node installed, and a credential and workflows in its database. */
export class Site {
	readonly clock: Clock;
	private readonly servers: Child[] = [];

	/** Of the server, which keeps it when it is started again. */
	private port: number | undefined;

	private constructor(
		readonly line: Line,
		readonly folder: string,
		private readonly env: Record<string, string>,
	) {
		this.clock = new Clock(folder);
	}

	/**
	 * Makes the folder and installs the node there, from the package that `npm pack` made.
	 *
	 * @param env further settings for n8n
	 */
	static async create(line: Line, packedNode: string, env: Record<string, string> = {}): Promise<Site> {
		const folder = mkdtempSync(join(tmpdir(), 'n8n-'));
		const nodes = join(folder, '.n8n', 'nodes');
		mkdirSync(nodes, { recursive: true });
		writeFileSync(join(nodes, 'package.json'), JSON.stringify({ name: 'installed-nodes', private: true }));
		// As n8n installs a community node: nothing but the package, since n8n-workflow is n8n's own.
		const install = [
			'install',
			packedNode,
			'--legacy-peer-deps',
			'--ignore-scripts',
			'--no-audit',
			'--no-fund',
		];
		await runChild('npm', install, { cwd: nodes });
		return new Site(line, folder, { N8N_ENCRYPTION_KEY: 'key-of-the-tests', ...env });
	}

	/** Puts the credential for a gateway and workflows into the database: all examples, each with its file's name as id. */
	async seed(
		{ url, apiKey }: Pick<Gateway, 'url' | 'apiKey'>,
		workflows = [...exampleNames().map(readExample), LIST_INSTANCES],
	): Promise<void> {
		const credential = { ...CREDENTIAL, data: { baseUrl: url, apiKey } };
		await this.import('credentials', [credential]);
		await this.import('workflow', workflows);
	}

	/** Runs a command of n8n's and gives what it wrote. */
	async command(...args: string[]): Promise<string> {
		const env = { ...this.environment(), N8N_RUNNERS_BROKER_PORT: String(await freePort()) };
		return await runChild(nodeOf(this.line), [this.program, ...args], { env, cwd: this.folder });
	}

	/** Starts the server, or starts it again, and signs in to it. */
	async start(): Promise<Server> {
		const isNew = this.port === undefined;
		const port = (this.port ??= await freePort());
		const process = await this.spawn(['start'], { N8N_PORT: String(port) });
		const rest = new Rest(`http://127.0.0.1:${port}`);
		await until('n8n', async () => ((await rest.isReady()) ? true : undefined), { child: process });
		await (isNew ? rest.signUp() : rest.signIn());
		return { rest, process };
	}

	/** Starts one of n8n's processes. */
	async spawn(args: string[], env: Record<string, string> = {}): Promise<Child> {
		const broker = { N8N_RUNNERS_BROKER_PORT: String(await freePort()) };
		const child = startChild(nodeOf(this.line), [this.program, ...args], {
			env: { ...this.environment(), ...broker, ...env },
			cwd: this.folder,
		});
		this.servers.push(child);
		return child;
	}

	/** Ends what was started, and removes the folder. */
	async remove(): Promise<void> {
		await Promise.all(this.servers.map(async (server) => await server.stop()));
		rmSync(this.folder, { recursive: true, force: true });
	}

	private async import(what: 'credentials' | 'workflow', records: unknown[]): Promise<void> {
		const file = join(this.folder, `${what}.json`);
		writeFileSync(file, JSON.stringify(records));
		await this.command(`import:${what}`, `--input=${file}`);
	}

	private get program(): string {
		return join(this.line.folder, 'node_modules', 'n8n', 'bin', 'n8n');
	}

	private environment(): NodeJS.ProcessEnv {
		return {
			...QUIET,
			...this.line.env,
			...this.env,
			...this.clock.env,
			PATH: `${dirname(nodeOf(this.line))}${delimiter}${process.env.PATH}`,
			HOME: this.folder,
			N8N_USER_FOLDER: this.folder,
		};
	}
}

/** The names of the example files, without their ending. */
export function exampleNames(): string[] {
	return readdirSync(EXAMPLES)
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.slice(0, -'.json'.length));
}

/** A workflow as the editor saves it; what is in its nodes is n8n's business. */
export interface Workflow {
	id: string;
	name: string;
	nodes: Array<{ name: string; type: string; parameters: Record<string, unknown> }>;
	connections: object;
	settings: object;
	pinData: Record<string, Array<{ json: IDataObject }>>;
}

/** The shortest workflow, to see that the credential works. */
export const LIST_INSTANCES: Workflow = { ...listInstances, id: 'list-instances', pinData: {} };

/** The file of an example. */
export function exampleFile(name: string): string {
	return join(EXAMPLES, `${name}.json`);
}

/** An example file as a workflow with an id, in which instance and group have been chosen. */
export function readExample(name: string): Workflow {
	const file = JSON.parse(readFileSync(exampleFile(name), 'utf8')) as Omit<Workflow, 'id' | 'name'>;
	// As the editor gives one to each node that is called from outside.
	const isCalled = ({ type }: { type: string }) => /\.(?:webhook|chat\w*)$/.test(type);
	const nodes = file.nodes.map((node) => ({ ...node, ...(isCalled(node) && { webhookId: randomUUID() }) }));
	return chosen({ name, ...file, nodes, id: idOf(name) });
}

/** The id that an example has in the database: its file's name, or so much of it as n8n takes with what tells it apart. */
export function idOf(example: string): string {
	if (example.length <= LONGEST_ID) return example;
	const mark = createHash('sha256').update(example).digest('hex').slice(0, 6);
	return `${example.slice(0, LONGEST_ID - mark.length - 1)}-${mark}`;
}
