import { sendInvite } from '../../../nodes/MessagingGateway/actions/group/sendInvite/sendInvite.operation';
import { syncParticipants } from '../../../nodes/MessagingGateway/actions/group/sync/syncParticipants.operation';
import { identityFor } from '../../../nodes/MessagingGateway/groups/identity';
import { readRowText } from '../../../nodes/MessagingGateway/groups/memory/text';
import { rejectionOf } from '../support';
import { contextWith } from './context';

const [GROUP, OTHER] = ['120363000000000001@g.us', '120363000000000002@g.us'];
const [PHONE, STRANGER] = ['4915200000001', '4915200000002'];

const memoryOf = (phone = PHONE, group = GROUP) =>
	`member 2026-11-01T05:00Z; for ${readRowText('', group, identityFor(phone), 0).key}`;

describe.each([syncParticipants, sendInvite])('$name: Row Memory', ({ execute }) => {
	/** What a run gives that sends nothing: each item has these participants, and these options. */
	const outputsOf = async (participants: string, all: object[], onError?: 'continueRegularOutput') => {
		const fixed = {
			instance: 'one',
			group: GROUP,
			shouldBeMember: true,
			unlisted: 'keep',
			message: 'Join us',
		};
		const saved = { ...fixed, participants, options: '={{ $json.options }}' };
		const input = { items: all.length, continueOnFail: onError !== undefined };
		const { run } = contextWith(saved, { options: (item) => all[item] }, input);
		Object.assign(run.context.getNode(), { onError });
		return (await execute(run)).map(({ json }) => json);
	};

	it.each([{}, { dryRun: true }])('is refused where a failure would end the run: %j', async (more) => {
		const options = [{ memory: '' }, { memory: memoryOf() }].map((one) => ({ ...one, ...more }));
		expect(await rejectionOf(outputsOf(PHONE, options))).toMatchObject({
			message: 'Nothing was changed: Row Memory needs Settings > On Error: Continue (using error output)',
		});
	});

	it.each<[string, string, object, string]>([
		[
			'another person',
			PHONE,
			{ memory: memoryOf(STRANGER) },
			'This memory belongs to another number or group',
		],
		[
			'another group',
			PHONE,
			{ memory: memoryOf(PHONE, OTHER) },
			'This memory belongs to another number or group',
		],
		[
			'another, in a dry run',
			PHONE,
			{ memory: memoryOf(STRANGER), dryRun: true },
			'This memory belongs to another number or group',
		],
		['several people', `${PHONE}, ${STRANGER}`, { memory: '' }, 'Row Memory needs a row for each person'],
	])('of %s makes a bad item, which keeps its text', async (_, participants, options, error) => {
		expect(await outputsOf(participants, [options], 'continueRegularOutput')).toEqual([
			{ error, message: expect.stringContaining(`${error}. `), memory: Object(options).memory },
		]);
	});

	it('stays with all items of a run that is refused, also where they are bad', async () => {
		const memories = [memoryOf(), '', memoryOf(STRANGER)];
		const options = memories.map((memory, item) => ({ memory, timeout: 100 + item }));
		const outputs = await outputsOf(PHONE, options, 'continueRegularOutput');
		expect(outputs.map(({ memory }) => memory)).toEqual(memories);
	});
});
