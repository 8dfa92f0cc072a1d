import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { scripts } from '../../package.json';
import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import * as groupOptions from '../../nodes/MessagingGateway/actions/group/groupOptions';
import { Options } from '../../nodes/MessagingGateway/actions/options';
import { properties, RESOURCES } from '../../nodes/MessagingGateway/actions/resources';
import { WORDING } from '../../nodes/MessagingGateway/domain/group/outcomes';

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const readme = read('README.md');
const pages = [
	'README.md',
	'CONTRIBUTING.md',
	...readdirSync(join(ROOT, 'docs')).map((file) => `docs/${file}`),
];
const texts = pages.filter((page) => page.endsWith('.md'));

/** The rows of the first table under a heading, without its head; cells trimmed. */
function tableUnder(heading: string): string[][] {
	const section = readme.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
	const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
	return rows.map((row) =>
		row
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

/** A field and those within it. */
function withInner(field: INodeProperties): INodeProperties[] {
	const inner = ['collection', 'fixedCollection'].includes(field.type) ? (field.options ?? []) : [];
	return [field, ...inner.filter((one): one is INodeProperties => 'displayName' in one && 'type' in one)];
}

const fields = [...properties, ...new MessagingGatewayApi().properties].flatMap(withInner);
const names = new Set(fields.map(({ displayName }) => displayName));
const source = readdirSync(join(ROOT, 'nodes'), { recursive: true, encoding: 'utf8' })
	.filter((path) => path.endsWith('.ts'))
	.map((path) => read(join('nodes', path)))
	.join('\n');

test.each(texts)('every file that %s links to is there', (page) => {
	const links = [...read(page).matchAll(/\]\(([^)#]+)[^)]*\)|(?:src|srcset)="([^"]+)"/g)].map(
		([, link, image]) => link ?? image ?? '',
	);
	const missing = links
		.filter((link) => !/^\w+:/.test(link))
		.filter((link) => !existsSync(join(ROOT, page, '..', link)));
	expect(missing).toEqual([]);
});

test.each(texts)('every npm command in %s is there', (page) => {
	const commands = [...read(page).matchAll(/npm (?:run ([\w:]+)|(start|test)\b)/g)].map(
		([, script, short]) => script ?? short ?? '',
	);
	expect(commands.filter((command) => !(command in scripts))).toEqual([]);
});

test('every operation has a section', () => {
	const operations = Object.values(RESOURCES).flatMap(({ name, operations: all }) =>
		Object.values(all).map((operation) => `### ${name}: ${operation.name}\n`),
	);
	expect(operations.filter((heading) => !readme.includes(heading))).toEqual([]);
});

test('every field of the node and the credential is named', () => {
	const own = fields.filter(({ name }) => !['resource', 'operation', 'options'].includes(name));
	const missing = own.map(({ displayName }) => displayName).filter((name) => !readme.includes(`**${name}**`));
	expect(missing).toEqual([]);
});

test('the fields in the tables are those of the node', () => {
	const headings = ['Credential', 'Group: Update Participants'];
	const named = headings.flatMap(tableUnder).flatMap(([cell = '']) => [...cell.matchAll(/\*\*(.+?)\*\*/g)]);
	expect(named.map(([, name]) => name).filter((name) => !names.has(name ?? ''))).toEqual([]);
	expect(named.length).toBeGreaterThan(5);
});

test('the defaults of the options are those of the node as long as nobody has added them', () => {
	const shown = [...readme.matchAll(/^\| \*\*(.+?)\*\* +\| (on|off|\d+) +\|/gm)].map(([, name, value]) => [
		name,
		value,
	]);
	const text = (value: unknown) => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));
	const group = Object.values(groupOptions).filter((one) => 'notAdded' in one);
	const { timeout, maxRetries } = new Options({ get: () => ({}), getLocator: () => '' }).retryOptions;
	expect(Object.fromEntries(shown)).toEqual({
		...Object.fromEntries(group.map(({ field, notAdded }) => [field.displayName, text(notAdded)])),
		'Timeout (ms)': text(timeout),
		'Max Retries': text(maxRetries),
	});
	expect(shown).toHaveLength(8);
});

test('the outcomes are those of the node, with what is applied', () => {
	const shown = tableUnder('Outcomes').map(([outcome, applied]) => [outcome, applied]);
	const known = Object.entries(WORDING).map(([outcome, { applied }]) => [`\`${outcome}\``, `\`${applied}\``]);
	expect(shown).toEqual(known);
});

test('the messages under Troubleshooting are those of the node', () => {
	const messages = tableUnder('Troubleshooting')
		.map(([message]) => message ?? '')
		.filter((message) => !message.startsWith('[item'));
	expect(messages.length).toBeGreaterThan(10);
	expect(messages.filter((message) => !source.includes(message))).toEqual([]);
});

test('an output item has the fields that the operation gives', () => {
	const shown = [...readme.matchAll(/```json\n([^`]+)```/g)].map(
		([, json]) => JSON.parse(json ?? '') as object,
	);
	expect(shown).toHaveLength(2);
	const [group = {}, instance = {}] = shown;
	const fieldsOf = (schema: string) => {
		const path = `nodes/MessagingGateway/__schema__/v1.0.0/${schema}.json`;
		return Object.keys((JSON.parse(read(path)) as { properties: object }).properties);
	};
	expect(fieldsOf('group/updateParticipants')).toEqual(expect.arrayContaining(Object.keys(group)));
	expect(fieldsOf('instance/getAll')).toEqual(expect.arrayContaining(Object.keys(instance)));
});

test('every example workflow is among the recipes', () => {
	const files = readdirSync(join(ROOT, 'examples')).filter((file) => file.endsWith('.json'));
	expect(files.filter((file) => !readme.includes(`(examples/${file})`))).toEqual([]);
});

test('the expressions of a recipe are those of its workflow', () => {
	const recipes = [...readme.matchAll(/^- \*\*\[.*?\]\((examples\/[\w-]+\.json)\).*$/gm)];
	const expressions = recipes.flatMap(([recipe, file = '']) =>
		[...recipe.matchAll(/\{\{.*?\}\}/g)].map(([expression]) => [expression, read(file)] as const),
	);
	expect(expressions.length).toBeGreaterThan(4);
	const missing = expressions.filter(([expression, workflow]) => !workflow.includes(expression));
	expect(missing.map(([expression]) => expression)).toEqual([]);
});
