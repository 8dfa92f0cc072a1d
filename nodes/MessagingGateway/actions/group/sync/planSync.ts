import { groupBy } from '../../../common/maps';
import { messageOf, Problem } from '../../../common/problem';
import { hashOf } from '../../../common/text';
import { failureBehind } from '../../../gateway/failures/gatewayFailure';
import { isUnmade, type Participant } from '../../../groups/change';
import { callingCodeOf } from '../../../groups/identity';
import { People, type Member } from '../../../groups/people';
import { plan, wantedIn, type Plan } from '../../../groups/sync/plan';
import type { PlanRules } from '../../../groups/sync/rules';
import { check } from '../../../groups/sync/safetyChecks';
import { countryProblem, isWrittenId, needsOwnAccount } from '../../../input/phoneNumber';
import { failBadItems, type BadItem, type FailedItem } from '../../../run/items';
import { recallerFor } from '../../../run/memory';
import { subjectIn } from '../../../run/nodeErrors';
import type { Run } from '../../../run/operation';
import { failItem } from '../../../run/report';
import { askOwnAccounts, findOwnAccounts } from '../numbers';
import { peopleOf, unclearIn, type SyncGroup, type SyncOptions } from './readSync';

export interface PlannedGroup extends SyncGroup {
	plan: Plan;
	/** Whether the checks would stop a real run. */
	wouldStop: boolean;
	/** Time before its members and memory were read, ms since 1970. */
	plannedAt: number;
}

/** Reads every group and plans its changes. @throws the first group's problem, unless it continues on fail */
export async function planSync(
	run: Run,
	groups: readonly SyncGroup[],
	options: SyncOptions,
): Promise<{ planned: PlannedGroup[]; failed: FailedItem[] }> {
	const recall = recallerFor(run);
	const { client } = run;
	const instances = groups.map(({ instance }) => instance);
	const planned: PlannedGroup[] = [];
	const failed: FailedItem[] = [];
	const allBad: BadItem[] = [];
	for (const named of groups) {
		await run.giveWay();
		try {
			refuseOtherList(run, named, options.dryRun);
			const plannedAt = Date.now();
			const isMade = !isUnmade(named);
			const members = isMade ? await client.members(named, options) : [];
			if (isMade) await askOwnAccounts(run, instances, options);
			const { group, bad } = await checkByMembers(run, named, members, options);
			allBad.push(...bad);
			// The run ends, and needs no further reading.
			if (bad.length > 0 && !run.context.continueOnFail()) break;
			if (group === undefined) continue;
			await run.giveWay();
			const rules: PlanRules = { ...(await rulesFor(run, group, options)), memory: recall(group.groupJid) };
			const whole = plan(group.rows, members, rules);
			if (!options.dryRun) noteLeaving(run.execution.group(group), whole);
			// Nothing can be wrong with a list of members that wasn't read.
			const found: ReturnType<typeof check> = isMade ? check(whole, rules) : { plan: whole };
			const { stop, warning, wouldStop = false, ...checked } = found;
			if (stop !== undefined) throw stop;
			if (warning !== undefined) run.hints.add(warning + (groups.length > 1 ? subjectIn(group) : ''));
			planned.push({ ...group, ...checked, wouldStop, plannedAt });
		} catch (problem) {
			for (const failedItem of failGroup(run, named, problem)) failed.push(failedItem);
		}
	}
	return { planned, failed: [...failed, ...(await failBadItems(run, allBad))] };
}

async function rulesFor(
	{ execution, startedAt }: Run,
	{ rules, instance, groupJid }: SyncGroup,
	{ dryRun }: SyncOptions,
): Promise<Omit<PlanRules, 'memory'>> {
	// One of an earlier run may be another account's number by now: it would hide who may not be removed.
	const own = await execution.instance(instance).own;
	const before = execution.group({ instance, groupJid });
	const ofRun = { own: own === undefined ? [] : [own], dryRun, now: startedAt, at: Date.now(), before };
	return { ...rules, instance, groupJid, ...ofRun };
}

/** Notes the list of a group. @throws Problem where another list of this execution was synced before */
function refuseOtherList({ execution }: Run, group: SyncGroup, dryRun: boolean): void {
	const list = group.rows.map(
		({ shouldBeMember, participant }) => `${shouldBeMember} ${participant.identity.canonical}`,
	);
	const text = hashOf([...new Set(list)].sort().join());
	const record = execution.group(group);
	const { list: known = text } = record;
	if (group.rules.unlisted === 'remove' && known !== text) throw OTHER_LIST;
	// Two lists are another list than any third one.
	if (!dryRun) record.list = known === text ? text : 'several';
}

/** Notes whom a run wanted in the group, and who has left, for further runs of the execution. */
function noteLeaving({ wanted, left }: ReturnType<Run['execution']['group']>, made: Plan): void {
	for (const person of wantedIn(made.decisions)) wanted.add(person);
	for (const [person, ids] of made.left) left.set(person, ids);
}

const OTHER_LIST = new Problem(
	'members who are in another list of this execution could be removed now',
	"This execution has already synced this group with another list. In a loop, each batch would remove the members of the others: give the node the whole list at once, or set 'Members Not in the List' to keep them",
);

/** Makes all items of a group fail, for which nothing is sent. */
function failGroup(run: Run, group: SyncGroup, problem: unknown): FailedItem[] {
	const failure = failureBehind(problem);
	const sentences = [messageOf(failure ?? problem)];
	const unsent = failure ? 'group' : 'run';
	return group.items.map((item) => failItem(run, item, { cause: problem, sentences, unsent }));
}

/**
 * Checks what only the members tell: IDs that somebody wrote, and numbers, by the members' country where nobody
 * knows the own account. A bad item holds back the group's removals.
 *
 * @returns the group without its bad items; `undefined` if none is left
 */
export async function checkByMembers(
	run: Run,
	group: SyncGroup,
	members: readonly Member[],
	options: SyncOptions,
): Promise<{ group: SyncGroup | undefined; bad: BadItem[] }> {
	const people = new People(members);
	if (peopleOf(group.items).some(needsOwnAccount)) await findOwnAccounts(run, [group.instance], options);
	const problemOf = (person: Participant, own: string | undefined) => {
		const isShown = isWrittenId(person) && people.find([person.identity]).length > 0;
		return isShown ? undefined : (person.doubt ?? countryProblem(person, own));
	};
	const membersCode = codeOfMost(members);
	for (const one of group.items) one.membersCode = membersCode;
	const bad = await unclearIn(run, group.items, problemOf);
	if (bad.length === 0) return { group, bad };
	const isBad = new Set(bad.map(({ item }) => item));
	const [first, ...others] = group.items.filter(({ item }) => !isBad.has(item));
	if (first === undefined) return { group: undefined, bad };
	const items: SyncGroup['items'] = [first, ...others];
	const rows = items.flatMap(({ asked }) => asked);
	const rules = { ...group.rules, badRow: true };
	return { group: { ...group, items, rows, rules }, bad };
}

/** Gives the country code of more than half of the members' numbers. */
function codeOfMost(members: readonly Member[]): string | undefined {
	const codes = members.flatMap(({ number }) => (number === undefined ? [] : callingCodeOf(number)));
	const most = [...groupBy(codes, (code) => code).values()].find((same) => same.length * 2 > codes.length);
	return most?.[0];
}
