import { groupBy } from '../../common/maps';
import { NothingSent } from '../../common/problem';
import { comparable, count, LONGEST, nameSome, quote, sayPeople } from '../../common/text';
import {
	batchInterval,
	defaultCountryCode,
	participantsField,
	readNumberOptions,
} from '../../fields/groupOptions';
import { instanceLocator, readInstance } from '../../fields/locators';
import { notice, Options, type Field, type Switch } from '../../fields/options';
import { isUncertain, type GatewayFailure } from '../../gateway/failures/gatewayFailure';
import type { GroupWithMembers } from '../../gateway/replies/groups';
import type { RequestOptions } from '../../gateway/sender';
import type { Participant } from '../../groups/change';
import { sayWhoIsIn, sayWhoIsMissing } from '../../groups/notAdded';
import { readName, readText } from '../../input/values';
import { optionsThatDiffer, readItems, type BadItem } from '../../run/items';
import type { Operation, Run } from '../../run/operation';
import type { Parameters } from '../../run/parameters';
import { GroupFinder, namedGroups, rememberedGroup, rememberGroup } from './findGroup';
import { findOwnAccounts, findUnclear, peopleReader, readingHints } from './numbers';
import {
	entryOf,
	keyOf,
	readWriteOptions,
	sendWrites,
	WRITE_FIELDS,
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
	description: "Whether to create the group only if the account isn't in a group with exactly this name",
};

const description: Field<string> = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	description: 'At most 2,048 characters',
};

/** An item, and what it says of its group. */
interface GroupRow extends Omit<Write, 'groupJid' | 'asked'> {
	subject: string;
	asked: ReadonlyArray<{ participant: Participant }>;
	/** Those that items of one name share. */
	ofGroup: { description: string | undefined; onlyIfMissing: boolean };
}

/** A group of all items of an instance and name. */
interface WantedGroup {
	instance: string;
	subject: string;
	rows: readonly GroupRow[];
	/** Each once in all forms of a number. */
	people: Participant[];
	onlyIfMissing: boolean;
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
		const fields = { ...WRITE_FIELDS, batchInterval: interval };
		const { read, failed } = await readItems(run, groupReader(run), fields, findMisfits);
		const instances = read.map(({ instance }) => instance);
		if (read[0]) await findOwnAccounts(run, instances, read[0].options);
		for (const hint of await readingHints(run, read)) run.hints.add(hint);
		const finder = new GroupFinder(run);
		const groups = [...groupBy<GroupRow, string>(read, groupOf).values()];
		const wanted = groups.map((rows) => wantedGroup(run, finder, rows));
		const writes = wanted.flatMap((group) =>
			group.rows.map((row) => ({ ...row, groupJid: '', asked: group.requests, group })),
		);
		const items = { read: writes, failed };
		return await sendWrites(run, items, {
			before: async (write) => await findExisting(run, finder, write, write.group),
			once: run.execution.written.groups,
			noun: 'group',
			done: () => `created${read[0]?.options.dryRun ? sayWithHowMany(wanted) : ''}`,
			outputs: ['size', 'notAdded'],
			messages: { done: 'The group was created.', planned: 'The group would be created.' },
		});
	},
};

const groupOf = ({ instance, subject }: GroupRow) => JSON.stringify([instance, comparable(subject)]);

/** Makes a reader of what items say of their groups. It throws why nothing is created. */
function groupReader(run: Run) {
	const readPeople = peopleReader(run);
	return async (parameters: Parameters, item: number): Promise<GroupRow> => {
		const options = new Options(parameters);
		const instance = readInstance(parameters);
		const people = await readPeople(parameters, instance, readNumberOptions(options));
		const about = options.valueIfAdded(description);
		const advice = 'Enter a text, or remove the option';
		const readDescription = () => readText(about, "'Description'", advice, LONGEST.description);
		return {
			item,
			instance,
			subject: readName(parameters.get('subject', ''), "'Name'", "Enter a 'Name'"),
			asked: people.map((participant) => ({ participant })),
			ofGroup: {
				description: about === undefined ? undefined : readDescription(),
				onlyIfMissing: options.boolean(onlyIfMissing),
			},
			...readWriteOptions(options, { batchInterval: interval }),
		};
	};
}

/** Finds rows with a number of two countries, and those of a group whose options differ. */
async function findMisfits(run: Run, rows: readonly GroupRow[]): Promise<BadItem[]> {
	const bad = await findUnclear(run, rows);
	const isUnclear = new Set(bad.map(({ item }) => item));
	const clear = rows.filter(({ item }) => !isUnclear.has(item));
	const groups = [...groupBy<GroupRow, string>(clear, groupOf).values()];
	return [
		...bad,
		...groups.flatMap((rowsOfOne) => optionsThatDiffer(rowsOfOne, { description, onlyIfMissing })),
	];
}

