import { Problem } from '../../../common/problem';
import { groupBy } from '../../../common/groupBy';
import { readGroupJid } from '../../../input/identifiers';
import { readEachParticipant, readParticipants } from '../../../input/participants';
import { readYesNo } from '../../../input/booleans';
import { identityOf } from '../../../groups/identity';
import { contradictionsIn } from '../../../groups/sync/matchList';
import {
	groupRulesOf,
	type GroupRules,
	type ItemRules,
	type Row,
	type Unlisted,
} from '../../../groups/sync/rules';
import { quote } from '../../../common/text';
import { readItems, refuseItems, type FailedItem, type RefusedItem } from '../../../run/items';
import { readInstance } from '../../../fields/locators';
import type { Run } from '../../../run/operation';
import { Options } from '../../../fields/options';
import type { Parameters } from '../../../run/parameters';
import type { Pacing } from '../../../run/applyChanges';
import { failOnRejected, includeInputFields, readNumberOptions } from '../../../fields/groupOptions';
import {
	batchInterval,
	batchSize,
	dryRun,
	maxAdditions,
	maxRemovalPercent,
	protectedParticipants,
	removeAdmins,
	retryRefusedAfter,
} from './syncOptions';

/** One item of a list, checked. */
export interface SyncItem {
	item: number;
	instance: string;
	groupJid: string;
	/** The people that it names. */
	rows: Row[];
	rules: ItemRules;
	exactNumbers: boolean;
	failOnRejected: boolean;
	includeInputFields: boolean;
	/** How the run is paced, if this is its first item. */
	pace: Pace;
}

/** What is the same for the whole run. */
export interface Pace {
	pacing: Pacing;
	maxAdditions: number;
	/** In days. */
	retryRefusedAfter: number;
}

/** A group, and the items that are together its list. */
export interface SyncGroup {
	instance: string;
	groupJid: string;
	/** The valid ones, in input order. */
	items: SyncItem[];
	/** Its first item, valid or not. */
	firstItem: number;
	rules: GroupRules;
	/** Whether numbers count as they are spelled. */
	exactNumbers: boolean;
	/** Whether an item that isn't valid may name somebody of this group. */
	badRow: boolean;
}

/** What the items ask for, all of them checked. */
export interface ReadSync {
	/** In the order of their first items. */
	groups: SyncGroup[];
	failed: FailedItem[];
	/** Nothing without a valid item. */
	pace: Pace | undefined;
}

/**
 * Reads and checks every item, and puts those of each group together.
 *
 * @throws the first bad item's failure, unless the node continues on fail
 */
export async function readSync(
	run: Pick<Run, 'context' | 'parameters' | 'secrets' | 'breather'>,
): Promise<ReadSync> {
	const { read, bad: unreadable } = await readItems<SyncItem>(run, readItem);
	const refused = new Map(
		[...groupBy(read, groupOf).values()].flatMap((items) => [...contradictionsAmong(items)]),
	);
	const valid = read.filter(({ item }) => !refused.has(item));
	const contradicting = read
		.filter(({ item }) => refused.has(item))
		.map((partly) => ({ item: partly.item, problem: refused.get(partly.item), partly }));
	const bad = [...unreadable, ...contradicting].sort((one, other) => one.item - other.item);
	return { failed: await refuseItems(run, bad), groups: groupsOf(valid, bad), pace: valid[0]?.pace };
}

