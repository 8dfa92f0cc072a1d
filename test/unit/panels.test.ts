import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { INodeProperties } from 'n8n-workflow';
import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { properties, RESOURCES } from '../../nodes/MessagingGateway/actions/resources';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { triggerProperties } from '../../nodes/MessagingGatewayTrigger/fields';

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

test('no action promises what a parameter decides', () => {
	const actions = operations.map(([, { action }]) => action);
	expect(actions).toContain('Update group participants');
	expect(actions.filter((action) => /add|remove|promote|demote/i.test(action))).toEqual([]);
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
