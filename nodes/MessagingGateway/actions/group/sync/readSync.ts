import { isRecord, recordOf, type JsonRecord } from '../../../common/json';
import { findOrMake, groupBy } from '../../../common/maps';
import { attempt, MissingValue, Problem } from '../../../common/problem';
import { isBlank, oneName, uncapitalized } from '../../../common/text';
import { includeInputFields, readNumberOptions } from '../../../fields/groupOptions';
import { readGroup } from '../../../fields/locators';
import { optionsReader, type Options, type ValuesOf } from '../../../fields/options';
import type { GroupRef, Participant } from '../../../groups/change';
import type { Identity } from '../../../groups/identity';
import { CONTRADICTION, contradictionsIn } from '../../../groups/sync/matchList';
import type { GroupRules, PlanRules, Row } from '../../../groups/sync/rules';
import { readGroupJid } from '../../../input/identifiers';
import { readParticipants, valuesIn } from '../../../input/participants';
import { type NumberOptions, countryProblem, isWrittenId, needsOwnAccount } from '../../../input/phoneNumber';
import { readChoice, readRequiredBoolean } from '../../../input/values';
import {
	differenceAmong,
	failAll,
	failBadItems,
	instancesThatDiffer,
	optionsThatDiffer,
	readEach,
	type BadItem,
	type FailedItem,
	type SharingItem,
} from '../../../run/items';
import type { Run } from '../../../run/operation';
import type { Parameters } from '../../../run/parameters';
import type { ReportedItem } from '../../../run/report';
import { findOwnAccounts, peopleReader, unclearAmong } from '../numbers';
import { GROUP_FIELDS, RUN_FIELDS, syncFields } from './fields';

export type SyncOptions = ValuesOf<typeof RUN_FIELDS>;

interface SyncItem extends ReportedItem<Row>, SharingItem {
	options: SyncOptions;
	rules: Omit<GroupRules, 'approved'>;
	/** Protected Participants. */
	protectedPeople: readonly Participant[];
	/** The value of Approved Changes; `undefined` unless it's added. */
	approved: unknown;
	/** Options as n8n gives them, to compare those that have to be the same in all items of the group. */
	ofGroup: Options['added'];
	/** The country code of most members, once they are read. */
	membersCode?: string | undefined;
}

/** A group, and the valid items of its list, in input order. */
export interface SyncGroup extends GroupRef {
	items: [SyncItem, ...SyncItem[]];
	rows: Row[];
	rules: GroupRules & Pick<PlanRules, 'badRow' | 'withheld' | 'bare'>;
}

const { protected: protectedPeople, whoLeft, approvedChanges, shouldBeMember } = syncFields;
const { removeAdmins, maxRemovalPercent, removeAfter } = syncFields;
const RULES = { removeAdmins, maxRemovalPercent, removeAfter };

const UNLISTED = { displayName: 'Members Not in the List' };

/** Options that have one value in a group. */
const SHARED = { unlisted: UNLISTED, ...GROUP_FIELDS };

