import { setTimeout as wait } from 'node:timers/promises';
import { startEngine, type Engine } from '../../engine/engine';
import { locator, runNode, type NodeRun } from '../../engine/support';
import { add, listed, sum } from '../counts';
import { apiKey } from '../hostile/gateway';
import { Random } from '../random';
import { badItems } from './expected';
import { SyncGateway } from './gateway';
import { canonical, idsOf, same } from './people';
import { jidOf, planSync, type SyncPlan } from './plan';
import { judgeSync } from './verdict';

/** A world takes a moment; this is for one that never ends. */
const runDeadline = 30_000;
const keys = [apiKey, encodeURIComponent(apiKey), Buffer.from(apiKey).toString('base64')];

function syncParameters(options: object): object {
	return {
		resource: 'group',
		operation: 'syncParticipants',
		instance: locator('={{ $json.instance }}'),
		group: locator('={{ $json.group }}'),
		participants: '={{ $json.phones }}',
		shouldBeMember: '={{ $json.should }}',
		unlisted: '={{ $json.unlisted }}',
		options,
	};
}

/** What was found in all worlds so far. */
class Findings {
	readonly contradictions: string[] = [];
	readonly outcomes = new Map<string, number>();
	worlds = 0;
	requests = 0;

	add(name: string, found: readonly string[]): void {
		this.contradictions.push(...found.map((one) => `${name}: ${one}`));
	}

	/** Prints each kind of contradiction with how often it was found, and its shortest examples. */
	tell(gateway: SyncGateway): void {
		console.log(`worlds ${this.worlds}, requests ${this.requests}, faults ${sum(gateway.faults)}`);
		console.log(`faults: ${listed(gateway.faults)}`);
		console.log(`outcomes: ${listed(this.outcomes)}`);
		const kinds = new Map<string, string[]>();
		for (const one of this.contradictions) {
			const kind = one.replace(/^world [^:]*: /, '').split('. ')[0] ?? '';
			kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
		}
		for (const [kind, all] of kinds) {
			const shortest = [...all].sort((a, b) => a.length - b.length).slice(0, 2);
			console.log(`contradiction (${all.length}): ${kind}`);
			for (const one of shortest) console.log(`    ${one}`);
		}
		console.log(`contradictions: ${this.contradictions.length}`);
	}
}

async function runOnce(engine: Engine, gateway: SyncGateway, plan: SyncPlan): Promise<NodeRun | undefined> {
	await gateway.begin(plan.scene);
	return await Promise.race([
		runNode(engine, { url: gateway.url, apiKey }, syncParameters(plan.options), plan.rows, {
			onError: plan.onError,
		}),
		wait(runDeadline, undefined, { ref: false }),
	]);
}

function judged(plan: SyncPlan, run: NodeRun, gateway: SyncGateway): string[] {
	const found = judgeSync(plan, run, gateway.log);
	found.push(...gateway.complaints);
	const text = JSON.stringify([run.main, run.failed, run.error, run.hints, run.run.logs, run.run.raw]);
	if (keys.some((key) => text.includes(key))) found.push('the key is in what the run gave');
	return found;
}

/** Whether rows want somebody in the group and out of it, by ids that no list connects: they come and go in every run. */
function comesAndGoes({ rows, scene }: SyncPlan, groupJid: string, number: string): boolean {
	const person = { numbers: [number], lids: [scene.network.person(number)?.lid ?? ''] };
	const about = rows.filter(
		({ group, phones }) => jidOf(group) === groupJid && phones.some((text) => same(idsOf(text), person)),
	);
	return new Set(about.map(({ should }) => should)).size > 1;
}

/** What a second run sends right after the first, although that left nothing to do. */
function notSettled(plan: SyncPlan, first: NodeRun, gateway: SyncGateway): string[] {
	const open = new Set(
		[...first.main, ...first.failed].flatMap(({ json, error }) =>
			error === undefined && json.applied === true
				? []
				: Object.values(idsOf(String(json.participant))).flatMap((ids: string[]) =>
						ids.map((id) => `${json.groupJid} ${canonical(id)}`),
					),
		),
	);
	// A hidden id in the sheet that no list shows is asked for again each time.
	const due = (action: string, groupJid: string, sent: string): boolean =>
		action === 'add' &&
		(sent.endsWith('@lid') || open.has(`${groupJid} ${canonical(sent.split('@')[0] ?? '')}`));
	return gateway.received.flatMap(({ action, groupJid, changes }) =>
		changes
			.filter(({ sent, asked }) => !due(action, groupJid, sent) && !comesAndGoes(plan, groupJid, asked))
			.map(({ sent }) => `a second run sends a change: ${action}. ${groupJid} ${sent}`),
	);
}

