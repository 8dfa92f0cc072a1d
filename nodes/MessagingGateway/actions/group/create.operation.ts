import { groupBy } from '../../common/groupBy';
import { NothingSent } from '../../common/problem';
import { comparable, quote } from '../../common/text';
import {
	batchInterval,
	defaultCountryCode,
	participantsField,
	readNumberOptions,
} from '../../fields/groupOptions';
import { instanceLocator } from '../../fields/locators';
import { notice, type Field, type Options, type Switch } from '../../fields/options';
import type { GatewayClient } from '../../gateway/client';
import type { CreatedGroup, Group } from '../../gateway/replies/groups';
import type { RequestOptions } from '../../gateway/sender';
import type { Participant } from '../../groups/change';
import { kindsShown, People } from '../../groups/people';
import { readParticipants } from '../../input/participants';
import { LONGEST, readText } from '../../input/texts';
import { differenceAmong, type BadItem } from '../../run/items';
import type { Operation, Run } from '../../run/operation';
import type { Parameters } from '../../run/parameters';
import { isUncertain } from '../../run/report';
import { findOwnAccounts, findUnclear, readingHints } from './numbers';
import {
	entryOf,
	keyOf,
	readBefore,
	runWrites,
	writeOptionFields,
	type Write,
	type WriteRequest,
} from './writes';

const interval = { ...batchInterval, default: 30_000 };

const onlyIfMissing: Switch = {
	displayName: 'Only If Missing',
	name: 'onlyIfMissing',
	type: 'boolean',
	default: false,
	absent: true,
	description: 'Whether to create the group only if the account is in none of exactly this name',
};

const description: Field<string> = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	description: 'At most 2,048 characters',
};

/** By instance, the groups as they were read last, and when that began, in ms since 1970. */
type Lists = Map<string, { readAt: number; groups: Promise<Group[]> }>;

/** `isOther`: whether the group turned out to be another execution's. */
type Creation = WriteRequest & { isOther?: boolean };

/** An item, and what it says of its group. */
interface GroupRow {
	item: number;
	instance: string;
	subject: string;
	asked: ReadonlyArray<{ participant: Participant }>;
	/** Those that items of one name share. */
	options: { description: string | undefined; onlyIfMissing: boolean };
	/** The requests for the group, once all rows are read. */
	requests: WriteRequest[];
}

export const createGroup: Operation = {
	name: 'Create',
	action: 'Create group',
	description:
		"Create a group with its first people. It can't be taken back. Items of the same name make one group.",
	fields: [
		instanceLocator,
		notice(
			'createNotice',
			'Create few groups, and only with people who know this account: networks restrict accounts that create many.',
		),
		{
			displayName: 'Name',
			name: 'subject',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Course of March',
			description: 'At most 100 characters. Items of the same name make one group of all their people.',
		},
		participantsField,
		...writeOptionFields({ options: [defaultCountryCode, description, onlyIfMissing], interval }),
	],
	async execute(run) {
		const rows: GroupRow[] = [];
		const lists: Lists = new Map();
		return await runWrites(run, {
			makesGroup: true,
			fields: { batchInterval: interval },
			read: (parameters, { instance }, options, item) => {
				const row = { item, instance, ...readGroupRow(parameters, options), requests: [] };
				rows.push(row);
				return row.requests;
			},
			findMisfits: async ([first]) => (first ? await joinRows(run, rows, lists, first.options) : []),
			prepare: async (write) => {
				const row = rows.find(({ requests }) => requests === write.asked);
				if (row) await findExisting(run, lists, write, row);
			},
			once: run.execution.written.groups,
			noun: 'group',
			done: 'created',
			outputs: ['size', 'notAdded'],
			messages: {
				done: 'The group was created.',
				planned: 'The group would be created. Dry run: nothing was sent.',
			},
		});
	},
};

