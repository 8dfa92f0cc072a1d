import type { IDataObject, INodeProperties, INodeType } from 'n8n-workflow';

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

/** Lets each item through at the output of the first of three rules that it meets, as n8n's Switch does. */
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
		outputs: ['main', 'main', 'main'],
	},
	async execute() {
		const meets = (item: number, rule: number) =>
			this.getNodeParameter(`rules.values[${rule}].conditions`, item, false, { extractValue: true }) === true;
		const first = this.getInputData().map((_, item) => [0, 1, 2].find((rule) => meets(item, rule)));
		return [0, 1, 2].map((rule) =>
			this.getInputData().flatMap(({ json }, item) =>
				first[item] === rule ? [{ json, pairedItem: { item } }] : [],
			),
		);
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
	'n8n-nodes-base.set': writer('assignments'),
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
