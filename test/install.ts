/**
 * Installs the packages of a folder that has a package.json of its own, since only one command needs them.
 * As a program it takes the folder: `tsx test/install.ts scan`.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Installs a folder as its lockfile says, unless that is already there; then does what is to be done once.
 * Not with `npm ci`, which refuses a lockfile that lacks an optional package for another platform, as the
 * registry may.
 *
 * @param size of what is installed, where that takes minutes
 */
export function installFolder(folder: string, size = '', once?: () => void): void {
	const marker = join(folder, 'node_modules', '.installed');
	const wanted = createHash('sha256')
		.update(readFileSync(join(folder, 'package-lock.json')))
		.digest('hex');
	if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
	const what = `Installing the packages of ${relative(process.cwd(), folder)}${size && `, ${size},`} (only this once)`;
	step(what, dirname(marker));
	npm(folder, ['install', '--no-save']);
	once?.();
	writeFileSync(marker, wanted);
	step();
}

let heartbeat: ChildProcess | undefined;

/** Says what begins now, and every 20 s that it goes on, with the size of a folder that grows. Without words, ends that. */
export function step(what?: string, growing = ''): void {
	// With what it waits for.
	if (heartbeat?.pid !== undefined) process.kill(-heartbeat.pid);
	heartbeat = undefined;
	if (what === undefined) return;
	process.stdout.write(`${what}\n`);
	// A process of its own, since this one waits for npm. It ends with this one, however that ends.
	const script = 'while sleep 20 && kill -0 $PPID; do echo "  still at it $(du -sh "$0" | cut -f1)"; done';
	heartbeat = spawn('sh', ['-c', script, growing], {
		detached: true,
		stdio: ['ignore', 'inherit', 'ignore'],
	});
	heartbeat.on('error', () => {}).unref();
}

/** Runs npm in a folder. @throws where npm says no */
export function npm(folder: string, args: string[], env: NodeJS.ProcessEnv = {}): void {
	execFileSync('npm', [...args, '--loglevel=error'], {
		cwd: folder,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'ignore', 'inherit'],
	});
}

if (require.main === module) for (const folder of process.argv.slice(2)) installFolder(resolve(folder));
