import './realN8n';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { RESOURCES } from '../../nodes/MessagingGateway/actions/resources';
import { triggerProperties } from '../../nodes/MessagingGatewayTrigger/fields';
import { valueIfAbsent } from './fields/ifAbsent';

const contract = readFileSync(join(__dirname, '../../docs/contract.md'), 'utf8');

/** `` `limit` (50) ``, `` `changes` (joined, left) ``; the name alone where there is no value, or it's a locator's. */
function shown(field: INodeProperties, value: unknown = field.default): string {
	const isPlain = Array.isArray(value) || ['boolean', 'number', 'string'].includes(typeof value);
	return `\`${field.name}\`${isPlain && value !== '' ? ` (${[value].flat().join(', ')})` : ''}`;
}

function fieldsOf({ options = [] }: INodeProperties): INodeProperties[] {
	return options.filter((one) => 'displayName' in one && 'type' in one);
}

/** Finds the fields of a collection. */
function collected(fields: readonly INodeProperties[], collection: 'limits' | 'options'): INodeProperties[] {
	return fields.filter(({ name }) => name === collection).flatMap(fieldsOf);
}

/** The fields of an operation or of the trigger, as a line of the contract has them. */
function listed(fields: readonly INodeProperties[]): string {
	const parameters = fields
		.filter(({ type, name }) => type !== 'notice' && type !== 'hidden' && name !== 'options')
		.flatMap((field) => {
			if (field.name === 'filters') return fieldsOf(field).map(({ name }) => `\`filters.${name}\``);
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

/** Keeps the fields that a version of the node has. */
function inVersion(version: number, fields: readonly INodeProperties[]): INodeProperties[] {
	return fields.filter(({ displayOptions }) => {
		const versions = displayOptions?.show?.['@version'];
		return versions === undefined || versions.some((one) => one === version);
	});
}

const operations = Object.entries(RESOURCES).flatMap(([resource, one]) =>
	Object.entries(one.operations).map(([operation, { fields }]) => {
		const [old, now] = [inVersion(1, fields), inVersion(1.1, fields)];
		const own = now.filter(({ name }) => name === 'memory' || name === 'dryRun');
		const places = [...own, ...collected(now, 'limits'), ...collected(now, 'options')];
		return { title: `\`${resource}\` \`${operation}\``, old, now, places };
	}),
);

test('the contract lists the parameters and options of all operations and of the trigger, and no others', () => {
	const lines = operations.map(({ title, old, now, places }) => {
		const known = new Set(places.map(({ name }) => name));
		const dropped = collected(old, 'options').filter(({ name }) => !known.has(name));
		const more = dropped.length > 0 ? `. Version 1 also: ${optionsIn(dropped)}` : '';
		return `- ${title}: ${listed(now)}${more}`;
	});
	expect(contract.split('\n').filter((line) => line.includes('; options `'))).toEqual([
		...lines,
		`- Trigger: ${listed(triggerProperties)}`,
	]);
});

test.each(operations)(
	'version 1 of $title has all its options in one collection, with the same values but one',
	({ old, places }) => {
		const options = new Map(collected(old, 'options').map((one) => [one.name, one]));
		const valueIn1 = ({ name }: INodeProperties) => {
			const option = options.get(name);
			return option && valueIfAbsent(option);
		};
		const valueIn11 = (one: INodeProperties) => {
			if (one.name === 'includeInputFields') return !valueIfAbsent(one);
			return one.name === 'memory' || one.name === 'dryRun' ? valueIn1(one) : valueIfAbsent(one);
		};
		expect(places.filter(({ name }) => !options.has(name))).toEqual([]);
		expect(places.map(valueIn1)).toEqual(places.map(valueIn11));
	},
);
