const { src, dest } = require('gulp');

/** What tsc leaves behind: icons, codex and output schemas, beside the files they belong to. */
function assets() {
	return src(
		['{nodes,credentials}/**/*.{svg,png}', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'],
		{
			encoding: false,
		},
	).pipe(dest('dist'));
}

exports.default = assets;
