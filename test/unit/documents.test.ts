import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { INodeProperties } from 'n8n-workflow';
import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { inviteFields } from '../../nodes/MessagingGateway/actions/group/sendInvite/readInvites';
import { syncFields } from '../../nodes/MessagingGateway/actions/group/sync/fields';
import { properties, RESOURCES } from '../../nodes/MessagingGateway/actions/resources';
import * as groupOptions from '../../nodes/MessagingGateway/fields/groupOptions';
import { maxRetries, timeout } from '../../nodes/MessagingGateway/fields/options';
import { WORDING } from '../../nodes/MessagingGateway/groups/outcomes';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import {
	pollRetries,
	pollTimeout,
	shortestInterval,
	triggerProperties,
} from '../../nodes/MessagingGatewayTrigger/fields';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';
import { scripts } from '../../package.json';
import { SEARCHES } from '../searches';
import { valueIfAbsent } from './fields/ifAbsent';
import './realN8n';

/** `limit (50)`, `changes (joined, left)`; the name alone where there is no value, or it's a locator's. */
function shown(field: INodeProperties, value: unknown = field.default): string {
	const isPlain = Array.isArray(value) || ['boolean', 'number', 'string'].includes(typeof value);
	return field.name + (isPlain && value !== '' ? ` (${[value].flat().join(', ')})` : '');
}

function fieldsOf({ options = [] }: INodeProperties): INodeProperties[] {
	return options.filter((one) => 'displayName' in one && 'type' in one);
}

/** Finds the fields of a collection. */
function collected(fields: readonly INodeProperties[], collection: 'limits' | 'options'): INodeProperties[] {
	return fields.filter(({ name }) => name === collection).flatMap(fieldsOf);
}

/** The fields of an operation or of the trigger, as a line of the list has them. */
function listed(fields: readonly INodeProperties[]): string {
	const parameters = fields
		.filter(({ type, name }) => type !== 'notice' && name !== 'options')
		.flatMap((field) => {
			if (field.name === 'filters') return fieldsOf(field).map(({ name }) => `filters.${name}`);
			if (!['limits', 'updateFields'].includes(field.name)) return shown(field);
			return fieldsOf(field).map((one) =>
				shown({ ...one, name: `${field.name}.${one.name}` }, valueIfAbsent(one)),
			);
		});
	// The trigger has a field for the instance of each event.
	return `${[...new Set(parameters)].join(', ')}; options ${optionsIn(collected(fields, 'options'))}`;
}

function optionsIn(options: readonly INodeProperties[]): string {
	return options.map((one) => shown(one, valueIfAbsent(one))).join(', ');
}

test('parameters, options and their defaults are those that saved workflows rely on', () => {
	const lines = Object.entries(RESOURCES).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(
			([operation, { fields }]) => `${resource} ${operation}: ${listed(fields)}`,
		),
	);
	const known = read('test/fixtures/parameters.txt').split('\n').filter(Boolean);
	expect([...lines, `trigger: ${listed(triggerProperties)}`]).toEqual(known);
});

/** A text of the editor: of a field, or of one of its choices. */
interface Shown {
	text: string;
	of: string;
}

function textsOf(of: string, fields: readonly INodeProperties[]): Shown[] {
	return fields.flatMap(({ name, description = '', options = [] }) => [
		{ of: `${of} ${name}`, text: description },
		...options.flatMap((one) =>
			'type' in one
				? textsOf(of, [one])
				: [{ of: `${of} ${name}`, text: 'description' in one ? (one.description ?? '') : '' }],
		),
	]);
}

const operations = Object.values(RESOURCES).flatMap((one) => Object.entries(one.operations));
const panels = operations.flatMap(([name, { description, fields }]) => [
	{ of: name, text: description },
	...textsOf(name, fields),
]);

test('no text in the editor has more than 25 words', () => {
	const texts = [...panels, ...textsOf('trigger', triggerProperties)];
	expect(texts.length).toBeGreaterThan(100);
	expect(texts.filter(({ text }) => text.split(/\s+/).length > 25)).toEqual([]);
});

test('tooltips have 15 words on average, and no backticks, which n8n shows', () => {
	const words = new Map(
		panels.filter(({ text }) => text !== '').map(({ text }) => [text, text.split(/\s+/).length]),
	);
	const sum = [...words.values()].reduce((total, amount) => total + amount, 0);
	expect(sum / words.size).toBeLessThanOrEqual(15);
	expect([...words.keys()].filter((text) => text.includes('`'))).toEqual([]);
});

