/** Writes the output schemas, from which the editor offers an operation's fields before it has run: `npm run schema`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { startEngine } from '../engine/engine';
import { SCHEMA_FOLDER, takeSchemas } from './samples';

async function main(): Promise<void> {
	const engine = await startEngine(2);
	const schemas = await takeSchemas(engine).finally(async () => await engine.stop());
	rmSync(SCHEMA_FOLDER, { recursive: true, force: true });
	for (const [path, schema] of Object.entries(schemas)) {
		const file = join(SCHEMA_FOLDER, path);
		const options = { ...(await resolveConfig(file)), filepath: file };
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, await format(JSON.stringify(schema, null, 2), options));
		process.stdout.write(`${path}: ${Object.keys(schema.properties ?? {}).length} fields\n`);
	}
}

void main();
