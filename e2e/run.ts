import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installDebianPackages, installLine, installTools } from './install';
import { LINES, readLine } from './lines';

const ROOT = join(__dirname, '..');

/** Packs the build as it is published. Gives the package's path. */
function pack(folder: string): string {
	execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT, stdio: 'ignore' });
	const [file] = readdirSync(folder);
	if (file === undefined) throw new Error('npm pack left no package');
	return join(folder, file);
}

function run(): void {
	const [first, ...others] = process.argv.slice(2);
	const lines = first === undefined || first.startsWith('-') ? Object.values(LINES) : [readLine(first)];
	const rest = lines.length === 1 ? others : process.argv.slice(2);
	installDebianPackages();
	installTools();
	const folder = mkdtempSync(join(tmpdir(), 'packed-'));
	try {
		const packedNode = pack(folder);
		for (const line of lines) {
			installLine(line);
			execFileSync('npx', ['tsc', '-p', 'e2e/tsconfig.json'], { cwd: ROOT, stdio: 'inherit' });
			execFileSync('npx', ['jest', '--config', 'e2e/jest.config.js', ...rest], {
				cwd: ROOT,
				stdio: 'inherit',
				env: { ...process.env, N8N_LINE: String(line.number), PACKED_NODE: packedNode },
			});
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

run();
