import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import { InviteMemory, type InviteStore } from '../../../../nodes/MessagingGateway/groups/invites/memory';
import type { InviteRow } from '../../../../nodes/MessagingGateway/groups/invites/plan';
import { memoryOf } from '../../../../nodes/MessagingGateway/groups/memory/rowText';
import { inviteRow } from '../../support';

const GROUP = '120363000000000101@g.us';
const ANA = identityFor('5531999990002');
const NOW = Date.UTC(2026, 10, 21, 9);
const sure = (at: number) => ({ invited: { at } });
const unsure = (at: number) => ({ maybeInvited: { at } });

/** n8n, which keeps one thing. */
function storeOf(stored?: unknown) {
	const write = jest.fn((invited: unknown) => (stored = invited));
	return { read: () => stored, write };
}

const stores = new WeakMap<InviteMemory, InviteStore>();

/** The memory of a run with these rows. */
function memoryOfRows(store: InviteStore, rows: InviteRow[], inExecution?: InviteMemory) {
	const memory = new InviteMemory(store, inExecution);
	for (const row of rows) memory.addRow(row);
	stores.set(memory, store);
	return memory;
}

/** The memory of a run in which n8n gave this. */
const memoryWith = (stored: unknown, rows: InviteRow[] = [], store: InviteStore = storeOf(stored)) =>
	memoryOfRows(store, rows);

/** What n8n has been given to keep. */
const storedOf = (memory: InviteMemory) => stores.get(memory)?.read();

/** The memory of a later run. */
const kept = (memory: InviteMemory) => memoryWith(JSON.parse(JSON.stringify(storedOf(memory))));

describe('the memory of invites', () => {
	it('knows whom it noted, by group and under every form of a number, also after it was kept', () => {
		const memory = memoryWith(undefined);
		memory.note(GROUP, ANA, 'invited', NOW);

		for (const known of [memory, kept(memory)]) {
			expect(known.find(GROUP, ANA)).toEqual(sure(NOW));
			expect(known.find(GROUP, identityFor('553199990002'))).toEqual(sure(NOW));
			expect(known.find(GROUP, identityFor('5531999990003'))).toBeUndefined();
			expect(known.find('120363000000000102@g.us', ANA)).toBeUndefined();
		}
	});

	it('forgets whom it took back', () => {
		const store = storeOf();
		const memory = memoryWith(undefined, [], store);
		const takeBack = memory.note(GROUP, ANA, 'invited', NOW);
		memory.note(GROUP, identityFor('447700900001'), 'invited', NOW);
		takeBack();
		expect(store.write).toHaveBeenCalledTimes(3);

		expect(kept(memory).find(GROUP, ANA)).toBeUndefined();
		expect(kept(memory).find(GROUP, identityFor('447700900001'))).toBeDefined();
	});

	it('still knows an earlier invite when a later one to the same person is taken back', () => {
		const earlier = memoryWith(undefined);
		earlier.note(GROUP, ANA, 'invited', NOW);
		const memory = kept(earlier);
		memory.note(GROUP, identityFor('553199990002'), 'invited', NOW + 1000)();

		expect(memory.find(GROUP, ANA)).toBeDefined();
		expect(storedOf(memory)).toEqual(storedOf(earlier));
	});

	it('tells who surely got one from who may have, also after it was kept', () => {
		const memory = memoryWith(undefined);
		memory.note(GROUP, ANA, 'maybeInvited', NOW);
		expect(kept(memory).find(GROUP, ANA)).toEqual(unsure(NOW));

		memory.note(GROUP, ANA, 'invited', NOW + 1000);
		memory.note(GROUP, ANA, 'maybeInvited', NOW + 2000);
		expect(kept(memory).find(GROUP, ANA)).toEqual(sure(NOW + 2000));
	});

	it('reads what version 1.1 has stored, which told nothing apart', () => {
		const stored = { version: 1, groups: { [GROUP]: { 'phone:553199990002': NOW / 1000 } } };
		expect(memoryWith(stored).find(GROUP, ANA)).toEqual(sure(NOW));

		const memory = memoryWith(stored);
		memory.note(GROUP, identityFor('447700900001'), 'invited', NOW)();
		expect(storedOf(memory)).toEqual(stored);
	});

	it('keeps the newest 10,000 people of all groups', () => {
		const people = Array.from({ length: 10_003 }, (_, i) =>
			identityFor(`49152${String(i).padStart(8, '0')}`),
		);
		const groupOf = (i: number) => (i % 2 === 0 ? GROUP : '1@g.us');
		const groups: Record<string, Record<string, number>> = { [GROUP]: {}, '1@g.us': {} };
		people.slice(0, 10_000).forEach((id, i) => ((groups[groupOf(i)] ??= {})[id.canonical] = NOW / 1000 + i));
		const memory = memoryWith({ version: 1, groups });
		people.forEach((id, i) => {
			if (i >= 10_000) memory.note(groupOf(i), id, 'invited', NOW + i * 1000);
		});
		const known = kept(memory);
		const forgotten = people.filter((id) => !known.find(GROUP, id) && !known.find('1@g.us', id));

		expect(forgotten).toEqual(people.slice(0, 3));
	});

	it('keeps what a clock that was ahead has noted', () => {
		const memory = memoryWith(undefined);
		memory.note(GROUP, ANA, 'invited', Date.now() + 365 * 24 * 60 * 60 * 1000);

		expect(kept(memory).find(GROUP, ANA)).toBeDefined();
	});

	it.each([
		undefined,
		{ version: 2, groups: { [GROUP]: { 'phone:553199990002': 1 } } },
		{ version: 1, groups: { [GROUP]: { 'phone:553199990002': '1' } } },
		{ version: 1, groups: { [GROUP]: { 'phone:553199990002': { unsure: '1' } } } },
	])('is empty where %j was kept', (stored) => {
		expect(memoryWith(stored).find(GROUP, ANA)).toBeUndefined();
	});
});

