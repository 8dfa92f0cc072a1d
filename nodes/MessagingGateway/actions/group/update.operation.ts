import type { INodeProperties } from 'n8n-workflow';
import { recordOf, type JsonRecord } from '../../common/json';
import { Problem } from '../../common/problem';
import { comparable, LONGEST, quote } from '../../common/text';
import { groupLocator, instanceLocator } from '../../fields/locators';
import { collectionOf } from '../../fields/options';
import type { GatewayClient } from '../../gateway/client';
import { BlockedCall, isUncertain } from '../../gateway/failures/gatewayFailure';
import { shownFields } from '../../gateway/replies/groups';
import { groupKey, type GroupRef } from '../../groups/change';
import { DRY_RUN } from '../../groups/outcomes';
import { readChoice, readName, readText } from '../../input/values';
import type { Operation, Run } from '../../run/operation';
import { readFirst } from './readFirst';
import { entryOf, readWrites, sendWrites, writeOptionFields, type Write, type WriteRequest } from './writes';

const TEXT = { type: 'string', default: '' } as const;
const WHO = {
	type: 'options',
	default: 'admins',
	options: [
		{ name: 'Admins', value: 'admins', description: 'Only admins of the group' },
		{ name: 'Everyone', value: 'everyone', description: 'All members of the group' },
	],
} satisfies Partial<INodeProperties>;
const NOT_READ = "The gateway doesn't show it, so it's sent in every run";

/** The fields in the order in which they are sent, with the choices that some have. */
const FIELDS: ReadonlyArray<INodeProperties & { name: Parameters<GatewayClient['updateGroup']>[1] }> = [
	{ displayName: 'Name', name: 'subject', ...TEXT, description: 'At most 100 characters' },
	{
		displayName: 'Description',
		name: 'description',
		...TEXT,
		typeOptions: { rows: 3 },
		description: 'At most 2,048 characters',
	},
	{
		displayName: 'Picture',
		name: 'picture',
		...TEXT,
		placeholder: 'e.g. https://example.com/picture.jpg, or data',
		description: `The address of a picture, or the name of an input binary field. ${NOT_READ}.`,
	},
	{ displayName: 'Who Can Send Messages', name: 'sendMessages', ...WHO },
	{ displayName: 'Who Can Edit Info', name: 'editInfo', ...WHO },
	{
		displayName: 'Disappearing Messages',
		name: 'disappearingMessages',
		type: 'options',
		default: 'week',
		description: `How long new messages stay. ${NOT_READ}.`,
		options: [
			{ name: '1 Day', value: 'day' },
			{ name: '7 Days', value: 'week' },
			{ name: '90 Days', value: 'quarter' },
			{ name: 'Off', value: 'off' },
		],
	},
];

export const updateGroup: Operation = {
	name: 'Update',
	action: 'Update group name, picture or settings',
	description:
		"Change the name, description, picture or settings of a group. Values that are already set aren't sent.",
	fields: [
		instanceLocator,
		groupLocator,
		collectionOf({ displayName: 'Update Fields', name: 'updateFields', placeholder: 'Add Field' }, FIELDS),
		...writeOptionFields(),
	],
	async execute(run) {
		// The fields that groups showed last, or will show after a dry run; `null` where nobody knows.
		const shown = new Map<string, JsonRecord | null>();
		const items = await readWrites(run, (parameters, group, item) => {
			const added = recordOf(parameters.get('updateFields', {}));
			const fields = FIELDS.filter(({ name }) => Object.hasOwn(added, name));
			if (fields.length === 0)
				throw new Problem('Add at least one field to update', "Choose 'Add Field' below 'Update Fields'");
			return fields.map((field) => readField(run, field, added[field.name], { ...group, item }));
		});
		return await sendWrites(run, items, {
			before: async (write) => await compare(run, shown, write),
			after: async (write) => await readAgain(run, shown, write),
			noun: 'group',
			done: 'updated',
			outputs: [],
			messages: { done: DONE, planned: '' },
		});
	},
};

const DONE = 'The group was updated.';

