/** What the package holds: what a user needs, and nothing else. */
import glob from 'fast-glob';

const DOCUMENTS = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
const CODE = '{nodes,credentials}/**/*.ts';
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
	const built = [
		...glob.sync(CODE, { cwd: root }).map((file) => file.replace(/\.ts$/, '.js')),
		...glob.sync(ASSETS, { cwd: root }),
	];
	const expected = new Set([...DOCUMENTS, ...built.map((file) => `dist/${file}`)]);
	const files = glob.sync('**', { cwd: packed, dot: true }).sort();
	return {
		files,
		missing: [...expected].filter((file) => !files.includes(file)).sort(),
		unexpected: files.filter((file) => !expected.has(file)),
	};
}