describe('what rows remember of invites', () => {
	const NOVEMBER = Date.UTC(2026, 10, 1);
	const DAY = 24 * 60 * 60 * 1000;
	const known = { 'phone:553199990002': NOW / 1000, 'phone:447700900001': NOW / 1000 };
	/** A row of Ana's; `undefined` without Row Memory. */
	const rowOf = (text: string | undefined, dryRun = false, isAlone = true) =>
		inviteRow('5531999990002', { dryRun, groupJid: GROUP, ...memoryOf(text, isAlone, GROUP, ANA, NOW) });

	it.each([
		[['invited 2026-11-01; maybeInvited 2026-11-02'], { ...unsure(NOVEMBER + DAY), ...sure(NOVEMBER) }],
		[['maybeInvited 2026-11-01'], unsure(NOVEMBER)],
		[[undefined, '', 'invited 2026-11-01', 'left 2026-11-02'], sure(NOVEMBER)],
		[[''], {}],
		[[undefined], sure(NOW)],
	])('counts instead of what n8n does, the first that says anything: %j', (texts, expected) => {
		const rows = texts.map((text) => rowOf(text));
		const memory = memoryWith({ version: 1, groups: { [GROUP]: known } }, rows);

		expect(memory.find(GROUP, ANA)).toEqual(expected);
		expect(memory.find(GROUP, identityFor('447700900001'))).toEqual(sure(NOW));
	});

	it('is in their texts until it is taken back, but not in a dry run', () => {
		const rows = [rowOf('left 2026-11-01'), rowOf('', true), rowOf('of several', false, false)];
		const memory = memoryWith(undefined, rows);
		const texts = () => rows.map((row) => memory.textAfter(row));
		const takeBack = memory.note(GROUP, ANA, 'invited', NOW);
		memory.note(GROUP, ANA, 'maybeInvited', NOVEMBER);
		const invites = 'invited 2026-11-21T09:00Z; maybeInvited 2026-11-01T00:00Z';
		const text = `left 2026-11-01T00:00Z; ${invites}; for ${rows[0]?.memory?.key}`;

		expect(texts()).toEqual([text, '', 'of several']);
		takeBack();
		expect(texts()).toEqual(['left 2026-11-01', '', 'of several']);
	});

	it.each([
		['left 2026-11-01', 'invited', sure(NOW), 'left 2026-11-01T00:00Z; invited 2026-11-21T09:00Z'],
		['', 'maybeInvited', unsure(NOW), 'maybeInvited 2026-11-21T09:00Z'],
	] as const)(
		'counts with what the node did before in this execution: %j, %s',
		(text, name, facts, after) => {
			const inExecution = memoryWith(undefined);
			inExecution.note(GROUP, ANA, name, NOW);
			const row = rowOf(text);
			const memory = memoryOfRows(storeOf(), [row], inExecution);

			expect(memory.find(GROUP, ANA)).toMatchObject(facts);
			expect(memory.textAfter(row)).toBe(`${after}; for ${row.memory?.key}`);
		},
	);

	it('is noted for the rest of the execution, until it is taken back', () => {
		const inExecution = memoryWith(undefined);
		const memory = memoryOfRows(storeOf(), [rowOf('')], inExecution);
		const takeBack = memory.note(GROUP, ANA, 'invited', NOW);

		expect(inExecution.find(GROUP, ANA)).toEqual(sure(NOW));
		takeBack();
		expect([inExecution.find(GROUP, ANA), memory.find(GROUP, ANA)]).toEqual([undefined, {}]);
	});

	it('is asked for of people without it, too', () => {
		const inExecution = memoryWith(undefined);
		inExecution.note(GROUP, ANA, 'invited', NOW);

		expect(new InviteMemory(storeOf(), inExecution).find(GROUP, ANA)).toEqual(sure(NOW));
	});

	it.each([[[]], [[rowOf('')]]])('counts with what another run notes meanwhile', (rows) => {
		const store = storeOf();
		const ofExecution = storeOf();
		const [one, other] = [1, 2].map(() => memoryOfRows(store, rows, new InviteMemory(ofExecution)));
		one?.note(GROUP, ANA, 'invited', NOW);
		other?.note(GROUP, identityFor('447700900001'), 'invited', NOW);

		expect(other?.find(GROUP, ANA)).toEqual(sure(NOW));
		const later = new InviteMemory(storeOf(), new InviteMemory(storeOf(ofExecution.read())));
		expect([ANA, identityFor('447700900001')].map((id) => later.find(GROUP, id))).toEqual([
			sure(NOW),
			sure(NOW),
		]);
	});
});
