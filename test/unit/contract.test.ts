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
		.filter(({ type, name }) => type !== 'notice' && name !== 'options')
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

test('the contract lists the parameters and options of all operations and of the trigger, and no others', () => {
	const lines = Object.entries(RESOURCES).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(
			([operation, { fields }]) => `- \`${resource}\` \`${operation}\`: ${listed(fields)}`,
		),
	);
	expect(contract.split('\n').filter((line) => line.includes('; options `'))).toEqual([
		...lines,
		`- Trigger: ${listed(triggerProperties)}`,
	]);
});
