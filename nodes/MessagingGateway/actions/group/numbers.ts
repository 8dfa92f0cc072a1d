import type { Participant } from '../../groups/change';
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

/** Finds items with a number of two countries: as it is, and inside that of the instance's own account. */
export async function findUnclear(
	run: Run,
	items: ReadonlyArray<NamingItem & { options: { timeout: number } }>,
): Promise<BadItem[]> {
	const guessing = items.filter(({ asked }) => asked.some(({ participant }) => participant.isGuessed));
	const [first] = guessing;
	if (first === undefined) return [];
	const instances = guessing.map(({ instance }) => instance);
	await findOwnAccounts(run, instances, first.options);
	const owners = ownDigitsOf(run, guessing);
	const bad: BadItem[] = [];
	for (const { item, instance, asked } of guessing) {
		await run.giveWay();
		const own = owners.get(instance);
		const problem = asked.map(({ participant }) => countryProblem(participant, own)).find(Boolean);
		if (problem !== undefined) bad.push({ item, problem });
	}
	return bad;
}

/** Asks for the own accounts that the process doesn't know. */
export async function findOwnAccounts(
	run: Run,
	instances: readonly string[],
	options: { timeout: number },
): Promise<void> {
	const isUnknown = (instance: string) => run.client.session.account(instance).own === undefined;
	await askOwnAccounts(run, [...new Set(instances)].filter(isUnknown), options);
}

/** Asks for the own accounts of instances that haven't stopped, each once in an execution: not every key is told. The process knows them from then on. */
export async function askOwnAccounts(
	{ client, execution }: Run,
	instances: readonly string[],
	{ timeout }: { timeout: number },
): Promise<void> {
	const { gateway } = client.session;
	const isOpen = (instance: string) =>
		!gateway.stop.activeFailure && !gateway.account(instance).stop.activeFailure;
	const records = [...new Set(instances)]
		.filter(isOpen)
		.map((name) => ({ name, record: execution.instance(name) }));
	const unasked = records.filter(({ record }) => record.own === undefined);
	const names = unasked.map(({ name }) => name);
	const listing = names.length > 0 ? client.ownAccounts(names, timeout) : undefined;
	for (const { name, record } of unasked)
		record.own = listing?.then((owners) => {
			const owner = owners.get(name);
			if (owner !== undefined) gateway.account(name).own = owner;
			return owner;
		});
	// Another run of the execution may have asked a moment ago.
	await Promise.all(records.map(async ({ record }) => await record.own));
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
	const ownOf = (instance: string) => run.client.session.account(instance).own;
	return new Map(
		[...instances].map((each) => [each, ownOf(each)?.kind === 'phone' ? ownOf(each)?.digits : undefined]),
	);
}
