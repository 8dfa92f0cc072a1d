import type { Participant } from '../../groups/change';
import { identityWithKey, type Identity } from '../../groups/identity';
import { describeReading, participantValues, readParticipant } from '../../input/participants';
import { type NumberOptions, countryProblem, needsOwnAccount } from '../../input/phoneNumber';
import type { BadItem } from '../../run/items';
import { keep, kept, shelfKey } from '../../run/memory';
import { mapInSteps, type Run } from '../../run/operation';
import type { Parameters } from '../../run/parameters';

/** An item that names people for an instance. */
interface NamingItem {
	item: number;
	instance: string;
	asked: ReadonlyArray<{ participant: Participant }>;
	/** The country code of most members, where nobody knows the own account. */
	membersCode?: string | undefined;
}

/** Makes a reader of the people whom items of a run name, which looks an own account up once. */
export function peopleReader(run: Run) {
	const ownOf = ownDigits(run);
	return async (parameters: Parameters, instance: string, options: NumberOptions): Promise<Participant[]> => {
		const own = ownOf({ instance });
		const values = participantValues(parameters.get('participants', ''));
		return await mapInSteps(run, values, (value) =>
			readParticipant(value, { ...options, own }, parameters.json),
		);
	};
}

/** Finds items with a number of two countries: as it is, and inside that of the instance's own account. */
export async function findUnclear(
	run: Run,
	items: ReadonlyArray<NamingItem & { options: { timeout: number } }>,
): Promise<BadItem[]> {
	const guessing = items.filter(({ asked }) => asked.some(({ participant }) => needsOwnAccount(participant)));
	const [first] = guessing;
	if (first === undefined) return [];
	const instances = guessing.map(({ instance }) => instance);
	await findOwnAccounts(run, instances, first.options);
	return await unclearAmong(run, guessing, countryProblem);
}

/** Finds the first problem of each item. @param problemOf takes the digits of the own account, if known */
export async function unclearAmong(
	run: Run,
	items: readonly NamingItem[],
	problemOf: (participant: Participant, own: string | undefined) => unknown,
): Promise<BadItem[]> {
	const ownOf = ownDigits(run);
	const bad: BadItem[] = [];
	for (const item of items) {
		await run.giveWay();
		const own = ownOf(item);
		const problems = await mapInSteps(run, item.asked, ({ participant }) => problemOf(participant, own));
		const problem = problems.find(Boolean);
		if (problem !== undefined) bad.push({ item: item.item, problem });
	}
	return bad;
}

/** Asks for the own accounts that the process doesn't know. */
export async function findOwnAccounts(
	run: Run,
	instances: readonly string[],
	options: { timeout: number },
): Promise<void> {
	const isUnknown = (instance: string) => run.account(instance).own === undefined;
	await askOwnAccounts(run, [...new Set(instances)].filter(isUnknown), options);
}

/** Asks for own accounts, each once in an execution: not every key is told. The workflow's data keep them. */
export async function askOwnAccounts(
	run: Run,
	instances: readonly string[],
	{ timeout }: { timeout: number },
): Promise<void> {
	const { account, client, execution, session } = run;
	const isOpen = (instance: string) => !session.gateway.stop.active && !account(instance).stop.active;
	const records = [...new Set(instances)]
		.filter(isOpen)
		.map((name) => ({ name, record: execution.instance(name) }));
	const unasked = records.filter(({ record }) => record.own === undefined);
	const names = unasked.map(({ name }) => name);
	const listing = names.length > 0 ? client.ownAccounts(names, timeout) : undefined;
	for (const { name, record } of unasked)
		record.own = listing?.then((owners) => {
			const owner = owners.get(name);
			if (owner !== undefined) keep(run.context, 'own', shelfKey(session.baseUrl, name), owner.key);
			account(name).own = owner ?? rememberedOwn(run, name);
			return owner;
		});
	// Another run of the execution may have asked a moment ago.
	await Promise.all(records.map(async ({ record }) => await record.own));
}

/** Says how numbers of items are read, where that may surprise. */
export async function readingHints(run: Run, items: readonly NamingItem[]): Promise<string[]> {
	const ownOf = ownDigits(run);
	const mentions = items.flatMap((item) =>
		item.asked.map(({ participant }) => ({ participant, own: ownOf(item) })),
	);
	await run.giveWay();
	return describeReading(mentions);
}

/** Gives an own account that the process or the workflow's data know. */
function rememberedOwn({ account, session, context }: Run, instance: string): Identity | undefined {
	return (
		account(instance).own ?? identityWithKey(kept(context, 'own', shelfKey(session.baseUrl, instance)) ?? '')
	);
}

/** Makes a function that gives the digits of an item's own account, or the members' country code. */
function ownDigits(run: Run) {
	const known = new Map<string, Identity | undefined>();
	return ({ instance, membersCode }: Pick<NamingItem, 'instance' | 'membersCode'>): string | undefined => {
		if (!known.has(instance)) known.set(instance, rememberedOwn(run, instance));
		const own = known.get(instance);
		return own?.kind === 'phone' ? own.digits : membersCode;
	};
}
