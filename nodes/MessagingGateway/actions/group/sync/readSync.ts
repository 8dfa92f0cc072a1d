import { groupBy } from '../../../common/groupBy';
import { MissingValue, Problem } from '../../../common/problem';
import type { Steps } from '../../../common/steps';
import { quote, uncapitalized } from '../../../common/text';
import {
	failOnRejected,
	includeInputFields,
	readNumberOptions,
	readRowMemory,
} from '../../../fields/groupOptions';
import { readInstance } from '../../../fields/locators';
import { Options } from '../../../fields/options';
import type { BatchOptions } from '../../../groups/batching/plan';
import type { GroupRef } from '../../../groups/change';
import type { Identity } from '../../../groups/identity';
import { memoryOf } from '../../../groups/memory/rowText';
import { WHO_LEFT } from '../../../groups/sync/decide';
import type { RunLimits } from '../../../groups/sync/limits';
import { contradictionsIn } from '../../../groups/sync/matchList';
import {
	groupRulesOf,
	type GroupRules,
	type ItemRules,
	type PlanRules,
	type Row,
} from '../../../groups/sync/rules';
import { readRequiredBoolean } from '../../../input/booleans';
import { readChoice } from '../../../input/choices';
import { readGroupJid } from '../../../input/identifiers';
import { readEachParticipant, readParticipants, type NumberOptions } from '../../../input/participants';
import { failBadItems, type BadItem, type FailedItem, type ItemRun } from '../../../run/items';
import type { Parameters } from '../../../run/parameters';
import { FieldReader } from '../../../run/readField';
import type { ReportedItem } from '../../../run/report';
import type { RunOptions } from '../../../run/writer';
import { OVER_LIMIT, syncFields } from './syncOptions';

/** What is the same for the whole run. */
export interface SyncOptions extends RunOptions, RunLimits, Pick<BatchOptions, 'batchSize'> {
	/** In days. */
	retryRefusedAfter: number;
}

/** One item of a list, checked; `asked` has the people that it names. */
interface SyncItem extends ReportedItem<Row> {
	exactNumbers: boolean;
	options: SyncOptions;
}

/** An item as far as it can be read: also a bad one, without a value, belongs to its group, and has its say there. */
interface ItemReading {
	item: number;
	value?: SyncItem;
	problem?: unknown;
	/** `undefined` where the group can't be read. */
	groupJid: string | undefined;
	rules: ItemRules;
}

/** A group, and the items that are together its list. */
export interface SyncGroup extends GroupRef {
	/** The valid ones, in input order. */
	items: SyncItem[];
	/** Its first item, valid or not. */
	firstItem: number;
	rules: GroupRules & Pick<PlanRules, 'exactNumbers' | 'badRow'>;
}

/**
 * Reads and checks every item, and puts those of each group together.
 *
 * @returns groups in the order of their first items, and the first item's options; `undefined` without a valid item
 * @throws the first bad item's failure, unless the node continues on fail
 */
export async function readSync(
	run: ItemRun,
): Promise<{ groups: SyncGroup[]; failed: FailedItem[]; options: SyncOptions | undefined }> {
	const protectedOf = protectedReader();
	const readings: ItemReading[] = [];
	for (const item of run.context.getInputData().keys())
		readings.push(await run.eventLoop.finish(readSyncItem(run, item, protectedOf)));
	const byGroup = groupBy(readings, ({ groupJid }) => groupJid);
	const bad: BadItem[] = [];
	const groups: SyncGroup[] = [];
	for (const [groupJid, all] of byGroup) {
		await run.eventLoop.yieldIfDue();
		const problems = problemsAmong(all.flatMap(({ value }) => value ?? []));
		await run.eventLoop.yieldIfDue();
		const items = all.flatMap(({ value }) => (value && !problems.has(value.item) ? [value] : []));
		for (const { item, value, problem = problems.get(item) } of all)
			if (value === undefined || problem !== undefined) bad.push({ item, problem });
		await run.eventLoop.yieldIfDue();
		const [first] = items;
		if (groupJid === undefined || first === undefined) continue;
		groups.push({
			instance: first.instance,
			groupJid,
			items,
			firstItem: all[0].item,
			rules: {
				...groupRulesOf(all.map(({ rules }) => rules)),
				exactNumbers: items.some(({ exactNumbers }) => exactNumbers),
				badRow: byGroup.has(undefined) || items.length < all.length,
			},
		});
	}
	bad.sort((one, other) => one.item - other.item);
	const failed = await failBadItems(run, bad);
	const firstOf = ({ items: [first] }: SyncGroup) => first?.item ?? 0;
	groups.sort((one, other) => firstOf(one) - firstOf(other));
	return { failed, groups, options: groups[0]?.items[0]?.options };
}

