/**
 * Installs the packages of a folder that has a package.json of its own, since only one command needs them.
 * As a program it takes the folder: `tsx test/install.ts scan`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/**
 * Installs a folder as its lockfile says, unless that is already there; then does what is to be done once.
 * Not with `npm ci`, which refuses a lockfile that lacks an optional package for another platform, as the
 * registry may.
 */
export function installFolder(folder: string, once?: () => void): void {
	const marker = join(folder, 'node_modules', '.installed');
	const wanted = createHash('sha256')
		.update(readFileSync(join(folder, 'package-lock.json')))
		.digest('hex');
	if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
	process.stdout.write(`Installing the packages of ${relative(process.cwd(), folder)} (only this once)\n`);
	npm(folder, ['install', '--no-save']);
	once?.();
	writeFileSync(marker, wanted);
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
