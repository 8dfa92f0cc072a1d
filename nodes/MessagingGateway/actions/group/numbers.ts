import type { Participant } from '../../groups/change';
import type { Identity } from '../../groups/identity';
import { mayBeInside } from '../../input/countryCode';
import { describeReading, isGivenOut, type Mention } from '../../input/participants';
import { countryProblem } from '../../input/phoneNumber';
import type { BadItem } from '../../run/items';
import type { Run } from '../../run/operation';

/** An item that names people for an instance. */
interface NamingItem {
	item: number;
	instance: string;
	asked: ReadonlyArray<{ participant: Participant }>;
}

/**
 * Finds items with a number of two countries: as it is, and inside that of the instance's own account. Asks for the
 * accounts where a number can be local somewhere, unless the process knows them.
 */
export async function findUnclear(
	run: Run,
	items: ReadonlyArray<NamingItem & { options: { timeout: number; dryRun: boolean } }>,
): Promise<BadItem[]> {
	// A dry run says how all numbers are read, and for that needs the account's country.
	const guessing = items.filter(({ asked, options }) =>
		asked.some(
			({ participant: { bare = '', isGuessed } }) => isGuessed && (options.dryRun || mayBeInside(bare)),
		),
	);
	const [first] = guessing;
	if (first === undefined) return [];
	const instances = new Set(guessing.map(({ instance }) => instance));
	const unknown = [...instances].filter((instance) => {
		const isKnown = run.client.session.account(instance).own !== undefined;
		return !isKnown && !run.execution.instance(instance).isOwnAsked;
	});
	for (const instance of unknown) run.execution.instance(instance).isOwnAsked = true;
	if (unknown.length > 0) await askOwnAccounts(run, unknown, first.options);
	return await unclearAmong(run, guessing);
}

export type OwnAccounts = ReadonlyMap<string, Identity | undefined>;

/** Asks for the own accounts of instances, unless they have stopped. The process knows them from then on. */
export async function askOwnAccounts(
	{ client }: Run,
	instances: Iterable<string>,
	{ timeout }: { timeout: number },
): Promise<OwnAccounts> {
	const { gateway } = client.session;
	const isOpen = (instance: string) =>
		!gateway.stop.activeFailure && !gateway.account(instance).stop.activeFailure;
	const open = [...new Set(instances)].filter(isOpen);
	if (open.length === 0) return new Map();
	const owners = await client.ownAccounts(open, { timeout, maxRetries: 0 });
	for (const [instance, owner] of owners) if (owner !== undefined) gateway.account(instance).own = owner;
	return owners;
}

/** Finds such items with what is known of the accounts. */
export async function unclearAmong(run: Run, items: readonly NamingItem[]): Promise<BadItem[]> {
	const mentionsIn = mentionReader(run);
	const bad: BadItem[] = [];
	for (const item of items) {
		await run.giveWay();
		const problem = mentionsIn(item)
			.filter(({ participant, json }) => !isGivenOut(participant, json))
			.map(({ participant, own }) => countryProblem(participant, own))
			.find(Boolean);
		if (problem !== undefined) bad.push({ item: item.item, problem });
	}
	return bad;
}

/** Whether an item names somebody whose country nothing says. */
export function hasGuess({ asked }: Pick<NamingItem, 'asked'>): boolean {
	return asked.some(({ participant }) => participant.isGuessed);
}

/** Says how numbers of items are read, where that may surprise. */
export function readingHints(run: Run, items: readonly NamingItem[], isDryRun: boolean): string[] {
	return describeReading(items.flatMap(mentionReader(run)), isDryRun);
}

function mentionReader(run: Run): (item: NamingItem) => Mention[] {
	const inputs = run.context.getInputData();
	const owners = new Map<string, string | undefined>();
	return ({ item, instance, asked }) => {
		if (!owners.has(instance)) owners.set(instance, run.client.session.account(instance).own?.digits);
		const [own, { json = {} } = {}] = [owners.get(instance), inputs[item]];
		return asked.map(({ participant }) => ({ participant, json, own }));
	};
}