/** Reads each rule by itself: what is wrong with an item doesn't cost anybody whom it protects their place. */
function* readSyncItem(
	run: ItemRun,
	item: number,
	protectedOf: ReturnType<typeof protectedReader>,
): Steps<ItemReading> {
	const parameters = run.parameters.of(item);
	const fields = new FieldReader();
	const groupJid = fields.read(() => readGroupJid(parameters.getLocator('group')));
	const options = fields.read(() => new Options(parameters));
	if (groupJid === undefined || options === undefined)
		return { item, groupJid, rules: {}, problem: fields.problem };
	const rules: ItemRules = {
		dryRun: fields.read(() => options.boolean(syncFields.dryRun)),
		unlisted: fields.read(() => readChoice(parameters.get('unlisted'), UNLISTED, 'Members Not in the List')),
		removeAdmins: fields.read(() => options.boolean(syncFields.removeAdmins)),
		maxRemovalPercent: fields.read(() => options.wholeNumber(syncFields.maxRemovalPercent)),
		overLimit: fields.read(() => options.choice(syncFields.overLimit, OVER_LIMIT)),
		protected: yield* protectedOf(options, fields),
	};
	if (fields.problem !== undefined) return { item, groupJid, rules, problem: fields.problem };
	try {
		return {
			item,
			groupJid,
			rules,
			value: yield* readContent(parameters, options, groupJid, item, run.startedAt),
		};
	} catch (problem) {
		return { item, groupJid, rules, problem };
	}
}

/** @throws Problem that says what is wrong with the item */
function* readContent(
	parameters: Parameters,
	options: Options,
	groupJid: string,
	item: number,
	now: number,
): Steps<SyncItem> {
	const numbers = readNumberOptions(options);
	const instance = readInstance(parameters);
	const shouldBeMember = readRequiredBoolean(parameters.get('shouldBeMember'), 'Should Be Member');
	const participants = yield* readParticipants(parameters.get('participants'), numbers);
	const { text: memoryText, ...memoryRules } = readMemoryOptions(parameters, options, participants.length);
	const isAlone = participants.length === 1;
	return {
		item,
		instance,
		groupJid,
		asked: participants.map((participant) => {
			const { memory, ...text } = memoryOf(memoryText, isAlone, groupJid, participant.identity, now);
			const remembered = memory && { memory: { ...memory, ...memoryRules } };
			return { item, participant, shouldBeMember, ...text, ...remembered };
		}),
		exactNumbers: numbers.exact,
		failOnRejected: options.boolean(failOnRejected),
		includeInputFields: options.boolean(includeInputFields),
		options: readSyncOptions(options),
	};
}

/**
 * What the row remembers, and what is made of it.
 *
 * @param participants how many the item names
 * @returns `text`: `undefined` without Row Memory
 * @throws Problem for options that don't go together
 */
