import { isRecord } from '../../nodes/MessagingGateway/common/json';

/** The part of JSON Schema that n8n's editor reads. */
export interface Schema {
	/** Of several types the editor shows the first. */
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/**
 * The schema that describes all samples: every field that one of them has, with every type that it has.
 *
 * @param samples JSON values, at least one
 * @returns the schema, its fields in the order in which they first occur and `null` after the other types
 */
export function schemaOf(samples: unknown[]): Schema {
	const types = [...new Set(samples.map(typeOf))].sort((a, b) => Number(a === 'null') - Number(b === 'null'));
	const [type = 'null'] = types;
	const records = samples.filter(isRecord);
	const elements = samples.filter(Array.isArray).flat();
	return {
		type: types.length > 1 ? types : type,
		...(records.length > 0 && { properties: propertiesOf(records) }),
		...(elements.length > 0 && { items: schemaOf(elements) }),
	};
}

function propertiesOf(records: Array<Record<string, unknown>>): Record<string, Schema> {
	const names = new Set(records.flatMap((record) => Object.keys(record)));
	return Object.fromEntries(
		[...names].map((name) => {
			const fields = records.filter((record) => Object.hasOwn(record, name)).map((record) => record[name]);
			return [name, schemaOf(fields)] as const;
		}),
	);
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'array' : typeof value;
}