/** Reads all items, by group. @returns no `options` without a valid one @throws unless it continues on fail */
export async function readSync(
	run: Run,
): Promise<{ groups: SyncGroup[]; failed: FailedItem[]; options?: SyncOptions | undefined }> {
	const { read, bad } = await readEach(run, syncItemReader(run));
	const byGroup = groupBy(read, ({ groupJid }) => groupJid);
	const difference = differenceAmong(read, RUN_FIELDS, 'run');
	if (difference !== undefined) return { groups: [], failed: await failAll(run, bad, difference) };
	const contradicting = new Set<number>();
	const fitting: Array<SyncGroup['items']> = [];
	for (const items of byGroup.values()) {
		await run.giveWay();
		const misfits = [...instancesThatDiffer(run, items), ...optionsThatDiffer(items, SHARED)];
		for (const misfit of misfits) bad.push(misfit);
		if (misfits.length > 0) continue;
		fitting.push(items);
		for (const item of contradictionsIn(items.flatMap(({ asked }) => asked))) contradicting.add(item);
	}
	if (bad.length === 0 || run.context.continueOnFail()) {
		const guessing = fitting.filter((items) => peopleOf(items).some(isGuess));
		const instances = guessing.map(([{ instance }]) => instance);
		if (guessing[0]) await findOwnAccounts(run, instances, guessing[0][0].options);
		const problemOf = (person: Participant, own: string | undefined) =>
			isGuess(person) ? countryProblem(person, own) : undefined;
		for (const items of guessing)
			for (const unclear of await unclearIn(run, items, problemOf)) bad.push(unclear);
	}
	for (const { item } of bad) contradicting.delete(item);
	const contradictions = [...contradicting].map((item) => ({ item, problem: CONTRADICTION }));
	const failed = await failBadItems(run, [...bad, ...contradictions]);
	const groups = groupsOf(run, byGroup, bad, contradicting);
	return { groups, failed, options: groups[0]?.items[0].options };
}

/** Lists all whom a list names, and whom it protects: the same in all its items. */
export const peopleOf = (items: SyncGroup['items']): Participant[] => [
	...items[0].protectedPeople,
	...items.flatMap(({ asked }) => asked.map(({ participant }) => participant)),
];

/** Whether a number may be of two countries. The group's members may show an ID that somebody wrote. */
const isGuess = (person: Participant): boolean => needsOwnAccount(person) && !isWrittenId(person);

/** Finds items of a group with somebody who can't be read. Of protected people, it's a fault of all items. */
export async function unclearIn(
	run: Run,
	items: SyncGroup['items'],
	problemOf: (person: Participant, own: string | undefined) => unknown,
): Promise<BadItem[]> {
	const [first] = items;
	const asked = first.protectedPeople.map((participant) => ({ participant }));
	const [ofProtected] = await unclearAmong(run, [{ ...first, asked }], problemOf);
	if (ofProtected === undefined) return await unclearAmong(run, items, problemOf);
	const problem = withListName(ofProtected.problem);
	return items.map(({ item }) => ({ item, problem }));
}

/** Makes groups of the valid items. A bad one stops the removals of its group, or of all if it names none. */
function groupsOf(
	run: Run,
	byGroup: ReadonlyMap<string, readonly SyncItem[]>,
	bad: readonly BadItem[],
	contradicting: ReadonlySet<number>,
): SyncGroup[] {
	const badItems = new Set(bad.map(({ item }) => item));
	const groupOf = (item: number) => readGroupJid(run.parameters.of(item).getLocator('group'));
	const badGroups = new Set(bad.map(({ item }) => attempt(() => groupOf(item))));
	return [...byGroup].flatMap(([groupJid, all]): SyncGroup[] => {
		const open = all.filter(({ item }) => contradicting.has(item));
		const contradicted = open.flatMap(({ asked }) => asked.map(({ participant }) => participant));
		const withheld = contradicted.map(({ identity }) => identity);
		const [first, ...others] = all.filter(({ item }) => !badItems.has(item) && !contradicting.has(item));
		if (first === undefined) return [];
		const badRow = badGroups.has(groupJid) || badGroups.has(undefined);
		const approved = readApproved(first.approved, groupJid);
		const bare = [...contradicted, ...first.protectedPeople].flatMap((person) => person.bare ?? []);
		const rules = { ...first.rules, approved, badRow, withheld, bare };
		const items: SyncGroup['items'] = [first, ...others];
		const rows = items.flatMap(({ asked }) => asked);
		return [{ instance: first.instance, groupJid, items, rows, rules }];
	});
}

