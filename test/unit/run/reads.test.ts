import { runReads, type Question } from '../../../nodes/MessagingGateway/run/reads';
import type { Run } from '../../../nodes/MessagingGateway/run/operation';
import { Problem } from '../../../nodes/MessagingGateway/common/problem';
import { contextWith } from './context';

type NameQuestion = Question & { asked: { instance: string } };

/** Looks up what each item names; what is named `absent` fails. */
async function lookUp(
	names: string[],
	{ continueOnFail = false, includeSecrets = false, timeouts = [] as number[], open = jest.fn() } = {},
) {
	const { run } = contextWith(
		{ name: '={{ $json.name }}', timeout: '={{ $json.timeout }}' },
		{ name: (item) => names[item], timeout: (item) => timeouts[item] ?? 100 },
		{ items: names.length, continueOnFail },
	);
	const asked: string[] = [];
	// Neither hints nor a client are needed.
	const outputs = await runReads<NameQuestion, { name: string; token: string }>(run as unknown as Run, {
		read: (parameters) => {
			const name = String(parameters.get('name'));
			if (name === 'bad') throw new Problem('Bad name', 'Change it');
			const requestOptions = { timeout: Number(parameters.get('timeout')), maxRetries: 0 };
			return { asked: { instance: name }, requestOptions, includeSecrets };
		},
		ask: async ({ asked: { instance: name } }) => {
			asked.push(name);
			open(1);
			await new Promise(setImmediate);
			open(-1);
			if (name === 'absent') throw new Problem('It is absent', 'Choose another');
			return { name, token: 'S3CRET' };
		},
		present: (found) => [{ json: found }],
	});
	return { outputs, asked };
}

const shown = (outputs: Awaited<ReturnType<typeof lookUp>>['outputs']) =>
	outputs.map(({ json, pairedItem }) => `${Object(pairedItem).item} ${json.name ?? json.error}`);

describe('looking up', () => {
	it('asks once for the same thing, and gives it to each item in input order', async () => {
		const { outputs, asked } = await lookUp(['b', 'a', 'b']);

		expect(asked).toEqual(['b', 'a']);
		expect(shown(outputs)).toEqual(['0 b', '1 a', '2 b']);
	});

	it('asks again for the same thing with other options', async () => {
		const { asked } = await lookUp(['a', 'a', 'a'], { timeouts: [100, 200, 100] });

		expect(asked).toEqual(['a', 'a']);
	});

	it('asks for at most five at once', async () => {
		let now = 0;
		let most = 0;
		const open = jest.fn((change: number) => {
			now += change;
			most = Math.max(most, now);
		});
		await lookUp(
			Array.from({ length: 12 }, (_, i) => `n${i}`),
			{ open },
		);

		expect(most).toBe(5);
	});

	it('hides secrets, unless they are asked for, and gives each item a copy', async () => {
		const hidden = await lookUp(['a']);
		const { outputs } = await lookUp(['a', 'a'], { includeSecrets: true });

		expect(hidden.outputs[0]?.json.token).toBe('**hidden**');
		expect(outputs[0]?.json.token).toBe('S3CRET');
		expect(outputs[0]?.json).not.toBe(outputs[1]?.json);
	});

	it('asks for nothing where an item is bad', async () => {
		await expect(lookUp(['a', 'bad'])).rejects.toThrow("1 of 2 rows can't be read: item 1 (bad name)");
	});

	it('ends with the failure of the first item that has one', async () => {
		await expect(lookUp(['a', 'absent', 'b'])).rejects.toMatchObject({
			message: 'It is absent (instance absent)',
			context: { itemIndex: 1 },
		});
	});

	it('that continues on fail leaves each failure on its own item', async () => {
		const { outputs } = await lookUp(['absent', 'bad', 'a', 'absent'], { continueOnFail: true });

		expect(shown(outputs)).toEqual([
			'0 It is absent (instance absent)',
			'1 Item 1: bad name',
			'2 a',
			'3 It is absent (instance absent)',
		]);
	});
});
