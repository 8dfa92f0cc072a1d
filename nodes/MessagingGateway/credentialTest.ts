import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { messageOf, Problem } from './common/problem';
import { GatewayClient } from './gateway/client';
import { enteredKey, readCredential } from './gateway/credential';
import { credentialTestHttp } from './gateway/http';
import { redactText } from './gateway/redact/redactText';

/** Shorter limits than in a workflow, since a person waits for the result. */
const TEST_OPTIONS = { timeout: 20_000, maxRetries: 0 };

export async function messagingGatewayApiTest(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const credential = readCredential(data);
		const client = new GatewayClient(credential, credentialTestHttp(this, credential), { caller: 'editor' });
		await client.instances(TEST_OPTIONS);
		return { status: 'OK', message: 'Connection successful' };
	} catch (problem) {
		const description = problem instanceof Problem ? `. ${problem.description}` : '';
		return { status: 'Error', message: redactText(messageOf(problem) + description, [enteredKey(data)]) };
	}
}
