import { ExpressionError, NodeOperationError } from 'n8n-workflow';
import { errorItem, inInputOrder, readItems } from '../../../nodes/MessagingGateway/run/items';
import { MissingValue, Problem } from '../../../nodes/MessagingGateway/common/problem';
import { contextWith, NODE } from './context';

interface Row {
	item: number;
}

/** Reads an item; the ones named here are bad. */
const badAt =
	(...bad: number[]) =>
	(_: unknown, item: number): Row => {
		if (bad.includes(item)) throw new Problem(`Bad value ${item}`, 'Change it');
		return { item };
	};

const run = (items: number, continueOnFail = false) => contextWith({}, {}, { items, continueOnFail }).run;

async function errorOf(reading: Promise<unknown>): Promise<unknown> {
	return await reading.then(
		() => undefined,
		(error: unknown) => error,
	);
}

describe('reading items', () => {
	it('gives all of them, in input order', async () => {
		expect(await readItems(run(3), badAt())).toEqual({
			read: [{ item: 0 }, { item: 1 }, { item: 2 }],
			failed: [],
		});
	});

	it('ends at one that is bad, named as n8n counts', async () => {
		const error = await errorOf(readItems(run(3), badAt(1)));

		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: 'Bad value 1 [item 1]',
			description: 'Change it',
			context: { itemIndex: 1 },
		});
	});

	it('names all that are bad, and what is wrong with the first', async () => {
		expect(await errorOf(readItems(run(8), badAt(1, 3, 5, 7)))).toMatchObject({
			message: '4 items are not valid: 1, 3, 5, 7. Item 1: Bad value 1',
			context: { itemIndex: 1 },
		});
	});

	it('that continues on fail gives each bad one its own error', async () => {
		const { read, failed } = await readItems(run(3, true), badAt(0, 2));

		expect(read).toEqual([{ item: 1 }]);
		expect(failed).toMatchObject([
			{ item: 0, error: { message: 'Bad value 0 [item 0]' } },
			{ item: 2, error: { message: 'Bad value 2 [item 2]' } },
		]);
	});

	it.each([
		[{ Phone: '1', name: 'Ana' }, 'the fields Phone, name'],
		[{}, 'no fields'],
	])('says which fields an item has that lacks a value: %j', async (json, fields) => {
		const { run: ofItems } = contextWith({}, {}, { json });
		const reading = readItems(ofItems, () => {
			throw new MissingValue('The participants are empty', 'Enter numbers');
		});

		expect(await errorOf(reading)).toMatchObject({
			message: 'The participants are empty [item 0]',
			description: `Enter numbers. If it's an expression, check the name in it: this item has ${fields}`,
		});
	});

	it("leaves n8n's own words and context to an expression that can't be worked out", async () => {
		const reading = readItems(run(2), () => {
			throw new ExpressionError("Referenced node doesn't exist", {
				description: 'The node <b>Sheet</b> is not there',
				parameter: 'participants',
			});
		});

		expect(await errorOf(reading)).toMatchObject({
			message: "Referenced node doesn't exist",
			description: 'The node <b>Sheet</b> is not there',
			context: { parameter: 'participants', itemIndex: 0 },
		});
	});

	it('tells no secret', async () => {
		const reading = readItems(run(1), () => {
			throw new Problem('KEY-0000 is no number', 'Not KEY-0000');
		});

		expect(JSON.stringify(await errorOf(reading))).not.toContain('KEY-0000');
	});
});

describe('output items', () => {
	it('of a failed item hold its message alone, and the error', () => {
		const error = new NodeOperationError(NODE, 'Broken');

		expect(errorItem({ item: 3, error })).toStrictEqual({
			json: { error: 'Broken' },
			error,
			pairedItem: { item: 3 },
		});
	});

	it('are put in input order, and those of one item stay as they are', () => {
		const outputs = [
			{ json: { n: 1 }, pairedItem: { item: 2 } },
			{ json: { n: 2 }, pairedItem: [{ item: 0 }, { item: 5 }] },
			{ json: { n: 3 }, pairedItem: 2 },
			{ json: { n: 4 }, pairedItem: { item: 1 } },
		];

		expect(inInputOrder(outputs).map(({ json }) => json.n)).toEqual([2, 4, 1, 3]);
	});
});
