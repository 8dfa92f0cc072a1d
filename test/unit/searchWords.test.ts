import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';

/** What people type who look for one of the nodes. */
const WORDS = ['evolution', 'new member', 'join', 'leave', 'kick', 'disconnect'];

function aliasesOf(name: string): string[] {
	const file = join(__dirname, '../../nodes', name, `${name}.node.json`);
	return (JSON.parse(readFileSync(file, 'utf8')) as { alias: string[] }).alias;
}

describe.each(['MessagingGateway', 'MessagingGatewayTrigger'])('%s is found', (name) => {
	const alias = aliasesOf(name);

	it.each(WORDS)('by "%s"', (word) => {
		expect(alias).toContain(word);
	});

	it('by few words, and by none twice', () => {
		expect(alias.length).toBeLessThanOrEqual(12);
		expect(new Set(alias).size).toBe(alias.length);
	});
});

it.each(['remove member', 'add participant', 'kick', 'group sync'])(
	'Sync and Update are found by "%s"',
	(word) => {
		expect(aliasesOf('MessagingGateway')).toContain(word);
	},
);

it('both nodes have one description, since n8n shows them as one entry', () => {
	const [action, trigger] = [new MessagingGateway(), new MessagingGatewayTrigger()];
	expect(action.description.description).toMatch(/^Keep WhatsApp groups equal to a list .* start workflows/);
	expect(trigger.description.description).toBe(action.description.description);
});
