import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { installDebianPackages, installLine, installTools } from './install';
import { LINES, readLine } from './lines';
import { packNode } from './pack';

const ROOT = join(__dirname, '..');

function run(): void {
	const [first, ...others] = process.argv.slice(2);
	const lines = first === undefined || first.startsWith('-') ? Object.values(LINES) : [readLine(first)];
	const rest = lines.length === 1 ? others : process.argv.slice(2);
	installDebianPackages();
	installTools();
	const packed = packNode();
	try {
		for (const line of lines) {
			installLine(line);
			execFileSync('npx', ['jest', '--config', 'e2e/jest.config.js', ...rest], {
				cwd: ROOT,
				stdio: 'inherit',
				env: { ...process.env, N8N_LINE: String(line.number), PACKED_NODE: packed.file },
			});
		}
	} finally {
		packed.remove();
	}
}

run();
