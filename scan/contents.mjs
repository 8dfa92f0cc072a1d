/** What the package holds: what a user needs, and nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import glob from 'fast-glob';

const DOCUMENTS = ['LICENSE', 'README.md', 'README.pt-BR.md', 'package.json'];
/** All code, of which n8n loads what `package.json` names. */
const BUNDLE = 'dist/index.js';
/** Icons, codex and output schemas. */
const ASSETS = 'nodes/**/{*.svg,*.node.json,__schema__/**/*.json}';

/**
 * Compares an unpacked package with what the source says that it has to hold.
 *
 * @param {string} root folder of the source
 * @param {string} packed folder of the unpacked package
 * @returns {{files: string[], missing: string[], unexpected: string[]}} the files of the package, and how they
 * differ from those expected: paths within the package, sorted
 */
export function compareContents(root, packed) {
	const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const assets = glob.sync(ASSETS, { cwd: root }).map((file) => `dist/${file}`);
	const expected = new Set([...DOCUMENTS, BUNDLE, ...n8n.nodes, ...n8n.credentials, ...assets]);
	const files = glob.sync('**', { cwd: packed, dot: true }).sort();
	return {
		files,
		missing: [...expected].filter((file) => !files.includes(file)).sort(),
		unexpected: files.filter((file) => !expected.has(file)),
	};
}