/** Makes a group of its rows, with its requests: the creation with all people, and the description. */
function wantedGroup(run: Run, finder: GroupFinder, rows: readonly [GroupRow, ...GroupRow[]]): WantedGroup {
	const [{ instance, subject, ofGroup }] = rows;
	const named = rows.flatMap(({ asked }) => asked.map(({ participant }) => participant));
	const byPerson = groupBy(named, ({ identity }) => identity.canonical);
	const creation: WriteRequest = {
		set: { subject, groupJid: null },
		unknown: ["It's not known whether the group was created", 'Look with Get Many'],
		send: async (options) => await create(run, finder, group, options),
	};
	const { description: text, onlyIfMissing: isOnlyIfMissing } = ofGroup;
	const people = [...byPerson.values()].map(([first]) => first);
	const requests = text === undefined ? [creation] : [creation, describing(run, instance, creation, text)];
	const group = { instance, subject, rows, people, onlyIfMissing: isOnlyIfMissing, requests };
	return group;
}

/** Sets the description of a group that was created. */
function describing({ client }: Run, instance: string, creation: WriteRequest, text: string): WriteRequest {
	return {
		label: 'Description',
		set: creation.set,
		sends: text,
		send: async (options) => {
			const result = creation.entry?.result;
			await client.updateGroup({ instance, groupJid: result?.groupJid ?? '' }, 'description', text, options);
			return result;
		},
	};
}

/** Finds a group that this execution made, or that needn't be made. @throws why nothing is created */
async function findExisting(run: Run, finder: GroupFinder, write: Write, group: WantedGroup): Promise<void> {
	const { instance, subject, requests } = group;
	const madeBy = (request: WriteRequest) =>
		run.execution.written.groups.get(keyOf(write, request))?.result?.groupJid;
	const [groupJid] = requests.flatMap((request) => madeBy(request) ?? []);
	const { own } = run.account(instance);
	group.people = group.people.filter(({ identity }) => identity.canonical !== own?.canonical);
	if (groupJid === undefined && group.people.length === 0)
		throw new NothingSent(
			`the group ${quote(subject)} would have nobody but the account itself`,
			'Add at least one other participant',
		);
	// Its people may be others, in the next round of a loop.
	const isSent = (request: WriteRequest) => groupJid === undefined || madeBy(request) !== undefined;
	const found =
		groupJid !== undefined
			? await finder.read({ instance, groupJid }, write.options)
			: group.onlyIfMissing && (await finder.find(group, write.options));
	if (!found) return;
	const { message, ...more } = describeExisting(run, group, found);
	for (const request of requests.filter(isSent))
		request.entry = entryOf(write, request, 'unchanged', message, more);
}

/** Gives the output fields of a group that is there, and says who of the rows isn't in it. */
function describeExisting(
	{ hints }: Run,
	group: WantedGroup,
	found: Awaited<ReturnType<GroupFinder['read']>>,
) {
	const { people, rows, subject } = group;
	const { id: groupJid, size, members = [] } = found;
	const { message, notAdded } = sayWhoIsIn(people, found.members);
	if (notAdded?.length === people.length && members.length > 1)
		hints.add(
			`Nobody of ${count(rows.length, 'item')} is in ${quote(subject)}: if it is another client's group, use another name`,
		);
	return { message, groupJid, size, ...(notAdded && { notAdded }) };
}

/** Creates a group in its turn, unless another execution has made it meanwhile. */
async function create(run: Run, finder: GroupFinder, group: WantedGroup, options: RequestOptions) {
	const { instance, subject, people, onlyIfMissing: isOnlyIfMissing } = group;
	const made = rememberedGroup(run, group, 'process');
	if (isOnlyIfMissing && made !== undefined && !finder.gone.has(made)) {
		// Its description is the other execution's.
		group.requests.splice(1);
		const found = await finder.read({ instance, groupJid: made }, options);
		return { outcome: 'unchanged', ...describeExisting(run, group, found) };
	}
	const body = { subject, participants: people.map(({ sentAs }) => sentAs) };
	const created = await run.client.createGroup(instance, body, options).catch(async (failure: unknown) => {
		const found =
			isOnlyIfMissing && isUncertain(failure) ? await findCreated(run, group, failure, options) : undefined;
		if (found === undefined) throw failure;
		return found;
	});
	rememberGroup(run, group, created.id);
	return { groupJid: created.id, size: created.size, ...sayWhoIsMissing(people, created.members) };
}

/** Looks after a lost answer whether the group was made. @throws if the instance isn't connected any more */
async function findCreated(
	{ client, session }: Run,
	{ instance, subject }: WantedGroup,
	failure: GatewayFailure,
	options: RequestOptions,
): Promise<GroupWithMembers | undefined> {
	// Read at once, the list fails: a gateway connects again in seconds.
	const closed = await session.awaitOpen(instance, failure.policy.checkAfter);
	if (closed?.closedState !== undefined) throw failure.withState(closed.closedState);
	const now = await client.groups(instance, options).catch(() => []);
	return namedGroups(now, subject)[0];
}

/** Says with how many people groups would begin: ` with 10 people`. */
function sayWithHowMany(wanted: readonly WantedGroup[]): string {
	const planned = wanted.filter(({ requests }) => requests[0]?.entry?.result?.outcome === 'planned');
	return ` with ${nameSome(planned.map(({ people }) => sayPeople(people.length)))}`;
}