function readMemoryOptions(parameters: Parameters, options: Options, participants: number) {
	const text = readRowMemory(options);
	const days = options.wholeNumber(syncFields.removeAfter);
	const misfits: ReadonlyArray<[isSo: boolean, problem: string, description: string]> = [
		[
			text !== undefined && options.boolean(failOnRejected),
			"'Fail if Rejected' doesn't go with 'Row Memory': a result that comes out as an error gives no memory",
			'Remove one of the two options',
		],
		[
			days > 0 && text === undefined,
			"'Remove After (Days)' needs 'Row Memory', which remembers since when people should leave",
			"Add the option 'Row Memory'",
		],
		[
			days > 0 && parameters.get('unlisted') === 'remove',
			"'Remove After (Days)' needs a row for each person, so it doesn't go with removing members not in the list",
			"Set 'Members Not in the List' to Keep, and 'Should Be Member' to false for those who have to leave",
		],
		[
			days > 0 && participants > 1,
			"'Remove After (Days)' needs a row for each person, and this item has several participants",
			'Split it into items with one participant each',
		],
	];
	const misfit = misfits.find(([isSo]) => isSo);
	if (misfit !== undefined) throw new Problem(misfit[1], misfit[2]);
	return { text, whoLeft: options.choice(syncFields.whoLeft, WHO_LEFT), removeAfter: days };
}

const UNLISTED = ['keep', 'remove'] as const satisfies Array<GroupRules['unlisted']>;

const EMPTY_PROTECTED = new MissingValue(
	"'Protected Participants' is empty",
	'Enter who is never removed, or remove the option',
);

/** People who are never removed, as an item names them. */
interface ProtectedPeople {
	numbers: NumberOptions;
	people: readonly Identity[];
	problem: unknown;
}

/**
 * Reads people who are never removed: those who can be read, also where others can't. What items have in common is read
 * once, since most have the same.
 */
function protectedReader() {
	const known = new Map<unknown, ProtectedPeople>();
	return function* (options: Options, fields: FieldReader): Steps<readonly Identity[] | undefined> {
		const given = options.valueIfAdded(syncFields.protected);
		if (given === undefined) return [];
		const numbers = fields.read(() => readNumberOptions(options));
		if (numbers === undefined) return undefined;
		const { exact, defaultCountryCode } = numbers;
		let found = known.get(given);
		if (found?.numbers.exact !== exact || found.numbers.defaultCountryCode !== defaultCountryCode) {
			const { participants, problem } = yield* readEachParticipant(given, numbers);
			const isEmpty = participants.length === 0 && problem instanceof MissingValue;
			const people = participants.map(({ identity }) => identity);
			found = { numbers, people, problem: isEmpty ? EMPTY_PROTECTED : aboutProtected(problem) };
			known.set(given, found);
		}
		fields.note(found.problem);
		return found.people;
	};
}

/** A problem that says which list it's about: people look for it among the item's own participants otherwise. */
function aboutProtected(problem: unknown): unknown {
	if (!(problem instanceof Problem)) return problem;
	const { description, brief } = problem;
	const message = `In '${syncFields.protected.displayName}', ${uncapitalized(problem.message)}`;
	return new Problem(message, description, brief && `in '${syncFields.protected.displayName}', ${brief}`);
}

function readSyncOptions(options: Options): SyncOptions {
	// Spread, they would cost each row more than all else that is read of it.
	const { timeout, maxRetries } = options.requestOptions;
	return {
		timeout,
		maxRetries,
		batchSize: options.wholeNumber(syncFields.batchSize),
		batchInterval: options.wholeNumber(syncFields.batchInterval),
		maxAdditions: options.wholeNumber(syncFields.maxAdditions),
		maxRemovals: options.wholeNumber(syncFields.maxRemovals),
		retryRefusedAfter: options.wholeNumber(syncFields.retryRefusedAfter),
	};
}

/** What is wrong with items of one group that don't go together, by item. */
function problemsAmong(items: readonly SyncItem[]): Map<number, Problem> {
	const instances = new Set(items.map(({ instance }) => instance));
	if (instances.size > 1) {
		const problem = new Problem(
			`Items of one group name different instances: ${[...instances].map(quote).join(', ')}`,
			'Use one instance for each group',
		);
		return new Map(items.map(({ item }) => [item, problem]));
	}
	return contradictionsIn(
		items.flatMap(({ asked }) => asked),
		items.some(({ exactNumbers }) => exactNumbers),
	);
}
