import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { scripts } from '../../package.json';
import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import * as groupOptions from '../../nodes/MessagingGateway/fields/groupOptions';
import { inviteFields } from '../../nodes/MessagingGateway/actions/group/sendInvite/readInvites';
import { syncFields } from '../../nodes/MessagingGateway/actions/group/sync/fields';
import { maxRetries, timeout } from '../../nodes/MessagingGateway/fields/options';
import { RESOURCES } from '../../nodes/MessagingGateway/actions/resources';
import { WORDING } from '../../nodes/MessagingGateway/groups/outcomes';
import { confirmPolls } from '../../nodes/MessagingGatewayTrigger/events/instanceStatusChanged';
import {
	pollRetries,
	pollTimeout,
	shortestInterval,
	triggerProperties,
} from '../../nodes/MessagingGatewayTrigger/fields';
import { valueIfAbsent } from './fields/ifAbsent';

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const readme = read('README.md');
const fieldsPage = read('docs/fields.md');
const texts = [
	'README.md',
	'CONTRIBUTING.md',
	...readdirSync(join(ROOT, 'docs'))
		.filter((file) => file.endsWith('.md'))
		.map((file) => `docs/${file}`),
];
const examples = readdirSync(join(ROOT, 'examples'));

/** The text under a heading, up to the next one. */
function under(page: string, heading: string): string {
	return page.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
}

/** The rows of all tables in a text, without their heads; cells trimmed. */
function rowsOf(text: string): string[][] {
	const tables = text.split(/\n\n/).filter((block) => block.startsWith('|'));
	return tables.flatMap((table) =>
		table
			.trim()
			.split('\n')
			.slice(2)
			.map((row) =>
				row
					.split('|')
					.slice(1, -1)
					.map((cell) => cell.trim()),
			),
	);
}

/** The labels of fields, and of those within collections. */
function labelsOf(fields: INodeProperties[]): string[] {
	return fields
		.filter(({ type, name }) => type !== 'notice' && name !== 'options')
		.map(({ displayName }) => displayName)
		.concat(
			fields
				.filter(({ type }) => type === 'collection')
				.flatMap(({ options = [] }) => options.map((one) => ('displayName' in one ? one.displayName : ''))),
		);
}

/** The sections about fields that several operations have. */
const SHARED = ['Fields of several operations', 'Phone numbers'];

/** By the heading of its section: the fields of each operation, and of the trigger. */
const sections = [
	...Object.values(RESOURCES).flatMap(({ name, operations }) =>
		Object.values(operations).map((one): [string, string[]] => [
			`${name}: ${one.name}`,
			labelsOf(one.fields),
		]),
	),
	['Messaging Gateway Trigger', labelsOf(triggerProperties)] as [string, string[]],
];

