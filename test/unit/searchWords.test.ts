import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';

/** What people type who look for one of the nodes. */
const WORDS = ['evolution', 'new member', 'join', 'leave', 'kick', 'disconnect'];

describe.each(['MessagingGateway', 'MessagingGatewayTrigger'])('%s is found', (name) => {
	const file = join(__dirname, '../../nodes', name, `${name}.node.json`);
	const { alias } = JSON.parse(readFileSync(file, 'utf8')) as { alias: string[] };

	it.each(WORDS)('by "%s"', (word) => {
		expect(alias).toContain(word);
	});

	it('by no word twice', () => {
		expect(new Set(alias).size).toBe(alias.length);
	});
});

it.each([
	[new MessagingGateway(), /^Keep WhatsApp groups in sync/],
	[new MessagingGatewayTrigger(), /^Starts the workflow when people join or leave a WhatsApp group/],
])('the description begins with what the node does: %#', ({ description }, beginning) => {
	expect(description.description).toMatch(beginning);
});
