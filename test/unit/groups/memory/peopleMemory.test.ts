import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import type { Facts } from '../../../../nodes/MessagingGateway/groups/memory/facts';
import {
	factsIn,
	readPeople,
	writePeople,
	type PeopleMemory,
} from '../../../../nodes/MessagingGateway/groups/memory/peopleMemory';

const write = (_: Facts, seconds: number) => seconds;
const read = (stored: unknown) => (typeof stored === 'number' ? { asked: { at: stored * 1000 } } : undefined);
const NO_LIMITS = { since: 0, now: 1_000_000, most: 100 };

const memoryOf = (groups: Record<string, Record<string, number>>) => readPeople({ version: 1, groups }, read);

const found = (memory: PeopleMemory, groupJid: string, ...ids: string[]) =>
	factsIn(memory, groupJid, ids.map(identityFor));

describe('a memory of people', () => {
	it('is read as it was written', () => {
		const memory = memoryOf({ g1: { 'phone:1': 10, 'lid:1': 20 }, g2: { 'phone:1': 30 } });

		expect(JSON.parse(JSON.stringify(writePeople(memory, write, NO_LIMITS)))).toEqual({
			version: 1,
			groups: { g1: { 'phone:1': 10, 'lid:1': 20 }, g2: { 'phone:1': 30 } },
		});
	});

	it.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['an object with nothing in it', {}],
		['a version alone', { version: 1 }],
		['text', 'abc'],
		['a list', [1]],
		['another version', { version: 2, groups: { g1: { 'phone:1': 10 } } }],
		['no version', { groups: { g1: { 'phone:1': 10 } } }],
		['groups that are none', { version: 1, groups: [1] }],
		['people that are none', { version: 1, groups: { g1: 'x' } }],
		['people that are null', { version: 1, groups: { g1: null } }],
	])('is empty where %s was stored', (_, stored) => {
		expect(writePeople(readPeople(stored, read), write, NO_LIMITS)).toEqual({ version: 1, groups: {} });
	});

	it('leaves out a note that is not understood, and keeps the others', () => {
		const groups = { g1: { 'phone:1': 'long ago', 'phone:2': 10 } };

		const memory = readPeople({ version: 1, groups }, read);

		expect(found(memory, 'g1', '2')).toEqual({ asked: { at: 10_000 } });
		expect(found(memory, 'g1', '1')).toBeUndefined();
		expect(writePeople(memory, write, NO_LIMITS)).toEqual({ version: 1, groups: { g1: { 'phone:2': 10 } } });
	});

	it.each<[string, object, Record<string, number>]>([
		['what is too old', { since: 10_000 }, { 'phone:2': 20, 'phone:3': 30 }],
		['what is still to come', { now: 20_000 }, { 'phone:1': 10, 'phone:2': 20 }],
		['the oldest where there are too many', { most: 2 }, { 'phone:2': 20, 'phone:3': 30 }],
	])('is written without %s', (_, limits, kept) => {
		const memory = memoryOf({ g1: { 'phone:1': 10, 'phone:3': 30, 'phone:2': 20 } });
		const all = writePeople(memory, write, { ...NO_LIMITS, ...limits });

		expect(all).toEqual({ version: 1, groups: { g1: kept } });
	});

	it('counts the people of all groups together', () => {
		const memory = memoryOf({ g1: { 'phone:1': 10, 'phone:2': 20 }, g2: { 'phone:3': 15 } });

		expect(writePeople(memory, write, { ...NO_LIMITS, most: 2 })).toEqual({
			version: 1,
			groups: { g1: { 'phone:2': 20 }, g2: { 'phone:3': 15 } },
		});
	});

	it('finds a person under every form of every identity, and gives the newest note', () => {
		const memory = memoryOf({ g1: { 'phone:553199990002': 10, 'lid:5': 20 } });

		expect(found(memory, 'g1', '5531999990002')).toEqual({ asked: { at: 10_000 } });
		expect(found(memory, 'g1', '5531999990002', '5@lid')).toEqual({ asked: { at: 20_000 } });
		expect(found(memory, 'g1', '5@lid', '5531999990002')).toEqual({ asked: { at: 20_000 } });
		expect(found(memory, 'g1', '5531999990003')).toBeUndefined();
		expect(found(memory, 'g2', '5@lid')).toBeUndefined();
	});
});
