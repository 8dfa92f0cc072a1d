import { groupBy } from '../../../common/groupBy';
import { MissingValue, Problem } from '../../../common/problem';
import { isBlank, uncapitalized } from '../../../common/text';
import {
	failOnRejected,
	includeInputFields,
	readMemoryText,
	readNumberOptions,
	rowMemory,
} from '../../../fields/groupOptions';
import { readInstance } from '../../../fields/locators';
import { Options } from '../../../fields/options';
import type { BatchOptions } from '../../../groups/batching';
import type { GroupRef } from '../../../groups/change';
import type { Identity } from '../../../groups/identity';
import { WHO_LEFT } from '../../../groups/memory/meaning';
import { contradictionsIn } from '../../../groups/sync/matchList';
import type { GroupRules, PlanRules, Row } from '../../../groups/sync/rules';
import { readRequiredBoolean } from '../../../input/booleans';
import { readChoice } from '../../../input/choices';
import { readGroupJid } from '../../../input/identifiers';
import { readParticipants, valuesIn, type NumberOptions } from '../../../input/participants';
import {
	differenceAmong,
	failAll,
	failBadItems,
	instancesThatDiffer,
	readEach,
	type BadItem,
	type FailedItem,
	type ItemRun,
	type SharingItem,
} from '../../../run/items';
import type { Parameters } from '../../../run/parameters';
import type { ReportedItem } from '../../../run/report';
import { readRowMemory, refuseWithoutContinue } from '../../../run/rowMemory';
import type { RunOptions } from '../../../run/writer';
import { OVER_LIMIT, syncFields } from './fields';

/** What is the same for the whole run. */
export interface SyncOptions extends RunOptions, Pick<BatchOptions, 'batchSize'> {
	dryRun: boolean;
	/** Most people to add for one instance. */
	maxAdditions: number;
	/** Most people to remove for one instance. */
	maxRemovals: number;
}

/** One item of a list, checked; `asked` has the people that it names. */
interface SyncItem extends ReportedItem<Row>, SharingItem {
	exactNumbers: boolean;
	options: SyncOptions;
	rules: GroupRules;
	/** Values that have to be the same in all items of the group. */
	ofGroup: readonly unknown[];
}

/** A group, and the items that are together its list. */
export interface SyncGroup extends GroupRef {
	/** The valid ones, in input order. */
	items: [SyncItem, ...SyncItem[]];
	rules: GroupRules & Pick<PlanRules, 'exactNumbers' | 'badRow'>;
}

/** The lists of a run, by group in order of first mention; `options` is `undefined` without a valid item. */
export interface SyncLists {
	groups: SyncGroup[];
	failed: FailedItem[];
	options: SyncOptions | undefined;
}

/** Options that have to be the same for the whole run, and for a group. */
const { dryRun, maxAdditions, maxRemovals, batchSize, batchInterval } = syncFields;
const { protected: protectedPeople, removeAdmins, maxRemovalPercent, overLimit } = syncFields;
const { whoLeft, removeAfter, retryRefusedAfter, approvedChanges } = syncFields;
const OF_RUN = [...Options.ofRequests, dryRun, maxAdditions, maxRemovals, batchSize, batchInterval];
const OF_GROUP = [
	protectedPeople,
	removeAdmins,
	maxRemovalPercent,
	overLimit,
	whoLeft,
	removeAfter,
	retryRefusedAfter,
	approvedChanges,
];
const labelsOf = (fields: ReadonlyArray<{ displayName: string }>) =>
	fields.map(({ displayName }) => displayName);
const RUN_LABELS = labelsOf(OF_RUN);
const GROUP_LABELS = ['Members Not in the List', ...labelsOf(OF_GROUP)];

/**
 * Reads and checks every item, and puts the items of each group together.
 *
 * @throws why nothing is sent, unless the node continues on fail
 */
