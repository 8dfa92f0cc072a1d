import type { INodeProperties } from 'n8n-workflow';
import { recordOf, type JsonRecord } from '../../common/json';
import { Problem } from '../../common/problem';
import { quote } from '../../common/text';
import { groupLocator, instanceLocator } from '../../fields/locators';
import { collectionOf } from '../../fields/options';
import { BlockedCall } from '../../gateway/failures/gatewayFailure';
import type { GroupField } from '../../gateway/groupUpdates';
import { groupKey, type GroupRef } from '../../groups/change';
import { readChoice } from '../../input/choices';
import { LONGEST, readText } from '../../input/texts';
import type { Operation, Run } from '../../run/operation';
import { isUncertain } from '../../run/report';
import { entryOf, readBefore, runWrites, writeOptionFields, type Write, type WriteRequest } from './writes';

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
const FIELDS: Record<GroupField, Omit<INodeProperties, 'name'>> = {
	subject: { displayName: 'Name', ...TEXT, description: 'At most 100 characters' },
	description: {
		displayName: 'Description',
		...TEXT,
		typeOptions: { rows: 3 },
		description: 'At most 2,048 characters',
	},
	picture: {
		displayName: 'Picture',
		...TEXT,
		placeholder: 'e.g. https://example.com/picture.jpg, or data',
		description: `The address of a picture, or the name of an input binary field. ${NOT_READ}.`,
	},
	sendMessages: { displayName: 'Who Can Send Messages', ...WHO },
	editInfo: { displayName: 'Who Can Edit Info', ...WHO },
	disappearingMessages: {
		displayName: 'Disappearing Messages',
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
};

const FIELD_NAMES = [
	'subject',
	'description',
	'picture',
	'sendMessages',
	'editInfo',
	'disappearingMessages',
] as const;

export const updateGroup: Operation = {
	name: 'Update',
	action: 'Update group',
	description: "Change the name, description, picture or settings of a group. What is so already isn't sent.",
	fields: [
		instanceLocator,
		groupLocator,
		collectionOf(
			{ displayName: 'Update Fields', name: 'updateFields', placeholder: 'Add Field' },
			FIELD_NAMES.map((name) => ({ name, ...FIELDS[name] })),
		),
		...writeOptionFields(),
	],
	async execute(run) {
		/** The fields that groups showed last, or will show; `null` where the gateway gives nothing. */
		const shown = new Map<string, JsonRecord | null>();
		return await runWrites(run, {
			read: (parameters, group, _, item) => {
				const added = recordOf(parameters.get('updateFields', {}));
				const fields = FIELD_NAMES.filter((field) => Object.hasOwn(added, field));
				if (fields.length === 0)
					throw new Problem('Add at least one field to update', "Choose 'Add Field' below 'Update Fields'");
				return fields.map((field) => readField(run, { ...group, item, field, value: added[field] }));
			},
			prepare: async (write) => await prepare(run, shown, write),
			settle: async (write) => {
				const key = groupKey(write);
				const before = shown.get(key);
				if (before && write.asked.some((request) => isOpen(request, before)))
					shown.set(key, await settle(run, write, before));
			},
			noun: 'group',
			done: 'updated',
			outputs: FIELD_NAMES,
			messages: { done: DONE, planned: '' },
		});
	},
};

const DONE = 'The group was updated.';

/** Reads a field of an item, and makes its request. @throws Problem */
function readField(
	{ client, context }: Run,
	{ item, field, value, ...group }: GroupRef & { item: number; field: GroupField; value: unknown },
): WriteRequest {
	const { displayName: label, options } = FIELDS[field];
	const text = readText(
		value,
		`'${label}'`,
		'Enter a value, or remove the field to leave it as it is',
		field === 'subject' || field === 'description' ? LONGEST[field] : undefined,
	);
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

/** Reads the group, unless an earlier item has, and finds out what needn't be sent. A dry run plans the rest. */
async function prepare(run: Run, shown: Map<string, JsonRecord | null>, write: Write): Promise<void> {
	const key = groupKey(write);
	if (!shown.has(key))
		shown.set(
			key,
			await readBefore(run.client.groupFields(write, write.options), "the group couldn't be read"),
		);
	const before = shown.get(key) ?? {};
	const changes = write.asked.filter((request) => !isShown(before, request));
	const plan = changes.map(({ label, set }) => {
		const [[field = '', value] = []] = Object.entries(set);
		const from = before[field] === undefined ? '' : ` from ${quote(before[field])}`;
		return `'${label}'${from} to ${quote(value)}`;
	});
	const planned = `Would set ${plan.join(', ')}. Dry run: nothing was sent.`;
	for (const request of write.asked) {
		if (!changes.includes(request))
			request.entry = entryOf(write, request, 'unchanged', 'The group is like this already.');
		else if (write.options.dryRun) request.entry = entryOf(write, request, 'planned', planned);
	}
	if (write.options.dryRun)
		shown.set(
			key,
			changes.reduce((after, { set }) => ({ ...after, ...set }), before),
		);
}

/** Whether a group shows what a request sets. */
function isShown(shown: JsonRecord, { set }: WriteRequest): boolean {
	return Object.entries(set).every(([field, value]) => shown[field] === value);
}

/** Whether a request may have been carried out, and the group shows whether it was. */
function isOpen({ set, entry }: WriteRequest, shown: JsonRecord): boolean {
	const isTried = entry?.result?.outcome === 'done' || isUncertain(entry?.failure);
	return isTried && Object.keys(set).every((field) => shown[field] !== undefined);
}

/**
 * Reads the group again, which decides what became of each field: gateways take what the network doesn't do, and after a
 * lost connection or a silence nobody knows. @returns what it shows; `null` if nobody knows that now
 */
async function settle({ client }: Run, write: Write, before: JsonRecord): Promise<JsonRecord | null> {
	const failed = write.asked.find(({ entry }) => isUncertain(entry?.failure));
	const unknown = failed?.entry?.failure;
	if (failed && isUncertain(unknown)) {
		const closed = await client.session.awaitOpen(write.instance, unknown.policy.checkAfter);
		if (closed?.closedState !== undefined) {
			failed.entry = { failure: unknown.withState(closed.closedState) };
			return null;
		}
	}
	const after = await client.groupFields(write, { ...write.options, maxRetries: 0 }).catch(() => null);
	if (after === null) return null;
	for (const request of write.asked.filter((one) => isOpen(one, before) && isOpen(one, after)))
		request.entry = isShown(after, request)
			? entryOf(write, request, 'done', DONE)
			: { failure: notChanged(request, unknown) };
	// The rest isn't sent, also if that request was carried out.
	const unsent = write.asked.find(({ entry }) => entry === undefined);
	if (unsent && failed?.entry?.result && isUncertain(unknown))
		unsent.entry = { failure: new BlockedCall(unknown) };
	return after;
}

function notChanged({ label }: WriteRequest, unknown: unknown): Problem {
	const reason = isUncertain(unknown) ? unknown.message : 'The gateway took it without a word';
	return new Problem(
		`'${label}' wasn't changed: the group was read again. ${reason}`,
		'Look at the group, then run this again. A community and its announcements refuse some settings: set them on its other groups',
	);
}
