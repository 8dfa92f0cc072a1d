import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import { InviteMemory } from '../../../../nodes/MessagingGateway/groups/invites/memory';

const GROUP = '120363000000000101@g.us';
const ANA = identityFor('5531999990002');
const NOW = Date.UTC(2026, 10, 21, 9);

/** What n8n gives back of what it was given to keep. */
const kept = (memory: InviteMemory) =>
	new InviteMemory(JSON.parse(JSON.stringify(memory.toJson())) as unknown);

describe('the memory of invites', () => {
	it('knows whom it noted, by group and under every form of a number, also after it was kept', () => {
		const memory = new InviteMemory(undefined);
		memory.note(GROUP, ANA, NOW);

		for (const known of [memory, kept(memory)]) {
			expect(known.has(GROUP, ANA)).toBe(true);
			expect(known.has(GROUP, identityFor('553199990002'))).toBe(true);
			expect(known.has(GROUP, identityFor('5531999990003'))).toBe(false);
			expect(known.has('120363000000000102@g.us', ANA)).toBe(false);
		}
	});

	it('forgets whom it took back', () => {
		const memory = new InviteMemory(undefined);
		const takeBack = memory.note(GROUP, ANA, NOW);
		memory.note(GROUP, identityFor('447700900001'), NOW);
		takeBack();

		expect(kept(memory).has(GROUP, ANA)).toBe(false);
		expect(kept(memory).has(GROUP, identityFor('447700900001'))).toBe(true);
	});

	it('still knows an earlier invite when a later one to the same person is taken back', () => {
		const earlier = new InviteMemory(undefined);
		earlier.note(GROUP, ANA, NOW);
		const memory = kept(earlier);
		memory.note(GROUP, identityFor('553199990002'), NOW + 1000)();

		expect(memory.has(GROUP, ANA)).toBe(true);
		expect(memory.toJson()).toEqual(earlier.toJson());
	});

	it('keeps the newest 10,000 people of all groups', () => {
		const memory = new InviteMemory(undefined);
		const people = Array.from({ length: 10_003 }, (_, i) =>
			identityFor(`49152${String(i).padStart(8, '0')}`),
		);
		people.forEach((id, i) => memory.note(i % 2 === 0 ? GROUP : '1@g.us', id, NOW + i * 1000));
		const known = kept(memory);
		const forgotten = people.filter((id) => !known.has(GROUP, id) && !known.has('1@g.us', id));

		expect(forgotten).toEqual(people.slice(0, 3));
	});

	it('keeps what a clock that was ahead has noted', () => {
		const memory = new InviteMemory(undefined);
		memory.note(GROUP, ANA, Date.now() + 365 * 24 * 60 * 60 * 1000);

		expect(kept(memory).has(GROUP, ANA)).toBe(true);
	});

	it.each([
		undefined,
		null,
		'x',
		[],
		{ version: 2, groups: { [GROUP]: { 'phone:553199990002': 1 } } },
		{ version: 1 },
		{ version: 1, groups: { [GROUP]: { 'phone:553199990002': '1' } } },
	])('is empty where %j was kept', (stored) => {
		expect(new InviteMemory(stored).has(GROUP, ANA)).toBe(false);
	});
});
