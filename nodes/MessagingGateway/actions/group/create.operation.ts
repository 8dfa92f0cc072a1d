import { NothingSent } from '../../common/problem';
import { quote } from '../../common/text';
import {
	batchInterval,
	defaultCountryCode,
	participantsField,
	readNumberOptions,
} from '../../fields/groupOptions';
import { instanceLocator } from '../../fields/locators';
import { notice, type Field, type Options, type Switch } from '../../fields/options';
import type { CreatedGroup, Group } from '../../gateway/replies/groups';
import type { RequestOptions } from '../../gateway/sender';
import type { Participant } from '../../groups/change';
import { kindsShown, People } from '../../groups/people';
import { readParticipants } from '../../input/participants';
import { LONGEST, readText } from '../../input/texts';
import type { BadItem } from '../../run/items';
import type { Operation, Run } from '../../run/operation';
import type { Parameters } from '../../run/parameters';
import { isUncertain } from '../../run/report';
import { askOwnAccounts, findUnclear, readingHints } from './numbers';
import { entryOf, readBefore, runWrites, writeOptionFields, type Write, type WriteRequest } from './writes';

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

/** A group to create, from all items of its instance and name. */
interface NewGroup {
	instance: string;
	subject: string;
	/** By all forms of a number, so that each is there once. */
	people: Map<string, Participant>;
	onlyIfMissing: boolean;
	/** The account's groups before, if they were read. */
	before?: readonly Group[];
	asked: WriteRequest[];
}

/** The group and the people of each item. */
type Named = Map<number, { group: NewGroup; asked: Array<{ participant: Participant }> }>;

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
		const groups = new Map<string, NewGroup>();
		const named: Named = new Map();
		const lists = new Map<string, Promise<Group[]>>();
		return await runWrites(run, {
			makesGroup: true,
			fields: { batchInterval: interval },
			read: (parameters, { instance }, options, item) => {
				const [group, people] = readNewGroup(run, groups, { parameters, instance, options });
				named.set(item, { group, asked: people.map((participant) => ({ participant })) });
				return group.asked;
			},
			findMisfits: async (read) => await joinPeople(run, named, read),
			prepare: async (write) => {
				const group = [...groups.values()].find(({ asked }) => asked === write.asked);
				if (!group?.onlyIfMissing) return;
				const { instance, subject, asked } = group;
				const list = lists.get(instance) ?? run.client.groups(instance, write.options);
				lists.set(instance, list);
				group.before = await readBefore(
					list,
					"the groups couldn't be read, so 'Only If Missing' can't tell whether this one is there",
				);
				const [newest, ...others] = namedGroups(group.before, subject);
				if (newest === undefined) return;
				if (others.length > 0)
					run.hints.add(`${others.length + 1} groups are named ${quote(subject)}: the newest counts`);
				const { id: groupJid, size } = newest;
				for (const request of asked)
					request.entry = entryOf({ instance, groupJid }, request, 'unchanged', EXISTS, { size });
			},
			once: run.execution.written.groups,
			noun: 'group',
			done: 'created',
			outputs: ['subject', 'size', 'notAdded'],
			messages: {
				done: 'The group was created.',
				planned: 'The group would be created. Dry run: nothing was sent.',
			},
		});
	},
};

const EXISTS = 'A group of this name is there already.';

/** Reads an item into the group of its instance and name. @returns that group, and the item's people @throws Problem */
function readNewGroup(
	run: Run,
	groups: Map<string, NewGroup>,
	{ parameters, instance, options }: { parameters: Parameters; instance: string; options: Options },
): [NewGroup, Participant[]] {
	const subject = readText(parameters.get('subject', ''), "'Name'", "Enter a 'Name'", LONGEST.subject);
	const people = readParticipants(parameters.get('participants', ''), readNumberOptions(options));
	const about = options.valueIfAdded(description);
	const text =
		about === undefined
			? undefined
			: readText(about, "'Description'", 'Enter a text, or remove the option', LONGEST.description);
	const isOnlyIfMissing = options.boolean(onlyIfMissing);
	const key = JSON.stringify([instance, subject]);
	const group: NewGroup = groups.get(key) ?? {
		instance,
		subject,
		people: new Map(),
		onlyIfMissing: false,
		asked: [],
	};
	groups.set(key, group);
	group.onlyIfMissing ||= isOnlyIfMissing;
	if (group.asked.length === 0) group.asked.push(creation(run, group));
	if (group.asked.length === 1 && text !== undefined) group.asked.push(describing(run, group, text));
	return [group, people];
}

/** Gives groups the people of all their items, but of those with a number of two countries. @returns these items */
async function joinPeople(run: Run, named: Named, read: readonly Write[]): Promise<BadItem[]> {
	const items = read.map((write) => ({ ...write, asked: named.get(write.item)?.asked ?? [] }));
	const bad = await findUnclear(run, items);
	for (const hint of readingHints(run, items, items[0]?.options.dryRun === true)) run.hints.add(hint);
	for (const { item } of bad) named.delete(item);
	for (const { group, asked } of named.values())
		for (const { participant } of asked) {
			const key = participant.identity.canonical;
			group.people.set(key, group.people.get(key) ?? participant);
		}
	return bad;
}

function creation(run: Run, group: NewGroup): WriteRequest {
	return {
		set: { subject: group.subject },
		get sends() {
			return [...group.people.keys()];
		},
		unknown: ["It's not known whether the group was created", 'Look with Get Many'],
		send: async (options) => {
			const { instance, subject } = group;
			const known = run.client.session.account(instance).own;
			const own = known ?? (await askOwnAccounts(run, [instance], options)).get(instance);
			const people = [...group.people.values()].filter(
				({ identity }) => identity.canonical !== own?.canonical,
			);
			if (people.length === 0)
				throw new NothingSent(
					`the group ${quote(subject)} would have nobody but the account itself`,
					'Add at least one other participant',
				);
			const participants = people.map(({ sentAs }) => sentAs);
			const created = await run.client
				.createGroup(instance, { subject, participants }, options)
				.catch(async (failure: unknown) => {
					const found = isUncertain(failure) && (await findNew(run, group, options));
					if (!found) throw failure;
					return found;
				});
			return { groupJid: created.id, size: created.size, ...sayWhoIsMissing(people, created) };
		},
	};
}

/** Finds a group that may have been created, if the list of groups was read before. */
async function findNew(
	{ client }: Run,
	{ instance, subject, before }: NewGroup,
	options: RequestOptions,
): Promise<CreatedGroup | undefined> {
	if (before === undefined) return undefined;
	const now = await client.groups(instance, options).catch(() => []);
	return namedGroups(now, subject).find(({ id }) => !before.some((group) => group.id === id));
}

/** Lists the groups of exactly this name, the newest first. Communities and their announcements aren't such groups. */
function namedGroups(groups: readonly Group[], subject: string): Group[] {
	const createdAt = ({ element }: Group) => Number(element.creation) || 0;
	return groups
		.filter((group) => group.element.subject === subject)
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

/** Sets the description of a group that was created. */
function describing(run: Run, { instance, asked }: NewGroup, text: string): WriteRequest {
	return {
		label: 'Description',
		set: {},
		sends: text,
		send: async (options) => {
			const result = asked[0]?.entry?.result;
			const group = { instance, groupJid: result?.groupJid ?? '' };
			await run.client.updateGroup(group, 'description', text, options);
			return result;
		},
	};
}
