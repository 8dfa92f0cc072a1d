const { readFileSync } = require('node:fs');
const transform = require('../transform');

// TypeScript for an engine's process. Not by tsx, which looks into every file of n8n too, and takes as long as n8n.
require.extensions['.ts'] = (module, file) =>
	module._compile(transform.process(readFileSync(file, 'utf8'), file).code, file);
