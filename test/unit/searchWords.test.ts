import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';
import { SEARCHES } from '../searches';

/** The search of n8n's editor. */
const { sublimeSearch } = jest.requireActual<{ sublimeSearch(words: string, entries: object[]): object[] }>(
	'@n8n/utils/dist/search/sublime-search',
);

const { description } = new MessagingGateway();
const file = join(__dirname, '../../nodes/MessagingGateway/MessagingGateway.node.json');
const { alias } = JSON.parse(readFileSync(file, 'utf8')) as { alias: string[] };
/** The entry of both nodes in n8n's list. It has the aliases of the action node alone. */
const entry = { properties: { displayName: description.displayName, codex: { alias } } };

it.each(SEARCHES)('n8n finds the node by "%s"', (words) => {
	expect(sublimeSearch(words, [entry])).toHaveLength(1);
});

it('has few aliases, of which each is needed', () => {
	expect(alias.length).toBeLessThanOrEqual(12);
	const isNeeded = (one: string) => {
		const others = { ...entry.properties, codex: { alias: alias.filter((other) => other !== one) } };
		return SEARCHES.some((words) => sublimeSearch(words, [{ properties: others }]).length === 0);
	};
	expect(alias.filter((one) => !isNeeded(one))).toEqual([]);
});

it('both nodes have the description of the action node, since n8n shows that of the trigger for both', () => {
	expect(description.description).toMatch(/^Keep WhatsApp groups equal to a list/);
	expect(new MessagingGatewayTrigger().description.description).toBe(description.description);
});
