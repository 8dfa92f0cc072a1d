import { exampleFile, exampleNames, LIST_INSTANCES, readExample } from '../support/site';
import { underTest, withEditor, withServer } from '../support/under-test';
import { CUSTOMERS } from '../../test/gateway/seed';
import { SEARCHES } from '../../test/searches';

const setting = withServer();
const editor = withEditor(setting);

beforeEach(async () => await editor().open(LIST_INSTANCES));

test('whatever people type who need the node, n8n finds it on the first screen', async () => {
	const notSeen: string[] = [];
	for (const words of SEARCHES) {
		const found = await editor().search(words, 'Messaging Gateway');
		if (!found.slice(0, 10).includes('Messaging Gateway')) notSeen.push(words);
		await editor().closeSearch();
	}
	expect(notSeen).toEqual([]);
});

/** Adds an operation from the list of nodes, and chooses instance and group from theirs. */
async function addOperation(action: string): Promise<void> {
	await editor().search('group members', 'Messaging Gateway');
	await editor().pickNode('Messaging Gateway');
	await editor().pickNode(action);
	await editor().panel.waitFor();
	await editor().choose('instance', 'main');
	await editor().choose('group', 'Customers');
}

test('the first click on a new node changes nobody', async () => {
	await addOperation('Leave group');

	expect(await editor().runStep()).toContain('1 group would be left');
	expect(setting().gateway.group('main', CUSTOMERS)?.members).toHaveLength(4);
});

test('adding the node, choosing instance and group from their lists and running the step changes the group', async () => {
	await addOperation('Add or remove group participants');
	await editor().type('participants', '+55 11 99000-0100');
	await editor().turn('dryRun');
	const output = await editor().runStep();

	expect(output).toContain('1 added');
	expect(output).toContain('5511990000100');
	expect(output).toContain('Added to the group.');
	expect(setting().gateway.group('main', CUSTOMERS)?.members).toContain('5511990000100@s.whatsapp.net');
});

test('Sync adds whom the list names, and removes who is not in it', async () => {
	await addOperation('Sync group participants');
	await editor().type('participants', '+5511990000001, +5511990000002, +5521990000003, +5511990000100');
	await editor().turn('dryRun');
	await editor().pick('unlisted', 'Remove');
	const output = await editor().runStep();

	expect(output).toContain('1 removed');
	expect(setting().gateway.group('main', CUSTOMERS)?.members).toEqual([
		'5511990000001@s.whatsapp.net',
		'5511990000002@s.whatsapp.net',
		'5511990000100@s.whatsapp.net',
		'5521990000003@s.whatsapp.net',
	]);
});

// n8n 1.x can't make a Data Table in a workflow.
(underTest().line.number === 2 ? test : test.skip)(
	'the recipe of the README shows a dry run of who is in the group by its first Execute step',
	async () => {
		await editor().open(readExample('keep-a-group-equal-to-a-data-table'));
		await editor().openNode('Sync participants');
		const output = await editor().runStep();
		expect(output).toContain('already there');
		expect(output).not.toContain('would be added');
	},
);

const isWebhook = ({ type }: { type: string }) => type.endsWith('.webhook');
const withWebhooks = exampleNames().filter((name) => readExample(name).nodes.some(isWebhook));

test.each(withWebhooks)(
	'each import of %s has an address of its own, from file and by paste',
	async (name) => {
		const addresses: unknown[] = [];
		for (const way of ['from file', 'from file', 'by paste', 'by paste'] as const) {
			const nodes = await editor().bringIn(way, exampleFile(name));
			const [webhook] = nodes.filter(isWebhook);
			addresses.push(webhook?.parameters.path || Object(webhook).webhookId);
		}
		expect(addresses.filter((one) => typeof one !== 'string' || one === '')).toEqual([]);
		expect(new Set(addresses).size).toBe(4);
	},
);

test('a row that is not valid is told in the panel, with what to do', async () => {
	await addOperation('Add or remove group participants');
	await editor().type('participants', 'ask Maria');

	const output = await editor().runStep();

	expect(output).toContain('the participant "ask Maria" isn\'t a valid phone number');
	expect(output).toContain('Enter phone numbers with country code');
});

test('a group that is chosen from its list is read', async () => {
	await addOperation('Get group');
	expect(await editor().runStep()).toContain('Customers');
});

test('resetting the invite link shows the new one, and the old one is gone', async () => {
	const code = () => setting().gateway.group('main', CUSTOMERS)?.inviteCode;
	const old = code();
	await addOperation('Reset group invite link');
	await editor().turn('dryRun');
	const output = await editor().runStep();

	expect(output).toContain('1 link reset');
	expect(output).toContain(`https://chat.whatsapp.com/${code()}`);
	expect(code()).not.toBe(old);
});

// The last one: the others begin with the workflow as it was.
test('a node that was saved is the same when it is opened again, and runs', async () => {
	await addOperation('Get group participants');
	await editor().save();
	await editor().open(LIST_INSTANCES);
	await editor().openNode('Get group participants');
	const members = setting().gateway.group('main', CUSTOMERS)?.members ?? [];
	const output = await editor().runStep();
	for (const member of members) expect(output).toContain(member);
});
