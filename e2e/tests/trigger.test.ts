import { CUSTOMERS } from '../../test/gateway/seed';
import { locator, ownNode } from '../support/published';
import { withServer } from '../support/under-test';
import { Watcher } from '../support/watcher';

const GROUP = ['main', CUSTOMERS] as const;
const OTHER_GROUP = ['main', '120363000000000002@g.us'] as const;
const [FIRST, SECOND, THIRD] = ['5511990000002', '5521990000003', '447700900004'];
const [ANA, BIA, CAIO, DUDA] = ['5511990000100', '5511990000101', '5511990000102', '5511990000103'];

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
const setting = withServer();
const surroundings = () => ({ gateway: setting().gateway, rest: setting().server.rest });

/** What an item says, in few words. */
function words({ change, participant, instance, previousStatus, status }: Record<string, unknown>): string {
	return change === 'status' ? `${instance} ${previousStatus} → ${status}` : `${change} ${participant}`;
}

/** A group as parameters, and as what the calls that read its members begin with. */
function placeOf([instance, group]: readonly [string, string]): { place: object; path: string } {
	return {
		place: { instance: locator('name', instance), group: locator('id', group) },
		path: `/group/participants/${instance}?groupJid=${encodeURIComponent(group)}`,
	};
}

/** What each watcher has of news, in the order of the alphabet: people who change in one poll have no order. */
async function newsOf(...expected: Array<[watcher: Watcher, count: number]>): Promise<string[][]> {
	const news = await Promise.all(expected.map(async ([watcher, count]) => await watcher.news(count)));
	return news.map((items) => items.map(words).sort());
}

describe('published, the trigger', () => {
	let members: Watcher;
	let statuses: Watcher;
	let live: Watcher;
	/** Leads to an operation that remembers, too. */
	let inviting: Watcher;

	beforeAll(async () => {
		const [group, otherGroup] = [placeOf(GROUP), placeOf(OTHER_GROUP)];
		members = await Watcher.create(
			surroundings,
			'Members changed',
			{ event: 'participantsChanged', ...group.place, changes: ['joined', 'left', 'promoted', 'demoted'] },
			group.path,
		);
		const invite = {
			resource: 'group',
			operation: 'sendInvite',
			...otherGroup.place,
			message: 'Come back:',
			dryRun: false,
		};
		inviting = await Watcher.create(
			surroundings,
			'Somebody left',
			{ event: 'participantsChanged', ...otherGroup.place, changes: ['left'] },
			otherGroup.path,
			[ownNode('Invite', { ...invite, participants: '={{ $json.participant }}' })],
		);
		statuses = await Watcher.create(
			surroundings,
			'Any status changed',
			{ event: 'instanceStatusChanged', statuses: ['open', 'close', 'connecting', 'deleted'] },
			'/instance/fetchInstances',
		);
		live = await Watcher.create(
			surroundings,
			'One status changed',
			{ event: 'instanceStatusChanged', watch: 'one', instance: locator('name', 'closed') },
			'/instance/connectionState/closed',
		);
		for (const person of [ANA, BIA]) setting().gateway.network.join(...OTHER_GROUP, person);
		for (const watcher of [members, statuses, live, inviting]) await watcher.publish();
	});

	test('tells nothing of what is so already', async () => {
		expect(await newsOf([members, 0], [statuses, 0], [live, 0])).toEqual([[], [], []]);
	});

	test('tells of each change once', async () => {
		const { network } = setting().gateway;
		network.join(...GROUP, ANA);
		network.leave(...GROUP, FIRST);
		network.promote(...GROUP, SECOND);
		const items = await members.news(3);
		expect(items.map(words).sort()).toEqual([`joined ${ANA}`, `left ${FIRST}`, `promoted ${SECOND}`]);
		expect(items.find(({ change }) => change === 'promoted')).toEqual({
			change: 'promoted',
			instance: 'main',
			groupJid: CUSTOMERS,
			participant: SECOND,
			jid: `${SECOND}@s.whatsapp.net`,
			role: 'admin',
			previousRole: 'member',
			detectedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
		});

		network.demote(...GROUP, SECOND);
		network.join(...GROUP, FIRST);
		network.setConnection('second one/ü', 'close');
		network.setConnection('closed', 'open');
		network.leave(...OTHER_GROUP, ANA);
		expect(await newsOf([members, 2], [statuses, 2], [live, 1], [inviting, 1])).toEqual([
			[`demoted ${SECOND}`, `joined ${FIRST}`],
			['closed close → open', 'second one/ü open → close'],
			['closed close → open'],
			[`left ${ANA}`],
		]);
	});

	test('tells once of what changed while n8n was stopped', async () => {
		await setting().restart('stop', () => {
			const { network } = setting().gateway;
			network.join(...GROUP, BIA);
			network.leave(...GROUP, ANA);
			network.promote(...GROUP, THIRD);
			network.setConnection('second one/ü', 'open');
			network.setConnection('closed', 'close');
			network.deleteInstance('cloud');
			network.leave(...OTHER_GROUP, BIA);
		});
		expect(await newsOf([members, 3], [statuses, 3], [live, 1], [inviting, 1])).toEqual([
			[`joined ${BIA}`, `left ${ANA}`, `promoted ${THIRD}`],
			['closed open → close', 'cloud open → deleted', 'second one/ü close → open'],
			['closed open → close'],
			[`left ${BIA}`],
		]);
	});

	test('tells once of what changed while n8n was away after a crash', async () => {
		await setting().restart('kill', () => {
			const { network } = setting().gateway;
			network.join(...GROUP, CAIO);
			network.leave(...GROUP, BIA);
			network.deleteInstance('connecting');
		});
		expect(await newsOf([members, 2], [statuses, 1], [live, 0], [inviting, 0])).toEqual([
			[`joined ${CAIO}`, `left ${BIA}`],
			['connecting connecting → deleted'],
			[],
			[],
		]);
		expect(setting().gateway.messages.map(({ to }) => to.split('@')[0])).toEqual([ANA, BIA]);
	});

	test('tells nothing of what changed while somebody had the workflow switched off', async () => {
		const { network } = setting().gateway;
		await members.unpublish();
		network.join(...GROUP, DUDA);
		await members.publish();
		expect(await newsOf([members, 0])).toEqual([[]]);

		network.leave(...GROUP, DUDA);
		expect(await newsOf([members, 1])).toEqual([[`left ${DUDA}`]]);
	});
});
