import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild, startChild, until, type Child } from './children';
import { freePort } from './ports';

const POSTGRES_VERSIONS = '/usr/lib/postgresql';

/** What n8n needs beside it in queue mode, and the settings by which it finds that. */
export interface Services {
	env: Record<string, string>;
	stop(): Promise<void>;
}

/** Starts a PostgreSQL and a Redis of their own, empty, on 127.0.0.1. */
export async function startServices(): Promise<Services> {
	const folder = mkdtempSync(join(tmpdir(), 'services-'));
	const postgresPort = await freePort();
	const redisPort = await freePort();
	const children = [await startPostgres(folder, postgresPort), startRedis(folder, redisPort)];
	return {
		env: {
			EXECUTIONS_MODE: 'queue',
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgresPort),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'postgres',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redisPort),
		},
		stop: async () => {
			await Promise.all(children.map(async (child) => await child.stop()));
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

async function startPostgres(folder: string, port: number): Promise<Child> {
	const [version = ''] = readdirSync(POSTGRES_VERSIONS).sort((a, b) => Number(b) - Number(a));
	const program = (name: string) => join(POSTGRES_VERSIONS, version, 'bin', name);
	const data = join(folder, 'postgres');
	mkdirSync(data);
	const user = unprivilegedUser();
	for (const path of user ? [folder, data] : []) chownSync(path, user?.uid ?? 0, user?.gid ?? 0);
	const options = { cwd: folder, ...user };
	await runChild(program('initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync'], options);
	const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off'];
	const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
	const child = startChild(program('postgres'), args, options);
	const isReady = async () => {
		const look = startChild(program('pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]);
		return (await look.ended) === 0 ? true : undefined;
	};
	await until('PostgreSQL', isReady, { child });
	return child;
}

function startRedis(folder: string, port: number): Child {
	const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
	return startChild('redis-server', args);
}

/** PostgreSQL refuses to run as root: Debian's package brings a user for it. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
	return { uid: id('-u'), gid: id('-g') };
}
