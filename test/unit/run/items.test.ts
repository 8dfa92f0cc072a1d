import '../realN8n';
import { ExpressionError, NodeOperationError } from 'n8n-workflow';
import { readItems as readSharing } from '../../../nodes/MessagingGateway/run/items';
import { MissingValue, Problem } from '../../../nodes/MessagingGateway/common/problem';
import type { Run } from '../../../nodes/MessagingGateway/run/operation';
import { rejectionOf } from '../support';
import { contextWith } from './context';

/** Reads items that share no values. */
const readItems = <T extends object | void>(of: Run, read: (parameters: unknown, item: number) => T) =>
	readSharing(of, (parameters, item) => ({ item, options: NO_OPTIONS, ...read(parameters, item) }), {});
const NO_OPTIONS: Record<string, unknown> = {};

/** Reads an item; the ones named here are bad. */
const badAt =
	(...bad: number[]) =>
	(_: unknown, item: number) => {
		if (bad.includes(item)) throw new Problem(`Bad value ${item}`, 'Change it');
	};

const run = (items: number, continueOnFail = false) => contextWith({}, {}, { items, continueOnFail }).run;

describe('reading items', () => {
	it('ends before anything is sent where one is bad, named as n8n counts', async () => {
		const error = await rejectionOf(readItems(run(3), badAt(1)));

		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: "Nothing was changed: 1 of 3 rows can't be read: item 1 (bad value 1)",
			description: 'Change it. Or set On Error to Continue (using error output) to process the others',
			context: { itemIndex: 1 },
		});
	});

	it('names the one item by what is wrong with it', async () => {
		expect(await rejectionOf(readItems(run(1), badAt(0)))).toMatchObject({
			message: 'Nothing was changed: bad value 0',
		});
		const { failed } = await readItems(run(1, true), badAt(0));
		expect(failed).toMatchObject([{ error: { message: 'Bad value 0' } }]);
	});

	it('that continues on fail gives each bad one its own error', async () => {
		const { read, failed } = await readItems(run(3, true), badAt(0, 2));

		expect(read).toMatchObject([{ item: 1 }]);
		expect(failed).toMatchObject([
			{ item: 0, error: { message: 'Item 0: bad value 0' } },
			{ item: 2, error: { message: 'Item 2: bad value 2' } },
		]);
	});

	describe('that lack a value', () => {
		const readNothing = (json: object, items: number, continueOnFail: boolean) =>
			readItems(contextWith({}, {}, { json, items, continueOnFail }).run, () => {
				throw new MissingValue('The participants are empty', 'Enter numbers');
			});

		it.each([
			[{ row_number: 2, Phone: '1' }, 'the fields row_number, Phone'],
			[{}, 'no fields'],
		])('says which fields they have: %j', async (json, fields) => {
			expect(await rejectionOf(readNothing(json, 3, false))).toMatchObject({
				message: `Nothing was changed: none of the 3 rows can be read: the participants are empty; the items have ${fields}`,
				description: "If it's an expression, check the field name in it. Enter numbers",
			});
		});

		it('says which fields one has that fails alone, by the number of its row', async () => {
			const { failed } = await readNothing({ row_number: 7, Phone: '1' }, 3, true);

			expect(failed[2]?.error).toMatchObject({
				message: 'Row 7 "1": the participants are empty',
				description:
					"This item has the fields row_number, Phone. If it's an expression, check the field name in it. Enter numbers",
			});
		});
	});

	it('are named with their people where the reason names nobody', async () => {
		const given = ['+1', '+2', '+3', 'ask Maria'];
		const isEmpty = new Problem("'Should Be Member' is empty", 'Enter true or false');
		const letters = new Problem('It has letters', 'Enter numbers', {
			value: 'ask Maria',
			fault: ['has letters'],
		});
		const problems = [isEmpty, undefined, isEmpty, letters];
		const saved = { participants: '={{ $json.phone }}' };
		const people = contextWith(saved, { participants: (item) => given[item] }, { items: 4 }).run;
		const reading = readItems(people, (_, item) => {
			const problem = problems[item];
			if (problem !== undefined) throw problem;
		});

		expect(await rejectionOf(reading)).toMatchObject({
			message:
				'Nothing was changed: 3 of 4 rows can\'t be read: item 0 "+1", item 2 "+3" (\'Should Be Member\' is empty), item 3 ("ask Maria" has letters)',
		});
	});

	it("leaves n8n's own words and context to an expression that can't be worked out", async () => {
		const reading = readItems(run(2), () => {
			throw new ExpressionError("Referenced node doesn't exist", {
				description: 'The node <b>Sheet</b> is not there',
				parameter: 'participants',
			});
		});

		expect(await rejectionOf(reading)).toMatchObject({
			message: "Nothing was changed: none of the 2 rows can be read: referenced node doesn't exist",
			description: 'The node <b>Sheet</b> is not there',
			// n8n would add the first item's number to a message that names several.
			context: { parameter: 'participants', itemIndex: undefined },
		});
	});

	it('tells no secret', async () => {
		const reading = readItems(run(1), () => {
			throw new Problem('KEY-0000 is no number', 'Not KEY-0000');
		});

		expect(JSON.stringify(await rejectionOf(reading))).not.toContain('KEY-0000');
	});
});

describe('values that have to be the same for the whole run', () => {
	const FIELDS = { timeout: { displayName: 'Timeout (ms)' }, dryRun: { displayName: 'Dry Run' } };
	const readShared = (shared: unknown[][], continueOnFail = false, bad: number[] = []) => {
		const jsons = shared.map((_, i) => ({ row_number: i + 2 }));
		return readSharing(
			contextWith({}, {}, { jsons, continueOnFail }).run,
			(_, item) => {
				badAt(...bad)(_, item);
				const [timeout, dryRun] = shared[item] ?? [];
				return { item, options: { timeout, dryRun } };
			},
			FIELDS,
		);
	};
	const dry = [true, true, true, false].map((value) => [undefined, value]);
	const difference = "'Dry Run' has to be the same in all items";

	it.each<[unknown[][], string]>([
		[dry, difference],
		[[['5'], [5]], "'Timeout (ms)' has to be the same in all items"],
		[[[undefined], [100]], "'Timeout (ms)' has to be the same in all items"],
	])('end the run before anything is sent where they differ: %j', async (shared, message) => {
		expect(await rejectionOf(readShared(shared))).toMatchObject({
			message: `Nothing was changed: ${message}`,
			description: 'Use a fixed value, or one node for each value',
		});
	});

	it('count in items that can be read, and make all items fail where the node continues on fail', async () => {
		expect((await readShared(dry, true, [3])).read).toHaveLength(3);
		expect((await readShared([[['1']], [['1']]])).read).toHaveLength(2);
		const { read, failed } = await readShared(dry, true, [1]);

		expect(read).toEqual([]);
		expect(failed.map(({ error }) => error.message)).toEqual([
			`Row 2: ${difference}`,
			'Row 3: bad value 1',
			`Row 4: ${difference}`,
			`Row 5: ${difference}`,
		]);
	});
});
