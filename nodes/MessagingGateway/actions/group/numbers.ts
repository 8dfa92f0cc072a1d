import type { Participant } from '../../groups/change';
import type { Identity } from '../../groups/identity';
import { describeReading } from '../../input/participants';
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
 * accounts, unless the process knows them.
 */
export async function findUnclear(
	run: Run,
	items: ReadonlyArray<NamingItem & { options: { timeout: number } }>,
): Promise<BadItem[]> {
	const guessing = items.filter(hasGuess);
	const [first] = guessing;
	if (first === undefined) return [];
	const instances = guessing.map(({ instance }) => instance);
	await findOwnAccounts(run, instances, first.options);
	return await unclearAmong(run, guessing);
}

/** Asks for the own accounts that the process doesn't know, each once in an execution: not every key is told. */
export async function findOwnAccounts(
	run: Run,
	instances: readonly string[],
	options: { timeout: number },
): Promise<void> {
	const unknown = [...new Set(instances)].filter((instance) => {
		const isKnown = run.client.session.account(instance).own !== undefined;
		return !isKnown && !run.execution.instance(instance).isOwnAsked;
	});
	for (const instance of unknown) run.execution.instance(instance).isOwnAsked = true;
	if (unknown.length > 0) await askOwnAccounts(run, unknown, options);
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
	const owners = ownDigitsOf(run, items);
	const bad: BadItem[] = [];
	for (const { item, instance, asked } of items) {
		await run.giveWay();
		const own = owners.get(instance);
		const problem = asked.map(({ participant }) => countryProblem(participant, own)).find(Boolean);
		if (problem !== undefined) bad.push({ item, problem });
	}
	return bad;
}

/** Whether an item names somebody whose country nothing says. */
export function hasGuess({ asked }: Pick<NamingItem, 'asked'>): boolean {
	return asked.some(({ participant }) => participant.isGuessed);
}

/** Says how numbers of items are read, where that may surprise. */
export function readingHints(run: Run, items: readonly NamingItem[], isDryRun: boolean): string[] {
	const owners = ownDigitsOf(run, items);
	const mentions = items.flatMap(({ instance, asked }) =>
		asked.map(({ participant }) => ({ participant, own: owners.get(instance) })),
	);
	return describeReading(mentions, isDryRun);
}

/** Gives the digits of the own account of items' instances, each looked up once. */
function ownDigitsOf(run: Run, items: readonly NamingItem[]): ReadonlyMap<string, string | undefined> {
	const instances = new Set(items.map(({ instance }) => instance));
	return new Map([...instances].map((each) => [each, run.client.session.account(each).own?.digits]));
}
