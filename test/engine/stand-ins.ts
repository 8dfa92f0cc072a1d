import type { IDataObject, INodeExecutionData, INodeProperties, INodeType } from 'n8n-workflow';

/** Stands in for one of n8n's own nodes, which are not installed. */
type StandIn = (fullName: string) => INodeType;

/** Lets items through as n8n's Filter and If do: n8n's engine itself works the conditions out. */
const filter: StandIn = (fullName) => ({
	description: {
		...descriptionOf(fullName, [
			{ ...field('conditions'), type: 'filter', default: {}, typeOptions: { filter: { version: 2 } } },
		]),
		outputs: fullName.endsWith('.if') ? ['main', 'main'] : ['main'],
	},
	async execute() {
		const passes = (item: number) =>
			this.getNodeParameter('conditions', item, false, { extractValue: true }) === true;
		const items = this.getInputData().map(({ json, binary }, item) => ({
			json,
			...(binary && { binary }),
			pairedItem: { item },
		}));
		const [kept, discarded] = [true, false].map((passing) =>
			items.filter((_, item) => passes(item) === passing),
		);
		return fullName.endsWith('.if') ? [kept ?? [], discarded ?? []] : [kept ?? []];
	},
});

/** Lets each item through at the output of the first rule that it meets, else at the one behind them, as n8n's Switch does. */
const switchNode: StandIn = (fullName) => ({
	description: {
		...descriptionOf(fullName, [
			{
				...field('rules'),
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				default: {},
				options: [
					{
						displayName: 'Rule',
						name: 'values',
						values: [
							{
								...field('conditions'),
								type: 'filter',
								default: {},
								typeOptions: { filter: { version: 2 } },
							},
						],
					},
				],
			},
		]),
		outputs: Array<'main'>(MOST_OUTPUTS).fill('main'),
	},
	async execute() {
		const { length } = Object(this.getNodeParameter('rules', 0)).values as unknown[];
		const meets = (item: number, rule: number) =>
			this.getNodeParameter(`rules.values[${rule}].conditions`, item, false, { extractValue: true }) === true;
		const outputs = Array.from({ length: length + 1 }, (): INodeExecutionData[] => []);
		for (const [item, { json }] of this.getInputData().entries()) {
			const first = [...Array(length).keys()].find((rule) => meets(item, rule)) ?? length;
			outputs[first]?.push({ json, pairedItem: { item } });
		}
		return outputs;
	},
});

const MOST_OUTPUTS = 6;

/** Sets fields of type text and no others, with a dot in their names in a field of their own, as n8n's Edit Fields does. */
const set: StandIn = (fullName) => ({
	description: descriptionOf(fullName, [field('assignments')]),
	async execute() {
		const fieldsOf = (item: number): IDataObject => {
			const json: IDataObject = {};
			for (const { name, value } of Object(this.getNodeParameter('assignments', item)).assignments) {
				const [outer, inner] = String(name).split('.');
				const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
				const given = (value ?? undefined) === undefined ? null : text;
				if (inner === undefined) json[String(outer)] = given;
				else json[String(outer)] = { ...Object(json[String(outer)]), [inner]: given };
			}
			return json;
		};
		return [this.getInputData().map((_, item) => ({ json: fieldsOf(item), pairedItem: { item } }))];
	},
});

/** Joins a field of all items with commas, as n8n's Summarize does, and gives nothing for no items. */
const summarize: StandIn = (fullName) => ({
	description: descriptionOf(fullName, [field('fieldsToSummarize')]),
	async execute() {
		const items = this.getInputData();
		const [{ field: name }] = Object(this.getNodeParameter('fieldsToSummarize', 0)).values as [
			{ field: string },
		];
		const joined = items.map(({ json }) => json[name]).join(', ');
		return [[{ json: { [`concatenated_${name}`]: joined }, pairedItem: items.map((_, item) => ({ item })) }]];
	},
});

/** Ends the run with its message. */
const stopAndError: StandIn = (fullName) => ({
	description: { ...descriptionOf(fullName, [field('errorMessage')]), outputs: [] },
	async execute() {
		throw new Error(String(this.getNodeParameter('errorMessage', 0)));
	},
});

/** Sends nothing anywhere, and gives what its fields come to for each item, and the row it would write. A mail to nobody fails as n8n's does. */
const writer =
	(...names: string[]): StandIn =>
	(fullName) => ({
		description: descriptionOf(fullName, names.map(field)),
		async execute() {
			const written = (item: number): IDataObject => {
				const values = names.map((name): [string, unknown] => [name, this.getNodeParameter(name, item, '')]);
				const fields = Object.fromEntries(values) as IDataObject;
				const row = Object(fields.columns).value as IDataObject | undefined;
				if (String(fields.toEmail ?? '-').trim() !== '') return { ...row, ...fields };
				if (this.continueOnFail()) return { error: 'No recipients defined' };
				throw new Error('No recipients defined');
			};
			return [this.getInputData().map((_, item) => ({ json: written(item), pairedItem: { item } }))];
		},
	});

/** By type: those whose part in an example a test looks at. */
export const STAND_INS: Readonly<Record<string, StandIn>> = {
	'n8n-nodes-base.filter': filter,
	'n8n-nodes-base.if': filter,
	'n8n-nodes-base.switch': switchNode,
	'n8n-nodes-base.stopAndError': stopAndError,
	'n8n-nodes-base.dataTable': writer('operation', 'tableName', 'filters', 'columns'),
	'n8n-nodes-base.googleSheets': writer('operation', 'columns'),
	'n8n-nodes-base.emailSend': writer('toEmail', 'subject', 'text', 'html', 'message'),
	'n8n-nodes-base.httpRequest': writer('url', 'jsonBody'),
	'n8n-nodes-base.gmail': writer('sendTo', 'subject', 'message'),
	'n8n-nodes-base.set': set,
	'n8n-nodes-base.summarize': summarize,
};

function field(name: string): INodeProperties {
	return { displayName: name, name, type: 'json', default: '' };
}

function descriptionOf(fullName: string, properties: INodeProperties[]): INodeType['description'] {
	return {
		displayName: fullName,
		name: fullName,
		group: ['transform'],
		version: 1,
		description: 'Stands in for a node of n8n',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties,
	};
}
