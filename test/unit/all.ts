/** The tests of the pure modules in one, for mutation testing: it runs them thousands of times, and loading is most of it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Properties, which take most of the time and notice no more than the examples; what loads n8n; what is about documents. */
const LEFT_OUT = /\.property\.|^actions|^transport.(?!routes)|^sync.read\.|readme|schema/;

for (const file of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort())
	if (file.endsWith('.test.ts') && !LEFT_OUT.test(file)) jest.requireActual(join(__dirname, file));