test('texts of an operation speak only of what it does', () => {
	const textOf = (field: string) => panels.filter(({ of }) => of === field).map(({ text }) => text);
	for (const operation of ['resetInviteLink', 'sendMessage', 'leave'])
		expect(textOf(`${operation} dryRun`).join()).not.toContain('number');
	const readers = operations.filter(([, { onlyReads }]) => onlyReads === true).map(([name]) => name);
	expect(readers.length).toBeGreaterThan(3);
	for (const name of new Set(readers)) expect(textOf(`${name} maxRetries`).join()).not.toContain('change');
	expect(textOf('syncParticipants maxRetries').join()).toContain("certainly wasn't carried out");
});

test('groups stand first, operations in the order of the alphabet, and both take no expression', () => {
	const lists = properties.filter(({ name }) => name === 'resource' || name === 'operation');
	expect(lists.length).toBe(4);
	expect(lists[0]?.options?.map(({ name }) => name)).toEqual(['Group', 'Instance', 'Bot']);
	for (const { name: list, options = [], noDataExpression } of lists) {
		expect(noDataExpression).toBe(true);
		const names = options.map(({ name }) => name);
		if (list === 'operation') expect(names).toEqual([...names].sort());
	}
});

test('the line below a node names its operation as the panel does', () => {
	for (const [value, { name }] of operations) {
		const expression = new MessagingGateway().description.subtitle?.slice(1) ?? '';
		const code = /^\{\{(.*)\}\}$/.exec(expression)?.[1] ?? '';
		expect(runInNewContext(code, { $parameter: { operation: value } })).toBe(name);
	}
});

test('actions are named by what people look for, while the description promises nothing that a parameter decides', () => {
	const actions = operations.map(([, { action }]) => action).join('; ');
	for (const wish of ['Add', 'remove', 'group name', 'picture', 'Create', 'Leave', 'message', 'invite link'])
		expect(actions).toContain(wish);
	// A language model reads it as a tool's, whatever its Action is.
	const [, { description: text = '' } = {}] =
		operations.find(([name]) => name === 'updateParticipants') ?? [];
	expect(text).toMatch(/^Change who is in a group/);
	expect(text).not.toMatch(/\b(?:add|remove|promote|demote)\b/i);
});

test('the credential asks for an address and a key, and has its icon in both colors', () => {
	const { properties: fields } = new MessagingGatewayApi();
	expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(['baseUrl', 'apiKey']);
	const files = Object.values(new MessagingGatewayApi().icon).map((file) =>
		String(file).replace('file:', ''),
	);
	expect(files).toHaveLength(2);
	for (const file of files) expect(existsSync(join(__dirname, '../../credentials', file))).toBe(true);
});

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const readme = read('README.md');
const fieldsPage = read('docs/fields.md');
const texts = [
	'README.md',
	'README.pt-BR.md',
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

/** The sections about fields that several operations have, and about operations of which the panel says the rest. */
const SHARED = ['Fields of several operations', 'Phone numbers', 'Other operations'];

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

test.each([
	['how many people are changed in a run', /\| 50 |\b50 people/],
	['which part of the members may go', /\| 20 |\b20 ?%/],
	['how long somebody who was refused waits', /\| 7 |\b7 days/],
])('%s is told on two pages at most', (_, fact) => {
	const pages = texts.filter((page) => page !== 'docs/benchmarks.md' && fact.test(read(page)));
	expect(pages.length).toBeGreaterThanOrEqual(1);
	expect(pages.length).toBeLessThanOrEqual(2);
});

test.each(texts)('every npm command in %s is there', (page) => {
	const commands = [...read(page).matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
		([, script, short]) => script ?? short ?? '',
	);
	expect(commands.filter((command) => !(command in scripts))).toEqual([]);
});

test('README.md says how to try the node and run its tests, as CI does it in a fresh clone', () => {
	const commands = [...under(readme, 'Try it').matchAll(/`(npm [^`]+)`/g)].map(([, command = '']) => command);
	expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test']);
	const inCi = read('.ci/run').split('\n');
	const steps = commands.flatMap((command) => command.split(' && '));
	expect(steps.filter((step) => !inCi.includes(step))).toEqual([]);
});

/** What of the README is bold and no label, in both languages. */
const TRANSLATED: Readonly<Record<string, string>> = {
	'Keep WhatsApp groups equal to a list': 'Mantenha grupos do WhatsApp iguais a uma lista',
	'For whom, and what it takes': 'Para quem é, e o que é preciso',
	instance: 'instância',
	'No setting makes a ban impossible': 'Nenhuma configuração elimina o risco de banimento',
};

/** What a translation leaves as it is, paragraph by paragraph. */
function untranslated(page: string) {
	const all = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, found = '']) => found);
	const unordered = (texts: string[]) => texts.sort();
	return {
		headings: all(/^(#+) /gm),
		links: all(/\]\(([^)#]+(?:#[^)]*)?)\)/g).filter((link) => !/^README/.test(link)),
		pictures: all(/(?:src|srcset)="([^"]+)"/g),
		code: unordered(all(/(`[^`]+`)/g)),
		labels: unordered(all(/\*\*([^*]+)\*\*/g)),
		choices: unordered(all(/\b_([^_]+)_\b/g)),
		rows: all(/^(\|) /gm).length,
		steps: all(/^(\d+\.|-) /gm),
	};
}

