const { rm } = require('node:fs/promises');
const { src, dest } = require('gulp');

/** So that nothing of an earlier build is packed. */
const clean = async () => await rm('dist', { recursive: true, force: true });

/** What tsc leaves behind: icons, codex and output schemas, beside the files they belong to. */
const assets = () =>
	src(['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));

module.exports = { clean, default: assets };
