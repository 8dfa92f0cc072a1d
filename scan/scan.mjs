/** n8n's own verification scan, of the source and of the package as it would be published; and what is in that package. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
import glob from 'fast-glob';
import { compareContents } from './contents.mjs';

/** The files that n8n scans of a published package; its scanner exports only those of the source. */
const PACKAGE_FILE_PATTERNS = ['**/*.js', 'package.json'];

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'verification-scan-'));
try {
	const packed = unpackPackage();
	const passed = [
		checkContents(packed),
		await scan('source', root, SOURCE_FILE_PATTERNS),
		await scan('package', packed, PACKAGE_FILE_PATTERNS),
	];
	process.exitCode = passed.includes(false) ? 1 : 0;
} finally {
	rmSync(folder, { recursive: true, force: true });
}

/** Packs the build as npm publishes it, and unpacks that; gives the folder that holds the package. */
function unpackPackage() {
	execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, stdio: 'pipe' });
	const [tarball] = readdirSync(folder);
	execFileSync('tar', ['-xzf', tarball], { cwd: folder });
	return join(folder, 'package');
}

function checkContents(packed) {
	const { files, missing, unexpected } = compareContents(root, packed);
	const findings = [
		...missing.map((file) => `  is missing: ${file}`),
		...unexpected.map((file) => `  does not belong there: ${file}`),
	];
	report('contents', files.length, findings.length, findings.join('\n'));
	return findings.length === 0;
}

async function scan(what, directory, patterns) {
	const files = glob.sync(patterns, { cwd: directory });
	// n8n's scanner takes a folder in which it finds nothing for a clean one.
	if (!files.some((file) => /\.[jt]s$/.test(file)))
		throw new Error(`There is no code to scan in ${directory}`);
	const { passed, message, details } = await analyzePackage(directory, patterns);
	const findings = passed ? 0 : (/(\d+) problems?/.exec(details ?? '')?.[1] ?? 'not known');
	report(what, files.length, findings, passed ? '' : (details ?? message));
	return passed;
}

function report(what, files, findings, details) {
	process.stdout.write(`${what}: ${files} files, findings: ${findings}\n${details ? `${details}\n` : ''}`);
}
