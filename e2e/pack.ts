import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The node as it is published. */
interface Packed {
	/** The `.tgz`. */
	file: string;
	remove(): void;
}

/** Packs the build, into a folder of its own. */
export function packNode(): Packed {
	const folder = mkdtempSync(join(tmpdir(), 'packed-'));
	const args = ['pack', '--silent', '--pack-destination', folder];
	execFileSync('npm', args, { cwd: join(__dirname, '..'), stdio: ['ignore', 'ignore', 'inherit'] });
	const [file] = readdirSync(folder);
	if (file === undefined) throw new Error('npm pack left no package');
	return { file: join(folder, file), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