export async function readSync(run: ItemRun): Promise<SyncLists> {
	const readProtected = protectedReader();
	const { read, bad } = await readEach(run, (parameters, item) =>
		readSyncItem(run, parameters, item, readProtected),
	);
	const byGroup = groupBy(read, ({ groupJid }) => groupJid);
	const difference = await findDifference(run, read, [...byGroup.values()]);
	if (difference !== undefined)
		return { groups: [], failed: await failAll(run, bad, difference), options: undefined };
	refuseWithoutContinue(
		run,
		read.flatMap(({ asked }) => asked),
	);
	for (const items of byGroup.values()) {
		await run.giveWay();
		bad.push(...misfitsAmong(items));
	}
	const failed = await failBadItems(
		run,
		bad.sort((one, other) => one.item - other.item),
	);
	const groups = groupsOf(run, byGroup, bad);
	return { groups, failed, options: groups[0]?.items[0].options };
}

async function findDifference(
	run: ItemRun,
	read: readonly SyncItem[],
	groups: ReadonlyArray<readonly SyncItem[]>,
): Promise<Problem | undefined> {
	const ofRun = differenceAmong(run, read, RUN_LABELS, 'run');
	if (ofRun !== undefined) return ofRun;
	for (const items of groups) {
		await run.giveWay();
		const sharing = items.map(({ item, ofGroup }) => ({ item, shared: ofGroup }));
		const ofGroup = differenceAmong(run, sharing, GROUP_LABELS, 'group');
		if (ofGroup !== undefined) return ofGroup;
	}
	return undefined;
}

/** Makes groups of the valid items. A bad item holds back the removals of its group, or of all where that can't be read. */
function groupsOf(
	run: ItemRun,
	byGroup: ReadonlyMap<string, readonly SyncItem[]>,
	bad: readonly BadItem[],
): SyncGroup[] {
	const badItems = new Set(bad.map(({ item }) => item));
	const badGroups = new Set(bad.map(({ item }) => groupOfBad(run, item)));
	return [...byGroup].flatMap(([groupJid, all]): SyncGroup[] => {
		const [first, ...others] = all.filter(({ item }) => !badItems.has(item));
		if (first === undefined) return [];
		const badRow = badGroups.has(groupJid) || badGroups.has(undefined);
		const rules = { ...first.rules, exactNumbers: all.some(({ exactNumbers }) => exactNumbers), badRow };
		return [{ instance: first.instance, groupJid, items: [first, ...others], rules }];
	});
}

function groupOfBad({ parameters }: ItemRun, item: number): string | undefined {
	try {
		return readGroupJid(parameters.of(item).getLocator('group'));
	} catch {
		return undefined;
	}
}

/** @throws Problem that says what is wrong with the item */
function readSyncItem(
	run: ItemRun,
	parameters: Parameters,
	item: number,
	readProtected: ReturnType<typeof protectedReader>,
): SyncItem {
	const groupJid = readGroupJid(parameters.getLocator('group'));
	const instance = readInstance(parameters);
	const options = new Options(parameters);
	const numbers = readNumberOptions(options);
	const unlisted = parameters.get('unlisted');
	const rules = readRules(unlisted, options, readProtected(options, numbers));
	const shouldBeMember = readRequiredBoolean(parameters.get('shouldBeMember'), 'Should Be Member');
	const participants = readParticipants(parameters.get('participants'), numbers);
	const memory = readRowMemory(run, readMemoryText(options, participants.length), groupJid, participants);
	return {
		item,
		instance,
		groupJid,
		asked: participants.map((participant) => ({ item, participant, shouldBeMember, memory })),
		exactNumbers: numbers.exact,
		failOnRejected: options.boolean(failOnRejected),
		includeInputFields: options.boolean(includeInputFields),
		options: readSyncOptions(options),
		rules,
		shared: options.valuesOf(OF_RUN),
		ofGroup: [unlisted, ...options.valuesOf(OF_GROUP)],
	};
}

const UNLISTED = ['keep', 'remove'] as const satisfies Array<GroupRules['unlisted']>;

