import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, delimiter } from 'node:path';
import { installFolder, npm, step } from '../test/install';
import { bundledNode, nodeOf, type Line } from './lines';

/** Debian's packages that the tests need, and a program that tells whether each is there. */
const DEBIAN_PACKAGES: Record<string, () => boolean> = {
	chromium: () => CHROMIUM_PATHS.some(existsSync),
	'redis-server': () => existsSync('/usr/bin/redis-server'),
	postgresql: () => existsSync('/usr/lib/postgresql'),
};

const CHROMIUM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where the browser is. @throws where there is none */
export function chromium(): string {
	const path = CHROMIUM_PATHS.find(existsSync);
	if (path === undefined) throw new Error('There is no Chromium: install the package "chromium"');
	return path;
}

/** Installs what a line's server needs: its packages, and the one native module that it can't do without. */
export function installLine(line: Line): void {
	installFolder(line.folder, line.size, () => {
		const node = nodeOf(line);
		const headers = node === process.execPath ? {} : { npm_config_nodedir: bundledNode(line) };
		npm(line.folder, ['rebuild', 'sqlite3', '--ignore-scripts=false'], {
			PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
			...headers,
		});
	});
}

/** Installs what the tests themselves need, in this folder. */
export function installTools(): void {
	installFolder(__dirname);
}

/** Installs the packages of Debian's that are missing. @throws where this process may not do that */
export function installDebianPackages(): void {
	const missing = Object.keys(DEBIAN_PACKAGES).filter((name) => !DEBIAN_PACKAGES[name]?.());
	if (missing.length === 0) return;
	step(`Installing ${missing.join(', ')}`);
	const apt = (...args: string[]) =>
		execFileSync('apt-get', ['-y', '-qq', ...args], {
			env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
			stdio: ['ignore', 'ignore', 'inherit'],
		});
	try {
		apt('update');
		apt('install', '--no-install-recommends', ...missing);
		step();
	} catch {
		throw new Error(`Install ${missing.join(', ')} first: the tests in a real n8n need them`);
	}
}

/** Tells the person at the terminal what goes on. */
export function say(line: string): void {
	process.stdout.write(`${line}\n`);
}
