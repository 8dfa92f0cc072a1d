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

/** The fields of an operation or of the trigger, as a line of the contract has them. */
function listed(fields: readonly INodeProperties[]): string {
	const options = fields.filter(({ name }) => name === 'options').flatMap(fieldsOf);
	const parameters = fields
		.filter(({ type, name }) => type !== 'notice' && name !== 'options')
		.flatMap((field) => {
			if (field.name === 'filters') return fieldsOf(field).map(({ name }) => `\`filters.${name}\``);
			if (field.name !== 'limits') return shown(field);
			return fieldsOf(field).map((one) => shown({ ...one, name: `limits.${one.name}` }, valueIfAbsent(one)));
		});
	// The trigger has a field for the instance of each event.
	return `${[...new Set(parameters)].join(', ')}; options ${options.map((one) => shown(one, valueIfAbsent(one))).join(', ')}`;
}

/** Keeps the fields that a version of the node has. */
function inVersion(version: number, fields: readonly INodeProperties[]): INodeProperties[] {
	return fields.filter(({ displayOptions }) => {
		const versions = displayOptions?.show?.['@version'];
		return versions === undefined || versions.some((one) => one === version);
	});
}

test('the contract lists the parameters and options of all operations and of the trigger, and no others', () => {
	const operations = Object.entries(RESOURCES).flatMap(([resource, one]) =>
		Object.entries(one.operations).map(([operation, { fields }]) => {
			const [old, now] = [1, 1.1].map((version) => listed(inVersion(version, fields)));
			return `- \`${resource}\` \`${operation}\`: ${now}${now === old ? '' : `. Version 1: ${old}`}`;
		}),
	);
	expect(contract.split('\n').filter((line) => line.includes('; options `'))).toEqual([
		...operations,
		`- Trigger: ${listed(triggerProperties)}`,
	]);
});