test('README.pt-BR.md has the headings, links, commands, labels and pictures of README.md, and each links to the other', () => {
	const english = untranslated(readme);
	const portuguese = untranslated(read('README.pt-BR.md'));
	const labels = english.labels.map((label) => TRANSLATED[label] ?? label).sort();
	expect(portuguese).toEqual({ ...english, labels });
	expect(readme).toMatch(/^English · \[Português\]\(README\.pt-BR\.md\)\n/);
	expect(read('README.pt-BR.md')).toMatch(/^\[English\]\(README\.md\) · Português\n/);
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

test('fields of several operations are those of the panel', () => {
	const [shared = ''] = SHARED;
	const named = [...under(fieldsPage, shared).matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => label);
	const labels = new Set(sections.flatMap(([, all]) => all));
	expect(named.filter((label) => !labels.has(label))).toEqual([]);
});

test.each([
	// An operation's own win: some are those of all operations with another value.
	['Group: Sync Participants', { ...groupOptions, ...syncFields }],
	['Group: Send Invite', { ...groupOptions, ...inviteFields }],
	['Messaging Gateway Trigger', { pollRetries, pollTimeout, shortestInterval }],
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
	const lines = under(fieldsPage, 'Outcomes').matchAll(/^- (`\w+`) \(([^)]+)\): /gm);
	const shown = [...lines].map(([, outcome, applied = '']) => [
		outcome,
		// By the reason, these are one or the other.
		outcome === '`kept`' ? applied.replace('`true` or ', '') : applied.replace(' or `null`', ''),
	]);
	const known = Object.entries(WORDING).map(([outcome, { applied }]) => [`\`${outcome}\``, `\`${applied}\``]);
	expect(shown).toEqual(known);
});

test('every example workflow is in docs/recipes.md with its picture, no two of which are the same', () => {
	const page = read('docs/recipes.md');
	expect(examples.filter((file) => !page.includes(`(../examples/${file})`))).toEqual([]);
	const folder = join(ROOT, 'docs/images/recipes');
	const pictures = readdirSync(folder);
	expect(pictures.sort()).toEqual(examples.map((file) => file.replace('.json', '.png')).sort());
	expect(pictures.filter((file) => !page.includes(`(images/recipes/${file})`))).toEqual([]);
	expect(new Set(pictures.map((file) => readFileSync(join(folder, file), 'base64'))).size).toBe(
		pictures.length,
	);
});

/** The search of n8n's editor. */
const { sublimeSearch } = jest.requireActual<{ sublimeSearch(words: string, entries: object[]): object[] }>(
	'@n8n/utils/dist/search/sublime-search',
);

const { description } = new MessagingGateway();
const file = join(__dirname, '../../nodes/MessagingGateway/MessagingGateway.node.json');
const { alias } = JSON.parse(readFileSync(file, 'utf8')) as { alias: string[] };
/** The entry of both nodes in n8n's list. It has the aliases of the action node alone. */
const entry = { properties: { displayName: description.displayName, codex: { alias } } };

it('CONTRIBUTING names files that exist', () => {
	const root = join(__dirname, '../..');
	const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
	const named = [...text.matchAll(/`((?:[.\w-]+\/)+[\w.-]+\.(?:ts|txt|jsonl?|yml|md))`/g)].map(
		([, path = '']) => path,
	);
	const isThere = (path: string) =>
		['', 'nodes/MessagingGateway', 'test'].some((place) => existsSync(join(root, place, path)));
	expect(named.length).toBeGreaterThan(30);
	expect(named.filter((path) => !isThere(path))).toEqual([]);
});

it.each(SEARCHES)('n8n finds the node by "%s"', (words) => {
	expect(sublimeSearch(words, [entry])).toHaveLength(1);
});

it('has few aliases, of which each is needed', () => {
	expect(alias.length).toBeLessThanOrEqual(12);
	const isNeeded = (one: string) => {
		const others = { ...entry.properties, codex: { alias: alias.filter((other) => other !== one) } };
		return SEARCHES.some((words) => sublimeSearch(words, [{ properties: others }]).length === 0);
	};
	expect(alias.filter((one) => !isNeeded(one))).toEqual([]);
});

it('both nodes have the description of the action node, since n8n shows that of the trigger for both', () => {
	expect(description.description).toMatch(/^Keep WhatsApp groups equal to a list/);
	expect(new MessagingGatewayTrigger().description.description).toBe(description.description);
});
