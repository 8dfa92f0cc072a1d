import type { OutputItem } from '../../engine/engine';
import type { NodeRun } from '../../engine/support';
import type { Received } from '../hostile/gateway';
import type { Expected } from './expected';
import type { Logged } from './gateway';
import { canonical, idsOf } from './people';
import type { SyncPlan } from './plan';
import type { Complain } from './told';

/** The numbers of the hint against those of the output. */
export function hints(
	plan: SyncPlan,
	run: NodeRun,
	rows: readonly OutputItem[][],
	unlisted: readonly OutputItem[],
	complain: Complain,
): void {
	const text = run.hints.join(' | ');
	const people = (wanted: (json: OutputItem['json']) => boolean): number =>
		new Set(
			[...rows.flat(), ...unlisted]
				.filter(({ json, error }) => error === undefined && wanted(json))
				.map(({ json }) => {
					const { numbers, lids } = idsOf(String(json.sentAs ?? json.participant));
					return `${json.groupJid} ${[...numbers.map((one) => (plan.exact || json.action === 'remove' ? one : canonical(one))), ...lids].join()}`;
				}),
		).size;
	const number = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
	const checks: Array<[string, number, number]> = [
		['added', number(/(\d+) added/), people(({ action, outcome }) => action === 'add' && outcome === 'done')],
		[
			'removed',
			number(/(\d+) removed/),
			people(({ action, outcome }) => action === 'remove' && outcome === 'done'),
		],
		['postponed', number(/(\d+) postponed/), people(({ outcome }) => outcome === 'postponed')],
		[
			'would be added',
			number(/(\d+) would be added/),
			people(({ action, outcome }) => action === 'add' && outcome === 'planned'),
		],
	];
	// What an error item holds is counted and not shown.
	const failed = [...rows.flat(), ...unlisted].some(({ error }) => error !== undefined);
	for (const [name, said, is] of checks)
		if (failed ? said < is : said !== is)
			complain(`the hint counts ${name} otherwise`, `${said} said, ${is} in the output: ${text}`);
}

/** Whether a request certainly counts as failed. A 2xx without a list and an error counts as accepted. */
export function fails({ trouble }: Received): boolean {
	if (trouble === undefined) return false;
	const { status = 500, body } = trouble;
	return (
		status >= 300 || (typeof body === 'object' && body !== null && ('error' in body || 'status' in body))
	);
}

export function aboutRunError(
	plan: SyncPlan,
	run: NodeRun,
	log: readonly Logged[],
	expectations: readonly Expected[],
	complain: Complain,
): void {
	const message = run.error?.message ?? '';
	const changes = log.filter((one) => one.kind === 'change');
	const failedAt = log.findIndex((one) => one.kind === 'change' && fails(one.change));
	const failed = log[failedAt];
	if (failedAt >= 0 && log.slice(failedAt + 1).some(({ kind }) => kind === 'change'))
		complain('the run went on after a failed request', message);
	const none = expectations.every(({ stops, mayStop }) => stops.length + mayStop.length === 0);
	const stop = log.some((one) => one.kind === 'read' && one.trouble !== undefined);
	if (changes.length === 0 && none && !stop && plan.options.failOnRejected !== true)
		complain('the run ended without a reason', message);
	if (failed?.kind !== 'change') return;
	const { trouble } = failed.change;
	const after = log
		.slice(failedAt + 1)
		.find((one) => one.kind === 'read' && one.groupJid === failed.groupJid);
	if (trouble?.certain === 'no' && after === undefined && trouble.stops === undefined)
		complain('the run ended without reading the group', `${trouble.name}: ${message}`);
	const [, n, of, people] = (
		/(\d+) of (\d+) requests? (?:\((\d+) participants?\) )?/.exec(message) ?? []
	).map(Number);
	const before = changes.filter(({ change }) => change.trouble === undefined);
	const unknown = Number(/not known what became of (\d+) participant/.exec(message)?.[1] ?? 0);
	const again = (groupJid: string) =>
		log
			.slice(failedAt + 1)
			.find((one) => one.kind === 'read' && one.groupJid === groupJid && one.members !== undefined);
	const open = changes.flatMap(({ change, groupJid }) =>
		change.action === 'remove' && again(groupJid) !== undefined ? [] : change.changes,
	);
	if (unknown > open.length)
		complain('the error calls unknown what the second reading tells', `${message}; at most ${open.length}`);
	if (n !== undefined && (n > changes.length || (of ?? 0) < changes.length))
		complain('the error counts requests otherwise', `${message}; ${before.length} before`);
	const applied = before
		.flatMap(({ change }) => change.changes)
		.filter((one) => one.before !== one.after).length;
	if (
		people !== undefined &&
		people + unknown < applied &&
		before.every(({ change }) => change.distortion === undefined)
	)
		complain('the error counts participants otherwise', `${message}; ${applied} changed`);
}
