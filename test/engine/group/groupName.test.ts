import { kindsSeed, KINDS } from '../../gateway/gateway';
import {
	getGroups,
	getInviteLink,
	getMembers,
	resetInviteLink,
	updateSettings,
} from '../gateways/parameters';
import {
	describeOnEngine,
	groupParameters,
	inviteParameters,
	locator,
	runNode,
	withGateways,
} from '../support';

const chosen = { ...locator(KINDS.numbers), cachedResultName: 'Customers' };
const about = { instance: locator('keeper'), group: chosen };
const person = { participants: '5511990000002' };

describeOnEngine('the name of a group', (engine) => {
	const start = withGateways();

	async function fieldsOf(parameters: object, input: object = {}): Promise<object> {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const { main, error } = await runNode(engine(), gateway, parameters, [input]);
		expect(error).toBeUndefined();
		return main[0]?.json ?? {};
	}

	test.each<[string, object]>([
		['Get Participants', getMembers('', 'keeper', about)],
		['Get Invite Link', getInviteLink('', 'keeper', about)],
		['Reset Invite Link', resetInviteLink('', 'keeper', about)],
		['Update Settings', updateSettings('', 'keeper', { ...about, sendMessages: 'admins' })],
		['Update Participants', { ...groupParameters(person), ...about }],
		['Send Invite', { ...inviteParameters(person), ...about }],
		[
			'Sync Participants',
			{ resource: 'group', operation: 'syncParticipants', ...about, ...person, shouldBeMember: true },
		],
	])('that was chosen from the list comes after its ID: %s', async (_operation, parameters) => {
		const fields = Object.entries(await fieldsOf(parameters));
		const place = fields.findIndex(([field]) => field === 'groupJid');

		expect(fields.slice(place, place + 2)).toEqual([
			['groupJid', KINDS.numbers],
			['groupName', 'Customers'],
		]);
	});

	test.each<[string, object]>([
		['entered', { ...chosen, mode: 'id' }],
		['an expression', { ...chosen, value: `={{ "${KINDS.numbers}" }}` }],
		['chosen without a name', locator(KINDS.numbers)],
	])('that was %s is left out', async (_how, group) => {
		expect(await fieldsOf(getMembers('', 'keeper', { group }))).not.toHaveProperty('groupName');
	});

	test('of another operation is left out of Get Many', async () => {
		expect(await fieldsOf(getGroups('keeper', { group: chosen }))).not.toHaveProperty('groupName');
	});

	test("stands in failures, in one bracket with the gateway's words", async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		gateway.fault({ kind: '200-error' });
		const { error } = await runNode(engine(), gateway, getInviteLink('', 'keeper', about), [{}]);

		expect(error?.message).toMatch(/ \(the gateway says: [^()]*; instance keeper, group Customers\)$/);
	});

	test('wins over a field of the input item', async () => {
		const options = { includeInputFields: true };
		const json = await fieldsOf(
			{ ...groupParameters({ ...person, options }), ...about },
			{ groupName: 'Old', row: 2 },
		);

		expect(json).toMatchObject({ groupName: 'Customers', row: 2 });
		expect(Object.keys(json).slice(-2)).toEqual(['groupName', 'row']);
	});
});
