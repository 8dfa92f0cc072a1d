import { BlockedCall } from '../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import { Problem } from '../../../nodes/MessagingGateway/common/problem';
import type { Change, JournalEntry } from '../../../nodes/MessagingGateway/groups/change';
import type { Outcome } from '../../../nodes/MessagingGateway/groups/outcomes';
import { outputItem, problemOf, reportItems } from '../../../nodes/MessagingGateway/run/report';
import { failureOf, itemsOf, NUMBERS, person, resultOf, type AskingItem } from '../support';
import { contextWith } from './context';

/** Items that name as many people, and between any two of them one that is not valid. */
const itemsOfSizes = (...sizes: number[]) =>
	itemsOf(
		sizes.map((size, i) => ({
			item: i * 2,
			instance: 'main',
			groupJid: '1@g.us',
			action: 'add',
			participants: NUMBERS.slice(0, size).map(person),
		})),
	);

const known = (outcome: Outcome): JournalEntry => ({ result: resultOf(outcome) });
const failed = (message: string): JournalEntry => ({ failure: new Problem(message, '') });
/** One failure that several changes share. */
const broken = failed('broken');

/** What a run reports whose journal says this of all changes, in the order asked for. */
async function reported(items: AskingItem[], all: Array<JournalEntry | undefined>) {
	const changes = items.flatMap(({ asked }) => asked);
	const entries = changes.flatMap((change, i): Array<[Change, JournalEntry]> => {
		const entry = all[i];
		return entry === undefined ? [] : [[change, entry]];
	});
	// Requests end in any order.
	const journal = new Map(entries.reverse());
	const asking = items.map((one) => ({
		...one,
		instance: 'main',
		groupJid: '1@g.us',
		includeInputFields: false,
	}));
	const { run } = contextWith({}, {}, { items: items.length * 2, continueOnFail: true });
	let pauses = 0;
	run.giveWay = async () => await Promise.resolve(void pauses++);
	const tried = [...journal.values()];
	const {
		outputs,
		failed: errors,
		results,
	} = await reportItems(run, asking, (change) => journal.get(change), { failed: [], tried });
	return {
		outputs: outputs.map(
			({ json, pairedItem }) => `${Object(pairedItem).item} ${json.outcome ?? json.error}`,
		),
		failed: errors.map(({ item, error }) => `${item} ${error.message}`),
		states: errors.map(({ state }) => state),
		outcomes: results.map(({ outcome }) => outcome),
		pauses,
	};
}

describe('an output item', () => {
	const { run } = contextWith({}, {}, { items: 1 });
	const item = { item: 0, includeInputFields: false };

	it('has the fields of a person in the order in which people look for them, but for unknown ones', () => {
		const known = { jid: '1@lid', code: '403', name: 'Ana' };
		const { json } = outputItem(run, item, { ...known, ...resultOf('done'), reason: undefined });

		expect(Object.keys(json).join(' ')).toBe(
			'participant name action outcome message applied code sentAs jid instance groupJid',
		);
	});

	const row = {
		city: 'Recife',
		paid: true,
		none: null,
		subject: 'Old',
		reason: 'left',
		list: [1],
		more: { a: 1 },
	};
	const withRow = (result: Parameters<typeof outputItem>[2], people: number) => {
		const asked = Array.from({ length: people });
		const { run: ofRow } = contextWith({}, {}, { json: { ...row, long: 'x'.repeat(5_000_000) } });
		const { json } = outputItem(ofRow, { item: 0, includeInputFields: true, asked }, result);
		return Object.keys(json).filter((name) => name === 'long' || name in row);
	};

	it.each([
		['one person', 1, ['city', 'paid', 'none', 'subject', 'list', 'more', 'long']],
		['several people: no lists, no objects', 2, ['city', 'paid', 'none', 'subject', 'long']],
		['several people: no text that would fill the memory', 3, ['city', 'paid', 'none', 'subject']],
	])('has the fields of a row of %s, but none that would qualify its outcome', (_, people, expected) => {
		expect(withRow(resultOf('done'), people)).toEqual(expected);
	});

	it('leaves out of a row what the operation itself gives, and no more', () => {
		const result = {
			outcome: 'done',
			applied: true,
			message: '',
			instance: 'main',
			groupJid: '1@g.us',
		} as const;
		const { run: ofRow } = contextWith({}, {}, { json: { participant: 'Ana', sendMessages: 'all' } });
		const fields = new Set(Object.keys(result));
		const { json } = outputItem(ofRow, { item: 0, includeInputFields: true }, result, fields);
		expect(json).toEqual({ ...result, participant: 'Ana', sendMessages: 'all' });
	});

	it('of a group says first what became of it', () => {
		const said = { outcome: 'done', applied: true, message: 'Done.' } as const;
		const result = { ...said, instance: 'main', groupJid: '1@g.us' };

		expect(Object.keys(outputItem(run, item, result).json)).toEqual(Object.keys(result));
	});
});

