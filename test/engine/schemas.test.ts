import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { SCHEMA_FOLDER, takeSchemas, type OutputSchema } from '../schema/samples';
import { thorough } from '../thorough';
import { describeEachLine, skipPauses } from './support';

/** Where n8n looks for the output schemas in the built package. */
const BUILT = join(__dirname, '../../dist/nodes/MessagingGateway/__schema__/v1.0.0');

/** Generations that have all fields between them. */
const ENOUGH = ['published', '1.8', '2.3'] as const;

/** The schema files, by their path in the folder. */
function savedSchemas(folder = SCHEMA_FOLDER): Record<string, OutputSchema> {
	const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const files = paths.filter((path) => path.endsWith('.json'));
	return Object.fromEntries(
		files.map((path) => [path.replaceAll('\\', '/'), JSON.parse(readFileSync(join(folder, path), 'utf8'))]),
	);
}

/** The path of the schema that n8n looks for, for each operation that a user can choose. */
function pathsLookedFor(properties: INodeProperties[]): string[] {
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options.map((option) => {
				const [resource] = displayOptions?.show?.resource ?? [];
				return `${String(resource)}/${'value' in option ? String(option.value) : ''}.json`;
			}),
		);
}

describeEachLine('output schemas', (engine) => {
	skipPauses(engine);

	test('are there for every operation, where n8n looks for them', () => {
		const { properties } = engine().describe().node;
		expect(Object.keys(savedSchemas()).sort()).toEqual(pathsLookedFor(properties).sort());
		expect(savedSchemas(BUILT)).toEqual(savedSchemas());
	});

	test('say what the operations give: after a change of the output, run `npm run schema`', async () => {
		expect(savedSchemas()).toEqual(await takeSchemas(engine(), thorough ? undefined : ENOUGH));
	});
});
