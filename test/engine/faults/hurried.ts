import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../engine';

const BUNDLE = join('dist', 'index.js');
/** As the build writes the 75 seconds. */
const PATIENCE = /timeout: ?75e3\b/g;

/**
 * A copy of the built package whose pickers wait for a reply no longer than the operations in these tests: a
 * picker has no option for that, and a minute is too long for a test. Nothing else differs.
 */
export function hurriedCopy(timeout: number): { packageRoot: string; remove: () => void } {
	const packageRoot = mkdtempSync(join(tmpdir(), 'messaging-gateway-hurried-'));
	for (const entry of ['package.json', 'dist'])
		cpSync(join(PACKAGE_ROOT, entry), join(packageRoot, entry), { recursive: true });
	const file = join(packageRoot, BUNDLE);
	const code = readFileSync(file, 'utf8');
	if (code.match(PATIENCE)?.length !== 1) throw new Error('The patience of the pickers is not where it was');
	writeFileSync(file, code.replace(PATIENCE, `timeout: ${timeout}`));
	return { packageRoot, remove: () => rmSync(packageRoot, { recursive: true, force: true }) };
}
