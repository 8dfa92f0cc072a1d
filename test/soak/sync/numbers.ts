import type { OutputItem } from '../../engine/engine';
import type { NodeRun } from '../../engine/support';
import type { Received } from '../network/gateway';
import type { SyncGateway } from './gateway';
import type { Group } from './group';
import { canonical, idsOf } from './people';
import type { SyncPlan } from './plan';

/** Words of the hint, and the outcomes that they count. */
const counted = [
	{ words: 'added', action: 'add', outcome: 'done' },
	{ words: 'removed', action: 'remove', outcome: 'done' },
	{ words: 'would be (?:added|asked for)', action: 'add', outcome: 'planned' },
	{ words: 'postponed', action: 'add', outcome: 'postponed' },
];

/** What is wrong with the numbers of the hint. People whom error items hold are counted and not shown. */
export function aboutHint(plan: SyncPlan, run: NodeRun): string[] {
	const text = run.hints.join(' | ');
	const items = [...run.main, ...run.failed];
	const failed = items.some(({ error }) => error !== undefined);
	const personOf = ({ sentAs, groupJid, action }: OutputItem['json']) => {
		const { numbers, lids } = idsOf(String(sentAs));
		const asIs = plan.exact || action === 'remove';
		return `${groupJid} ${[...numbers.map((one) => (asIs ? one : canonical(one))), ...lids].join()}`;
	};
	return counted.flatMap(({ words, action, outcome }) => {
		const mine = items.filter(({ json }) => json.action === action && json.outcome === outcome);
		const is = new Set(mine.map(({ json }) => personOf(json))).size;
		const said = [...text.matchAll(new RegExp(`(\\d+) ${words}`, 'g'))].reduce(
			(sum, [, amount]) => sum + Number(amount),
			0,
		);
		const isWrong = failed ? said < is : said !== is;
		return isWrong ? [`the hint counts ${words} otherwise. ${said} said, ${is} in the output: ${text}`] : [];
	});
}

/** Whether a request certainly counts as failed. A 2xx without a list and an error counts as accepted. */
export function fails({ trouble }: Received): boolean {
	if (trouble === undefined) return false;
	const { status = 500, body } = trouble;
	const isObject = typeof body === 'object' && body !== null;
	return status >= 300 || (isObject && ('error' in body || 'status' in body));
}

/** What is wrong with the error that ended a run, and with what came after it. */
export function aboutEnd(
	plan: SyncPlan,
	run: NodeRun,
	{ received, reads }: SyncGateway,
	groups: readonly Group[],
): string[] {
	const message = run.error?.message ?? '';
	const found: string[] = [];
	const at = received.findIndex(fails);
	const failed = received[at];
	if (failed === undefined) {
		const stops = reads.some(({ trouble }) => trouble !== undefined) || /^Nothing was changed/.test(message);
		const isFine = received.length > 0 || stops || plan.options.failOnRejected === true;
		return isFine ? [] : [`the run ended without a reason. ${message}`];
	}
	if (at < received.length - 1) found.push('the run went on after a failed request');
	const group = groups.find(({ groupJid }) => groupJid === failed.groupJid);
	if (failed.trouble?.certain === 'no' && !group?.again && !group?.stopped) found.push('ended unread');
	const requests = numberIn(message, /(\d+) of \d+ requests?/);
	const ofRequests = numberIn(message, /\d+ of (\d+) requests?/) || received.length;
	const applied = numberIn(
		message,
		/requests? succeeded before this \((?:at most )?(\d+) participants? changed\)/,
	);
	const unknown = numberIn(message, /not known what became of (\d+) participant/);
	const whole = received.filter(({ trouble }) => trouble === undefined);
	const done = whole.flatMap(({ changes }) => changes).filter((one) => one.before !== one.after).length;
	const isTold = (groupJid: string) => groups.some((one) => one.groupJid === groupJid && one.again?.members);
	const mayBeOpen = received.filter(({ action, groupJid }) => action === 'add' || !isTold(groupJid));
	const open = mayBeOpen.flatMap(({ changes }) => changes).length;
	if (requests > received.length || ofRequests < received.length) found.push(`counts requests otherwise`);
	if (unknown > open) found.push(`calls unknown what the second reading tells (${open})`);
	if (applied > 0 && applied + unknown < done && whole.every(({ distortion }) => distortion === undefined))
		found.push(`counts participants otherwise, ${done} changed`);
	return found.map((one) => `the error ${one}. ${message}`);
}

/** How many are added, and who is postponed. */
export function additions(
	plan: SyncPlan,
	groups: readonly Group[],
	{ received }: SyncGateway,
	rows: readonly OutputItem[][],
): string[] {
	return [...plan.scene.network.owners.keys()].flatMap((instance) => {
		const nameOf = (sent: unknown) => canonical(String(sent).split('@')[0] ?? '');
		const mine = received.filter((one) => one.instance === instance && one.action === 'add');
		const people = new Set(mine.flatMap(({ changes }) => changes.map(({ sent }) => nameOf(sent))));
		const found = people.size > plan.maxAdditions ? [`more additions than allowed. ${people.size}`] : [];
		const ofInstance = groups.filter((group) => group.instance === instance);
		const items = new Set(ofInstance.flatMap(({ named }) => named.map(({ item }) => item)));
		const told = [...items].flatMap((item) => rows[item] ?? []).filter(({ json }) => json.action === 'add');
		for (const { json } of told) if (json.outcome === 'planned') people.add(nameOf(json.sentAs));
		const isWhole = !received.some(({ trouble }) => trouble) && !ofInstance.some(({ stopped }) => stopped);
		const postponed = told.some(({ json }) => json.outcome === 'postponed');
		if (postponed && isWhole && people.size < plan.maxAdditions && ofInstance.length === 1)
			found.push(`postponed although there was room. ${people.size} of ${plan.maxAdditions}`);
		return found;
	});
}

/** The first number that a text has in a place; 0 where it has none there. */
function numberIn(text: string, place: RegExp): number {
	return Number(place.exec(text)?.[1] ?? 0);
}
