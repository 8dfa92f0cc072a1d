const { transformSync } = require('esbuild');

/** TypeScript for Jest, by the same compiler that tsx uses. It checks no types: `npm run types` does that. */
module.exports = {
	process: (source, sourcefile) => ({
		code: transformSync(source, {
			sourcefile,
			loader: 'ts',
			format: 'cjs',
			target: 'node20',
			sourcemap: 'inline',
		}).code,
	}),
};
