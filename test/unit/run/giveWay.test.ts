import { resetInviteLink } from '../../../nodes/MessagingGateway/actions/group/resetInviteLink.operation';
import { sendInvite } from '../../../nodes/MessagingGateway/actions/group/sendInvite/sendInvite.operation';
import { sendMessage } from '../../../nodes/MessagingGateway/actions/group/sendMessage.operation';
import { Gateway } from '../../../nodes/MessagingGateway/gateway/account';
import { contextWith } from './context';

const ITEMS = 50;
/** Steps of one item that may follow each other. */
const MOST_AT_ONCE = 5;

const jsons = Array.from({ length: ITEMS }, (_, i) => ({ phone: `${4915200000000 + i}` }));

describe('a dry run lets other workflows go on between items', () => {
	it.each([
		['Send Invite', sendInvite, { participants: '={{ $json.phone }}', message: 'Join us:' }],
		['Send Message', sendMessage, { message: 'Hi' }],
		['Reset Invite Link', resetInviteLink, {}],
	])('%s', async (_, operation, parameters) => {
		const gateway = new Gateway();
		let [atOnce, longest] = [0, 0];
		const noteStep = () => (longest = Math.max(longest, ++atOnce));
		const find = gateway.people.find.bind(gateway.people);
		jest.spyOn(gateway.people, 'find').mockImplementation((...asked) => {
			noteStep();
			return find(...asked);
		});
		const client = {
			execution: gateway.executions.find(undefined),
			gateway,
			...{ startChanges: () => {}, postpones: () => undefined },
			account: (instance: string) => {
				noteStep();
				return gateway.account(instance);
			},
		};
		const { run } = contextWith(
			{
				...{ instance: 'main', group: '120363000000000001@g.us', ...parameters },
				dryRun: true,
				limits: { maxPerRun: ITEMS },
			},
			{ participants: (item) => jsons[item]?.phone },
			{ jsons, client },
		);
		Object.assign(run.context, { getWorkflow: () => ({ id: '1' }), getParentNodes: () => [] });
		run.people = gateway.people;
		const { getInputData } = run.context;
		run.context.getInputData = () => {
			noteStep();
			return getInputData();
		};
		Object.assign(run.context, { getWorkflowStaticData: () => ({}), getMode: () => 'manual' });
		run.giveWay = async () => await Promise.resolve(void (atOnce = 0));

		expect(await operation.execute(run)).toHaveLength(ITEMS);
		expect(longest).toBeLessThanOrEqual(MOST_AT_ONCE);
	});
});
