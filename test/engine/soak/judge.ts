import type { OutputItem } from '../engine';
import type { NodeRun } from '../support';
import type { Gateway, GroupSnapshot } from '../../gateway/gateway';
import { peopleIn, personIn } from './people';
import { BAD, OWNER, type World } from './world';

const removalsAllowed = (percent: number, members: number) =>
	percent === 0 ? 0 : Math.max(3, Math.floor((percent * members) / 100));

/** What was wrong with who left a group, and who came. */
function wrongChanges(world: World, before: GroupSnapshot, after: GroupSnapshot): string[] {
	const { options, seed, unlisted } = world;
	const group = seed.instances[0]?.groups.find(({ jid }) => jid === before.groupJid);
	const rows = world.rows.filter((row) => row.group === before.groupJid);
	const named = (should: boolean) =>
		new Set(rows.filter((row) => row.should === should).flatMap(({ phones }) => phones.map(personIn)));
	const [wanted, unwanted] = [named(true), named(false)];
	const isBad = rows.some(({ phones }) => phones.includes(BAD));
	const guarded = new Set(
		String(options.protected ?? '')
			.split(',')
			.map(personIn),
	);
	const admins = new Set(before.admins.map(personIn));
	const [was, is] = [peopleIn(before), peopleIn(after)];
	const gone = [...was].filter((one) => !is.has(one));
	const come = [...is].filter((one) => !was.has(one));
	const rules: Array<[string, (one: string) => boolean]> = [
		['somebody wanted', (one) => wanted.has(one)],
		['the own account', (one) => one === personIn(OWNER)],
		['who created the group', (one) => one === personIn(group?.creator ?? '')],
		['an admin', (one) => admins.has(one) && options.removeAdmins !== true],
		['somebody protected', (one) => guarded.has(one)],
		['somebody whom no row names', (one) => unlisted === 'keep' && !unwanted.has(one)],
		['an unlisted member beside a bad row', (one) => isBad && !unwanted.has(one)],
		['anybody in a dry run', () => options.dryRun === true],
	];
	const found = rules.flatMap(([what, isBroken]) =>
		gone.filter(isBroken).map((one) => `removed ${what}. ${one}`),
	);
	const percent = Number(options.maxRemovalPercent);
	if (percent < 100 && gone.length > removalsAllowed(percent, was.size))
		found.push(`removed more than allowed. ${gone.length} of ${was.size}, ${percent} %`);
	for (const one of come) if (!wanted.has(one)) found.push(`added somebody whom no row wants. ${one}`);
	if (come.length > Number(options.maxAdditions)) found.push(`added more than allowed. ${come.length}`);
	if (come.length > 0 && options.dryRun === true) found.push(`added in a dry run. ${come.join()}`);
	return found;
}

const itemOf = ({ pairedItem }: OutputItem): number =>
	typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;

/** What an item says of a person that isn't so. */
function lieIn({ rows }: World, item: OutputItem, after: GroupSnapshot): string[] {
	const { participant, action, outcome, applied, code } = item.json;
	const row = rows[itemOf(item)];
	const isOfRow = row?.group === after.groupJid && row.phones.includes(String(participant));
	const isIn = peopleIn(after).has(personIn(String(participant)));
	const shouldBeIn = outcome === 'kept' || action === 'add' || (action === 'none' && isOfRow && row.should);
	const about = `${JSON.stringify(item.json)}`;
	if (applied === true && isIn !== shouldBeIn) return [`said to be so, and it isn't. ${about}`];
	// Who shows no number may be a member all the same, and a code 404 is about one form of a number.
	const isSeen = after.members.every((one) => !one.endsWith('@lid'));
	if (applied === false && isSeen && code !== '404' && isIn === shouldBeIn)
		return [`said not to be so, and it is. ${about}`];
	if (applied === null && outcome === 'done') return [`done, and not known. ${about}`];
	return [];
}

/** Holds what a run did and said against the groups before and after it. */
export function judge(
	world: World,
	run: NodeRun,
	gateway: Gateway,
	before: readonly GroupSnapshot[],
): string[] {
	const found: string[] = [];
	const items = [...run.main, ...run.failed];
	for (const group of before) {
		const after = gateway.group(group.instance, group.groupJid);
		if (after === undefined) continue;
		found.push(...wrongChanges(world, group, after));
		const said = items.filter(({ json, error }) => error === undefined && json.groupJid === after.groupJid);
		found.push(...said.flatMap((item) => lieIn(world, item, after)));
	}
	const hasBad = world.rows.some(({ phones }) => phones.includes(BAD));
	const isStopped = world.onError === 'stopWorkflow' && hasBad;
	if (isStopped && (run.error === undefined || gateway.calls.length > 0))
		found.push('went on in spite of a bad row');
	if (run.error === undefined) {
		const paired = new Set(items.map(itemOf));
		const lost = world.rows.flatMap((_, i) => (paired.has(i) ? [] : [i]));
		if (lost.length > 0) found.push(`lost rows. ${lost.join()}`);
	} else if (world.onError !== 'stopWorkflow') found.push(`ended. ${run.error.message}`);
	const text = JSON.stringify([run.main, run.failed, run.error, run.hints, run.run.logs, run.run.raw]);
	if (text.includes(gateway.apiKey)) found.push('the key is in what the run gave');
	return found;
}
