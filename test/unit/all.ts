/** All unit tests in one, for mutation testing: it runs them thousands of times, and modules that load once for all are most of it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Properties take most of the time, and the examples notice as much. What is about documents is no test of these. */
const LEFT_OUT = /\.property\.|readme|schema/;

for (const file of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort())
	if (file.endsWith('.test.ts') && !LEFT_OUT.test(file)) jest.requireActual(join(__dirname, file));
