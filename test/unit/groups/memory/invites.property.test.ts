import fc from 'fast-check';
import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import type { Facts } from '../../../../nodes/MessagingGateway/groups/memory/fact';
import { decideInvite, factsAfterInvite } from '../../../../nodes/MessagingGateway/groups/memory/meaning';
import { recallForInvite } from '../../../../nodes/MessagingGateway/groups/memory/recall';
import { KnownPeople } from '../../../../nodes/MessagingGateway/groups/memory/knownPeople';
import { readRowText, rowTextAfter } from '../../../../nodes/MessagingGateway/groups/memory/text';
import { runsOf, thorough } from '../../../thorough';

/**
 * Histories of Send Invite, run after run with the same list. Three memories may know of a message: the row, n8n, and for
 * a day the process. The model notes which of them still should.
 */

const GROUP = '1@g.us';
const HOUR = 60 * 60 * 1000;
/** A week, but for the two hours by which a run may come early. */
const RETRY = (7 * 24 - 2) * HOUR;
const PHONES = ['5511999990001', '5531999990002', '4915200000003', '447700900004', '12025550105'];
const SENT = ['sent', 'unconfirmed', 'noLink'] as const;
const REFUSED = ['notFound', 'rejected'] as const;
const MEMORIES = ['row', 'n8n', 'process'] as const;
type Memory = (typeof MEMORIES)[number];

const usually = <T>(usual: T, times: number, ...others: T[]) =>
	fc.constantFrom(...Array<T>(times).fill(usual), ...others);
const history = fc.record({
	never: fc.subarray([...MEMORIES], { maxLength: 2 }),
	maxPerRun: fc.constantFrom(1, 2, 10),
	runs: fc.array(
		fc.record({
			hours: fc.constantFrom(24, 24, 24, 7),
			/** Memories that don't keep what this run does. */
			unwritten: usually<Memory | undefined>(undefined, 8, ...MEMORIES),
			/** Memories that are lost before it. */
			lost: usually<Memory | undefined>(undefined, 8, ...MEMORIES),
			replies: fc.array(
				usually<(typeof SENT)[number] | (typeof REFUSED)[number]>('sent', 3, ...SENT, ...REFUSED),
				{ minLength: PHONES.length, maxLength: PHONES.length },
			),
		}),
		{ minLength: 3, maxLength: 20 },
	),
});
type History = typeof history extends fc.Arbitrary<infer H> ? H : never;

/** Plays a history. @returns messages and tries that were one too many, with the number of memories that knew better */
function play({ never, maxPerRun, runs }: History) {
	const harms: string[] = [];
	const isCalm = !never.includes('row') && runs.every(({ unwritten, lost }) => !unwritten && !lost);
	let now = Date.UTC(2026, 10, 1, 5);
	let stored = '';
	const people = PHONES.map((phone) => ({
		phone,
		cell: '',
		process: { at: 0, facts: {} as Facts },
		/** By memory: when a message, or a refusal, was noted that is still there. */
		sent: new Map<Memory, number>(),
		refused: new Map<Memory, number>(),
		wasSent: false,
		waited: 0,
	}));
	for (const { hours, unwritten, lost, replies } of runs) {
		now += hours * HOUR;
		if (lost === 'n8n') stored = '';
		for (const one of people) {
			if (lost === 'row') one.cell = '';
			if (lost === 'process' || now - one.process.at >= 24 * HOUR) one.process = { at: 0, facts: {} };
			for (const known of [one.sent, one.refused]) {
				if (lost !== undefined) known.delete(lost);
				if (one.process.at === 0) known.delete('process');
			}
		}
		const kept = KnownPeople.read(stored, now);
		const rows = people.map((one, i) => {
			const ids = [identityFor(one.phone)];
			const memory = readRowText(one.cell, GROUP, identityFor(one.phone), now);
			const n8n = kept.find(GROUP, ids);
			const process = { facts: one.process.facts, metAt: one.process.at };
			const sources = { rows: [memory.facts], n8n, process };
			const facts = recallForInvite(sources, now);
			const step = decideInvite(facts, { now, retryRefusedAfter: 7, onlyOnce: true });
			return { one, ids, memory, facts, step, reply: replies[i] ?? 'sent' };
		});
		const due = rows
			.flatMap((row) => (row.step.do === 'send' ? [{ row, triedAt: row.step.triedAt }] : []))
			.sort((a, b) => a.triedAt - b.triedAt)
			.map(({ row }) => row);
		const served = new Set(due.slice(0, maxPerRun));
		for (const row of rows) {
			const { one, ids, memory, facts, reply } = row;
			const isServed = served.has(row);
			one.waited = due.includes(row) && !isServed ? one.waited + 1 : 0;
			if (isCalm && one.waited > 2 * PHONES.length) harms.push('waits for a turn in too many runs');
			const next = isServed ? factsAfterInvite(facts, reply, { at: now, lengthensWait: true }) : facts;
			const keeps = (which: Memory) => !never.includes(which) && unwritten !== which;
			if (keeps('row')) one.cell = rowTextAfter(memory, next);
			if (!isServed) continue;
			const isSent = SENT.some((outcome) => outcome === reply);
			const about = isSent ? one.sent : one.refused;
			if (isSent && one.wasSent) harms.push(`a message twice, and memories knew: ${one.sent.size}`);
			const recent = [...one.refused.values()].filter((at) => at + RETRY > now).length;
			if (recent > 0) harms.push(`tried too often, and memories knew: ${recent}`);
			one.wasSent ||= isSent;
			for (const which of MEMORIES) if (keeps(which)) about.set(which, now);
			const author = { node: 'invites', startedAt: now };
			if (keeps('n8n')) kept.remember({ groupJid: GROUP, ids, facts: next }, author);
			if (keeps('process')) one.process = { at: now, facts: next };
		}
		stored = kept.write();
	}
	return harms;
}

it('sends nobody a second message, and tries nobody too often, as long as one memory of three knows', () => {
	const figures = new Map<string, number>();
	fc.assert(
		fc.property(history, (one) => {
			const harms = play(one);
			for (const harm of harms) figures.set(harm, (figures.get(harm) ?? 0) + 1);
			expect(harms.filter((harm) => !harm.endsWith('knew: 0'))).toEqual([]);
		}),
		runsOf(100_000, 200),
	);
	expect(figures.get('a message twice, and memories knew: 0')).toBeGreaterThan(10);
	if (thorough) console.log([...figures].map((line) => line.join(' — ')).join('\n'));
});
