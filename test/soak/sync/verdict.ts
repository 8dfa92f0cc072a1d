import type { OutputItem } from '../../engine/engine';
import type { NodeRun } from '../../engine/support';
import { badItems, expect } from './expected';
import type { Logged } from './gateway';
import { type Sent, judgeGroup } from './group';
import { jidOf, type SyncPlan } from './plan';
import { aboutRequests, stopOf, safety, additions } from './requests';
import { hints, fails, aboutRunError } from './sentences';
import { readTold, shown } from './told';

/** Holds what a run of Sync says and does against the contract and the groups. */
export function judgeSync(plan: SyncPlan, run: NodeRun, log: readonly Logged[]): string[] {
	const found: string[] = [];
	const complain = (kind: string, about: string) => void found.push(`${kind}. ${about}`);
	const reads = log.filter((one) => one.kind === 'read');
	const changes = log.filter((one) => one.kind === 'change');
	const list = log.filter((one) => one.kind === 'list');
	const { bad, unclear } = badItems(plan);
	const stopping = plan.onError === 'stopWorkflow';
	const ownerOf = (instance: string) =>
		list
			.find(({ asked, owners }) => owners !== undefined && (asked === null || asked === instance))
			?.owners?.get(instance);
	aboutRequests(plan, log, complain);
	safety(
		plan,
		changes.map(({ change }) => change),
		ownerOf,
		complain,
	);

	if (stopping && bad.size > 0) {
		if (log.length > 0) complain('a bad row, and requests all the same', `${log.length} requests`);
		if (run.error === undefined) complain('a bad row did not end the run', [...bad].join());
		const named = /items? (?:is|are) not valid: ([\d, ]+)/.exec(run.error?.message ?? '')?.[1];
		const wrong = named !== undefined && named !== [...bad].sort((a, b) => a - b).join(', ');
		if (wrong && unclear.size === 0) complain('the bad items are named wrongly', run.error?.message ?? '');
		return found;
	}
	if (!stopping && run.error !== undefined) complain('the run ended', run.error.message);

	for (const instance of plan.scene.network.owners.keys())
		if (list.filter(({ asked }) => asked === null || asked === instance).length > 1)
			complain('an own account asked for twice', instance);
	const groups = [...new Set(plan.rows.flatMap(({ group }, i) => (bad.has(i) ? [] : [jidOf(group)])))];
	const told = stopping && run.error !== undefined ? undefined : readTold(plan, run);
	for (const one of told?.contradictions ?? []) found.push(one);
	const expectations = groups.map((groupJid) => {
		const [first] = reads.filter((one) => one.groupJid === groupJid);
		const instance = plan.rows.find(({ group }) => jidOf(group) === groupJid)?.instance ?? '';
		return expect(plan, groupJid, first?.members, ownerOf(instance), first?.lied ?? false);
	});
	if (stopping) {
		const must = expectations.filter(({ stops }) => stops.length > 0);
		if (must.length > 0 && changes.length > 0)
			complain(
				'a group is stopped, and others are changed',
				`${must.map(({ stops }) => stops).join()} ${run.error?.message}`,
			);
		if (must.length > 0 && run.error === undefined)
			complain('a stopped group did not end the run', `${must.map(({ stops }) => stops).join()}`);
		if (run.error !== undefined) aboutRunError(plan, run, log, expectations, complain);
	}
	const failure = log.find((one) => one.kind === 'change' && fails(one.change));
	if (stopping && run.error === undefined && failure !== undefined) {
		const missing = told?.rows.filter((items) => items.length === 0).length ?? 0;
		const action = failure.kind === 'change' ? failure.change.action : '';
		return [
			`a failed request (${action}) does not end the run, ${missing > 0 ? 'which leaves rows without items' : 'which goes on'}. ${missing} of ${plan.rows.length} rows`,
		];
	}
	if (told === undefined) return found;
	if (unclear.size > 0) return found;

	for (const item of bad)
		if (told.rows[item]?.[0]?.error === undefined)
			complain('a bad item is no error item', `item ${item}: ${shown(told.rows[item] ?? [])}`);
	const unlisted = [...told.unlisted];
	for (const expected of expectations) {
		const { groupJid, instance, first } = expected;
		const mine: OutputItem[] = [];
		while (
			unlisted[0] !== undefined &&
			(unlisted[0].error === undefined
				? unlisted[0].json.groupJid === groupJid
				: JSON.stringify(unlisted[0].pairedItem) === JSON.stringify({ item: first }))
		)
			mine.push(...unlisted.splice(0, 1));
		// On the error output they come after those of the main one.
		for (const one of [...unlisted])
			if (
				plan.onError === 'continueErrorOutput' &&
				one.error !== undefined &&
				JSON.stringify(one.pairedItem) === JSON.stringify({ item: first })
			)
				mine.push(...unlisted.splice(unlisted.indexOf(one), 1));
		const sent = changes
			.filter((one) => one.groupJid === groupJid)
			.flatMap(({ change }) => change.changes.map((each): Sent => ({ request: change, change: each })));
		judgeGroup(
			{
				plan,
				run,
				expected,
				again: reads.filter((one) => one.groupJid === groupJid)[1],
				sent,
				stopped: stopOf(log, instance),
				complain: (kind, about) => complain(kind, `${groupJid}: ${about}`),
			},
			told.rows,
			mine,
		);
	}
	if (unlisted.length > 0)
		complain('items that nobody asked for, or not group by group', shown(unlisted.slice(0, 3)));
	additions(
		plan,
		expectations,
		changes.map(({ change }) => change),
		told.rows,
		log,
		complain,
	);
	if (plan.options.failOnRejected !== true) hints(plan, run, told.rows, told.unlisted, complain);
	return found;
}
