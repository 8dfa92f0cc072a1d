import { isRecord } from '../../nodes/MessagingGateway/common/json';
import { until } from './children';
import { addWorkflow, builtInNode, ownNode, publish } from './published';
import type { Rest } from './rest';

/** Where a workflow takes the phone numbers from that its webhook was called with. */
const PHONES = '={{ $json.body.phones }}';

/** Publishes a workflow of a webhook and an operation with participants, whose items are the webhook's answer. */
export async function publishWebhook(
	rest: Rest,
	path: string,
	parameters: Record<string, unknown>,
): Promise<void> {
	const answer = { responseMode: 'lastNode', responseData: 'allEntries' };
	const webhook = builtInNode('Webhook', 'n8n-nodes-base.webhook', 2, {
		httpMethod: 'POST',
		path,
		...answer,
	});
	const operation = ownNode('Operation', {
		resource: 'group',
		participants: PHONES,
		dryRun: false,
		...parameters,
	});
	await publish(rest, await addWorkflow(rest, path, [{ ...webhook, webhookId: path }, operation]));
}

/** Runs a published workflow, as what calls its webhook does, and gives the answer. @throws where that is no items */
export async function callWebhook(
	rest: Rest,
	path: string,
	phones: string[],
): Promise<Array<Record<string, unknown>>> {
	const response = await until(`The webhook "${path}"`, async () => {
		const reply = await fetch(`${rest.url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ phones }),
		});
		// n8n answers before all its webhooks are there.
		return reply.status === 404 ? undefined : reply;
	});
	const items: unknown = await response.json();
	if (Array.isArray(items) && items.every(isRecord)) return items;
	throw new Error(`"${path}" answered ${response.status} ${JSON.stringify(items)}`);
}