/** @throws Problem for a rule that can't be read, or for rules that don't go together */
function readRules(unlisted: unknown, options: Options, protectedIds: readonly Identity[]): GroupRules {
	const rules: GroupRules = {
		unlisted: readChoice(unlisted, UNLISTED, 'Members Not in the List'),
		removeAdmins: options.boolean(removeAdmins),
		protected: protectedIds,
		maxRemovalPercent: options.wholeNumber(maxRemovalPercent),
		overLimit: options.choice(overLimit, OVER_LIMIT),
		whoLeft: options.choice(whoLeft, WHO_LEFT),
		removeAfter: options.wholeNumber(removeAfter),
		retryRefusedAfter: options.wholeNumber(retryRefusedAfter),
		approved: readApproved(options.valueIfAdded(approvedChanges)),
	};
	const hasMemory = options.valueIfAdded(rowMemory) !== undefined;
	if (hasMemory && options.boolean(failOnRejected))
		throw new Problem(
			"'Fail if Rejected' doesn't go with 'Row Memory': a result that comes out as an error gives no memory",
			'Remove one of the two options',
		);
	if (rules.removeAfter > 0 && !hasMemory)
		throw new Problem(
			"'Remove After (Days)' needs 'Row Memory', which remembers since when people should leave",
			"Add 'Row Memory'",
		);
	if (rules.removeAfter > 0 && rules.unlisted === 'remove')
		throw new Problem(
			"'Remove After (Days)' needs a row for each person, so it doesn't go with removing members not in the list",
			"Set 'Members Not in the List' to Keep, and 'Should Be Member' to false for those who have to leave",
		);
	return rules;
}

/** Reads the approved changes: the `sentAs` of a dry run's items. @returns `undefined` where the option isn't added */
function readApproved(value: unknown): ReadonlySet<string> | undefined {
	return value === undefined ? undefined : new Set(valuesIn(value).map((sentAs) => String(sentAs).trim()));
}

/** Makes a reader of people who are never removed, which reads the same value once for all items. */
function protectedReader() {
	const known = new Map<string, readonly Identity[]>();
	return (options: Options, numbers: NumberOptions): readonly Identity[] => {
		const given = options.valueIfAdded(protectedPeople);
		if (given === undefined) return [];
		const key = JSON.stringify([given, numbers]);
		const people = known.get(key) ?? readProtectedPeople(given, numbers);
		known.set(key, people);
		return people;
	};
}

function readProtectedPeople(given: unknown, numbers: NumberOptions): readonly Identity[] {
	const label = protectedPeople.displayName;
	if (isBlank(given) || (Array.isArray(given) && given.length === 0))
		throw new MissingValue(`'${label}' is empty`, 'Enter who is never removed, or remove the option');
	try {
		return readParticipants(given, numbers).map(({ identity }) => identity);
	} catch (problem) {
		throw aboutProtected(problem);
	}
}

/** Says which list a problem is about: people look for it among the item's own participants otherwise. */
function aboutProtected(problem: unknown): unknown {
	if (!(problem instanceof Problem)) return problem;
	const { message, description, brief } = problem;
	const label = protectedPeople.displayName;
	const aboutList = `In '${label}', ${uncapitalized(message)}`;
	return new Problem(aboutList, description, brief && `in '${label}', ${brief}`);
}

function readSyncOptions(options: Options): SyncOptions {
	// Not spread: with 100,000 rows the copies take a fifth more memory.
	const { timeout, maxRetries } = options.requestOptions;
	return {
		timeout,
		maxRetries,
		dryRun: options.boolean(dryRun),
		batchSize: options.wholeNumber(batchSize),
		batchInterval: options.wholeNumber(batchInterval),
		maxAdditions: options.wholeNumber(maxAdditions),
		maxRemovals: options.wholeNumber(maxRemovals),
	};
}

/** Finds items of one group that don't go together. */
function misfitsAmong(items: readonly SyncItem[]): BadItem[] {
	const differing = instancesThatDiffer(items);
	if (differing.length > 0) return differing;
	const rows = items.flatMap(({ asked }) => asked);
	const exact = items.some(({ exactNumbers }) => exactNumbers);
	return [...contradictionsIn(rows, exact)].map(([item, problem]) => ({ item, problem }));
}
