/**
 * The tests of the pure modules in one, for mutation testing (`stryker.config.mjs`): they run thousands of times, and
 * loading is most of it. esbuild makes one file of them.
 */
const { readdirSync } = require('node:fs');
const { join } = require('node:path');
const process = require('node:process');

/** Properties, which take most of the time and notice no more than the examples; what loads n8n; what is about documents. */
const LEFT_OUT =
	/\.property$|^run.(?!itemField)|^fields|^gateway.(?!failures|redact|replies|baseUrl|routes)|readme|contract|house|schema|searchWords/;

for (const file of readdirSync(join(process.cwd(), 'test/unit'), { recursive: true }).sort()) {
	const [name, isTest] = file.split('.test.ts');
	if (isTest === '' && !LEFT_OUT.test(name)) require(`./unit/${name}.test.ts`);
}
