import type { OutputItem } from '../../engine/engine';
import type { NodeRun } from '../../engine/support';
import type { Received } from '../network/gateway';
import type { SyncGateway } from './gateway';
import type { Group } from './group';
import { canonical } from './people';
import type { SyncPlan } from './plan';

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
