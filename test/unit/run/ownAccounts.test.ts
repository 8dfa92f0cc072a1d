import {
	askOwnAccounts,
	findOwnAccounts,
	readingHints,
} from '../../../nodes/MessagingGateway/actions/group/numbers';
import { rememberedGroup, rememberGroup } from '../../../nodes/MessagingGateway/actions/group/findGroup';
import { gatewayAt } from '../../../nodes/MessagingGateway/gateway/account';
import { identityFor } from '../../../nodes/MessagingGateway/groups/identity';
import { readParticipants } from '../../../nodes/MessagingGateway/input/participants';
import { contextWith } from './context';

/** A run of a process that has just begun, at a gateway that tells accounts or doesn't. */
function runIn(baseUrl: string, data: object, owner?: string) {
	const gateway = gatewayAt(baseUrl);
	const account = (instance: string) => gateway.account(instance);
	const { run } = contextWith({}, {}, { client: { baseUrl, gateway, account } });
	const getMode = () => 'trigger';
	Object.assign(run.context, { getWorkflowStaticData: () => data, getParentNodes: () => [], getMode });
	const ownAccounts = jest.fn(async () => new Map(owner ? [['main', identityFor(owner)]] : []));
	Object.assign(run.client, { ownAccounts });
	return { run, ownAccounts, own: () => account('main').own?.digits };
}

describe('groups that names mean', () => {
	it('are at most 1,000, of which those in use stay, and are written no oftener than that needs', () => {
		const data: Record<string, unknown> = {};
		const { run } = runIn('https://own-4.example.com', data);
		const writes = () => Object.values(data)[0];
		const remember = (subject: string) =>
			rememberGroup(run, { instance: 'main', subject }, `${subject}@g.us`);
		remember('nightly');
		for (let night = 1; night <= 1050; night++) {
			remember(`${night}`);
			const before = writes();
			remember('nightly');
			if (night < 500) expect(writes()).toBe(before);
		}
		const known = (where: 'process' | 'anywhere') =>
			['nightly', '1', '1050'].map((subject) => rememberedGroup(run, { instance: 'main', subject }, where));
		expect(known('process')).toEqual(['nightly@g.us', undefined, '1050@g.us']);
		run.client.session.account('main').groups.clear();
		expect(known('anywhere')).toEqual(['nightly@g.us', undefined, '1050@g.us']);
	});
});

describe('an own account', () => {
	const options = { timeout: 1 };
	const [baseUrl, later] = ['https://own-1.example.com', 'https://own-2.example.com'];

	it('is known after a restart whose list tells nothing', async () => {
		const data = {};
		const before = runIn(baseUrl, data, '5511990000001@s.whatsapp.net');
		await findOwnAccounts(before.run, ['main', 'main'], options);
		expect([before.own(), before.ownAccounts.mock.calls.length]).toEqual(['5511990000001', 1]);
		gatewayAt(baseUrl).account('main').own = undefined;

		const after = runIn(baseUrl, data);
		await findOwnAccounts(after.run, ['main'], options);
		expect(after.own()).toBe('5511990000001');
		const elsewhere = runIn(later, data);
		await findOwnAccounts(elsewhere.run, ['main'], options);
		expect(elsewhere.own()).toBeUndefined();
	});

	it('is the newest that a gateway tells', async () => {
		const data = {};
		await askOwnAccounts(runIn(later, data, '5511990000001').run, ['main'], options);
		const { run, own } = runIn(later, data, '4915100000001');
		await askOwnAccounts(run, ['main'], options);
		expect([own(), Object.values(data)]).toEqual(['4915100000001', [expect.anything()]]);
		expect(JSON.stringify(data)).not.toContain('5511990000001');
	});

	it('tells from the data alone how numbers are read, without a request', async () => {
		const [url, data] = ['https://own-3.example.com', {}];
		await findOwnAccounts(runIn(url, data, '5511990000001').run, ['main'], options);
		gatewayAt(url).account('main').own = undefined;
		const { run, ownAccounts } = runIn(url, data);
		const asked = readParticipants(['5511999990001', '4915112345678'], {}).map((participant) => ({
			participant,
		}));
		expect(await readingHints(run, [{ item: 0, instance: 'main', asked }])).toEqual([
			'1 number has no + and is read as Germany (1). Check its country code',
		]);
		expect(ownAccounts).not.toHaveBeenCalled();
	});
});