/** Reads a field of an item, and makes its request. @throws Problem */
function readField(
	{ client, context }: Run,
	{ displayName: label, name: field, options }: (typeof FIELDS)[number],
	value: unknown,
	{ item, ...group }: GroupRef & { item: number },
): WriteRequest {
	const advice = 'Enter a value, or remove the field to leave it as it is';
	const longest = field === 'description' ? LONGEST.description : undefined;
	const text =
		field === 'subject'
			? readName(value, `'${label}'`, advice)
			: readText(value, `'${label}'`, advice, longest);
	const isFile = field === 'picture' && Object.hasOwn(context.getInputData()[item]?.binary ?? {}, text);
	if (field === 'picture' && !isFile && !(/^https?:/i.test(text) && URL.canParse(text)))
		throw new Problem(
			`'${label}' is neither an address nor the name of an input binary field of this item: ${quote(text)}`,
			'Enter an address that begins with https://, or the name of a binary field such as data',
		);
	const choices = (options ?? []).flatMap((option) => ('value' in option ? String(option.value) : []));
	const known = options ? readChoice(text, choices, label) : text;
	return {
		label,
		set: { [field]: known },
		sends: isFile ? item : undefined,
		send: async (requestOptions) => {
			const file = isFile ? await context.helpers.getBinaryDataBuffer(item, text) : undefined;
			await client.updateGroup(group, field, file?.toString('base64') ?? known, requestOptions);
		},
	};
}

/** Reads the group, and finds what needn't be sent. A dry run plans the rest. @throws why nothing is sent */
async function compare(run: Run, shown: Map<string, JsonRecord | null>, write: Write): Promise<void> {
	const { asked, options } = write;
	const key = groupKey(write);
	const planned = options.dryRun ? shown.get(key) : undefined;
	const group = planned ? null : await readFirst(run, write, options);
	shown.set(key, planned ?? (group && shownFields(group)));
	const before = shown.get(key) ?? {};
	const changes = asked.filter((request) => !isShown(before, request));
	for (const request of asked)
		if (!changes.includes(request))
			request.entry = entryOf(write, request, 'unchanged', 'The group is like this already.');
	if (!options.dryRun) return;
	const plan = changes.map(({ label, set }) => {
		const [[field = '', value] = []] = Object.entries(set);
		const from = before[field] === undefined ? '' : ` from ${quote(before[field])}`;
		return `'${label}'${from} to ${quote(value)}`;
	});
	const message = `Would set ${plan.join(', ')}. ${DRY_RUN}`;
	for (const request of changes) request.entry = entryOf(write, request, 'planned', message);
	const after = changes.reduce((all, { set }) => ({ ...all, ...set }), before);
	shown.set(key, after);
}

/** Whether a group shows what a request sets. */
function isShown(shown: JsonRecord, { set }: WriteRequest): boolean {
	return Object.entries(set).every(([field, value]) => comparable(shown[field]) === comparable(value));
}

/** Whether a request may have been carried out, and the group shows whether it was. */
function isOpen({ set, entry }: WriteRequest, shown: JsonRecord): boolean {
	const isTried = entry?.result?.outcome === 'done' || isUncertain(entry?.failure);
	return isTried && Object.keys(set).every((field) => shown[field] !== undefined);
}

/** Reads the group again, to decide what became of each field: gateways take what the network doesn't do. */
async function readAgain(run: Run, shown: Map<string, JsonRecord | null>, write: Write): Promise<void> {
	const { asked } = write;
	const before = shown.get(groupKey(write));
	if (!before || !asked.some((request) => isOpen(request, before))) return;
	const failed = asked.find(({ entry }) => isUncertain(entry?.failure));
	const [unknown] = [failed?.entry?.failure].filter(isUncertain);
	const after = await readAfter(run, write, failed);
	if (after === null) return;
	for (const request of asked.filter((one) => isOpen(one, after)))
		request.entry = isShown(after, request)
			? entryOf(write, request, 'done', DONE)
			: { failure: notChanged(request, unknown) };
	// The rest isn't sent, also if that request was carried out.
	const unsent = asked.find(({ entry }) => entry === undefined);
	if (unsent && unknown && failed?.entry?.result) unsent.entry = { failure: new BlockedCall(unknown) };
}

/** Reads what the group shows now. @returns `null` without an answer, or if the instance isn't connected */
async function readAfter({ client, session }: Run, write: Write, failed?: WriteRequest) {
	const unknown = failed?.entry?.failure;
	if (failed && isUncertain(unknown)) {
		const closed = await session.awaitOpen(write.instance, unknown.policy.checkAfter);
		if (closed?.closedState !== undefined) {
			failed.entry = { failure: unknown.withState(closed.closedState) };
			return null;
		}
	}
	const reading = client.groupNow(write, { ...write.options, maxRetries: 0 });
	const group = await reading.catch(() => null);
	return group && shownFields(group);
}

function notChanged({ label }: WriteRequest, unknown: unknown): Problem {
	const reason = isUncertain(unknown)
		? unknown.message
		: "The gateway accepted it, but the group didn't change";
	return new Problem(
		`'${label}' wasn't changed: the group was read again. ${reason}`,
		'Look at the group, then run this again',
	);
}