const EXISTS = 'A group of this name is there already.';
const NOT_ADDED = `${EXISTS} Nobody was added to it.`;

/** Reads what an item says of its group. @throws Problem */
function readGroupRow(parameters: Parameters, options: Options) {
	const subject = readText(parameters.get('subject', ''), "'Name'", "Enter a 'Name'", LONGEST.subject);
	const people = readParticipants(
		parameters.get('participants', ''),
		readNumberOptions(options),
		parameters.json,
	);
	const about = options.valueIfAdded(description);
	const text =
		about === undefined
			? undefined
			: readText(about, "'Description'", 'Enter a text, or remove the option', LONGEST.description);
	return {
		subject,
		asked: people.map((participant) => ({ participant })),
		options: { description: text, onlyIfMissing: options.boolean(onlyIfMissing) },
	};
}

/** Makes one group of all rows of an instance and name. @returns rows with a number of two countries, or whose options differ */
async function joinRows(
	run: Run,
	rows: readonly GroupRow[],
	lists: Lists,
	options: Write['options'],
): Promise<BadItem[]> {
	const naming = rows.map((row) => ({ ...row, options }));
	const bad = await findUnclear(run, naming);
	const isUnclear = new Set(bad.map(({ item }) => item));
	const clear = rows.filter(({ item }) => !isUnclear.has(item));
	for (const hint of readingHints(run, clear)) run.hints.add(hint);
	const groups = groupBy(clear, ({ instance, subject }) => JSON.stringify([instance, comparable(subject)]));
	for (const ofGroup of groups.values()) {
		const problem = differenceAmong(ofGroup, { description, onlyIfMissing }, 'group');
		if (problem !== undefined) bad.push(...ofGroup.map(({ item }) => ({ item, problem })));
		const requests = requestsFor(run, ofGroup, lists);
		for (const row of ofGroup) row.requests.push(...requests);
	}
	return bad;
}

/** Finds the group that a row names, if this execution has made it, or if only a missing one is wanted. */
async function findExisting(
	run: Run,
	lists: Lists,
	write: Write,
	{ instance, subject, options, requests }: GroupRow,
): Promise<void> {
	for (const request of requests) {
		const { groupJid } = run.execution.written.groups.get(keyOf(write, request))?.result ?? {};
		// Its people may be others, in the next round of a loop.
		if (groupJid) request.entry = entryOf(write, request, 'unchanged', EXISTS, { groupJid });
	}
	if (requests[0]?.entry || !options.onlyIfMissing) return;
	const [newest, ...others] = namedGroups(await readList(run, lists, instance, write.options), subject);
	if (newest === undefined) return;
	if (others.length > 0)
		run.hints.add(`${others.length + 1} groups are named ${quote(subject)}: the newest counts`);
	const { id: groupJid, size } = newest;
	for (const request of requests)
		request.entry = entryOf(write, request, 'unchanged', NOT_ADDED, { groupJid, size });
}

/** Reads the groups of an instance, unless they have been since. @throws why nothing is created */
async function readList(
	{ client }: Run,
	lists: Lists,
	instance: string,
	options: RequestOptions,
	since = 0,
): Promise<Group[]> {
	const known = lists.get(instance);
	const isNew = known !== undefined && known.readAt > since;
	const list = isNew ? known : { readAt: Date.now(), groups: client.groups(instance, options) };
	lists.set(instance, list);
	return await readBefore(
		list.groups,
		"the groups couldn't be read, so 'Only If Missing' can't tell whether this one is there",
	);
}