test.each(texts)('every file and every heading that %s links to is there', (page) => {
	const links = [...read(page).matchAll(/\]\(([^)]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
		([, link, image]) => link ?? image ?? '',
	);
	const anchorsOf = (text: string) =>
		[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
			heading
				.toLowerCase()
				.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
				.replace(/[^\w\s-]/g, '')
				.replaceAll(' ', '-'),
		);
	const isMissing = (link: string) => {
		const [path = '', anchor] = link.split('#');
		const file = path === '' ? join(ROOT, page) : join(ROOT, page, '..', path);
		if (!existsSync(file)) return true;
		return anchor !== undefined && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
	};
	expect(links.filter((link) => !/^\w+:/.test(link)).filter(isMissing)).toEqual([]);
});

test.each(texts)('every npm command in %s is there', (page) => {
	const commands = [...read(page).matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
		([, script, short]) => script ?? short ?? '',
	);
	expect(commands.filter((command) => !(command in scripts))).toEqual([]);
});

test('README.md says how to try the node and run its tests, as CI does it in a fresh clone', () => {
	const commands = [...under(readme, 'Try it').matchAll(/`(npm [^`]+)`/g)].map(([, command = '']) => command);
	expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test', 'npm run n8n']);
	const inCi = read('.ci/run').split('\n');
	const steps = commands.slice(0, 2).flatMap((command) => command.split(' && '));
	expect(steps.filter((step) => !inCi.includes(step))).toEqual([]);
});

test('the fields of the credential are those of the credential', () => {
	const shown = rowsOf(under(readme, 'Credential')).map(([field = '']) => field.replaceAll('**', ''));
	const fields = new MessagingGatewayApi().properties.filter(({ type }) => type !== 'hidden');
	expect(shown).toEqual(fields.map(({ displayName }) => displayName));
});

test.each(sections)('%s: every field is described, and no other', (heading, labels) => {
	const section = under(fieldsPage, heading);
	const described = section + SHARED.map((shared) => under(fieldsPage, shared)).join('');
	expect(labels.filter((label) => !described.includes(`**${label}**`))).toEqual([]);
	const inTables = rowsOf(section).map(([cell = '']) => cell.replaceAll('**', ''));
	expect(inTables.filter((label) => !labels.includes(label))).toEqual([]);
});

test.each([
	// An operation's own win: some are those of all operations with another value.
	['Group: Sync Participants', { ...groupOptions, ...syncFields }],
	['Group: Send Invite', { ...groupOptions, ...inviteFields }],
	['Messaging Gateway Trigger', { confirmPolls, pollRetries, pollTimeout, shortestInterval }],
])('%s: the defaults are those of options that nobody has added', (heading, modules) => {
	const known = Object.values(modules).flatMap((one): INodeProperties[] =>
		'displayName' in one ? [one] : [],
	);
	const text = (value: unknown) => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));
	const shown = rowsOf(under(fieldsPage, heading)).filter((cells) => cells.length === 3);
	const expected = shown.map(([label = '']) => {
		const option = known.find(({ displayName }) => `**${displayName}**` === label);
		const value = option && valueIfAbsent(option);
		const choices = option?.options ?? [];
		const chosen = choices.find((one) => 'value' in one && one.value === value);
		return [label, chosen?.name ?? text(value)];
	});
	expect(shown.map(([label, value]) => [label, value])).toEqual(expected);
	expect(shown).not.toEqual([]);
});

test('the defaults that all operations share are those of the node', () => {
	for (const field of [timeout, maxRetries])
		expect(fieldsPage).toContain(`**${field.displayName}** (${field.default}:`);
});

test('whoever reports a problem can choose where it is, among all operations', () => {
	const form = read('.github/ISSUE_TEMPLATE/problem.yml');
	const [, choices = ''] = /label: Where\?\n +options:\n((?: +- .+\n)+)/.exec(form) ?? [];
	const places = [...choices.matchAll(/- '(.+)'\n/g)].map(([, place]) => place);
	expect(places).toEqual([...sections.map(([heading]) => heading), 'Credential', 'Somewhere else']);
});

test('the outcomes are those of the node, with what is applied', () => {
	const shown = rowsOf(under(fieldsPage, 'Outcomes')).map(([outcome, applied = '']) => [
		outcome,
		// By the reason, these are one or the other.
		outcome === '`kept`' ? applied.replace('`true` or ', '') : applied.replace(' or `null`', ''),
	]);
	const known = Object.entries(WORDING).map(([outcome, { applied }]) => [`\`${outcome}\``, `\`${applied}\``]);
	expect(shown).toEqual(known);
});

test('an output item has the fields that the operation gives', () => {
	const shown = [...fieldsPage.matchAll(/```json\n([^`]+)```/g)].map(
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

test('every example workflow is in docs/recipes.md, and each of their pictures, no two of which are the same', () => {
	const page = read('docs/recipes.md');
	expect(examples.filter((file) => !page.includes(`(../examples/${file})`))).toEqual([]);
	const folder = join(ROOT, 'docs/images/recipes');
	const pictures = readdirSync(folder);
	expect(pictures.filter((file) => !page.includes(`(images/recipes/${file})`))).toEqual([]);
	expect(new Set(pictures.map((file) => readFileSync(join(folder, file), 'base64'))).size).toBe(
		pictures.length,
	);
});

test('the expressions of a recipe are those of its workflow', () => {
	// A recipe goes from the link to its workflow to the next link to one, or the next heading.
	const recipes = read('docs/recipes.md')
		.split(/^(?=#)|(?=\]\((?:\.\.\/)?examples\/)/m)
		.flatMap((part) => {
			const [, file] = /^\]\((?:\.\.\/)?(examples\/[\w-]+\.json)\)/.exec(part) ?? [];
			return file === undefined ? [] : [[file, part] as const];
		});
	const expressions = recipes.flatMap(([file, text]) =>
		[...text.matchAll(/\{\{.*?\}\}/g)].map(([expression]) => [file, expression] as const),
	);
	expect(expressions.length).toBeGreaterThanOrEqual(10);
	const inFile = (expression: string) => JSON.stringify(expression).slice(1, -1);
	expect(expressions.filter(([file, expression]) => !read(file).includes(inFile(expression)))).toEqual([]);
});