function syncItemReader(run: Run): (parameters: Parameters, item: number) => Promise<SyncItem> {
	const readPeople = peopleReader(run);
	const readProtected = protectedReader();
	const readOptions = optionsReader((options, unlisted: unknown) => {
		const numbers = { ...readNumberOptions(options), readsMembers: true };
		const people = readProtected(options, numbers);
		const ids = people.map(({ identity }) => identity);
		const rules = readRules(unlisted, options, ids);
		return {
			numbers,
			rules,
			protectedPeople: people,
			includeInputFields: options.boolean(includeInputFields),
			options: options.values(RUN_FIELDS),
			approved: options.valueIfAdded(approvedChanges),
			wish: options.valueIfAdded(shouldBeMember) ?? true,
			ofGroup: { ...options.added, unlisted: rules.unlisted },
		};
	});
	return async (parameters, item) => {
		const { instance, groupJid } = readGroup(parameters);
		const options = readOptions(parameters, parameters.get('unlisted'));
		const isWanted = readRequiredBoolean(options.wish, shouldBeMember.displayName);
		const participants = await readPeople(parameters, instance, options.numbers);
		const name = nameIn(parameters.json);
		const asked = participants.map((participant) => ({ item, name, participant, shouldBeMember: isWanted }));
		return { item, instance, groupJid, asked, ...options };
	};
}

/** Fields in which sheets have a name, in any case. The first that has text counts. */
const NAME_FIELDS = ['name', 'nome', 'nombre', 'full_name', 'fullname', 'first_name'];

/** Reads the name of a row; `null` if it has fields for that, and `undefined` without such a field. */
function nameIn(json: JsonRecord): string | null | undefined {
	const fields = new Map(Object.entries(json).map(([field, value]) => [field.toLowerCase(), value]));
	const names = NAME_FIELDS.filter((field) => fields.has(field)).map((field) => oneName(fields.get(field)));
	return names.find(Boolean) ?? (names.length > 0 ? null : undefined);
}

/** @throws Problem for a rule that can't be read */
function readRules(
	unlisted: unknown,
	options: Options,
	protectedIds: readonly Identity[],
): SyncItem['rules'] {
	return {
		unlisted: readChoice(unlisted, ['keep', 'remove'], UNLISTED.displayName),
		...options.values(RULES),
		protected: protectedIds,
		whoLeft: options.choice(whoLeft, ['keepOut', 'addAgain']),
	};
}

/** Reads the approved changes of a group: text counts for all groups, an item of a dry run for its own. */
function readApproved(value: unknown, ofGroup: string): GroupRules['approved'] {
	if (value === undefined) return undefined;
	const approved = valuesIn(value).flatMap((entry) => {
		const { json = entry } = recordOf(entry);
		const { sentAs, groupJid, action }: JsonRecord = isRecord(json) ? json : { sentAs: json };
		if (isBlank(sentAs) || (!isBlank(groupJid) && groupJid !== ofGroup)) return [];
		const actions = isBlank(action) ? ['add', 'remove'] : [action];
		return actions.map((one) => `${String(one)} ${String(sentAs).trim()}`);
	});
	return new Set(approved);
}

/** Makes a reader of people who are never removed, which reads the same value once for all items. */
function protectedReader() {
	const known = new Map<string, readonly Participant[]>();
	return (options: Options, numbers: NumberOptions): readonly Participant[] => {
		const given = options.valueIfAdded(protectedPeople);
		if (given === undefined) return [];
		const key = JSON.stringify([given, numbers]);
		return findOrMake(known, key, () => readProtectedPeople(given, numbers));
	};
}

function readProtectedPeople(given: unknown, numbers: NumberOptions): readonly Participant[] {
	const label = `'${protectedPeople.displayName}'`;
	if (isBlank(given) || (Array.isArray(given) && given.length === 0))
		throw new MissingValue(`${label} is empty`, 'Enter who is never removed, or remove the option');
	try {
		return readParticipants(given, numbers);
	} catch (problem) {
		throw withListName(problem);
	}
}

/** Says which list a problem is about: people look for it among the item's own participants otherwise. */
function withListName(problem: unknown): unknown {
	if (!(problem instanceof Problem)) return problem;
	const label = `'${protectedPeople.displayName}'`;
	return new Problem(`In ${label}, ${uncapitalized(problem.message)}`, problem.description);
}