/** Makes the requests for a group: its creation with the people of all its rows, each once, and its description. */
function requestsFor(run: Run, rows: readonly [GroupRow, ...GroupRow[]], lists: Lists): WriteRequest[] {
	const { client } = run;
	const [
		{
			instance,
			subject,
			options: { description: text, onlyIfMissing: isListed },
		},
	] = rows;
	const named = rows.flatMap(({ asked }) => asked.map(({ participant }) => participant));
	// One for all forms of a number.
	const byPerson = groupBy(named, ({ identity }) => identity.canonical);
	const everybody = [...byPerson.values()].map(([first]) => first);
	const set = { subject, groupJid: null };
	const creation: Creation = {
		set,
		unknown: ["It's not known whether the group was created", 'Look with Get Many'],
		send: async (options) => {
			await findOwnAccounts(run, [instance], options);
			const account = client.session.account(instance);
			const { own, made } = account;
			const people = everybody.filter(({ identity }) => identity.canonical !== own?.canonical);
			if (people.length === 0)
				throw new NothingSent(
					`the group ${quote(subject)} would have nobody but the account itself`,
					'Add at least one other participant',
				);
			// Two executions at once read the list before either has made the group, and it would be made twice.
			const isMadeByOther = isListed && made !== undefined && made.by !== run.execution;
			const list = isMadeByOther ? await readList(run, lists, instance, options, made.at) : [];
			const [other] = namedGroups(list, subject);
			if (other) {
				creation.isOther = true;
				return { outcome: 'unchanged', message: NOT_ADDED, groupJid: other.id, size: other.size };
			}
			const body = { subject, participants: people.map(({ sentAs }) => sentAs) };
			const created = await create(client, instance, body, isListed, options).finally(() => {
				account.made = { by: run.execution, at: Date.now() };
			});
			return { groupJid: created.id, size: created.size, ...sayWhoIsMissing(people, created) };
		},
	};
	return text === undefined ? [creation] : [creation, describing(run, instance, creation, text)];
}

/** Creates a group. After a lost answer, the list tells: if it was read before, there was none of this name. */
async function create(
	client: GatewayClient,
	instance: string,
	body: { subject: string; participants: string[] },
	isListed: boolean,
	options: RequestOptions,
): Promise<CreatedGroup> {
	return await client.createGroup(instance, body, options).catch(async (failure: unknown) => {
		const canTell = isListed && isUncertain(failure);
		const now = canTell ? await client.groups(instance, options).catch(() => []) : [];
		const [found]: CreatedGroup[] = namedGroups(now, body.subject);
		if (found === undefined) throw failure;
		return found;
	});
}

/** Sets the description of a group that was created. */
function describing({ client }: Run, instance: string, creation: Creation, text: string): WriteRequest {
	return {
		label: 'Description',
		set: creation.set,
		sends: text,
		send: async (options) => {
			const result = creation.entry?.result;
			if (creation.isOther) return result;
			const group = { instance, groupJid: result?.groupJid ?? '' };
			await client.updateGroup(group, 'description', text, options);
			return result;
		},
	};
}

/** Lists the groups of exactly this name, the newest first. Communities and their announcements aren't such groups. */
function namedGroups(groups: readonly Group[], subject: string): Group[] {
	const name = comparable(subject);
	const createdAt = ({ element }: Group) => Number(element.creation) || 0;
	return groups
		.filter(({ element }) => comparable(element.subject) === name)
		.filter(({ isCommunity, announcementsOf }) => !isCommunity && announcementsOf === undefined)
		.sort((group, other) => createdAt(other) - createdAt(group));
}

/** Compares who was to be in a new group with who is: gateways leave people out without a word. */
function sayWhoIsMissing(people: readonly Participant[], { members }: CreatedGroup) {
	const found = members && new People(members);
	const missing = people.filter(({ identity }) => found?.find([identity]).length === 0);
	const isShown = members !== undefined && kindsShown(members).phone;
	if (members === undefined || (missing.length > 0 && !isShown))
		return { message: "The group was created. Who couldn't be added isn't shown: see Get Participants." };
	if (missing.length === 0) return {};
	return {
		message: `The group was created; ${missing.length} of ${people.length} people couldn't be added: invite them.`,
		notAdded: missing.map(({ given }) => given),
	};
}