/** Notes what could be read before anything is wrong: a bad item still belongs to its group, and has its say there. */
function readItem(parameters: Parameters, item: number, partly: Partial<SyncItem>): SyncItem {
	const groupJid = readGroupJid(parameters.getLocator('group'));
	partly.groupJid = groupJid;
	const options = new Options(parameters);
	const rules: Mutable<ItemRules> = {};
	partly.rules = rules;
	readRules(rules, parameters, options);
	const numbers = readNumberOptions(options);
	const instance = readInstance(parameters);
	const pace = readPace(options);
	const shouldBeMember = readYesNo(parameters.get('shouldBeMember'), 'Should Be Member');
	const participants = readParticipants(parameters.get('participants'), numbers);
	return {
		item,
		instance,
		groupJid,
		rows: participants.map((participant) => ({ item, participant, shouldBeMember })),
		rules,
		exactNumbers: numbers.exact,
		failOnRejected: options.flag(failOnRejected),
		includeInputFields: options.flag(includeInputFields),
		pace,
	};
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Reads each rule by itself: what else is wrong with an item doesn't cost somebody whom it protects their place.
 *
 * @throws what is wrong with the first of them that can't be read, once the others are
 */
function readRules(rules: Mutable<ItemRules>, parameters: Parameters, options: Options): void {
	const problems: unknown[] = [];
	const read = <R extends keyof ItemRules>(rule: R, valueOf: () => ItemRules[R]): void => {
		try {
			rules[rule] = valueOf();
		} catch (problem) {
			problems.push(problem);
		}
	};
	read('dryRun', () => options.flag(dryRun));
	read('unlisted', () => readUnlisted(parameters.get('unlisted')));
	read('removeAdmins', () => options.flag(removeAdmins));
	read('maxRemovalPercent', () => options.wholeNumber(maxRemovalPercent));
	read('protected', () => readProtected(options, rules));
	if (problems.length > 0) throw problems[0];
}

function readUnlisted(value: unknown): Unlisted {
	if (value === 'keep' || value === 'remove') return value;
	throw new Problem(
		`'Members Not in the List' must be keep or remove, but it's ${quote(value ?? '')}`,
		'Choose one',
	);
}

/** Identities of people who are never removed. @throws once those that can be read are among the rules */
function readProtected(options: Options, rules: Mutable<ItemRules>): readonly string[] {
	const value = options.valueOf(protectedParticipants);
	if (value === undefined) return [];
	const { participants, problem } = readEachParticipant(value, readNumberOptions(options));
	rules.protected = participants.flatMap(({ sentAs }) => identityOf(sentAs) ?? []);
	if (problem !== undefined) throw problem;
	return rules.protected;
}

function readPace(options: Options): Pace {
	return {
		pacing: {
			...options.retryOptions,
			combineItems: true,
			batchSize: options.wholeNumber(batchSize),
			batchInterval: options.wholeNumber(batchInterval),
		},
		maxAdditions: options.wholeNumber(maxAdditions),
		retryRefusedAfter: options.wholeNumber(retryRefusedAfter),
	};
}

/** What is wrong with items of one group that don't go together, by item. */
function contradictionsAmong(items: readonly SyncItem[]): Map<number, Problem> {
	const instances = new Set(items.map(({ instance }) => instance));
	if (instances.size > 1) {
		const problem = new Problem(
			`Items of one group name different instances: ${[...instances].map(quote).join(', ')}`,
			'Use one instance for each group',
		);
		return new Map(items.map(({ item }) => [item, problem]));
	}
	return contradictionsIn(
		items.flatMap(({ rows }) => rows),
		items.some((item) => item.exactNumbers),
	);
}

function groupsOf(valid: readonly SyncItem[], bad: ReadonlyArray<RefusedItem<SyncItem>>): SyncGroup[] {
	const badByGroup = groupBy(bad, ({ partly }) => partly.groupJid);
	const isBadAnywhere = badByGroup.has(undefined);
	return [...groupBy(valid, groupOf)].map(([groupJid, items]): SyncGroup => {
		const [first] = items;
		const badOnes = badByGroup.get(groupJid) ?? [];
		const all = [...items, ...badOnes.map(({ item, partly }) => ({ item, rules: partly.rules ?? {} }))].sort(
			(one, other) => one.item - other.item,
		);
		return {
			instance: first.instance,
			groupJid,
			items,
			firstItem: all[0]?.item ?? first.item,
			rules: groupRulesOf(all.map(({ rules }) => rules)),
			exactNumbers: items.some((item) => item.exactNumbers),
			badRow: isBadAnywhere || badOnes.length > 0,
		};
	});
}

function groupOf({ groupJid }: SyncItem): string {
	return groupJid;
}
