import { readSync } from '../../../nodes/MessagingGateway/actions/group/sync/readSync';
import { identityFor } from '../../../nodes/MessagingGateway/groups/identity';
import type { GroupRules } from '../../../nodes/MessagingGateway/groups/sync/rules';
import { contextWith } from './context';

/** What an item of the one group asks for; what it doesn't say is as for the others. */
interface Item {
	unlisted?: string;
	participants?: string;
	options?: object;
}

/** These items of a group, read by a node that continues on fail; one of them is bad. */
async function readingOf(items: Item[]): Promise<{ rules: GroupRules | undefined; message: string }> {
	const { run } = contextWith(
		{
			instance: 'one',
			group: '120363000000000001@g.us',
			participants: '={{ $json.participants }}',
			shouldBeMember: true,
			unlisted: '={{ $json.unlisted }}',
			options: { removeAdmins: '={{ $json.removeAdmins }}' },
		},
		{
			participants: (item) => items[item]?.participants ?? '4915200000001',
			unlisted: (item) => items[item]?.unlisted ?? 'keep',
			options: (item) => items[item]?.options ?? {},
		},
		{ items: items.length, continueOnFail: true },
	);
	const { groups, failed } = await readSync(run);
	expect(failed).toHaveLength(1);
	return { rules: groups[0]?.rules, message: failed[0]?.error.message ?? '' };
}

async function rulesOf(items: Item[]): Promise<GroupRules | undefined> {
	return (await readingOf(items)).rules;
}

const valid: Item = {};

describe('a group of which too many would be removed', () => {
	it.each([
		[['hold', 'hold'], 'hold'],
		[['hold', 'stop'], 'stop'],
	])('goes on where all items say so: %j', async (overLimits, expected) => {
		const items = overLimits.map((overLimit): Item => ({ options: { overLimit } }));

		expect(
			(await rulesOf([...items, { participants: 'Ana', options: { overLimit: 'hold' } }]))?.overLimit,
		).toBe(expected);
	});
});

describe('whom a group protects', () => {
	const bad: Item = { participants: 'Ana' };

	it('is who any of its items does, each read with the country code of its own', async () => {
		const number = '15162345678';
		const items = [{}, { defaultCountryCode: '49' }, {}].map((code): Item => ({
			options: { protected: number, ...code },
		}));

		expect((await rulesOf([...items, bad]))?.protected).toEqual([
			identityFor(number),
			identityFor(`49${number}`),
		]);
	});

	it('is told apart from whom an item names', async () => {
		const { message } = await readingOf([{}, { options: { protected: '+49 15200000002, Bea' } }]);

		expect(message).toBe(
			`Item 1: in 'Protected Participants', the participant "Bea" isn't a valid phone number: it has letters`,
		);
	});

	it('is read once where items follow each other that say the same', async () => {
		let reads = 0;
		const list = Object.defineProperty([''], 0, {
			get: () => {
				reads++;
				return '4915200000002';
			},
		});
		const items = Array.from({ length: 50 }, (): Item => ({ options: { protected: list } }));

		expect((await rulesOf([...items, bad]))?.protected).toEqual([identityFor('4915200000002')]);
		expect(reads).toBe(1);
	});
});

describe('a bad item has its say in the rules of its group', () => {
	const options = {
		removeAdmins: true,
		protected: '4915200000002',
		maxRemovalPercent: 7,
		overLimit: 'hold',
		dryRun: true,
		defaultCountryCode: '49',
	};
	const said: GroupRules = {
		unlisted: 'remove',
		removeAdmins: true,
		protected: [identityFor('4915200000002')],
		maxRemovalPercent: 7,
		overLimit: 'stop',
		dryRun: true,
	};

	it.each<[string, Item, Partial<GroupRules>]>([
		['a participant', { participants: 'Ana' }, {}],
		['what becomes of others', { unlisted: 'all' }, { unlisted: 'keep' }],
		['whether admins go', { options: { ...options, removeAdmins: 'maybe' } }, { removeAdmins: false }],
		['all whom it protects', { options: { ...options, protected: '12' } }, { protected: [] }],
		['some whom it protects', { options: { ...options, protected: '12, +49 15200000002, x' } }, {}],
		['how many may go', { options: { ...options, maxRemovalPercent: 101 } }, { maxRemovalPercent: 20 }],
		['what is done over it', { options: { ...options, overLimit: 'x' } }, {}],
		['whether it is dry', { options: { ...options, dryRun: 'maybe' } }, { dryRun: false }],
		['a country code', { options: { ...options, defaultCountryCode: 'x' } }, { protected: [] }],
	])('whatever it is that it says badly: %s', async (_, bad, unreadable) => {
		expect(await rulesOf([{ unlisted: 'remove', options, ...bad }, valid])).toMatchObject({
			...said,
			...unreadable,
		});
	});
});