/** Sync against the hostile gateway: worlds from `from` on; `only` is shown in full instead. */
export async function soakSync(seed: number, worlds: number, from: number, only?: number): Promise<boolean> {
	console.log(`seed ${seed}`);
	const gateway = new SyncGateway();
	const findings = new Findings();
	await gateway.start();
	let engine = await startEngine(2);
	for (let number = only ?? from; number < (only === undefined ? from + worlds : only + 1); number += 1) {
		const plan = planSync(new Random(seed, number), new Random(seed, number, 1));
		const name = `world ${number}`;
		findings.worlds += 1;
		const run = await runOnce(engine, gateway, plan);
		if (run === undefined) {
			findings.add(name, ['the run did not end. ']);
			await engine.stop();
			engine = await startEngine(2);
			continue;
		}
		findings.requests += gateway.log.length;
		for (const { json, error } of [...run.main, ...run.failed])
			add(
				findings.outcomes,
				error === undefined ? `${json.action} ${json.outcome} ${json.reason ?? ''}`.trim() : 'failed',
			);
		findings.add(name, judged(plan, run, gateway));
		if (only !== undefined) tell(plan, run, gateway);

		const calm = {
			...plan,
			scene: { ...plan.scene, troubleShare: 0, distortionShare: 0, readTroubleShare: 0 },
		};
		const untroubled = gateway.log.every(
			(one) =>
				one.kind === 'list' ||
				(one.kind === 'read'
					? one.trouble === undefined && one.lied !== true
					: one.change.trouble === undefined),
		);
		const settled =
			untroubled &&
			run.error === undefined &&
			badItems(plan).bad.size === 0 &&
			run.main.every(({ error }) => error === undefined) &&
			run.failed.length === 0;
		const numbers = plan.scene.network.groups.every(({ groupJid, standings }) =>
			[...standings.keys()].every((one) => plan.scene.style(groupJid, one) !== 'hidden id'),
		);
		const again = await runOnce(engine, gateway, calm);
		if (again === undefined) continue;
		findings.add(`${name}, second run`, judged(calm, again, gateway));
		if (settled && numbers) findings.add(`${name}, second run`, notSettled(plan, run, gateway));
		if (only !== undefined) tell(calm, again, gateway);
	}
	await engine.stop();
	await gateway.stop();
	findings.tell(gateway);
	return findings.contradictions.length === 0;
}

/** Prints what a run was given, what arrived, and what it gave. */
function tell({ rows, options, onError, scene }: SyncPlan, run: NodeRun, { log }: SyncGateway): void {
	const { network } = scene;
	console.log(JSON.stringify({ options, onError, rewrites: network.rewrites, owners: [...network.owners] }));
	for (const [i, row] of rows.entries()) {
		const { instance, group, phones, should, unlisted, removeAdmins, protect, percent, dry } = row;
		const rules = `${unlisted}, ${percent} %${removeAdmins ? ', admins' : ''}${dry ? ', dry' : ''}`;
		console.log(
			`row ${i}: ${instance} ${jidOf(group)} ${phones.join(', ')} ${String(should)} (${rules}) protects ${protect}`,
		);
	}
	for (const one of log) {
		if (one.kind === 'list')
			console.log(`list: ${one.owners === undefined ? 'refused' : [...one.owners].join(' ')}`);
		if (one.kind === 'read') {
			console.log(`read ${one.instance} ${one.groupJid}: ${one.trouble?.name ?? ''}`);
			for (const member of one.members ?? []) console.log(`    ${JSON.stringify(member)}`);
		}
		if (one.kind !== 'change') continue;
		const { action, changes, trouble, applied, distortion } = one.change;
		const all = changes.map(({ sent, code, before, after }) => `${sent} ${code} ${before} → ${after}`);
		const how = [trouble?.name, applied ? 'applied' : 'not applied', distortion].filter(Boolean);
		console.log(`change ${one.instance} ${one.groupJid} ${action} [${all.join(', ')}] ${how.join(', ')}`);
	}
	for (const { json, error, pairedItem } of [...run.main, ...run.failed])
		console.log(`output ${JSON.stringify(pairedItem)}: ${error?.message ?? JSON.stringify(json)}`);
	for (const one of [run.error?.message, ...run.hints]) if (one !== undefined) console.log(one);
}
