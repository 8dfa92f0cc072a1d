import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { readInstances } from './gateway/replies/instances';
import { messageOf, Problem } from './common/problem';
import { strikeOut } from './gateway/redact/redactText';
import { keysIn, readCredential } from './gateway/credential';
import { Gateway } from './gateway/connection';
import { credentialTestHttp } from './gateway/http';

/** Shorter than in a workflow: somebody waits for it. */
const RETRY_OPTIONS = { timeout: 20_000, maxRetries: 0 };

/**
 * Tests a credential by listing the instances, which every generation of gateways can do.
 *
 * @returns `OK`, or `Error` with what is wrong and what to do
 */
export async function messagingGatewayApiTest(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const credential = readCredential(data);
		const gateway = new Gateway(credential, credentialTestHttp(this, credential));
		await gateway.read('listInstances', {}, RETRY_OPTIONS, { read: readInstances });
		return { status: 'OK', message: 'Connection successful' };
	} catch (problem) {
		const description = problem instanceof Problem ? `. ${problem.description}` : '';
		return {
			status: 'Error',
			message: strikeOut(messageOf(problem) + description, keysIn(data)),
		};
	}
}
