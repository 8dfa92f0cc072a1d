import { identityFor } from '../../../nodes/MessagingGateway/groups/identity';
import { KnownPeople } from '../../../nodes/MessagingGateway/groups/memory/knownPeople';
import { UNKNOWN } from '../../../nodes/MessagingGateway/groups/memory/recall';
import { recallerFor, store } from '../../../nodes/MessagingGateway/run/memory';
import { contextWith, NODE } from './context';

const GROUP = '1@g.us';
const ana = [identityFor('5531999990002')];

/** A run of a node, of which n8n keeps what it keeps. */
function runOf(node: object, getWorkflowStaticData: () => object) {
	const { run } = contextWith({});
	const getNode = () => ({ ...NODE, ...node });
	Object.assign(run.context, {
		getNode,
		getWorkflowStaticData,
		getParentNodes: () => [],
		getMode: () => 'manual',
	});
	return Object.assign(run, { client: { session: { people: new KnownPeople() } }, startedAt: Date.now() });
}

describe('what n8n remembers of people', () => {
	it('is nobody where n8n has no static data to give, which fails no run', async () => {
		const run = runOf({}, () => {
			throw new Error('No static data');
		});
		await store(run, []);
		expect(recallerFor(run)(GROUP, ana)).toEqual({ n8n: UNKNOWN, process: UNKNOWN });
	});

	it.each([
		['another name', { name: 'Keeper' }, true],
		['another ID', { id: '2' }, false],
		['no ID', { id: undefined }, false],
	])("is the node's by its ID: %s", async (_, change, isKnown) => {
		const data = {};
		await store(
			runOf({}, () => data),
			[{ groupJid: GROUP, ids: ana, facts: { left: { at: 0 } } }],
		);
		const { n8n } = recallerFor(runOf(change, () => data))(GROUP, ana);
		expect(n8n.facts.left !== undefined).toBe(isKnown);
	});

	it('keeps what another call of an agent has written meanwhile', async () => {
		const data = {};
		const person = (phone: string) => ({
			groupJid: GROUP,
			ids: [identityFor(phone)],
			facts: { left: { at: 0 } },
		});
		const run = runOf({}, () => data);
		let other: Promise<void> | undefined;
		const giveWay = async () =>
			await (other ??= store({ ...run, giveWay: async () => {} }, [person('4915200000001')]));
		await store({ ...run, giveWay }, [person('4915200000002')]);
		const known = ['4915200000001', '4915200000002'].map(
			(phone) => recallerFor(run)(GROUP, [identityFor(phone)]).n8n,
		);
		expect(known).not.toContain(UNKNOWN);
	});
});