describe('a report', () => {
	it('has for each item that failed an error instead, which alone counts', async () => {
		const all = [broken, known('done'), failed('not sent'), broken, failed('else'), known('done')];
		const errors = [
			'0 broken. 1 of the 4 participants of this item was changed (instance main, group 1@g.us)',
			'2 else (instance main, group 1@g.us)',
		];

		expect(await reported(itemsOfSizes(4, 1, 1), all)).toMatchObject({
			outputs: [...errors, '4 done'],
			failed: errors,
			states: ['failed', 'failed'],
			outcomes: ['done'],
		});
	});

	it('takes an item for unsent only where nothing was sent for it', async () => {
		const unsent = { failure: new BlockedCall(failureOf({ status: 401, route: 'updateParticipants' })) };
		const { states } = await reported(itemsOfSizes(2, 1), [known('done'), unsent, unsent]);
		expect(states).toEqual(['failed', 'unsent']);
	});

	it('lets other workflows go on between items that fail', async () => {
		const { pauses } = await reported(itemsOfSizes(1, 1, 1), [broken, broken, broken]);
		expect(pauses).toBe(3);
	});

	it('has every result of an item, however many they are', async () => {
		const most = 150_000;
		const items = itemsOfSizes(1).map((one) => ({ ...one, asked: Array(most).fill(one.asked).flat() }));
		const { outputs, outcomes } = await reported(items, Array(most).fill(known('done')));
		expect([outputs.length, outcomes.length]).toEqual([most, most]);
	});
});

describe('why an item fails', () => {
	const refused = failureOf({ status: 401, route: 'updateParticipants' });
	const unsent = new BlockedCall(refused);

	it('is why the gateway was given up, and that nothing was sent', () => {
		const expected = {
			sentences: [unsent.message],
			unsent: 'item',
			reason: refused.message,
			state: 'unsent',
		};
		expect(problemOf([unsent])).toEqual({ cause: unsent, ...expected });
	});

	it('is that a group could not be read, and not that nothing was sent, where only that was asked for', () => {
		const unread = new BlockedCall(refused, 'listParticipants');

		const [sentence] = [unread.message];
		expect(problemOf([unread])).toEqual({ cause: unread, sentences: [sentence], reason: sentence });
	});
});

describe('what to do where an outcome is not known', () => {
	const lost = failureOf({ status: 400, message: '1006' });

	it('is one advice, in order', () => {
		expect(problemOf([new Problem('broken', ''), lost])).toMatchObject({
			description: 'Check that the instance is connected. Look at the group before you run this again',
			state: 'unknown',
		});
	});

	it("doesn't name what has just been looked at", () => {
		const problem = problemOf([lost.withNote("It doesn't tell")]);
		expect(problem?.description).toBe('Check that the instance is connected, then run this again');
		expect(problem?.sentences[0]).toMatch(/It doesn't tell$/);
	});
});
